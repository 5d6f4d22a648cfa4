"""Spins: every one ends where it was drawn, keeps the rules unless told not to, and gives nothing away."""

from collections import Counter
from itertools import pairwise

import pytest

from clauses import clause
from croupier.rulebook import load_book
from croupier.wheel.physics_ball import BallSpin
from croupier.wheel.physics_clapper import ClapperSpin
from croupier.wheel.physics_film import POCKET, RIM, STEP_MS, Film, shoot, shown_pocket
from croupier.wheel.uniform import SeededChance
from wheel.physics_rig import BALL_BOOKS, BOOKS, LaidDown, plan


def ball_spin(book: str, pocket: int, seed: int, direction: int = 1, trouble: str | None = None) -> BallSpin:
    spin = plan(book, pocket, SeededChance(seed), direction, trouble)
    assert isinstance(spin, BallSpin)
    return spin


def clapper_spin(pocket: int, seed: int, direction: int = 1, trouble: str | None = None) -> ClapperSpin:
    spin = plan("rws-money-wheel", pocket, SeededChance(seed), direction, trouble)
    assert isinstance(spin, ClapperSpin)
    return spin


def last_shown(film: Film) -> int | None:
    return shown_pocket(film.pockets, film.wheel[-1], film.ball[-1])


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("book", BOOKS)
def test_a_film_ends_on_the_pocket_that_was_drawn(book: str, direction: int) -> None:
    pockets = load_book(book).pockets
    for pocket in range(pockets):
        film = shoot(plan(book, pocket, SeededChance(pocket, book), direction))
        assert film.pocket == pocket
        assert last_shown(film) == pocket
        if film.ball[-1] is not None:
            middle = (film.ball[-1] - film.wheel[-1]) * pockets - pocket * 1_000_000
            assert abs((middle + 500_000) % (1_000_000 * pockets) - 500_000) <= 2 * pockets


@pytest.mark.parametrize("book", BOOKS)
def test_what_has_come_to_rest_rests_there_to_the_end_of_the_film(book: str) -> None:
    spin = plan(book, 5, SeededChance(1))
    rest_ms = next(phase.from_ms for phase in spin.phases if phase.name == "rest")
    resting = [frame for at in range(rest_ms, spin.end_ms, 10) if (frame := spin.frame_at(at))]
    assert {shown_pocket(spin.pockets, frame.wheel, frame.ball) for frame in resting} == {5}
    assert {frame.phase for frame in resting} == {"rest"}


@pytest.mark.parametrize(
    "trouble", [None, "same-direction", "too-few-revolutions", "wheel-stopped", "ball-dropped"]
)
@pytest.mark.parametrize("book", BALL_BOOKS)
def test_a_ball_never_jumps(book: str, trouble: str | None) -> None:
    for seed in range(30):
        film = shoot(ball_spin(book, seed, seed, 1 if seed % 2 else -1, trouble))
        steps = zip(pairwise(film.wheel), pairwise(film.ball), pairwise(film.radius), strict=True)
        for wheel, ball, radius in steps:
            assert abs(wheel[1] - wheel[0]) < 60_000
            assert abs(ball[1] - ball[0]) < 150_000
            assert abs(radius[1] - radius[0]) < 70
        assert film.radius[-1] == POCKET
        assert trouble == "ball-dropped" or film.radius[0] == RIM


def test_a_wheel_without_a_ball_never_jumps() -> None:
    for seed in range(50):
        film = shoot(clapper_spin(seed, seed))
        assert max(abs(after - before) for before, after in pairwise(film.wheel)) < 50_000


@pytest.mark.parametrize("book", BALL_BOOKS)
@clause("mbs-roulette:3.6", "rws-roulette-00:3.6", "rws-roulette-000:3.6")
def test_a_ball_turns_against_the_wheel_and_often_enough(book: str) -> None:
    needs = load_book(book).wheel.revolutions
    for seed in range(300):
        spin = ball_spin(book, seed % 37, seed, 1 if seed % 2 else -1)
        assert spin.rotor.direction == -spin.direction
        assert spin.revolutions >= needs
        assert 180 <= spin.rotor.tenths_rpm <= 320
        assert 1 <= spin.diamond <= 8


@clause("rws-money-wheel:3.7")
def test_a_wheel_without_a_ball_turns_often_enough() -> None:
    for seed in range(300):
        assert clapper_spin(seed % 52, seed).revolutions >= 3


@pytest.mark.parametrize("book", BOOKS)
def test_revolutions_are_those_that_the_film_shows(book: str) -> None:
    for seed in range(60):
        spin = plan(book, 7, SeededChance(seed), 1 if seed % 2 else -1)
        film = shoot(spin)
        if isinstance(spin, BallSpin):
            on_rim = [angle for angle, radius in zip(film.ball, film.radius, strict=True) if radius == RIM]
            # The ball leaves the rim between two samples, no more than a tenth of a turn apart.
            assert abs(abs(on_rim[-1] - on_rim[0]) / 1e6 - spin.revolutions - 0.5) < 0.65
        else:
            assert abs(film.wheel[-1] - film.wheel[0]) // 1_000_000 == spin.revolutions


