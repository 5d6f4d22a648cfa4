"""Commands in words: `place-bets 1 split:17/20=5.00 red=10.00`, `correct-result round=2 result=20 "why"`."""

import shlex
from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.rulebook import parse_cents
from croupier.table import Rules
from croupier.table import commands as c
from golden.clock import read_time
from golden.setting_words import read_limits

Words = list[str]


def read_command(rules: Rules, text: str) -> c.Do:
    """The command that words stand for.

    >>> from croupier.rulebook import load_book
    >>> read_command(Rules(load_book("mbs-roulette")), "place-bets 1 red=10.00").stakes
    (Stake(bet='red', cents=1000),)
    """
    name, *words = shlex.split(text)
    if name not in COMMANDS:
        raise ValueError(f"{name!r} is not a command")
    try:
        return COMMANDS[name](rules, words)
    except (IndexError, KeyError, ValueError) as error:
        raise ValueError(f"{text!r} is not written like the command {name}: {error!r}") from error


def _bare(kind: Callable[[], c.Do]) -> "Reader":
    return lambda rules, words: kind() if not words else _too_many(words)


def _with_one(kind: Callable[..., c.Do], field: str) -> "Reader":
    """A command that names one thing: a seat, a reason, a result."""
    return lambda rules, words: kind(**{field: _single(words)})


def _with_stakes(kind: type[c.PlaceBets | c.TakeBets]) -> "Reader":
    def read(rules: Rules, words: Words) -> c.Do:
        seat, *pairs = words
        stakes = (word.rpartition("=") for word in pairs)
        return kind(seat=seat, stakes=tuple(c.Stake(bet, parse_cents(amount)) for bet, _, amount in stakes))

    return read


def _single(words: Words) -> str:
    (word,) = words
    return word


def _too_many(words: Words) -> Any:
    raise ValueError(f"{' '.join(words)!r} is too much")


def _named(words: Words) -> dict[str, str]:
    """Everything of a command that is written as name=value."""
    pairs = (word.partition("=") for word in words)
    return {name: value for name, _, value in pairs}


def _open_seat(rules: Rules, words: Words) -> c.Do:
    seat, kind, *more = words
    return c.OpenSeat(seat=seat, kind=kind, layout=_named(more).get("layout"))


def _buy_credits(rules: Rules, words: Words) -> c.Do:
    seat, amount, *more = words
    return c.BuyCredits(seat=seat, cents=parse_cents(amount), voucher=_named(more).get("voucher"))


def _cash_out(rules: Rules, words: Words) -> c.Do:
    seat, voucher = words
    return c.CashOut(seat=seat, voucher=_named([voucher])["voucher"])


def _call_attendant(rules: Rules, words: Words) -> c.Do:
    seat, reason = words
    return c.CallAttendant(seat=seat, reason=reason)


def _change_limits(rules: Rules, words: Words) -> c.Do:
    *limits, reason = words
    return c.ChangeLimits(limits=read_limits(rules, limits), reason=reason)


def _move_bet(rules: Rules, words: Words) -> c.Do:
    seat, amount, source, _, destination = words
    return c.MoveBet(seat=seat, source=source, destination=destination, cents=parse_cents(amount))


def _with_bet(kind: type[c.AdviseMinimum | c.RejectAdvised]) -> "Reader":
    def read(rules: Rules, words: Words) -> c.Do:
        seat, bet = words
        return kind(seat=seat, bet=bet)

    return read


def _start_spin(rules: Rules, words: Words) -> c.Do:
    named = _named(words)
    turning = named.pop("wheel-turning", None)
    return c.StartSpin(
        rotor_tenths_rpm=_tenths(named.pop("rotor", None)),
        wheel_turning=None if turning is None else _yes(turning),
        **named,
    )


def _tenths(rpm: str | None) -> int | None:
    return None if rpm is None else int(rpm.replace(".", ""))


def _whole(number: str | None) -> int | None:
    return None if number is None else int(number)


def _finish_spin(rules: Rules, words: Words) -> c.Do:
    named = _named(words)
    return c.FinishSpin(
        revolutions=_whole(named.pop("revolutions", None)),
        at_rest=_yes(named.pop("at-rest", "yes")),
        round=_whole(named.pop("round", None)),
        rotor_tenths_rpm=_tenths(named.pop("rotor", None)),
        diamond=_whole(named.pop("diamond", None)),
        **named,
    )


def _declare(rules: Rules, words: Words) -> c.Do:
    cause, *more = words
    named = _named([word for word in more if word.startswith("rounds=")])
    notes = [word for word in more if not word.startswith("rounds=")]
    rounds = tuple(int(number) for number in named["rounds"].split(",")) if named else ()
    return c.DeclareIrregularity(cause=cause, rounds=rounds, note=_single(notes) if notes else "")


