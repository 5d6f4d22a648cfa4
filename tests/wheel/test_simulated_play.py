"""A table with a simulated wheel: sealed rounds, every irregularity of every book, every fault, restarts."""

from pathlib import Path

import pytest

from clauses import clause
from croupier.floor import Ask
from croupier.floor.insisting import AGAIN_MS
from croupier.floor.refusals import UNSETTLED, answer
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.floor.verify.journal import verify_journal
from croupier.rulebook import load_book
from croupier.table import Reply
from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.fair import read_opening
from croupier.wheel.simulated_trouble import SENSOR_FAULTS, troubles_of
from croupier.wheel.uniform import SeededChance, from_system, seeded
from floor.sim_live import played
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR
from wheel.physics_rig import BOOKS
from wheel.sealed_table import SealedTable

CLAUSES = {
    "same-direction": ("5.1", "5.3.6", None),
    "ball-dropped": ("5.2", "5.3.1", None),
    "too-few-revolutions": ("5.3", "5.3.2", "5.4.3"),
    "foreign-object": ("5.4", "5.3.7", None),
    "no-compartment": ("5.5", "5.3.3", "5.4.2"),
    "ball-out": ("5.6", "5.3.4", None),
    "ball-broken": ("5.7", "5.4", None),
    "wheel-stopped": ("5.8", "5.3.9", None),
    "wheel-still": ("5.9", "5.3.5", None),
    "interference": ("5.10", "5.3.8", "5.4.1"),
}
"""By cause the clause of mbs-roulette, of both other roulettes, and of the Money Wheel."""

IRREGULARITIES = [
    (book, cause, f"{book}:{number}")
    for book in BOOKS
    for cause, (mbs, rws, money_wheel) in CLAUSES.items()
    if (number := {"mbs-roulette": mbs, "rws-money-wheel": money_wheel}.get(book, rws)) is not None
]


async def at(path: Path, book: str = "mbs-roulette", **settings: object) -> SealedTable:
    """An open table with a seat."""
    table = await SealedTable(path, book, **settings).start()
    await table.live.open("1")
    return table


@pytest.mark.parametrize("book", BOOKS)
def test_sealed_rounds_are_played_registered_by_the_wheel_and_shown_fair(book: str, tmp_path: Path) -> None:
    @played
    async def scene() -> None:
        table = await at(tmp_path, book)
        results = [await table.well_round() for _ in range(4)]
        for number, result in enumerate(results, start=1):
            opening = read_opening(table.one(e.CommitmentOpened, number).opening)
            assert table.book.wheel.order[opening.pocket] == result
            assert table.one(e.SpinFinished, number).said_by == "wheel"
        assert [one.code for one in table.verdicts()] == ["fair"] * 4
        assert {one.bets_before for one in table.verdicts()} == {0}
        await table.stop()

    scene()


@clause(
    "mbs-roulette:5.1",
    "mbs-roulette:5.2",
    "mbs-roulette:5.3",
    "mbs-roulette:5.4",
    "mbs-roulette:5.5",
    "mbs-roulette:5.6",
    "mbs-roulette:5.7",
    "mbs-roulette:5.8",
    "mbs-roulette:5.9",
    "mbs-roulette:5.10",
    "rws-roulette-00:5.3.1",
    "rws-roulette-00:5.3.2",
    "rws-roulette-00:5.3.3",
    "rws-roulette-00:5.3.4",
    "rws-roulette-00:5.3.5",
    "rws-roulette-00:5.3.6",
    "rws-roulette-00:5.3.7",
    "rws-roulette-00:5.3.8",
    "rws-roulette-00:5.3.9",
    "rws-roulette-00:5.4",
    "rws-roulette-000:5.3.1",
    "rws-roulette-000:5.3.2",
    "rws-roulette-000:5.3.3",
    "rws-roulette-000:5.3.4",
    "rws-roulette-000:5.3.5",
    "rws-roulette-000:5.3.6",
    "rws-roulette-000:5.3.7",
    "rws-roulette-000:5.3.8",
    "rws-roulette-000:5.3.9",
    "rws-roulette-000:5.4",
    "rws-money-wheel:5.4.1",
    "rws-money-wheel:5.4.2",
    "rws-money-wheel:5.4.3",
)
@pytest.mark.parametrize(("book", "cause", "cited"), IRREGULARITIES)
def test_an_irregularity_of_the_wheel_voids_by_its_clause(
    book: str, cause: str, cited: str, tmp_path: Path
) -> None:
    @played
    async def scene() -> None:
        table = await at(tmp_path, book)
        table.source.troubles.ask(cause)
        number = await table.begin()
        await table.close()
        await table.until_ready(number)
        voided = table.one(e.RoundVoided, number)
        assert (voided.cause, voided.clause) == (cause, cited)
        assert table.live.run.state.credits_cents("1") == 100_000
        assert not table.happened(e.ResultEntered, number)
        await table.well_round()
        assert [one.code for one in table.verdicts()] == ["void", "fair"]
        await table.stop()

    scene()