def test_all_deflectors_are_struck_and_the_ball_is_at_its_deflector_when_it_strikes() -> None:
    struck: Counter[int] = Counter()
    for seed in range(400):
        spin = ball_spin("mbs-roulette", 0, seed, 1 if seed % 2 else -1)
        struck[spin.diamond] += 1
        eighths = spin.strike_angle * 8
        assert round(eighths) % 8 + 1 == spin.diamond
        assert abs(eighths - round(eighths)) < 1e-9
    assert set(struck) == set(range(1, 9))
    assert min(struck.values()) > 20


def test_pins_click_once_for_each_segment_and_slower_to_the_end() -> None:
    for seed in range(40):
        spin = clapper_spin(11, seed, 1 if seed % 2 else -1)
        assert abs(len(spin.clicks_ms) - spin.coast.turns * 52) <= 1
        assert spin.clicks_ms == tuple(sorted(spin.clicks_ms))
        at_clicks = (spin.frame_at(click_ms).wheel for click_ms in spin.clicks_ms)
        assert {shown_pocket(52, wheel, None) for wheel in at_clicks} == {None}
        assert spin.clicks_ms[-1] - spin.clicks_ms[-2] > spin.clicks_ms[-60] - spin.clicks_ms[-61]


def test_a_clapper_clicks_where_the_segment_under_it_changes() -> None:
    spin = clapper_spin(3, 8)
    changes, under = 0, None
    for at_ms in range(0, round(1000 * spin.coast.seconds), 2):
        shown = shown_pocket(52, spin.frame_at(at_ms).wheel, None)
        if shown is not None and shown != under:
            changes += under is not None
            under = shown
    assert abs(changes - len(spin.clicks_ms)) <= 1


@pytest.mark.parametrize("book", BOOKS)
def test_before_the_result_is_being_decided_every_pocket_fits_equally_well(book: str) -> None:
    """Over all scatters, each pocket is reached from the same set of starts: a start says nothing."""
    pockets = load_book(book).pockets
    starts = []
    for pocket in (0, 1, pockets // 2, pockets - 1):
        seen = []
        for scatter in range(pockets):
            spin = plan(book, pocket, LaidDown(5, [(pockets, scatter)]))
            start = spin.rotor.angle if isinstance(spin, BallSpin) else spin.start
            seen.append(round(start * 1e9) % 10**9)
            if isinstance(spin, BallSpin):
                undecided = (spin.start, spin.whirl, spin.diamond, spin.enter_s, spin.rotor.tenths_rpm)
            else:
                undecided = (spin.coast.speed, spin.coast.pulled, spin.coast.pull_s)
            assert undecided == starts[0][1] if starts else True
        assert len(set(seen)) == pockets
        starts.append((sorted(seen), undecided))
    for seen, _ in starts[1:]:
        assert all(abs(one - other) <= 2 for one, other in zip(seen, starts[0][0], strict=True))


def test_a_part_of_a_film_holds_nothing_of_what_comes() -> None:
    film = shoot(ball_spin("rws-roulette-00", 9, 4))
    part = film.until(3_010)
    assert len(part.wheel) == len(part.ball) == len(part.radius) == 3_010 // STEP_MS + 1
    assert part.pocket is None
    assert [phase.name for phase in part.phases] == ["rim"]
    assert part.wheel == film.wheel[: len(part.wheel)]
    assert film.until(10**6) == film
    assert film.until(-1).wheel == ()


@pytest.mark.parametrize("book", BOOKS)
def test_too_few_revolutions_are_too_few(book: str) -> None:
    for seed in range(100):
        spin = plan(book, seed % 37, SeededChance(seed), 1, "too-few-revolutions")
        assert spin.revolutions < load_book(book).wheel.revolutions


def test_troubles_look_like_what_they_are() -> None:
    book = "mbs-roulette"
    for seed in range(40):
        same = ball_spin(book, 3, seed, -1, "same-direction")
        assert same.rotor.direction == same.direction
        assert ball_spin(book, 3, seed, 1, "wheel-still").rotor.tenths_rpm == 0
        stopped = ball_spin(book, 3, seed, 1, "wheel-stopped")
        assert stopped.rotor.tenths_rpm_at(stopped.rest_s) == 0
        assert stopped.rotor.tenths_rpm_at(0) > 0
        dropped = ball_spin(book, 3, seed, 1, "ball-dropped")
        assert dropped.revolutions == 0
        assert "rim" not in {phase.name for phase in dropped.phases}
        for trouble, phase in (("ball-out", "out"), ("ball-broken", "broken")):
            film = shoot(ball_spin(book, 3, seed, 1, trouble))
            assert (film.ball[-1], film.radius[-1], film.pocket) == (None, None, None)
            assert film.phases[-1].name == phase
        out = shoot(ball_spin(book, 3, seed, 1, "ball-out"))
        assert max(radius for radius in out.radius if radius is not None) > RIM
        nowhere = shoot(ball_spin(book, 3, seed, 1, "no-compartment"))
        assert (last_shown(nowhere), nowhere.pocket) == (None, None)
        on_a_pin = shoot(clapper_spin(3, seed, 1, "no-compartment"))
        assert (last_shown(on_a_pin), on_a_pin.pocket) == (None, None)


@pytest.mark.parametrize("book", BOOKS)
def test_the_same_chance_gives_the_same_film(book: str) -> None:
    first, again = (shoot(plan(book, 2, SeededChance(99, "a"))) for _ in range(2))
    other = shoot(plan(book, 2, SeededChance(99, "b")))
    assert first == again
    assert first != other
