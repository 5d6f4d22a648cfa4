"""Journals that earlier versions of this software really wrote are restored, verified, opened and played on.

Each file in `written` is a backup that the commit in its name made of a table that it had played at random:
with corrections before and after the settlement, decisions, void rounds, interruptions, and vouchers.
"""

import asyncio
import hashlib
import itertools
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.floor import Ask, ManualClock, Runner
from croupier.floor.backup.restore import restore
from croupier.floor.loading import STATE_FORMAT, load_table
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import open_store
from croupier.rulebook import load_book
from croupier.table import Actor, Do, State
from croupier.table import commands as c
from floor.sim_live import played
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, player

WRITTEN = Path(__file__).with_name("written")
BACKUPS = sorted(WRITTEN.glob("*.jsonl"))
REGISTERED = {
    "84927bc-money-wheel": (2, 0, 18_000),
    "b444bed-electronic": (2, 0, 0),
    "c0da931-double-zero": (3, 0, 0),
}
"""By file: corrections and bets that a decision gave back; what the house put in; what it gave up of it."""
written = pytest.mark.parametrize("backup", BACKUPS, ids=lambda path: path.stem)


def restored(backup: Path, folder: Path) -> str:
    """A journal as the earlier version left it."""
    journal = str(folder / "journal.db")
    restore(backup, journal)
    return journal


def misfits(journal: str) -> list[str]:
    """Why the records do not fit; nothing where they do."""
    with closing(open_evidence(journal)) as evidence:
        return [report.first_misfit.reason for report in verify_journal(evidence) if report.first_misfit]


def state_in(journal: str) -> State:
    """The table as it is opened."""
    with closing(open_store(journal)) as store:
        loaded = load_table(store, "T1")
    assert loaded is not None
    return loaded.state


@written
def test_it_fits_and_has_the_figures_of_today(backup: Path, tmp_path: Path) -> None:
    journal = restored(backup, tmp_path)
    assert misfits(journal) == []
    meters = state_in(journal).meters
    assert (meters.corrections, meters.shortfall_in_cents, meters.written_off_cents) == REGISTERED[
        backup.stem
    ]


def test_the_format_of_snapshots_stands_for_the_state_that_records_lead_to(tmp_path: Path) -> None:
    """Where a state has another shape or the same records lead to another one, STATE_FORMAT is raised."""
    told = hashlib.sha256()
    for backup in BACKUPS:
        folder = tmp_path / backup.stem
        folder.mkdir()
        told.update(msgspec.msgpack.encode(state_in(restored(backup, folder))))
    assert (STATE_FORMAT, told.hexdigest()[:16]) == ("state/10", "7af904dc478af65b")


@written
@played
async def test_it_is_played_on_and_its_rounds_are_corrected(backup: Path, tmp_path: Path) -> None:
    journal = await asyncio.to_thread(restored, backup, tmp_path)
    was, numbers = state_in(journal), itertools.count(10_000)
    with closing(open_store(journal)) as store:
        (*_, last) = store.read("T1")
        runner = Runner(store, "T1", ManualClock(last.at_ms + 60_000))
        await runner.start()

        async def do(actor: Actor, do: Do, second: Actor | None = None) -> None:
            reply = await runner.submit(Ask(actor, do, actor.id, next(numbers), second))
            assert reply.rejection is None, reply.rejection

        number, settled = max((n, kept) for n, kept in was.kept.items() if kept.result is not None)
        results = load_book(was.settings.book).wheel.outcomes
        another = next(result for result in results if result != settled.result)
        correction = c.CorrectResult(reason="seen on camera", round=number, result=another)
        await do(SHIFT_MANAGER, correction, SUPERVISOR)
        await do(player("1"), c.BuyCredits(seat="1", cents=1_000))
        await do(DEALER, c.OpenRound())
        await do(DEALER, c.CloseBets())
        await do(DEALER, c.StartSpin())
        await do(DEALER, c.EnterResult(result=another))
        await do(DEALER, c.ConfirmResult(result=another))
        now = await runner.consistent_state()
        assert now.kept[number].result == another
        assert max(now.kept) == 1 + max(was.kept)
        await runner.stop()
    assert misfits(journal) == []
