"""Verdicts on rounds: fair ones, and every way in which one is not, or cannot be shown to be."""

import pytest

from clauses import clause
from croupier.floor.loading import DamagedJournal
from croupier.journal import Record
from croupier.rulebook import BadInput, load_book
from croupier.table import commands as c
from croupier.wheel.fair import Opening, commitment_of
from croupier.wheel.fair_check import check_journal
from floor.audit_journal import MemoryEvidence, edit, of_kind, records_of, relink
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, Play
from wheel.fair_rig import SealedPlay, sealed, verdict, verdict_of_forged
from wheel.physics_rig import BOOKS


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_that_kept_its_commitment_is_fair(book: str) -> None:
    play = sealed(book)
    for _ in range(3):
        number = play.sealed_round()
        found = verdict(play, number)
        assert (found.verdict, found.code, found.is_shown) == ("fair", "fair", True)
        assert found.drawn == play.drawn(number).pocket
        assert found.result == found.drawn_result == play.result(number)
        assert found.committed_at < found.closed_at < found.opened_at


def test_bets_that_were_placed_before_the_commitment_are_counted() -> None:
    play = sealed()
    play.sealed_round()
    assert (verdict(play, 1).bets_before, "before the first bet" in verdict(play, 1).sentence) == (0, True)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.bet("1", {"black": 1_000})
    play.do(SENSOR, c.CommitSpin(commitment=commitment_of("T1", 2, play.drawn(2))))
    play.bet("1", {"odd": 1_000})
    play.settle(play.result(2))
    play.reveal(2)
    found = verdict(play, 2)
    assert (found.verdict, found.bets_before) == ("fair", 2)
    assert "before bets closed" in found.sentence


def test_a_result_that_was_not_drawn_is_unfair() -> None:
    play = sealed()
    number = play.begin()
    play.settle(play.another(number))
    play.reveal(number)
    found = verdict(play, number)
    assert (found.verdict, found.code, found.is_shown) == ("unfair", "result-differs", False)
    assert play.result(number) in found.sentence
    assert play.another(number) in found.sentence


def test_a_round_by_hand_has_nothing_to_check() -> None:
    play = sealed()
    number = play.begin(commit=False)
    play.settle("17")
    found = verdict(play, number)
    assert (found.verdict, found.code, found.is_shown) == ("not shown", "no-commitment", False)


def test_a_commitment_that_nobody_opens_shows_nothing() -> None:
    play = sealed()
    number = play.begin()
    play.settle(play.result(number))
    assert verdict(play, number).code == "not-opened"


def test_a_round_that_runs_is_not_shown_yet() -> None:
    play = sealed()
    number = play.begin()
    assert verdict(play, number).code == "running"
    play.to_spinning()
    assert not verdict(play, number).is_shown


@pytest.mark.parametrize("opened", [True, False])
@clause("mbs-roulette:5.15")
def test_a_void_round_is_void_and_shows_what_had_been_drawn_where_it_is_opened(opened: bool) -> None:
    play = sealed()
    number = play.begin()
    play.to_spinning()
    play.do(DEALER, c.CallNoSpin(reason="bets in dispute"))
    if opened:
        play.reveal(number)
    found = verdict(play, number)
    assert found.code == ("void" if opened else "not-opened")
    assert found.is_shown is opened
    assert found.result is None
    assert found.drawn == (play.drawn(number).pocket if opened else None)


def test_a_void_round_whose_seal_does_not_fit_is_unfair() -> None:
    play = sealed()
    number = play.begin()
    play.do(DEALER, c.CallNoSpin(reason="bets in dispute"))
    play.reveal(number, Opening(0, bytes(32)).text)
    assert (verdict(play, number).verdict, verdict(play, number).code) == ("unfair", "opening-differs")


def test_a_round_that_was_void_before_any_commitment_took_nothing_from_anybody() -> None:
    play = sealed()
    number = play.begin(commit=False)
    play.do(DEALER, c.CallNoSpin(reason="ball fell"))
    assert (verdict(play, number).verdict, verdict(play, number).is_shown) == ("void", True)


def test_a_wrong_result_that_was_corrected_to_the_drawn_one_is_fair() -> None:
    play = sealed()
    number = play.begin()
    play.settle(play.another(number))
    play.do(MANAGER, c.CorrectResult(round=number, result=play.result(number), reason="misread"), SUPERVISOR)
    play.reveal(number)
    found = verdict(play, number)
    assert (found.verdict, found.code, found.result) == ("fair", "corrected", play.result(number))
    assert play.another(number) in found.sentence


def test_a_result_corrected_before_its_confirmation_is_told_too() -> None:
    play = sealed()
    number = play.begin()
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=play.another(number)))
    play.do(DEALER, c.CorrectResult(round=number, result=play.result(number), reason="slip"))
    play.do(DEALER, c.ConfirmResult(result=play.result(number)))
    play.reveal(number)
    assert verdict(play, number).code == "corrected"


def test_a_drawn_result_that_was_corrected_away_is_unfair_also_after_the_opening() -> None:
    play = sealed()
    number = play.sealed_round()
    play.do(MANAGER, c.CorrectResult(round=number, result=play.another(number), reason="misread"), SUPERVISOR)
    found = verdict(play, number)
    assert (found.verdict, found.code) == ("unfair", "result-differs")
    assert "corrected from it" in found.sentence


