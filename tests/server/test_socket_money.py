"""What players hear of money that was theirs: wins, corrections, what is paid or collected by hand."""

from pathlib import Path

from croupier.client import Connection
from croupier.protocol.asking import CashOut
from croupier.server.viewing import last_wins
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, Heard, a_floor, done


@played
async def test_what_a_player_has_won_is_not_shown_to_the_next_one(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat("1") as seat, await rig.console() as console:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            await rig.do("R1", c.OpenRound())
            await done(seat, c.PlaceBets(seat="1", stakes=(c.Stake("straight:7", 10_00),)))
            for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="7"), c.ConfirmResult(result="7")):
                await rig.do("R1", do)
            await seat.until(lambda seen: seen.seat.last_win_cents == 360_00)
            visit = seat.seat.visit
            await done(seat, CashOut(seat="1"))
            await seat.until(lambda seen: seen.seat.visit == visit + 1)
            assert (seat.seat.last_round, seat.seat.last_win_cents) == (None, 0)
            await console.until(lambda seen: all(line.last_win_cents == 0 for line in seen.console.seats))

            # A correction of the round is the business of whoever has left.
            await done(seat, c.BuyCredits(seat="1", cents=50_00))
            await rig.do("R1", c.CorrectResult(round=1, result="8", reason="misread"))
            await seat.until(lambda seen: seen.table.outcomes[0].result == "8")
            assert seat.seat.last_win_cents == 0
        # What a server finds when it starts says the same.
        assert last_wins(rig.floor.tables["R1"].runner.state) == {}


async def play(rig: FloorRig, seat: Connection, stake: c.Stake, result: str) -> None:
    await rig.do("R1", c.OpenRound())
    await done(seat, c.PlaceBets(seat="1", stakes=(stake,)))
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result)):
        await rig.do("R1", do)


async def lose(rig: FloorRig, seat: Connection, round_: int) -> None:
    """Loses 100.00 on 7, and buys another 50.00."""
    await play(rig, seat, c.Stake("straight:7", 100_00), "8")
    await seat.until(lambda seen: seen.seat.last_round == round_)
    await done(seat, c.BuyCredits(seat="1", cents=50_00))


