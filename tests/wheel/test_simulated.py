"""The simulated source: what it says and when, on a clock that a test moves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from croupier.floor import ManualClock
from croupier.rulebook import BadInput, load_book
from croupier.wheel.fair import commitment_of, read_opening
from croupier.wheel.physics_film import shown_pocket
from croupier.wheel.signals import (
    AtRest,
    BallInRim,
    Cleared,
    Fault,
    Irregular,
    NoMoreBets,
    Ready,
    Signal,
    SpinSource,
)
from croupier.wheel.simulated import SimulatedSource
from croupier.wheel.simulated_script import plan_spin, script_of
from croupier.wheel.simulated_trouble import SENSOR_FAULTS, Troubles, troubles_of
from croupier.wheel.uniform import ChanceOf, SeededChance, from_system, seeded
from floor.sim_live import played
from wheel.physics_rig import BALL_BOOKS, BOOKS

START_MS = 1_000_000
WELL = [Ready, BallInRim, NoMoreBets, AtRest, Ready]


class Listening:
    """A source with somebody who notes down what it says."""

    def __init__(
        self,
        book: str = "rws-roulette-00",
        chance: ChanceOf | None = None,
        speed: float = 1,
        troubles: Troubles | None = None,
    ) -> None:
        self.book = load_book(book)
        self.clock = ManualClock(START_MS)
        self.source = SimulatedSource(
            "T1", self.book, self.clock, chance or seeded(1), speed=speed, troubles=troubles
        )
        self.heard: list[Signal] = []

    async def listen(self) -> None:
        async for signal in self.source:
            self.heard.append(signal)

    async def move(self, ms: int, step_ms: int = 50) -> None:
        """Moves the clock on in small steps, letting everybody act after each."""
        for _ in range(ms // step_ms):
            self.clock.advance(step_ms)
            for _ in range(6):
                await asyncio.sleep(0)

    async def spin(self, number: int) -> list[Signal]:
        """Plays a round to the wheel's being ready again; gives what was said."""
        before = len(self.heard)
        self.source.prepare(number)
        await self.source.start_game()
        while self.source.is_spinning:
            await self.move(500)
        await asyncio.sleep(0)
        return self.heard[before:]


@asynccontextmanager
async def listening(*args: object, **options: object) -> AsyncIterator[Listening]:
    """A source that is listened to."""
    rig = Listening(*args, **options)
    task = asyncio.create_task(rig.listen())
    await asyncio.sleep(0)
    try:
        yield rig
    finally:
        await rig.source.close()
        await task


def kinds(signals: list[Signal]) -> list[type]:
    return [type(signal) for signal in signals]


def rest_of(signals: list[Signal]) -> AtRest:
    (rest,) = [signal for signal in signals if isinstance(signal, AtRest)]
    return rest


@pytest.mark.parametrize("book", BOOKS)
def test_a_spin_is_told_from_the_launch_to_the_rest_in_what_was_drawn(book: str) -> None:
    @played
    async def scene() -> None:
        async with listening(book) as rig:
            assert kinds(rig.heard) == [Ready]
            assert rig.heard[0].pockets == rig.book.pockets
            for number in range(1, 6):
                said = await rig.spin(number)
                assert kinds(said) == WELL
                opening = read_opening(rig.source.opening_of(number) or "")
                assert rest_of(said).pocket == rig.book.wheel.order[opening.pocket]
                assert rest_of(said).revolutions >= rig.book.wheel.revolutions
                times = [signal.at_ms for signal in said]
                assert times == sorted(times)

    scene()


@played
async def test_it_is_a_spin_source_and_closing_it_ends_the_signals() -> None:
    rig = Listening()
    source: SpinSource = rig.source
    task = asyncio.create_task(rig.listen())
    rig.source.prepare(1)
    await source.start_game()
    await rig.move(1_000)
    await source.close()
    await task
    assert kinds(rig.heard) == [Ready, Ready, BallInRim]
    rig.source.prepare(2)
    await source.start_game()
    assert not rig.source.is_spinning


@played
async def test_a_spin_of_a_seed_repeats_to_the_millisecond_whatever_was_played_before() -> None:
    async with listening(chance=seeded(9)) as one, listening(chance=seeded(9)) as other:
        first = await one.spin(4)
        film = one.source.whole()
        await other.spin(3)
        shift_ms = other.clock.now_ms() - START_MS
        again = await other.spin(4)
        assert [signal.at_ms + shift_ms for signal in first] == [signal.at_ms for signal in again]
        assert rest_of(first).pocket == rest_of(again).pocket
        assert film.film == other.source.whole().film


