"""Commands to try at a table: of every kind, from everybody, sensible and not."""

import msgspec
from hypothesis import strategies as st

from croupier.rulebook import Layout
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import Actor, Limits, Range, Rules, Settings
from croupier.table import commands as c
from croupier.table.calls import CALL_REASONS
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER

TABLES = (
    ("mbs-roulette", None),
    ("rws-roulette-00", "A"),
    ("rws-roulette-00", "B"),
    ("rws-roulette-000", None),
    ("rws-money-wheel", None),
    ("rws-roulette-00", ("A", "B")),
)
"""Every book with each of its layouts, and one with both of them at one wheel."""
SEATS = ("seat-amber", "seat-birch", "seat-cedar", "seat-dune")
"""Names that occur in no notice, so that a search for them finds every leak."""
PEOPLE = (DEALER, Actor(id="dealer-2", position="dealer"), SUPERVISOR, MANAGER, SHIFT_MANAGER)
OWN_COMMANDS = ("no-spin", "interruption-no-outcome")
"""Causes that void a round by a command of their own and are never declared."""
DIRECTIONS = ("clockwise", "counter-clockwise")

AMOUNTS = st.sampled_from((100, 200, 500, 1_000, 2_500, 10_000))
ANY_AMOUNTS = st.one_of(AMOUNTS, st.sampled_from((-100, 0, 1, 99, 30_000, 10**7)))
REASONS = st.sampled_from(("seen on camera", "dealer's mistake", " "))


def player(seat: str) -> Actor:
    """Whoever sits at a seat; the name does not contain the seat's."""
    return Actor(id=f"player-{SEATS.index(seat)}", position="player", seat=seat)


PLAYERS = tuple(player(seat) for seat in SEATS)
ACTORS = st.one_of(
    st.sampled_from(PEOPLE),
    st.sampled_from(PLAYERS),
    st.sampled_from((SHIFT_MANAGER, TIMER, SENSOR, Actor(id="stranger", position="guest"))),
)
SECONDS = st.one_of(st.none(), st.sampled_from(PEOPLE), st.sampled_from(PLAYERS))


def tables(rules: Rules) -> st.SearchStrategy[Settings]:
    """Settings under which limits, lock-ups and forgetting come within reach of a few rounds."""
    kinds = sorted({bet.kind for bet in rules.bets.values()})

    def build(
        most: int,
        table: int | None,
        voucher_limit: int,
        seconds: int | None,
        two: tuple[str, ...],
        kept: int,
        source: str,
    ) -> Settings:
        bets = dict.fromkeys(kinds, Range(minimum_cents=200, maximum_cents=most))
        limits = Limits(bets=bets, table_cents=table)
        return Settings(
            table="T1",
            book=rules.book.id,
            layouts=tuple(rules.layouts),
            limits=limits,
            lock_up_cents=40_000,
            voucher_limit_cents=voucher_limit,
            betting_seconds=seconds,
            two_people=two,
            rounds_kept=kept,
            answers_kept=8,
            spin_source=source,
        )

    return st.builds(
        build,
        st.sampled_from((3_000, 3_000 if rules.marks_boxes else 100_000, 100_000)),
        st.sampled_from((None, 4_000)) if rules.marks_boxes else st.none(),
        st.sampled_from((5_000, 500_000)),
        st.sampled_from((None, 30)),
        st.sampled_from(((), ("clear-lock-up", "decide"))),
        st.sampled_from((2, 100)),
        st.sampled_from(("hand", "sensor")),
    )


def limits(rules: Rules) -> st.SearchStrategy[Limits]:
    """Limits of every kind, some of them impossible."""
    kinds = sorted({bet.kind for bet in rules.bets.values()})
    some_bet = next(iter(rules.bets))
    # Where boxes are marked most of these cannot be set, so that they have to be rarer there.
    none = (None,) * (6 if rules.marks_boxes else 1)
    return st.builds(
        lambda least, most, spot, seat, table, exposure: Limits(
            bets={kind: Range(minimum_cents=least, maximum_cents=most) for kind in kinds},
            spots={} if spot is None else {some_bet: spot, kinds[-1]: 2 * spot},
            seat_cents=seat,
            table_cents=table,
            exposure_cents=exposure,
        ),
        st.sampled_from((100, 200, 500, 0)),
        st.sampled_from((3_000, 100_000, 100_000, 400)),
        st.sampled_from((*none, 5_000)),
        st.sampled_from((*none, 15_000)),
        st.sampled_from((None, 20_000)),
        st.sampled_from((*none, 100_000)),
    )