def test_the_list_of_irregularities_is_whole() -> None:
    """What is tested above is everything that the books let a wheel get wrong."""
    tested = {(book, cause) for book, cause, _ in IRREGULARITIES}
    assert tested == {
        (book, trouble)
        for book in BOOKS
        for trouble in troubles_of(load_book(book))
        if trouble not in SENSOR_FAULTS
    }


@pytest.mark.parametrize("book", ["rws-roulette-00", "rws-money-wheel"])
@pytest.mark.parametrize("fault", [fault for fault in SENSOR_FAULTS if fault != "sensor-fault"])
def test_after_a_fault_in_a_spin_the_dealer_states_the_result(book: str, fault: str, tmp_path: Path) -> None:
    @played
    async def scene() -> None:
        table = await at(tmp_path, book)
        table.source.troubles.ask(fault)
        number = await table.begin()
        await table.close()
        await table.spun(number)
        reports = [event.fault for event in table.told if isinstance(event, e.WheelReported)]
        assert reports == [fault, None]
        assert not table.happened(e.ResultEntered, number)
        standing = table.book.wheel.order[table.source.whole().film.pocket]
        await table.live.do(DEALER, c.EnterResult(result=standing), SUPERVISOR)
        await table.live.do(DEALER, c.ConfirmResult(result=standing))
        await table.until_ready(number)
        assert table.verdicts()[0].code == "fair"
        await table.well_round()
        await table.stop()

    scene()


@played
async def test_a_broken_sensor_halts_the_table_until_somebody_has_looked(tmp_path: Path) -> None:
    table = await at(tmp_path)
    table.source.troubles.ask("sensor-fault")
    number = await table.begin()
    await table.close()
    await table.spun(number)
    assert table.live.run.state.halted is not None
    await table.live.do(SHIFT_MANAGER, c.ResumeTable(reason="sensor cleaned"))
    standing = table.book.wheel.order[table.source.whole().film.pocket]
    await table.live.do(SHIFT_MANAGER, c.StateOutcome(result=standing))
    await table.until_ready(number)
    assert table.verdicts()[0].code == "fair"
    await table.well_round()
    await table.stop()


@clause("mbs-roulette:3.7")
@played
async def test_where_bets_close_first_the_ball_is_launched_after_the_close(tmp_path: Path) -> None:
    table = await at(tmp_path, "mbs-roulette")
    number = await table.begin()
    await table.until(lambda: table.happened(e.ClosingWarned, number), step_ms=500)
    assert not table.source.is_spinning
    await table.until(lambda: table.happened(e.ResultEntered, number), step_ms=100)
    assert table.one(e.BetsClosed, number).closed_by == "timer"
    assert table.place_of(e.BetsClosed, number) < table.place_of(e.SpinStarted, number)
    await table.stop()