@played
async def test_the_systems_spins_do_not_repeat() -> None:
    async with listening(chance=from_system()) as one, listening(chance=from_system()) as other:
        assert one.source.prepare(1) != other.source.prepare(1)
        await one.spin(2)
        await other.spin(2)
        assert one.source.whole().film != other.source.whole().film


@played
async def test_a_faster_wheel_says_the_same_in_less_time() -> None:
    async with listening(speed=1) as slow, listening(speed=10) as fast:
        one, ten = await slow.spin(1), await fast.spin(1)
        assert rest_of(one).pocket == rest_of(ten).pocket
        took = [said[-1].at_ms - said[0].at_ms for said in (one, ten)]
        assert took[0] > 8 * took[1]


@pytest.mark.parametrize("speed", [0, -1, 1001, float("nan")])
def test_a_speed_that_is_none_is_refused(speed: float) -> None:
    with pytest.raises(BadInput, match="times its speed"):
        Listening(speed=speed)


@played
async def test_a_round_is_drawn_once_and_its_commitment_is_to_what_comes() -> None:
    async with listening() as rig:
        commitment = rig.source.prepare(7)
        assert rig.source.prepare(7) == commitment
        opening = read_opening(rig.source.opening_of(7) or "")
        assert commitment_of("T1", 7, opening) == commitment
        assert rig.source.opening_of(8) is None
        said = await rig.spin(7)
        assert rest_of(said).pocket == rig.book.wheel.order[opening.pocket]


@played
async def test_a_round_is_spun_once_and_nothing_is_spun_that_was_not_drawn() -> None:
    async with listening() as rig:
        await rig.source.start_game()
        assert not rig.source.is_spinning
        rig.source.prepare(1)
        await rig.source.start_game()
        await rig.source.start_game()
        while rig.source.is_spinning:
            await rig.move(500)
        assert kinds(rig.heard[1:]) == WELL


@played
async def test_a_game_that_is_asked_for_during_a_spin_follows_it() -> None:
    async with listening() as rig:
        for number in (1, 2):
            rig.source.prepare(number)
            await rig.source.start_game()
        while rig.source.is_spinning:
            await rig.move(500)
        assert kinds(rig.heard[1:]) == 2 * WELL


@pytest.mark.parametrize("book", BOOKS)
def test_while_a_wheel_spins_only_what_has_happened_is_to_be_seen(book: str) -> None:
    @played
    async def scene() -> None:
        async with listening(book, speed=2) as rig:
            assert rig.source.seen() is None
            rig.source.prepare(1)
            await rig.source.start_game()
            await rig.move(3_000)
            seen, whole = rig.source.seen(), rig.source.whole()
            assert (seen.round, seen.launched_ms, seen.film.pocket) == (1, whole.launched_ms, None)
            assert seen.film.seconds == pytest.approx(6, abs=0.2)
            assert seen.film.wheel == whole.film.wheel[: len(seen.film.wheel)]
            while rig.source.is_spinning:
                await rig.move(500)
            assert rig.source.seen() == rig.source.whole()
            film = whole.film
            pocket = read_opening(rig.source.opening_of(1) or "").pocket
            assert film.pocket == pocket == shown_pocket(film.pockets, film.wheel[-1], film.ball[-1])

    scene()


@pytest.mark.parametrize("book", BOOKS)
def test_no_more_bets_is_said_before_anything_could_tell_the_result(book: str) -> None:
    wheel = load_book(book).wheel
    for seed in range(200):
        chance = SeededChance(seed, book)
        spin = plan_spin(wheel, seed % len(wheel.order), chance)
        cues = {type(cue.signal): cue.at_ms for cue in script_of(wheel, spin, chance)}
        undecided_ms = {phase.name: phase.from_ms for phase in spin.phases}
        decided = "scatter" if wheel.kind == "ball" else "coast"
        assert 0 < cues[NoMoreBets] <= undecided_ms[decided]


def test_troubles_of_a_book_are_those_of_its_list() -> None:
    for book in BALL_BOOKS:
        assert len(troubles_of(load_book(book))) == 10 + len(SENSOR_FAULTS)
    money_wheel = troubles_of(load_book("rws-money-wheel"))
    assert set(money_wheel) - set(SENSOR_FAULTS) == {"too-few-revolutions", "no-compartment", "interference"}


def test_a_trouble_that_the_wheel_cannot_have_is_refused() -> None:
    money_wheel = load_book("rws-money-wheel")
    with pytest.raises(BadInput, match="ball-out"):
        Troubles(money_wheel).ask("ball-out")
    with pytest.raises(BadInput, match="nonsense"):
        Troubles(money_wheel, 10, ("nonsense",))
    for rate in (-1, 1_000_001):
        with pytest.raises(BadInput, match="not a rate"):
            Troubles(money_wheel, rate)


