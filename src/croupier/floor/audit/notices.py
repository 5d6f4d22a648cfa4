"""Approved notices: where the book's words rest on a clause, players read them word for word."""

from collections.abc import Mapping
from typing import Final

from croupier.floor.audit.books import refuse
from croupier.rulebook import Book
from croupier.table import events as e

_STEPS: Final[Mapping[type, str]] = {
    e.TableClosed: "table-closed",
    e.LastRoundAnnounced: "last-round",
    e.TableHalted: "interrupted",
    e.TableInterrupted: "interrupted",
    e.DecisionRecorded: "decision",
    e.RoundOpened: "open",
    e.ClosingWarned: "warning",
    e.BetsClosed: "closed",
    e.SpinStarted: "spinning",
    e.ResultConfirmed: "result",
    e.RoundSettled: "settled",
}


def check_notice(book: Book, event: e.Event) -> None:
    """Finds a notice that rests on a clause and is not in the words of the book."""
    text: str | None = getattr(event, "notice", None)
    if text is None:
        return
    notice = book.notices[_step_of(event)]
    if notice.source in book.clauses and text not in {_filled(book, each, event) for each in notice.texts}:
        refuse(f"players read {text!r}, and the book says {_filled(book, notice.texts[0], event)!r}")


def _step_of(event: e.Event) -> str:
    if isinstance(event, e.RoundVoided):
        return "no-spin" if event.cause == "no-spin" else "void"
    if isinstance(event, e.ResultCorrected):
        return "void" if event.new is None else "correction"
    return _STEPS[type(event)]


def _filled(book: Book, text: str, event: e.Event) -> str:
    """One of the book's texts with the facts of an event; each fact is filled in once, as it stands."""
    facts = {name: getattr(event, name, None) for name in ("seconds", "round", "reason", "result")}
    if isinstance(event, e.ResultCorrected):
        facts["result"] = event.new
    if facts["result"] is not None:
        facts["result"] = book.wheel.labels.get(facts["result"], facts["result"])
    for name, fact in facts.items():
        text = text.replace(f"{{{name}}}", str(fact))
    return text
