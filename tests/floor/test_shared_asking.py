"""Commands at a follower that get lost, are held up, or have no owner to go to: each is answered once."""

import asyncio
from pathlib import Path
from typing import Any

from croupier.floor.shared.bus import Heard
from croupier.table import commands as c
from floor.shared_rig import LocalBus, owners, two
from floor.sim_live import TABLE, played, turns
from table.rig import DEALER, SUPERVISOR, player


@played
async def test_a_command_that_nobody_answered_is_asked_again_at_the_next_owner(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    # The owner carries the command out and dies before anybody hears of it.
    floor.exchange.drop = lambda subject: ".answers." in subject or subject.endswith(".told")
    sent = there.bet("1", "red", 1_000)
    await floor.until(lambda: here.table.state.seats["1"].stakes == {"red": 1_000})
    await floor.until(lambda: floor.store.head(TABLE).sequence == here.table.state.sequence)
    here.die()
    floor.exchange.drop = lambda subject: False
    reply = await floor.wait(sent)
    assert reply.rejection is None
    assert there.table.is_owner
    assert there.table.state.seats["1"].stakes == {"red": 1_000}
    assert there.table.state.balances["stakes/1"] == 1_000
    await floor.stop()


@played
async def test_a_command_without_an_owner_is_answered_in_the_end(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    there.leases.is_reachable = False
    here.die()
    reply = await floor.wait(there.bet("1", "red", 1_000))
    assert reply.rejection is not None
    assert reply.rejection.code == "not-registered"
    there.leases.is_reachable = True
    await floor.until(lambda: there.table.is_owner)
    if there.table.state.round is None:  # the interruption was long
        await there.do(DEALER, c.OpenRound())
    assert (await floor.wait(there.bet("1", "red", 1_000))).rejection is None
    await floor.stop()


@played
async def test_an_owner_that_is_fenced_does_not_lose_a_command(tmp_path: Path) -> None:
    """It hung while another server took the table, wakes up and goes on as if nothing had happened."""
    floor, here, there = await two(tmp_path)
    writer: Any = here.table._runner._writer  # type: ignore[union-attr]  # it is the owner
    async with here.table._turn:  # it does not look meanwhile, and later sees nothing by looking
        here.bus.is_up = False
        here.leases.held = lambda: frozenset({TABLE})  # type: ignore[method-assign]  # for this test
        writer.is_replaced = lambda: asyncio.sleep(0, result=False)
        del floor.holders.of[TABLE]
    await floor.until(lambda: there.table.is_owner)
    here.bus.is_up = True
    assert here.table.is_owner
    sent = here.bet("1", "red", 1_000)
    assert (await floor.wait(sent)).rejection is None
    await floor.until(lambda: owners(here, there) == [there])
    await floor.together(here, there)
    assert here.table.state == there.table.state == floor.replayed()
    assert there.table.state.seats["1"].stakes == {"red": 1_000}
    assert here.sequences == [*range(here.first_told, here.table.state.sequence + 1)]
    await floor.stop()


@played
async def test_a_command_that_got_lost_on_its_way_is_sent_again(tmp_path: Path) -> None:
    floor, _, there = await two(tmp_path)
    lost = iter((True, True))
    floor.exchange.drop = lambda subject: subject.endswith(".ask") and next(lost, False)
    assert (await floor.wait(there.bet("1", "red", 1_000))).rejection is None
    floor.exchange.drop = lambda subject: ".answers." in subject and next(lost_answers, False)
    lost_answers = iter((True,))
    again = await floor.wait(there.bet("1", "black", 1_000))
    assert again.rejection is None
    assert again.repeated  # it had been carried out, and the first answer came again
    assert there.table.state.seats["1"].stakes == {"red": 1_000, "black": 1_000}
    await floor.stop()


@played
async def test_what_is_meant_for_a_round_is_refused_in_the_next_one_wherever_it_was_asked(
    tmp_path: Path,
) -> None:
    floor, here, there = await two(tmp_path)
    await here.do(SUPERVISOR, c.CallNoSpin(reason="a test"))
    await here.do(DEALER, c.OpenRound())
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 1_000),))
    for server in (there, here):
        late = await floor.wait(server.send(player("1"), bet, round_=1))
        assert late.rejection is not None
        assert late.rejection.code == "another-round"
        assert (await floor.wait(server.send(player("1"), bet, round_=2))).rejection is None
    assert here.table.state.seats["1"].stakes == {"red": 2_000}
    await floor.stop()


@played
async def test_a_command_that_was_held_up_is_not_carried_out_behind_its_refusal(tmp_path: Path) -> None:
    floor, here, there = await two(tmp_path)
    held, carry = list[tuple[LocalBus, Heard]](), floor.exchange.carry

    def hold(sender: LocalBus, heard: Heard) -> None:
        if heard.subject.endswith(".ask"):
            held.append((sender, heard))
        else:
            carry(sender, heard)

    floor.exchange.carry = hold  # type: ignore[method-assign]  # for this test
    reply = await floor.wait(there.bet("1", "red", 1_000))
    assert reply.rejection is not None
    assert reply.rejection.code == "not-registered"
    assert len(held) > 5
    head = floor.store.head(TABLE)
    for message in held:
        carry(*message)
    await turns()
    assert (here.table.state.seats["1"].stakes, floor.store.head(TABLE)) == ({}, head)

    held.clear()
    sent, now_ms = there.bet("1", "red", 500), floor.clock.now_ms()
    await floor.until(lambda: floor.clock.now_ms() >= now_ms + 8_000)
    for message in held:
        carry(*message)
    assert (await floor.wait(sent)).rejection is None
    assert here.table.state.seats["1"].stakes == {"red": 500}
    await floor.stop()
