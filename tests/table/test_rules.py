"""The rules a table looks up in its book, also in books that are not among the four."""

from typing import Any

import msgspec
import pytest

from croupier.rulebook import Book, load_book
from croupier.table import Cause, Entry, Rules, Settings, create, evolve, may
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, START_MS, SUPERVISOR, Play, player, wide_limits
from table.scenes import BETTING, IDLE, RWS_A, SETTLED, Game, at, every_game


def changed(book_id: str, **changes: Any) -> Book:
    return msgspec.structs.replace(load_book(book_id), **changes)


def test_a_seat_at_a_game_without_terminals_is_a_place_that_offers_nothing_by_name() -> None:
    rules = Rules(changed("mbs-roulette", terminals={}))

    assert rules.seat_kinds == ("place",)
    (own,) = {*rules.seats.values()}
    assert own.offers == {"place": frozenset()}
    assert own.offer_clause("place") == "mbs-roulette:3.5"


def test_a_kind_of_terminal_stands_only_at_the_layouts_it_offers() -> None:
    book = load_book("rws-roulette-00")
    (terminal,) = book.terminals.values()
    on_b = tuple(offer for offer in terminal.offers if offer.layout == "B")
    only_b = msgspec.structs.replace(
        book, terminals={"rapid": msgspec.structs.replace(terminal, offers=on_b)}
    )

    assert Rules(only_b, "A").seat_kinds == ("place",)
    assert Rules(only_b, "B").seat_kinds == ("rapid",)


def test_the_layout_is_the_first_one_where_none_is_named() -> None:
    assert Rules(load_book("rws-roulette-00")).layout.id == "A"
    assert Rules(load_book("rws-roulette-00"), "B").layout.id == "B"


def test_a_notice_is_shown_with_its_facts() -> None:
    rules = Rules(load_book("mbs-roulette"))

    assert rules.notice("warning", seconds=3) == "Last bets: 3 seconds"
    assert rules.notice("closed") == "No more bets"


def test_what_the_book_does_not_have_has_no_clause() -> None:
    rules = Rules(load_book("rws-money-wheel"))

    assert rules.irregularity("ball-broken") is None
    assert rules.clause_of("ball-broken") is None
    assert rules.cite("announced") is None
    assert rules.clause_of("interference") == "rws-money-wheel:5.4.1"


@pytest.mark.parametrize(
    ("since", "code"), [("round", None), ("close", "bets-open"), ("spin", "no-spin-yet")]
)
def test_a_book_says_from_when_on_an_irregularity_can_be_declared(since: str, code: str | None) -> None:
    book = load_book("rws-roulette-00")
    interference = msgspec.structs.replace(book.irregularities["interference"], since=since)
    play = at(BETTING, RWS_A)
    irregularities = {**book.irregularities, "interference": interference}
    rules = Rules(changed("rws-roulette-00", irregularities=irregularities), "A")

    command = play.command(DEALER, c.DeclareIrregularity(cause="interference"))
    found = may(rules, play.state, command)

    assert (None if found is None else found.code) == code
    assert found is None or found.clause == "rws-roulette-00:5.3.8"


@every_game
def test_nothing_is_declared_while_no_round_runs(game: Game) -> None:
    play = at(SETTLED, game)

    found = play.refused(DEALER, c.DeclareIrregularity(cause="interference"))

    assert (found.code, found.clause) == ("no-round", play.rules.clause_of("interference"))


def test_another_book_is_played_without_a_line_of_code() -> None:
    book = changed("mbs-roulette", id="mbs-closes-late", bets_close=load_book("rws-roulette-00").bets_close)
    rules = Rules(book)
    limits = wide_limits(rules)
    settings = Settings(
        table="T2",
        book=book.id,
        layouts=("main",),
        limits=limits,
        lock_up_cents=10**9,
        voucher_limit_cents=10**9,
    )
    play = Play()
    play.rules, play.settings = rules, settings
    play.state, first = create(rules, settings, START_MS, SUPERVISOR)
    play.entries = [first]

    play.open()
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.StartSpin())

    assert play.bet("1", {"red": 500}), "the ball rolls, and bets are still taken"


@pytest.mark.parametrize(
    "event",
    [
        e.BetsClosed(round=1, closed_by="dealer", notice="", clause="", stakes_clause=None),
        e.ResultEntered(round=1, result="17", said_by="dealer", clause=""),
        e.RoundSettled(round=1, result="17", notice="", clause=""),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_of_a_round_that_does_not_run_breaks_off_instead_of_going_unnoticed(event: e.Event) -> None:
    play = at(IDLE)
    cause = Cause(at_ms=START_MS, actor=player("1"), sender="screen", number=1, fingerprint="")

    with pytest.raises(RuntimeError, match="does not run"):
        evolve(play.rules, play.state, Entry(cause, event))