@pytest.mark.parametrize("book", ["rws-roulette-00", "rws-roulette-000", "rws-money-wheel"])
@clause("rws-roulette-00:3.5", "rws-roulette-000:3.5", "rws-money-wheel:3.6")
def test_where_bets_may_close_on_the_ball_the_wheel_closes_them_while_it_rolls(
    book: str, tmp_path: Path
) -> None:
    @played
    async def scene() -> None:
        table = await at(tmp_path, book)
        number = await table.begin()
        await table.until(lambda: table.happened(e.ClosingWarned, number), step_ms=500)
        await table.until(lambda: table.happened(e.ResultEntered, number))
        assert table.one(e.BetsClosed, number).closed_by == "wheel"
        places = [
            table.place_of(kind, number)
            for kind in (e.SpinCommitted, e.SpinStarted, e.BetsClosed, e.SpinFinished, e.ResultEntered)
        ]
        assert places == sorted(places)
        await table.stop()

    scene()


@clause("mbs-roulette:5.15")
@played
async def test_a_round_that_is_called_off_before_the_launch_is_not_spun_and_is_opened(tmp_path: Path) -> None:
    table = await at(tmp_path)
    number = await table.begin()
    await table.live.do(DEALER, c.CallNoSpin(reason="bets in dispute"))
    await table.until_ready(number)
    assert table.source.whole() is None
    assert table.verdicts()[0].code == "void"
    await table.well_round()
    await table.stop()


@clause("mbs-roulette:5.15")
@played
async def test_a_round_that_is_called_off_during_the_spin_leaves_its_ball_out_of_the_next_one(
    tmp_path: Path,
) -> None:
    table = await at(tmp_path)
    number = await table.begin()
    await table.close()
    await table.until(lambda: table.happened(e.SpinStarted, number), step_ms=1)
    await table.live.do(DEALER, c.CallNoSpin(reason="bets in dispute"))
    assert table.source.is_spinning
    following = await table.begin()
    await table.close()
    await table.until(lambda: table.happened(e.ResultEntered, following))
    drawn = read_opening(table.source.opening_of(following) or "")
    assert table.one(e.ResultEntered, following).result == table.book.wheel.order[drawn.pocket]
    await table.stop()


@played
async def test_a_seeded_table_goes_on_with_what_it_drew_before_it_stopped(tmp_path: Path) -> None:
    table = await at(tmp_path)
    number = await table.begin()
    commitment = table.one(e.SpinCommitted, number).commitment
    await table.leave()
    await table.start(seeded(1))
    assert table.live.run.state.round.commitment == commitment
    await table.close()
    await table.until(lambda: table.happened(e.ResultEntered, number))
    result = table.one(e.ResultEntered, number).result
    # The table stops between the settlement and the opening, too.
    for task in table.tasks:
        task.cancel()
    await table.live.do(DEALER, c.ConfirmResult(result=result))
    await table.leave()
    assert [one.code for one in table.verdicts()] == ["not-opened"]
    await table.start(seeded(1))
    await table.until_ready(number)
    assert [one.code for one in table.verdicts()] == ["fair"]
    await table.stop()


@clause("mbs-roulette:5.13.1")
@played
async def test_a_round_that_waits_for_a_supervisor_after_a_stop_is_not_spun_again(tmp_path: Path) -> None:
    table = await at(tmp_path)
    number = await table.begin()
    await table.close()
    await table.until(lambda: table.happened(e.SpinStarted, number))
    await table.leave()
    await table.start(seeded(1))
    await table.until(table.is_quiet)
    assert table.live.run.state.awaits_outcome
    assert table.source.whole() is None
    await table.live.do(SUPERVISOR, c.StateOutcome(result=None))
    await table.until_ready(number)
    assert [one.code for one in table.verdicts()] == ["void"]
    await table.well_round()
    await table.stop()


@clause("rws-roulette-00:3.5")
@pytest.mark.parametrize(("book", "rolls"), [("rws-roulette-00", True), ("mbs-roulette", False)])
def test_a_table_that_stopped_after_the_warning_launches_at_once_where_the_ball_may_roll(
    book: str, rolls: bool, tmp_path: Path
) -> None:
    @played
    async def scene() -> None:
        table = await at(tmp_path, book, betting_seconds=30, warning_seconds=20)
        number = await table.begin()
        for task in table.tasks:
            task.cancel()
        await table.live.run.submit_as_system(c.WarnClosing())
        await table.leave()
        await table.start(seeded(1))
        await table.until(lambda: table.live.clock.now_ms() > 0)
        assert table.source.is_spinning is rolls
        await table.until(lambda: table.happened(e.ResultEntered, number), step_ms=100)
        await table.stop()

    scene()


