"""A voucher whose records cannot be read: whoever comes with it is answered, and so are those behind."""

from pathlib import Path

import pytest

from croupier.floor import Ask, DamagedJournal, ManualClock
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import new_voucher_number
from croupier.floor.codec import drafts_of
from croupier.journal import EMPTY, Store, link
from croupier.table import Reply
from croupier.table import commands as c
from croupier.table.events import CreditsPaidOut, voucher_issued
from floor.sim_live import Live, played, turns
from table.rig import START_MS, Play, player

WAYS = {
    "of a newer version": r"Record 1 of T2 cannot be read: it is version 9",
    "not there": r"Record 7 of T2 is not there",
    "of something else": r"Record 1 of T2 claims to issue a voucher",
}


def issued_elsewhere(store: Store, how: str) -> str:
    """The number of a voucher that another table has issued, by a record that is not what it should be."""
    number = new_voucher_number()
    play = Play().open(("1",), cents=12_345)
    (paid,) = play.do(player("1"), c.CashOut(seat="1", voucher=number))
    assert isinstance(paid, CreditsPaidOut)
    issuing, opening = drafts_of([play.entries[-1]])[0], drafts_of([play.entries[0]])[0]
    draft = {
        "of a newer version": issuing._replace(version=9),
        "not there": issuing,
        "of something else": opening,
    }[how]
    (record,) = link("T2", EMPTY, [draft])
    store.append([record], [(voucher_issued(number), 7 if how == "not there" else 1)])
    return number


@pytest.mark.parametrize("how", WAYS)
@played
async def test_a_terminal_is_answered_and_so_is_what_it_sends_behind_it(tmp_path: Path, how: str) -> None:
    live = await Live(tmp_path).start()
    await live.open("1")
    number = issued_elsewhere(live.store, how)
    given: list[Reply] = []
    for number_, do in (
        (98, c.BuyCredits(seat="1", cents=12_345, voucher=number)),
        (99, c.CallAttendant(seat="1")),
    ):
        live.run.submit_nowait(Ask(player("1"), do, player("1").id, number_), given.append)
    while len(given) < 2:
        await turns(1)
    await live.stop()
    assert [reply.rejection and reply.rejection.code for reply in given] == ["not-registered", None]


@pytest.mark.parametrize("how", WAYS)
def test_the_cage_says_which_record_is_damaged(tmp_path: Path, how: str) -> None:
    store = Live(tmp_path).store
    number = issued_elsewhere(store, how)
    with pytest.raises(DamagedJournal, match=WAYS[how]):
        Cage(store, ManualClock(START_MS)).find(number)
    store.close()


@played
async def test_whatever_is_wrong_with_the_journal_the_sender_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await Live(tmp_path).start()
    await live.open("1")

    def surprise(key: str) -> None:
        raise KeyError("nobody thought of this")

    monkeypatch.setattr(live.store, "claimant", surprise)
    bought = c.BuyCredits(seat="1", cents=12_345, voucher=new_voucher_number())
    assert await live.refused(player("1"), bought) == "not-registered"
    monkeypatch.undo()
    assert await live.refused(player("1"), bought) == "voucher-unknown"
    await live.stop()
