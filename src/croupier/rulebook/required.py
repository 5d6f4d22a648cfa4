"""What a book has to say because the table acts on it: the actions of every game, and some causes by name.

Most of a book is up to its author. But whatever the game, a table voids a round whose spin does not count,
concludes one that an interruption met, and locks a seat that has won much; and each time it looks up in the
book what it has to cite, or who may end it. A book that does not say so would be found out in the middle of
a round, with stakes in play: so it is refused when it is loaded.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from croupier.rulebook.model import Authority, Book
from croupier.rulebook.reader import Node
from croupier.rulebook.vocabulary import CONSEQUENCES, SINCE, VOIDING


class Words(NamedTuple):
    """The words that an irregularity may use, those first that most books will."""

    consequences: tuple[str, ...] = CONSEQUENCES
    since: tuple[str, ...] = SINCE


_FROM_THE_SPIN: Final = ("spin", "round", "close")

CAUSES: Final[Mapping[str, Words]] = {
    "too-few-revolutions": Words(VOIDING, _FROM_THE_SPIN),
    "no-compartment": Words(VOIDING, _FROM_THE_SPIN),
    "same-direction": Words(VOIDING, ("spin", "round")),
    "wheel-still": Words(VOIDING, ("spin", "round")),
    "no-spin": Words(VOIDING, ("round",)),
    "interruption-no-outcome": Words(VOIDING, ("round",)),
    "interruption-outcome": Words(("conclude-round",)),
    "wrong-result": Words(("settle-by-wheel",), _FROM_THE_SPIN),
    "not-covered": Words(("shift-manager-decides",), ("round",)),
    "box-over-maximum": Words(("reject-excess",)),
}
"""The causes that the table acts on by itself: what follows from them is not the book's to choose.

Nor is since when, where it matters: a spin may begin while bets are open, and a round is interrupted, called
off or decided on at any time.
"""


class _Action(NamedTuple):
    position: str
    """Who does it in most games."""
    without_it: str


EVERY_GAME: Final[Mapping[str, _Action]] = {
    "buy-credits": _Action("player", "nobody has credits"),
    "cash-out": _Action("player", "nobody is paid out"),
    "place-bets": _Action("player", "nobody can bet"),
    "open-table": _Action("pit-supervisor", "no table opens"),
    "open-round": _Action("dealer", "no round begins"),
    "close-bets": _Action("dealer", "bets stay open when the betting time is over"),
    "spin": _Action("dealer", "no round has a spin"),
    "enter-result": _Action("dealer", "no round has a result"),
    "confirm-result": _Action("dealer", "no round is settled"),
    "announce-last-round": _Action("dealer", "no table can be closed"),
    "close-table": _Action("pit-supervisor", "no table can be closed"),
    "manage-seats": _Action("dealer", "no seat is in use"),
    "pay-by-attendant": _Action("pit-supervisor", "nobody is paid what is too much for a voucher"),
    "clear-lock-up": _Action("pit-supervisor", "a seat that a large win has locked stays locked"),
    "state-outcome": _Action("pit-supervisor", "a round that was interrupted in its spin does not end"),
    "resume-table": _Action("shift-manager", "a table that was halted stays halted"),
}
"""The actions that no game can do without."""


def words_of(cause: str) -> Words:
    """The words that an irregularity may use: those of its cause where the table acts on it, or else any."""
    return CAUSES.get(cause, Words())


class _Need(NamedTuple):
    cause: str
    place: tuple[str, ...]
    """What in the book needs it."""
    why: str


def check_required(root: Node, book: Book) -> None:
    """Reports the actions and irregularities that the table would look for in vain."""
    if root.has("authority"):  # else that is the fault
        _check_actions(
            root,
            book.authority,
            is_marking=book.limits.value == "mark-box",
            voids_settled=book.settled.value == "void",
        )
    for need in _needs(book):
        if need.cause not in book.irregularities:
            root.fault("missing", f"{need.why}; {_what_to_write(need.cause)}", *need.place)


def _check_actions(
    root: Node, authority: Mapping[str, Authority], *, is_marking: bool, voids_settled: bool
) -> None:
    for action, (position, without_it) in EVERY_GAME.items():
        if action not in authority:
            sentence = f"{action} is missing, and without it {without_it}; {_example(action, position)}"
            root.fault("missing", sentence, "authority")
    needed = "declare-irregularity"
    if "void-settled-rounds" in authority and needed not in authority:
        sentence = f"settled rounds are voided by declaring what happened; {_example(needed, 'dealer')}"
        root.fault("missing", sentence, "authority", "void-settled-rounds")
    if voids_settled and "void-settled-rounds" not in authority:
        example = _example("void-settled-rounds", "pit-manager")
        sentence = f"settled rounds are void by what is found later; {example}"
        root.fault("missing", sentence, "authority")
    if is_marking and "reject-bets" not in authority:
        sentence = f"what is too much in a marked box is rejected; {_example('reject-bets', 'dealer')}"
        root.fault("missing", sentence, "authority")


def _example(action: str, position: str) -> str:
    return f'write for example {action} = {{ position = "{position}", clause = "..." }}.'


def _needs(book: Book) -> Iterator[_Need]:
    actions, wheel = book.authority, book.wheel
    if "spin" in actions:
        few = f"a spin of fewer than {wheel.revolutions} revolutions voids the round"
        yield _Need("too-few-revolutions", ("wheel", "revolutions"), few)
        yield _Need("no-compartment", ("authority", "spin"), "a spin that ends nowhere voids the round")
    if wheel.kind == "ball" and wheel.opposite_direction:
        same = "a ball that runs with the wheel voids the round"
        yield _Need("same-direction", ("wheel", "opposite_direction"), same)
    if "call-no-spin" in actions:
        yield _Need("no-spin", ("authority", "call-no-spin"), "a call of no spin voids the round")
    for action in ("correct-result", "correct-settled-result"):
        if action in actions:
            yield _Need("wrong-result", ("authority", action), "a wrong result is corrected")
            break
    if "decide" in actions:
        yield _Need("not-covered", ("authority", "decide"), "what no clause covers is decided")
    if book.limits.value == "mark-box":
        yield _Need("box-over-maximum", ("play", "limits"), "a box over its maximum is marked")
    stopped = "an interruption before there is a result voids the round"
    yield _Need("interruption-no-outcome", ("irregularity",), stopped)
    yield _Need("interruption-outcome", ("irregularity",), "an interrupted round with a result is concluded")


def _what_to_write(cause: str) -> str:
    words = CAUSES[cause]
    return (
        "write an [[irregularity]] that cites its clause, with "
        f'cause = "{cause}", consequence = "{words.consequences[0]}" and since = "{words.since[0]}".'
    )