def test_a_settled_round_that_was_voided_later_is_void() -> None:
    play = sealed()
    number = play.sealed_round()
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="complaint upheld", round=number))
    found = verdict(play, number)
    assert (found.verdict, found.result, found.drawn_result) == ("void", None, play.result(number))


def test_an_opening_of_another_pocket_or_nonce_or_of_no_kind_is_unfair() -> None:
    for forged, code in (
        (Opening(5, bytes(32)).text, "opening-differs"),
        ("17 with a nonce", "opening-unreadable"),
    ):
        play = sealed()
        number = play.begin()
        play.settle(play.result(number))
        play.reveal(number, forged)
        assert (verdict(play, number).verdict, verdict(play, number).code) == ("unfair", code)


def test_a_commitment_does_for_its_own_round_and_table_alone() -> None:
    play = sealed()
    play.sealed_round()
    play.do(DEALER, c.OpenRound())
    borrowed = play.drawn(1)
    play.do(SENSOR, c.CommitSpin(commitment=commitment_of("T1", 1, borrowed)))
    play.settle(play.result(1))
    play.reveal(2, borrowed.text)
    assert verdict(play, 2).code == "opening-differs"


def test_a_pocket_that_the_wheel_does_not_have_is_unfair() -> None:
    play = sealed()
    play.do(DEALER, c.OpenRound())
    beyond = Opening(37, bytes(32))
    play.do(SENSOR, c.CommitSpin(commitment=commitment_of("T1", 1, beyond)))
    play.settle("17")
    play.reveal(1, beyond.text)
    assert verdict(play, 1).code == "no-such-pocket"


def swapped(records: list[Record], first: str, second: str) -> list[Record]:
    """The records with one kind moved directly behind another."""
    moved = records.pop(of_kind(records, first) - 1)
    records.insert([record.kind for record in records].index(second) + 1, moved)
    return records


@pytest.fixture
def play() -> SealedPlay:
    play = sealed()
    play.sealed_round()
    return play


def test_a_commitment_after_the_close_proves_nothing(play: SealedPlay) -> None:
    """The table refuses one; a journal that was written by something else may have it."""
    records = swapped(records_of(play), "spin-committed", "bets-closed")
    found = verdict_of_forged(play, 1, records)
    assert (found.verdict, found.code) == ("unfair", "committed-late")


def test_an_opening_before_the_end_of_the_round_gives_it_away(play: SealedPlay) -> None:
    records = swapped(records_of(play), "commitment-opened", "spin-committed")
    assert verdict_of_forged(play, 1, records).code == "opened-early"


@pytest.mark.parametrize("kind", ["spin-committed", "commitment-opened"])
def test_two_commitments_or_openings_for_one_round_are_a_choice(play: SealedPlay, kind: str) -> None:
    records = records_of(play)
    place = of_kind(records, kind)
    again = edit(records[place - 1], lambda event, cause: cause.update(number=900))
    records.insert(place, again)
    assert verdict_of_forged(play, 1, records).code == "published-twice"


def test_a_chain_that_does_not_hold_says_nothing_about_what_came_first(play: SealedPlay) -> None:
    evidence = MemoryEvidence(play)
    place = of_kind(evidence.rows["T1"], "bets-changed") - 1
    evidence.rows["T1"][place] = evidence.rows["T1"][place]._replace(at_ms=1)
    with pytest.raises(DamagedJournal, match="does not fit"):
        check_journal(evidence, "T1", 1)
    shortened = MemoryEvidence(play)
    shortened.rows["T1"].pop()
    with pytest.raises(DamagedJournal, match="do not end where"):
        check_journal(shortened, "T1", 1)


def test_all_rounds_that_are_over_are_judged_and_the_one_that_runs_is_left_out(play: SealedPlay) -> None:
    play.begin(commit=False)
    play.settle("17")
    play.begin()
    found = check_journal(MemoryEvidence(play), "T1")
    assert [(one.round, one.code) for one in found] == [(1, "fair"), (2, "no-commitment")]


def test_a_round_that_was_not_and_a_table_without_rounds_are_bad_input(play: SealedPlay) -> None:
    with pytest.raises(BadInput, match=r"no round 2.*1 to 1"):
        check_journal(MemoryEvidence(play), "T1", 2)
    with pytest.raises(BadInput, match=r"no round 1.*no round yet"):
        check_journal(MemoryEvidence(Play()), "T1", 1)


def test_a_stream_that_is_no_table_has_no_rounds(play: SealedPlay) -> None:
    evidence = MemoryEvidence(play)
    evidence.put(relink(records_of(play)[1:]))
    with pytest.raises(BadInput, match="plays no rounds"):
        check_journal(evidence, "T1")


def test_another_edition_of_the_book_is_not_taken_for_the_one_in_force(play: SealedPlay) -> None:
    with pytest.raises(BadInput, match="another edition"):
        check_journal(MemoryEvidence(play), "T1", 1, lambda name: load_book("rws-roulette-00"))
