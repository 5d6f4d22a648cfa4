"""What is wrong with settings and limits is said all at once, each fault in a sentence."""

from typing import Any

import msgspec
import pytest

from croupier.rulebook import load_book
from croupier.table import Limits, Range, Rules, Settings, limits_faults, settings_faults
from table.rig import Play, wide_limits
from table.scenes import MONEY_WHEEL, RWS_000, RWS_B, Game, every_game

RULES = Rules(load_book("mbs-roulette"))


def faults_of(**changes: Any) -> list[str]:
    return settings_faults(RULES, msgspec.structs.replace(Play().settings, **changes))


def limits(**changes: Any) -> Limits:
    return msgspec.structs.replace(wide_limits(RULES), **changes)


def bets(**changes: Range) -> Limits:
    return limits(bets={**wide_limits(RULES).bets, **changes})


@every_game
def test_ordinary_settings_have_no_faults(game: Game) -> None:
    play = Play(game.book, game.layout)

    assert settings_faults(play.rules, play.settings) == []


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"lock_up_cents": 0}, "lock_up_cents is 0; it must be at least 1."),
        ({"voucher_limit_cents": -1}, "voucher_limit_cents is -1; it must be at least 0."),
        ({"warning_seconds": -1}, "warning_seconds is -1; it must be at least 0."),
        ({"grace_seconds": -1}, "grace_seconds is -1; it must be at least 0."),
        ({"rounds_kept": 0}, "rounds_kept is 0; it must be at least 1."),
        ({"answers_kept": 0}, "answers_kept is 0; it must be at least 1."),
        ({"wheel": "W1\n"}, "wheel is an id of at most 200 printable characters."),
        ({"wheel": "W" * 201}, "wheel is an id of at most 200 printable characters."),
        ({"spin_source": "luck"}, "spin_source is 'luck'; it must be hand, simulated, sensor."),
        ({"pocket_order": ("00", *RULES.book.wheel.order)}, "pocket_order: '00' is not on the wheel."),
        ({"betting_seconds": 5}, "betting_seconds must be longer than warning_seconds."),
        (
            {"book": "rws-roulette-000"},
            "The settings are for rws-roulette-000 main, the rules for another game.",
        ),
        ({"layouts": ("B",)}, "The settings are for mbs-roulette B, the rules for another game."),
        (
            {"two_people": ("decide", "reject-bets")},
            "two_people names 'reject-bets', which is not an action of this game.",
        ),
    ],
)
def test_each_fault_of_settings_in_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    assert faults_of(**changes) == [sentence]


@pytest.mark.parametrize(
    "changes",
    [
        {"lock_up_cents": 1},
        {"voucher_limit_cents": 0},
        {"grace_seconds": 0},
        {"rounds_kept": 1},
        {"answers_kept": 1},
        {"wheel": "W1", "spin_source": "sensor"},
        {"spin_source": "simulated"},
        {"betting_seconds": 6},
        {"betting_seconds": None},
        {"betting_seconds": 1, "warning_seconds": 0},
        {"two_people": ("decide", "clear-lock-up", "pay-by-attendant")},
    ],
)
def test_the_least_that_is_right(changes: dict[str, Any]) -> None:
    assert faults_of(**changes) == []


RED = Range(minimum_cents=100, maximum_cents=100)


@pytest.mark.parametrize(
    ("faulty", "sentence"),
    [
        (bets(purple=RED), "There is a limit for 'purple', which is not a bet on this layout."),
        (
            limits(spots={"top-line": 5}),
            "There is a limit for 'top-line', which is not a bet on this layout.",
        ),
        (
            bets(red=Range(minimum_cents=0, maximum_cents=5)),
            "The limits of red must be a minimum of at least 0.01 and a maximum not below it.",
        ),
        (
            bets(red=Range(minimum_cents=6, maximum_cents=5)),
            "The limits of red must be a minimum of at least 0.01 and a maximum not below it.",
        ),
        (limits(seat_cents=0), "seat_cents must be at least 0.01, or left out."),
        (limits(table_cents=-1), "table_cents must be at least 0.01, or left out."),
        (limits(exposure_cents=0), "exposure_cents must be at least 0.01, or left out."),
        (limits(spots={"red": 0}), "The limit of red over all seats must be at least 0.01."),
    ],
)
def test_each_fault_of_limits_in_a_sentence(faulty: Limits, sentence: str) -> None:
    assert limits_faults(RULES, faulty) == [sentence]


@pytest.mark.parametrize(
    "right",
    [
        bets(red=RED, black=Range(minimum_cents=1, maximum_cents=1)),
        bets(**{"straight:0": RED}),
        limits(spots={"red": 1, "straight:17": 1}, seat_cents=1, table_cents=1, exposure_cents=1),
    ],
)
def test_limits_of_kinds_and_of_single_bets_are_right(right: Limits) -> None:
    assert limits_faults(RULES, right) == []


def test_every_bet_needs_a_limit_by_its_kind_or_its_own() -> None:
    without = {kind: limit for kind, limit in wide_limits(RULES).bets.items() if kind not in ("dozen", "red")}

    faults = limits_faults(RULES, limits(bets={**without, "dozen:2": RED}))

    assert faults == [f"There is no limit for {bet}." for bet in ("dozen:1", "dozen:3", "red")]


@pytest.mark.parametrize("game", [RWS_B, RWS_000, MONEY_WHEEL])
def test_limits_are_those_of_one_layout_and_not_of_another(game: Game) -> None:
    rules = Rules(load_book(game.book), game.layout)

    assert limits_faults(rules, wide_limits(RULES)) != []
    assert limits_faults(rules, wide_limits(rules)) == []


def test_where_boxes_are_marked_there_are_no_limits_that_only_a_refusal_could_keep() -> None:
    play = Play("rws-money-wheel")
    kept = {"bets": wide_limits(play.rules).bets, "table_cents": 1}
    idle = Limits(**kept, spots={"symbol": 1}, seat_cents=1, exposure_cents=1)

    faults = settings_faults(play.rules, msgspec.structs.replace(play.settings, limits=idle))

    assert [fault[: fault.index(" would never")] for fault in faults] == [
        "A limit of one spot over all seats (spots)",
        "A limit of one seat (seat_cents)",
        "A limit of what the house may have to pay (exposure_cents)",
    ]
    assert limits_faults(play.rules, Limits(**kept)) == []


def test_all_faults_are_said_at_once() -> None:
    found = faults_of(lock_up_cents=0, rounds_kept=0, limits=limits(seat_cents=0, table_cents=0))

    assert len(found) == 4
    assert all(sentence.endswith(".") for sentence in found)


def test_a_bet_of_its_own_limit_goes_before_its_kind_and_a_spot_without_limit_is_free() -> None:
    chosen = limits(
        bets={**wide_limits(RULES).bets, "straight:0": RED}, spots={"straight": 500, "straight:0": 50}
    )

    assert chosen.of_bet("straight:0", "straight") == RED
    assert chosen.of_bet("straight:1", "straight") == wide_limits(RULES).bets["straight"]
    assert chosen.of_spot("straight:0", "straight") == 50
    assert chosen.of_spot("straight:1", "straight") == 500
    assert chosen.of_spot("red", "red") is None


def test_what_is_not_set_has_its_usual_value() -> None:
    settings = Settings(
        table="T1", book="b", layouts=("l",), limits=limits(), lock_up_cents=1, voucher_limit_cents=0
    )

    assert (settings.betting_seconds, settings.warning_seconds, settings.grace_seconds) == (None, 5, 10)
    assert (settings.two_people, settings.rounds_kept, settings.answers_kept) == ((), 100, 32)
