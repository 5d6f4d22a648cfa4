"""Whether a round kept its commitment, and if that cannot be shown, why."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from croupier.floor.verify.evidence import Evidence
from croupier.rulebook import BadInput, Book, load_book, with_order
from croupier.wheel.fair import commitment_of, read_opening
from croupier.wheel.fair_rounds import RUNNING, VOIDED, RoundFacts, gather_rounds

FAIR: Final = "fair"
VOID: Final = "void"
NOT_SHOWN: Final = "not shown"
UNFAIR: Final = "unfair"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the journal shows about one round."""

    round: int
    verdict: str
    """`fair`; `void`, where no result was settled and nothing contradicts the commitment; `not shown`, where
    something needed for the check is missing; `unfair`, where something contradicts the commitment."""
    code: str
    sentence: str
    drawn: int | None = None
    """The index of the drawn pocket, where an opening that fits says it."""
    drawn_result: str | None = None
    result: str | None = None
    commitment: str | None = None
    committed_at: int | None = None
    """The record of the commitment."""
    closed_at: int | None = None
    """The record by which bets were closed."""
    opened_at: int | None = None
    bets_before: int = 0
    """How many times bets were placed or changed before the commitment."""

    @property
    def is_shown(self) -> bool:
        """Whether nothing is left to ask."""
        return self.verdict in (FAIR, VOID)


class _Seal(NamedTuple):
    """What an opening that fits has shown."""

    pocket: int | None
    result: str | None


_NO_SEAL: Final = _Seal(None, None)


def check_journal(
    evidence: Evidence, table: str, number: int | None = None, find_book: Callable[[str], Book] = load_book
) -> list[Verdict]:
    """The verdict on one round, or on every round of a table that is over."""
    created, rounds = gather_rounds(evidence, table)
    if created is None:
        raise BadInput("no-rounds", f"{table!r} plays no rounds.", "Name a table.")
    book = find_book(created.settings.book)
    if book.sha256 != created.book_sha256:
        raise BadInput(
            "other-book",
            f"Table {table} was made with another edition of {book.id}: its order of the wheel may differ.",
            "Name the book it was made with by --book.",
        )
    order = with_order(book, created.settings.pocket_order).wheel.order
    if number is None:
        return check_rounds(table, order, (facts for facts in rounds if facts.ending != RUNNING))
    chosen = [facts for facts in rounds if facts.number == number]
    if not chosen:
        known = f"Its rounds are 1 to {rounds[-1].number}." if rounds else "It has played no round yet."
        raise BadInput("unknown-round", f"There was no round {number} at table {table}.", known)
    return check_rounds(table, order, chosen)


def check_rounds(table: str, order: Sequence[str], rounds: Iterable[RoundFacts]) -> list[Verdict]:
    """The verdict on each of several rounds."""
    return [check_round(table, order, facts) for facts in rounds]


def check_round(table: str, order: Sequence[str], facts: RoundFacts) -> Verdict:
    """The verdict on one round."""
    found = _without_opening(facts) or _out_of_time(facts)
    if found is not None:
        return _verdict(facts, *found)
    opening = read_opening(facts.opening or "")
    if opening is None:
        return _verdict(facts, UNFAIR, "opening-unreadable", "What was published as the opening is none.")
    if commitment_of(table, facts.number, opening) != facts.commitment:
        sentence = "The opening is not what the commitment was made to."
        return _verdict(facts, UNFAIR, "opening-differs", sentence)
    if opening.pocket >= len(order):
        sentence = f"The wheel has no pocket of index {opening.pocket}."
        return _verdict(facts, UNFAIR, "no-such-pocket", sentence)
    drawn = order[opening.pocket]
    seal = _Seal(opening.pocket, drawn)
    if facts.ending == VOIDED:
        sentence = f"Void by {facts.cause}: every bet went back. {drawn} had been drawn, and the seal fits."
        return _verdict(facts, VOID, "void", sentence, seal)
    if facts.result != drawn:
        return _verdict(facts, UNFAIR, "result-differs", _differs(facts, drawn), seal)
    when = "before bets closed" if facts.bets_before else "before the first bet"
    corrected = f" It was first given as {', '.join(facts.replaced)} and corrected." if facts.replaced else ""
    sentence = f"{drawn} was drawn and sealed {when}, and is the result.{corrected}"
    return _verdict(facts, FAIR, "corrected" if corrected else "fair", sentence, seal)


def _without_opening(facts: RoundFacts) -> tuple[str, str, str] | None:
    """What can be said where there is no seal, or none that is opened."""
    if facts.ending == RUNNING:
        return NOT_SHOWN, "running", "The round is not over; its commitment is opened after it."
    if facts.commitment is None:
        if facts.ending == VOIDED:
            return VOID, "void", f"Void by {facts.cause} without a commitment: every bet went back."
        sentence = "No commitment was published: the wheel was not a sealed one, or was spun by hand."
        return NOT_SHOWN, "no-commitment", sentence
    if facts.opening is None:
        return NOT_SHOWN, "not-opened", "The commitment was never opened, so nobody can check it."
    return None


def _out_of_time(facts: RoundFacts) -> tuple[str, str, str] | None:
    """What was published too late, too early or twice."""
    if facts.commitments > 1 or facts.openings > 1:
        return UNFAIR, "published-twice", "More than one commitment or opening was published."
    if facts.closed_at is not None and (facts.committed_at or 0) > facts.closed_at:
        sentence = f"The commitment is record {facts.committed_at}; bets were closed by {facts.closed_at}."
        return UNFAIR, "committed-late", sentence
    if (facts.opened_at or 0) < (facts.ended_at or 0):
        sentence = f"The opening is record {facts.opened_at}, before the round was over."
        return UNFAIR, "opened-early", sentence
    return None


def _differs(facts: RoundFacts, drawn: str) -> str:
    if drawn in facts.replaced:
        return f"{drawn} was drawn, and the result was corrected from it to {facts.result}."
    return f"{drawn} was drawn, and the round was settled by {facts.result}."


def _verdict(
    facts: RoundFacts,
    verdict: str,
    code: str,
    sentence: str,
    seal: _Seal = _NO_SEAL,
) -> Verdict:
    return Verdict(
        round=facts.number,
        verdict=verdict,
        code=code,
        sentence=sentence,
        drawn=seal.pocket,
        drawn_result=seal.result,
        result=facts.result if facts.ending != VOIDED else None,
        commitment=facts.commitment,
        committed_at=facts.committed_at,
        closed_at=facts.closed_at,
        opened_at=facts.opened_at,
        bets_before=0 if facts.commitment is None else facts.bets_before,
    )