@played
async def test_a_draw_from_the_system_that_is_lost_is_a_fault_and_never_drawn_again(tmp_path: Path) -> None:
    table = await SealedTable(tmp_path).start(from_system())
    await table.live.open("1")
    number = await table.begin()
    await table.leave()
    await table.start(from_system())
    await table.until(lambda: table.live.run.state.wheel_fault == "restarted")
    await table.close()
    await table.until(lambda: table.happened(e.BetsClosed, number))
    assert not table.source.is_spinning
    await table.live.do(DEALER, c.CallNoSpin(reason="the wheel has lost its draw"))
    await table.well_round()
    assert table.live.run.state.wheel_fault is None
    assert [(one.verdict, one.code) for one in table.verdicts()] == [
        ("not shown", "not-opened"),
        ("fair", "fair"),
    ]
    await table.stop()


@played
async def test_a_full_queue_does_not_cost_a_round_its_commitment(tmp_path: Path) -> None:
    table = await at(tmp_path)
    table.live.store.failures_before = 1
    reply = await table.live.ask(DEALER, c.OpenRound())
    assert reply.rejection.code == "not-registered"
    await table.live.do(DEALER, c.OpenRound())
    table.live.store.failures_before = 1
    await table.until(lambda: table.happened(e.SpinCommitted, 1), step_ms=500)
    assert table.live.store.failures_before == 0
    await table.stop()


@pytest.mark.parametrize("code", sorted(UNSETTLED))
def test_no_answer_that_settles_nothing_costs_a_round_its_commitment(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @played
    async def scene() -> None:
        table, unsettled = await at(tmp_path), [code]
        submit = table.live.run.submit

        async def fail_once(ask: Ask) -> Reply:
            if isinstance(ask.do, c.CommitSpin) and unsettled:
                return answer(unsettled.pop())
            return await submit(ask)

        monkeypatch.setattr(table.live.run, "submit", fail_once)
        await table.live.do(DEALER, c.OpenRound())
        for _ in range(10):
            await table.until(lambda: True)
            table.live.clock.advance(AGAIN_MS)
        assert table.happened(e.SpinCommitted, 1)
        assert unsettled == []
        await table.stop()

    scene()


def test_a_table_plays_by_itself_with_troubles_at_a_rate_and_repeats_exactly(tmp_path: Path) -> None:
    async def play(path: Path) -> list[tuple[str, object]]:
        path.mkdir()
        table = await at(path, "rws-roulette-000")
        table.source.troubles.per_million = 500_000
        for _ in range(25):
            number = await table.begin()
            await table.close()
            await table.spun(number)
            if table.live.run.state.halted is not None:
                await table.live.do(SHIFT_MANAGER, c.ResumeTable(reason="looked at"))
            if (round_ := table.live.run.state.round) is not None:
                standing = table.book.wheel.order[table.source.whole().film.pocket]
                if table.live.run.state.awaits_outcome:
                    await table.live.do(SHIFT_MANAGER, c.StateOutcome(result=standing))
                else:
                    if round_.result is None:
                        await table.live.do(DEALER, c.EnterResult(result=standing), SUPERVISOR)
                    await table.live.do(DEALER, c.ConfirmResult(result=standing))
            await table.until_ready(number)
        verdicts = table.verdicts()
        assert {one.verdict for one in verdicts} == {"fair", "void"}
        evidence = SqliteEvidence(str(path / "journal.db"))
        (report,) = verify_journal(evidence)
        assert report.first_misfit is None
        evidence.close()
        await table.stop()
        return [(one.code, one.commitment) for one in verdicts]

    @played
    async def scene() -> None:
        assert await play(tmp_path / "one") == await play(tmp_path / "other")

    scene()


def test_a_seed_of_256_bits_is_a_seed() -> None:
    first, second = SeededChance(2**256 - 1), SeededChance(2**256 - 2)
    assert [first.below(37) for _ in range(20)] != [second.below(37) for _ in range(20)]