@played
async def test_who_stayed_and_bought_again_is_told_what_is_to_be_paid_by_hand(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard = Heard()
        async with await rig.seat("1", told=heard) as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            await lose(rig, seat, 1)
            await rig.do("R1", c.CorrectResult(round=1, result="7", reason="misread"))
            await seat.until(lambda seen: heard.kinds[-1] == "seat-corrected")

            facts = heard.told[-1].event
            assert (facts["returned_cents"], facts["carried_cents"]) == (3_600_00, 3_600_00)
            assert "has_left" not in facts
            assert (seat.seat.credits_cents, seat.seat.last_round, seat.seat.last_win_cents) == (50_00, 1, 0)
            assert last_wins(rig.floor.tables["R1"].runner.state) == {"1": (1, 0)}
            paid = c.SettleCarried(round=1, seat="1", how="paid", cents=3_600_00, reason="receipt 4")
            await rig.do("R1", paid)
            # The player sees it at once, and not why or by which receipt.
            await seat.until(lambda seen: seen.seat.visit_out_cents == 3_600_00)
            assert heard.told[-1].event == {
                "type": "carried-settled",
                "seat": "1",
                "round": 1,
                "how": "paid",
                "cents": 3_600_00,
                "clause": "mbs-roulette:6.3",
            }
            assert last_wins(rig.floor.tables["R1"].runner.state) == {"1": (1, 0)}
            await done(seat, c.BuyCredits(seat="1", cents=50_00))
            shown = seat.seat.visit_in_cents, seat.seat.visit_out_cents, seat.seat.last_win_cents
            assert shown == (200_00, 3_600_00, 0)

            # Whoever comes next is told nothing of it.
            await done(seat, CashOut(seat="1"))
            await done(seat, c.BuyCredits(seat="1", cents=50_00))
            assert (seat.seat.visit_in_cents, seat.seat.visit_out_cents) == (50_00, 0)
            await rig.do("R1", c.CorrectResult(round=1, result="8", reason="misread"))
            await seat.until(lambda seen: seen.table.outcomes[0].result == "8")
            assert heard.kinds.count("seat-corrected") == 1
            assert seat.seat.last_round is None


async def play_empty(rig: FloorRig, rounds: int) -> None:
    for _ in range(rounds):
        for do in (
            c.OpenRound(),
            c.CloseBets(),
            c.StartSpin(),
            c.EnterResult(result="8"),
            c.ConfirmResult(result="8"),
        ):
            await rig.do("R1", do)


@played
async def test_who_stayed_is_told_of_money_of_a_round_that_the_table_has_let_go_of(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard = Heard()
        async with await rig.seat("1", told=heard) as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            await lose(rig, seat, 1)
            await rig.do("R1", c.CorrectResult(round=1, result="7", reason="misread"))
            await play_empty(rig, rig.floor.tables["R1"].runner.state.settings.rounds_kept)
            assert [*rig.floor.tables["R1"].runner.state.owing] == [1]
            await rig.do("R1", c.SettleCarried(round=1, seat="1", how="paid", cents=3_600_00, reason="4"))
            await seat.until(lambda seen: seen.seat.visit_out_cents == 3_600_00)
            assert heard.kinds[-1] == "carried-settled"
            assert not rig.floor.tables["R1"].runner.state.owing


@played
async def test_whoever_came_later_hears_nothing_of_money_that_is_paid_by_hand(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard = Heard()
        async with await rig.seat("1", told=heard) as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            await lose(rig, seat, 1)
            await rig.do("R1", c.CorrectResult(round=1, result="7", reason="misread"))
            await done(seat, CashOut(seat="1"))
            await done(seat, c.BuyCredits(seat="1", cents=50_00))
            await rig.do("R1", c.SettleCarried(round=1, seat="1", how="paid", cents=3_600_00, reason="4"))
            await done(seat, c.BuyCredits(seat="1", cents=10_00))
            assert "carried-settled" not in heard.kinds
            assert seat.seat.visit_out_cents == 0


@played
async def test_who_stayed_hears_of_what_is_collected_and_not_of_what_the_house_writes_off(
    tmp_path: Path,
) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard = Heard()
        async with await rig.seat("1", told=heard) as seat:
            for round_, how in ((1, "written-off"), (3, "collected")):
                await done(seat, c.BuyCredits(seat="1", cents=100_00))
                await play(rig, seat, c.Stake("straight:7", 100_00), "7")
                await play(rig, seat, c.Stake("red", 3_600_00), "8")
                await rig.do("R1", c.CorrectResult(round=round_, result="8", reason="misread"))
                do = c.SettleCarried(round=round_, seat="1", how=how, cents=3_600_00, reason="4")
                await rig.do("R1", do)
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            told = [news.event["how"] for news in heard.told if news.event["type"] == "carried-settled"]
            assert told == ["collected"]


@played
async def test_a_correction_of_an_earlier_round_leaves_the_last_win_alone(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat("1") as seat:
            await done(seat, c.BuyCredits(seat="1", cents=250_00))
            await lose(rig, seat, 1)
            await lose(rig, seat, 2)
            await rig.do("R1", c.CorrectResult(round=1, result="7", reason="misread"))
            await seat.until(lambda seen: seen.seat.credits_cents == 3_750_00)
            assert (seat.seat.last_round, seat.seat.last_win_cents) == (2, 0)


@played
async def test_a_settled_round_that_is_void_is_no_win(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat("1") as seat:
            await done(seat, c.BuyCredits(seat="1", cents=250_00))
            await lose(rig, seat, 1)
            await lose(rig, seat, 2)
            await rig.do("R1", c.Decide(ruling="void", reason="disturbed", round=2))
            await seat.until(lambda seen: seen.seat.credits_cents == 250_00)
            assert (seat.seat.last_round, seat.seat.last_win_cents) == (1, 0)
            await rig.do("R1", c.Decide(ruling="void", reason="disturbed", round=1))
            await seat.until(lambda seen: seen.seat.credits_cents == 350_00)
            assert (seat.seat.last_round, seat.seat.last_win_cents) == (None, 0)
        assert last_wins(rig.floor.tables["R1"].runner.state) == {}