def test_troubles_come_in_the_order_in_which_they_were_asked_for_and_then_at_the_rate() -> None:
    troubles = Troubles(load_book("mbs-roulette"))
    chance = SeededChance(1)
    troubles.ask("ball-out")
    troubles.ask("line-lost")
    assert [troubles.next(chance) for _ in range(4)] == ["ball-out", "line-lost", None, None]
    troubles.per_million = 250_000
    drawn = [troubles.next(chance) for _ in range(4_000)]
    wrong = [trouble for trouble in drawn if trouble is not None]
    assert 900 < len(wrong) < 1_100
    assert set(wrong) == set(troubles_of(load_book("mbs-roulette")))
    troubles.per_million = 1_000_000
    assert None not in {troubles.next(chance) for _ in range(100)}


@pytest.mark.parametrize(
    ("book", "trouble"), [(book, trouble) for book in BOOKS for trouble in troubles_of(load_book(book))]
)
def test_a_trouble_on_demand_is_told_as_what_it_is_and_the_next_spin_is_well(book: str, trouble: str) -> None:
    @played
    async def scene() -> None:
        async with listening(book) as rig:
            rig.source.troubles.ask(trouble)
            said = await rig.spin(1)
            assert tells(said, trouble)
            assert kinds(said)[-1] is Ready
            assert kinds(await rig.spin(2)) == WELL

    scene()


def tells(said: list[Signal], trouble: str) -> bool:
    """Whether the signals tell a trouble, in the way in which this one is told."""
    if trouble in SENSOR_FAULTS:
        codes = [signal.code for signal in said if isinstance(signal, Fault)]
        return codes == [trouble] and Cleared in kinds(said) and AtRest not in kinds(said)
    launches = [signal for signal in said if isinstance(signal, BallInRim)]
    rests = [signal for signal in said if isinstance(signal, AtRest)]
    match trouble:
        case "same-direction":
            return launches[0].ball == launches[0].wheel is not None
        case "wheel-still":
            return launches[0].wheel_turning is False
        case "too-few-revolutions":
            return rests[0].revolutions < 4
        case "no-compartment":
            return (rests[0].pocket, rests[0].at_rest) == (None, False)
        case "ball-dropped":
            is_spun = launches[0].ball is not None
            return not is_spun and [signal.cause for signal in said if isinstance(signal, Irregular)] == [
                trouble
            ]
    causes = [signal.cause for signal in said if isinstance(signal, Irregular)]
    return bool(launches) and not rests and causes == [trouble]


def test_only_a_sensor_that_is_broken_stops_the_table() -> None:
    wheel = load_book("mbs-roulette").wheel
    for trouble in SENSOR_FAULTS:
        chance = SeededChance(1)
        script = script_of(wheel, plan_spin(wheel, 3, chance, trouble), chance, trouble)
        (fault,) = [cue.signal for cue in script if isinstance(cue.signal, Fault)]
        assert fault.stops_table is (trouble == "sensor-fault")


@played
async def test_what_was_drawn_in_an_earlier_life_is_drawn_again_from_a_seed_and_not_from_the_system() -> None:
    async with listening(chance=seeded(5)) as one, listening(chance=seeded(5)) as other:
        assert other.source.remember(3, one.source.prepare(3))
        assert other.source.opening_of(3) == one.source.opening_of(3)
        assert not other.source.remember(4, "0" * 64)
        assert other.source.opening_of(4) is None
    async with listening(chance=from_system()) as one, listening(chance=from_system()) as other:
        assert not other.source.remember(3, one.source.prepare(3))


@played
async def test_a_draw_that_is_lost_is_a_fault_until_the_next_round_is_drawn() -> None:
    async with listening() as rig:
        rig.source.lose(3)
        await asyncio.sleep(0)
        assert kinds(rig.heard) == [Ready, Fault]
        assert (rig.heard[1].code, "round 3" in rig.heard[1].detail) == ("restarted", True)
        rig.source.prepare(4)
        await asyncio.sleep(0)
        assert kinds(rig.heard) == [Ready, Fault, Cleared, Ready]


@played
async def test_openings_are_kept_for_the_rounds_that_a_table_can_still_open() -> None:
    async with listening() as rig:
        for number in range(1, 131):
            rig.source.prepare(number)
        assert rig.source.opening_of(31) is not None
        assert rig.source.opening_of(30) is None
