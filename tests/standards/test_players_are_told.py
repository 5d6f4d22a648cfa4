"""What players are told over the wire: voids and refunds, what a bet costs, why it is refused."""

from pathlib import Path

import pytest

from croupier.protocol.asking import CashOut
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import Heard, a_floor, done, refused

STEPS = (c.CloseBets(), c.StartSpin(), c.EnterResult(result="8"))
"""What leads from open bets to a result that is not confirmed yet."""


def red(cents: int, seat: str = "1") -> c.PlaceBets:
    return c.PlaceBets(seat=seat, stakes=(c.Stake("red", cents),))


@played
async def test_a_void_round_tells_everybody_in_it_and_gives_every_stake_back(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table(seats=2)
        first_heard, second_heard = Heard(), Heard()
        async with (
            await rig.seat("1", told=first_heard) as first,
            await rig.seat("2", told=second_heard) as second,
        ):
            await rig.do("R1", c.OpenRound())
            for seat, cents in ((first, 10_00), (second, 25_00)):
                number = seat.seat.seat
                await done(seat, c.BuyCredits(seat=number, cents=100_00))
                await done(seat, red(cents, number))
            for do in (c.CloseBets(), c.StartSpin(), c.DeclareIrregularity(cause="foreign-object")):
                await rig.do("R1", do)
            for seat, heard, cents in ((first, first_heard, 10_00), (second, second_heard, 25_00)):
                await seat.until(lambda seen: seen.table.round is None)
                (returned,) = [told.event for told in heard.told if told.event["type"] == "seat-returned"]
                (voided,) = [told.event for told in heard.told if told.event["type"] == "round-voided"]
                assert (returned["round"], returned["cents"]) == (1, cents)
                assert voided["notice"]
                assert voided["clause"] == "mbs-roulette:5.4"
                assert (seat.seat.credits_cents, seat.seat.staked_cents) == (100_00, 0)


@played
async def test_a_bet_is_accepted_with_what_it_costs_and_what_is_left(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard = Heard()
        async with await rig.seat("1", told=heard) as seat:
            await done(seat, c.BuyCredits(seat="1", cents=50_00))
            await rig.do("R1", c.OpenRound())
            answer = await done(seat, red(20_00))
            told = heard.told[-1]
            assert (told.event["type"], told.seq) == ("bets-changed", answer.seq)
            assert [(change["bet"], change["cents"]) for change in told.event["changes"]] == [("red", 20_00)]
            assert told.seat is not None
            assert (told.seat.staked_cents, told.seat.credits_cents) == (20_00, 30_00)


@played
async def test_a_bet_after_the_close_is_refused_with_its_reason_and_costs_nothing(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat("1") as seat:
            await done(seat, c.BuyCredits(seat="1", cents=50_00))
            await rig.do("R1", c.OpenRound())
            await done(seat, red(20_00))
            for do in STEPS:
                await rig.do("R1", do)
                answer = await seat.send(red(10_00))
                assert answer.refused is not None
                assert (answer.refused.code, answer.refused.clause is None) == ("bets-closed", False)
                assert (seat.seat.staked_cents, seat.seat.credits_cents) == (20_00, 30_00)


@pytest.mark.parametrize("steps", range(len(STEPS) + 1))
@played
async def test_whoever_has_stakes_in_a_round_is_not_paid_out_before_its_end(
    tmp_path: Path, steps: int
) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat("1") as seat:
            await done(seat, c.BuyCredits(seat="1", cents=50_00))
            await rig.do("R1", c.OpenRound())
            await done(seat, red(20_00))
            for do in STEPS[:steps]:
                await rig.do("R1", do)
            assert await refused(seat, CashOut(seat="1")) == "stakes-in-play"
            for do in STEPS[steps:]:
                await rig.do("R1", do)
            await rig.do("R1", c.ConfirmResult(result="8"))
            answer = await done(seat, CashOut(seat="1"))
            assert answer.voucher is not None
            assert rig.floor.cage.find(answer.voucher).cents == 30_00