def _correct_result(rules: Rules, words: Words) -> c.Do:
    *facts, reason = words
    named = _named(facts)
    return c.CorrectResult(round=int(named["round"]), result=named["result"], reason=reason)


def _settle_carried(rules: Rules, words: Words) -> c.Do:
    seat, how, amount, number, reason = words
    cents, round_ = parse_cents(amount), int(_named([number])["round"])
    return c.SettleCarried(round=round_, seat=seat, how=how, cents=cents, reason=reason)


def _interrupt(rules: Rules, words: Words) -> c.Do:
    return c.Interrupt(began_ms=read_time(_named(words)["began"]))


def _declare_interruption(rules: Rules, words: Words) -> c.Do:
    *facts, reason = words
    return c.DeclareInterruption(reason=reason, spun=_yes(_named(facts).get("spun", "no")))


def _state_outcome(rules: Rules, words: Words) -> c.Do:
    result, *facts = words
    spun = _yes(_named(facts).get("spun", "no"))
    return c.StateOutcome(result=None if result == "none" else result, spun=spun)


def _uphold_result(rules: Rules, words: Words) -> c.Do:
    number, reason = words
    return c.UpholdResult(round=int(_named([number])["round"]), reason=reason)


def _decide(rules: Rules, words: Words) -> c.Do:
    ruling, *facts, reason = words
    named = _named([word for word in facts if "=" in word])
    bets = (word.partition("/") for word in facts if "=" not in word)
    return c.Decide(
        ruling=ruling,
        reason=reason,
        round=int(named["round"]),
        bets=tuple(c.NamedBet(seat, bet) for seat, _, bet in bets),
    )


def _recall_round(rules: Rules, words: Words) -> c.Do:
    raise ValueError("a table recalls rounds by itself")


def _report_wheel(rules: Rules, words: Words) -> c.Do:
    fault, *detail = words
    return c.ReportWheel(fault=None if fault == "none" else fault, detail=_single(detail) if detail else "")


def _open_commitment(rules: Rules, words: Words) -> c.Do:
    number, opening = words
    return c.OpenCommitment(round=int(_named([number])["round"]), opening=opening)


def _yes(word: str) -> bool:
    return {"yes": True, "no": False}[word]


Reader = Callable[[Rules, Words], c.Do]

COMMANDS: Final[Mapping[str, Reader]] = {
    "open-table": _bare(c.OpenTable),
    "close-table": _bare(c.CloseTable),
    "announce-last-round": _bare(c.AnnounceLastRound),
    "halt-table": _with_one(c.HaltTable, "reason"),
    "resume-table": _with_one(c.ResumeTable, "reason"),
    "change-limits": _change_limits,
    "open-seat": _open_seat,
    "close-seat": _with_one(c.CloseSeat, "seat"),
    "lose-seat": _with_one(c.LoseSeat, "seat"),
    "restore-seat": _with_one(c.RestoreSeat, "seat"),
    "buy-credits": _buy_credits,
    "cash-out": _cash_out,
    "pay-by-attendant": _with_one(c.PayByAttendant, "seat"),
    "clear-lock-up": _with_one(c.ClearLockUp, "seat"),
    "call-attendant": _call_attendant,
    "answer-call": _with_one(c.AnswerCall, "seat"),
    "place-bets": _with_stakes(c.PlaceBets),
    "take-bets": _with_stakes(c.TakeBets),
    "move-bet": _move_bet,
    "clear-bets": _with_one(c.ClearBets, "seat"),
    "reject-excess": _with_one(c.RejectExcess, "bet"),
    "advise-minimum": _with_bet(c.AdviseMinimum),
    "reject-advised": _with_bet(c.RejectAdvised),
    "open-round": _bare(c.OpenRound),
    "warn-closing": _bare(c.WarnClosing),
    "close-bets": _bare(c.CloseBets),
    "start-spin": _start_spin,
    "finish-spin": _finish_spin,
    "enter-result": _with_one(c.EnterResult, "result"),
    "confirm-result": _with_one(c.ConfirmResult, "result"),
    "call-no-spin": _with_one(c.CallNoSpin, "reason"),
    "declare-irregularity": _declare,
    "correct-result": _correct_result,
    "settle-carried": _settle_carried,
    "interrupt": _interrupt,
    "declare-interruption": _declare_interruption,
    "state-outcome": _state_outcome,
    "uphold-result": _uphold_result,
    "decide": _decide,
    "recall-round": _recall_round,
    "report-wheel": _report_wheel,
    "commit-spin": _with_one(c.CommitSpin, "commitment"),
    "open-commitment": _open_commitment,
}
"""How each command is read."""