def layouts(rules: Rules) -> st.SearchStrategy[str | None]:
    """The layout of a seat that is opened: nobody names one where the table has no other."""
    return st.none() if len(rules.layouts) == 1 else st.sampled_from((None, *rules.layouts, "Nowhere"))


def merged(rules: Rules) -> Layout:
    """All that can be named at a table: what layouts have in common is the same on each of them."""
    found, *others = rules.layouts.values()
    for other in others:
        shared = {bet.id: bet for bet in found.bets.values() if bet.id in other.bets}
        assert all(
            (bet.numbers, bet.pays) == (other.bets[bet.id].numbers, other.bets[bet.id].pays)
            for bet in shared.values()
        )
        found = msgspec.structs.replace(
            found,
            bets={**other.bets, **found.bets},
            aliases={**other.aliases, **found.aliases},
            announced={**other.announced, **found.announced},
            announced_aliases={**other.announced_aliases, **found.announced_aliases},
        )
    return found


def bet_names(rules: Rules) -> list[str]:
    """A few bets of each kind, and what else people write: other orders, other names, announced bets."""
    layout = merged(rules)
    by_kind: dict[str, list[str]] = {}
    for bet in layout.bets.values():
        by_kind.setdefault(bet.kind, []).append(bet.id)
    names = [bet_id for ids in by_kind.values() for bet_id in (ids[0], ids[len(ids) // 2], ids[-1])]
    turned = [
        f"{bet.kind}:{'/'.join(reversed(bet.numbers))}"
        for bet in layout.bets.values()
        if bet.kind == "split" and "17" in bet.numbers
    ]
    announced = [*layout.announced]
    return [*dict.fromkeys(names), *turned, *layout.aliases, *announced[:4], *announced[-4:]]


def results(rules: Rules) -> list[str]:
    """Few results, so that bets win often: each zero or rare symbol, and some others."""
    outcomes = [*rules.book.wheel.outcomes]
    chosen = [*outcomes[:4], "17", "36"] if "17" in outcomes else outcomes
    return [*dict.fromkeys(chosen)]


def spins(rules: Rules) -> tuple[st.SearchStrategy[c.StartSpin], st.SearchStrategy[c.FinishSpin]]:
    """The facts of a spin from its beginning and its end: valid, wrong, or not known."""
    direction = st.sampled_from((None, *DIRECTIONS))
    ball = direction if rules.book.wheel.kind == "ball" else st.none()
    start = st.builds(
        c.StartSpin, ball=ball, wheel=direction, wheel_turning=st.sampled_from((None, True, False))
    )
    rest = st.one_of(
        st.tuples(st.sampled_from((None, *results(rules))), st.just(True)),
        st.tuples(st.none(), st.booleans()),
    )
    finish = st.builds(
        lambda revolutions, rest: c.FinishSpin(revolutions=revolutions, pocket=rest[0], at_rest=rest[1]),
        st.sampled_from((None, 2, 3, 4, 9)),
        rest,
    )
    return start, finish


def anything(rules: Rules) -> st.SearchStrategy[c.Do]:
    """Any command at all, as likely as not one that makes no sense now."""
    seat = st.sampled_from((*SEATS, *SEATS, "nowhere"))
    bet = st.sampled_from((*bet_names(rules), "straight:99", "Nonsense", "red "))
    box = st.sampled_from((*rules.bets, "table", "Nonsense"))
    stakes = st.lists(st.builds(c.Stake, bet, ANY_AMOUNTS), max_size=3).map(tuple)
    result = st.sampled_from((*results(rules), "99"))
    number = st.integers(0, 6)
    cause = st.sampled_from((*rules.book.irregularities, "earthquake"))
    start, finish = spins(rules)
    voucher = st.sampled_from(("V-1", "V-2", ""))
    named = st.lists(st.builds(c.NamedBet, seat, box), max_size=2).map(tuple)
    return st.one_of(
        st.sampled_from((c.OpenTable(), c.CloseTable(), c.AnnounceLastRound(), c.OpenRound())),
        st.sampled_from((c.WarnClosing(), c.CloseBets(), c.StartSpin(ball="upwards"))),
        st.sampled_from((c.FinishSpin(revolutions=-1), c.FinishSpin(pocket="0", at_rest=False))),
        st.builds(c.HaltTable, reason=REASONS),
        st.builds(c.ResumeTable, reason=REASONS),
        st.builds(c.ChangeLimits, limits=limits(rules), reason=REASONS),
        st.builds(
            c.OpenSeat, seat=seat, kind=st.sampled_from((*rules.seat_kinds, "throne")), layout=layouts(rules)
        ),
        st.builds(c.CloseSeat, seat=seat),
        st.builds(c.LoseSeat, seat=seat),
        st.builds(c.RestoreSeat, seat=seat),
        st.builds(c.BuyCredits, seat=seat, cents=ANY_AMOUNTS, voucher=st.one_of(st.none(), voucher)),
        st.builds(c.CashOut, seat=seat, voucher=voucher),
        st.builds(c.PayByAttendant, seat=seat),
        st.builds(c.ClearLockUp, seat=seat),
        st.builds(c.CallAttendant, seat=seat, reason=st.sampled_from((*CALL_REASONS, "a chat"))),
        st.builds(c.AnswerCall, seat=seat),
        st.builds(c.PlaceBets, seat=seat, stakes=stakes),
        st.builds(c.TakeBets, seat=seat, stakes=stakes),
        st.builds(c.MoveBet, seat=seat, source=bet, destination=bet, cents=ANY_AMOUNTS),
        st.builds(c.ClearBets, seat=seat),
        st.builds(c.RejectExcess, bet=box),
        st.builds(c.AdviseMinimum, seat=seat, bet=box),
        st.builds(c.RejectAdvised, seat=seat, bet=box),
        start,
        finish,
        st.builds(c.EnterResult, result=result),
        st.builds(c.ConfirmResult, result=result),
        st.builds(c.CallNoSpin, reason=REASONS),
        st.builds(
            c.DeclareIrregularity, cause=cause, rounds=st.lists(number, max_size=2).map(tuple), note=REASONS
        ),
        st.builds(c.CorrectResult, round=number, result=result, reason=REASONS),
        st.builds(
            c.SettleCarried,
            round=number,
            seat=seat,
            how=st.sampled_from(("paid", "collected", "written-off", "forgotten")),
            cents=ANY_AMOUNTS,
            reason=REASONS,
        ),
        st.builds(c.StateOutcome, result=st.one_of(st.none(), result)),
        st.builds(
            c.Decide,
            ruling=st.sampled_from(("void", "correct", "return-bets", "none", "toss a coin")),
            reason=REASONS,
            round=number,
            bets=named,
        ),
    )


class Choices:
    """Everything that random play at one kind of table draws from, built once."""

    def __init__(self, rules: Rules) -> None:
        irregularities = rules.book.irregularities.values()
        self.rules = rules
        self.tables, self.limits, self.anything = tables(rules), limits(rules), anything(rules)
        self.bets = st.lists(st.sampled_from(bet_names(rules)), min_size=1, max_size=2)
        self.boxes = st.sampled_from([*rules.bets])
        self.results = st.sampled_from(results(rules))
        self.outcomes = st.one_of(st.none(), self.results)
        self.starts, self.finishes = spins(rules)
        declared = [i.cause for i in irregularities if i.consequence in VOIDING]
        self.causes = st.permutations([cause for cause in declared if cause not in OWN_COMMANDS])
