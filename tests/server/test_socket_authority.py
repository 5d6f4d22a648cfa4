"""Who may do what, over the wire: every command, every position, every kind of device."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from croupier.client import Connection, Ended
from croupier.protocol.asking import CashOut, Do
from croupier.table import Actor, Command, may
from croupier.table import commands as c
from croupier.table.actors import WHEEL
from floor.sim_live import played
from server.floor_rig import PEOPLE, FloorRig, a_floor, done
from table.rig import wide_limits

CALLS = (c.CallAttendant, c.AnswerCall)
POSITIONS = {"dealer": "dee", "pit-supervisor": "sue", "pit-manager": "max", "shift-manager": "shi"}


def commands(rig: FloorRig, seat: str) -> Iterator[Do]:
    """Every command that the protocol knows, for one seat where it is about a seat."""
    rules = rig.floor.tables["R1"].runner.rules
    made: dict[type, Do] = {
        c.ResumeTable: c.ResumeTable(reason="Looked at."),
        c.ChangeLimits: c.ChangeLimits(limits=wide_limits(rules), reason="A new day."),
        c.OpenSeat: c.OpenSeat(seat=f"{seat}-new", kind=rules.seat_kinds[0]),
        c.BuyCredits: c.BuyCredits(seat=seat, cents=100),
        c.PlaceBets: c.PlaceBets(seat=seat, stakes=(c.Stake("red", 100),)),
        c.TakeBets: c.TakeBets(seat=seat, stakes=(c.Stake("red", 100),)),
        c.MoveBet: c.MoveBet(seat=seat, source="red", destination="black", cents=100),
        c.RejectExcess: c.RejectExcess(bet="red"),
        c.AdviseMinimum: c.AdviseMinimum(seat=seat, bet="red"),
        c.RejectAdvised: c.RejectAdvised(seat=seat, bet="red"),
        c.EnterResult: c.EnterResult(result="7"),
        c.ConfirmResult: c.ConfirmResult(result="7"),
        c.CallNoSpin: c.CallNoSpin(reason="A glass fell."),
        c.DeclareIrregularity: c.DeclareIrregularity(cause="foreign-object"),
        c.CorrectResult: c.CorrectResult(round=1, result="8", reason="The ball lies in 8."),
        c.SettleCarried: c.SettleCarried(round=1, seat=seat, how="paid", cents=100, reason="Receipt 8."),
        c.StateOutcome: c.StateOutcome(result="7"),
        c.DeclareInterruption: c.DeclareInterruption(reason="No light in the hall."),
        c.UpholdResult: c.UpholdResult(round=1, reason="The film shows it."),
        c.Decide: c.Decide(ruling="none", reason="Nothing follows.", round=1),
        c.ReportWheel: c.ReportWheel(fault="line-lost"),
        c.CommitSpin: c.CommitSpin(commitment="ab" * 32),
        c.OpenCommitment: c.OpenCommitment(round=1, opening="7"),
    }
    for kind in get_args(Do):
        if kind in made:
            yield made[kind]
        elif kind in (c.CloseSeat, CashOut, c.PayByAttendant, c.ClearLockUp, c.ClearBets, *CALLS):
            yield kind(seat=seat)
        else:
            yield kind()


async def compare(rig: FloorRig, connection: Connection, actor: Actor, seat: str) -> dict[str, str]:
    """Gives every command; each answer has to be what the table itself says of somebody in that position."""
    runner = rig.floor.tables["R1"].runner
    codes = {}
    for do in commands(rig, seat):
        asked: Any = c.CashOut(seat=seat, voucher="0" * 18) if isinstance(do, CashOut) else do
        state = await runner.consistent_state()
        command = Command(at_ms=rig.floor.clock.now_ms(), actor=actor, sender=actor.id, number=1, do=asked)
        expected = may(runner.rules, state, command)
        answer = await connection.send(do)
        code = None if answer.refused is None else answer.refused.code
        assert code == (None if expected is None else expected.code), type(do).__name__
        codes[type(do).__name__] = code or ""
    return codes


@pytest.mark.parametrize("position", POSITIONS)
@played
async def test_a_console_may_do_what_the_position_of_its_person_may(tmp_path: Path, position: str) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        await rig.do("R1", c.OpenRound())
        name = POSITIONS[position]
        async with await rig.console(name) as console:
            codes = await compare(rig, console, Actor(id=name, position=position), "1")
        assert codes["ReportWheel"] == codes["CommitSpin"] == "not-allowed"
        assert (codes["StateOutcome"] == "not-allowed") == (position == "dealer")
        assert (codes["Decide"] == "not-allowed") == (position != "shift-manager")


@played
async def test_a_terminal_may_do_what_a_player_may_and_for_its_own_seat_alone(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        await rig.do("R1", c.OpenRound())
        await rig.do("R1", c.BuyCredits(seat="2", cents=500))
        async with await rig.seat("1") as seat:
            actor = Actor(id=seat.welcome.who, position="player", seat="1")
            own = await compare(rig, seat, actor, "1")
            other = await compare(rig, seat, actor, "2")
        state = await rig.floor.tables["R1"].runner.consistent_state()
        mine = {"BuyCredits", "CashOut", "PlaceBets", "TakeBets", "MoveBet", "ClearBets"}
        mine |= {"CallAttendant", "AnswerCall"}
        assert {name for name, code in other.items() if code == "not-your-seat"} == mine
        assert {name for name, code in own.items() if code not in ("not-allowed", "not-in-this-game")} == mine
        assert (state.credits_cents("2"), state.seats["2"].staked_cents) == (500, 0)


@played
async def test_a_wheel_may_do_what_wheels_do(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        await rig.do("R1", c.OpenRound())
        token = await rig.token("wheel", "R1", None)
        async with Connection(rig.socket_url, token, "wheel") as wheel:
            codes = await compare(rig, wheel, Actor(id=wheel.welcome.who, position=WHEEL), "1")
        assert codes["ConfirmResult"] == codes["PlaceBets"] == codes["OpenRound"] == "not-allowed"
        assert codes["CallAttendant"] == codes["AnswerCall"] == "not-allowed"
        assert codes["ReportWheel"] == codes["CloseBets"] == ""
        assert codes["CommitSpin"] != "not-allowed"


@played
async def test_a_display_only_watches(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        before = live.runner.state.sequence
        async with await rig.display() as display:
            for do in commands(rig, "1"):
                assert (await display.send(do)).refused.code == "only-watching"
        assert live.runner.state.sequence == before


@pytest.mark.parametrize("audience", ["seat", "display", "console", "pit", "wheel"])
@pytest.mark.parametrize("kind", ["terminal", "display", "wheel", *PEOPLE])
@played
async def test_nobody_listens_to_more_than_they_may(tmp_path: Path, kind: str, audience: str) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("R1")
        await rig.open_table("R2", "rws-roulette-000")
        is_person = kind in PEOPLE
        token = await rig.sign_in(kind) if is_person else await rig.token(kind, "R1")
        own = {"terminal": {"seat"}, "display": {"display"}, "wheel": {"wheel"}}
        supervises = is_person and PEOPLE[kind] != "dealer"
        may_hear = {"display", "console", *({"pit"} if supervises else set())} if is_person else own[kind]
        connection = Connection(rig.socket_url, token, audience, None if audience == "pit" else "R1")
        if audience in may_hear:
            async with connection:
                pass
            if not is_person:
                with pytest.raises(Ended, match="not-your-table"):
                    async with Connection(rig.socket_url, token, audience, "R2"):
                        pass
        else:
            with pytest.raises(Ended, match=r"wrong-audience|not-allowed"):
                async with connection:
                    pass


@played
async def test_a_seats_money_is_seen_by_the_seat_and_the_staff_alone(tmp_path: Path) -> None:
    """What goes over the other lines holds neither the seat's credits nor its bets."""
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        seen: dict[str, list[str]] = {"display": [], "other": []}
        async with (
            await rig.seat("1") as seat,
            await rig.seat("2", told=lambda told: seen["other"].append(str(told))) as other,
            await rig.display(told=lambda told: seen["display"].append(str(told))) as display,
            await rig.console() as console,
        ):
            await done(seat, c.BuyCredits(seat="1", cents=123_456_789))
            await done(console, c.OpenRound())
            await done(seat, c.PlaceBets(seat="1", stakes=(c.Stake("split:8/11", 7_777),)))
            for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="8"), c.ConfirmResult(result="8")):
                await done(console, do)
            await display.until(lambda now: bool(now.table.outcomes))
            await other.until(lambda now: bool(now.table.outcomes))
            views = [str(display.table), str(display.seat), str(other.table), str(other.seat)]
        told = " ".join([*seen["display"], *seen["other"], *views])
        assert "round-settled" in told
        for secret in ("123456789", "7777", "split:8/11"):
            assert secret not in told


@pytest.mark.parametrize("joins", ["table", "pit"])
@played
async def test_who_is_cut_off_while_the_table_is_read_does_not_get_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, joins: str
) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        access = rig.floor.access
        token = await rig.token() if joins == "table" else await rig.sign_in("sue")
        place: Any = live.runner if joins == "table" else rig.floor.pit
        name = "consistent_state" if joins == "table" else "snapshot"
        reads = getattr(place, name)

        async def cut_off_meanwhile() -> Any:
            found = await reads()
            device = access.device(token)
            if device is None:
                await access.sign_out(token)
            else:
                by = Actor(id="sue", position="pit-supervisor")
                assert await access.revoke(by, device.id, "Stolen.") is None
            return found

        monkeypatch.setattr(place, name, cut_off_meanwhile)
        audience, table = ("seat", "R1") if joins == "table" else ("pit", None)
        with pytest.raises(Ended, match="unknown-token"):
            async with Connection(rig.socket_url, token, audience, table):
                pass
