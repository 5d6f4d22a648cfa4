"""Tables whose wheel seals what it draws, played step by step, and their verdicts."""

from typing import Any

from croupier.journal import Record
from croupier.table import commands as c
from croupier.wheel.fair import Opening, commitment_of, draw
from croupier.wheel.fair_check import Verdict, check_journal
from croupier.wheel.uniform import seeded
from floor.audit_journal import MemoryEvidence, relink
from table.rig import DEALER, SENSOR, Play

CHANCE = seeded(7)


class SealedPlay(Play):
    """A table with a wheel that commits itself."""

    def drawn(self, number: int) -> Opening:
        """What is drawn for a round."""
        return draw(len(self.rules.book.wheel.order), CHANCE("T1", number))

    def result(self, number: int) -> str:
        """The result that is drawn for a round."""
        return self.rules.book.wheel.order[self.drawn(number).pocket]

    def another(self, number: int) -> str:
        """A result that is not drawn for a round."""
        return next(symbol for symbol in self.rules.book.wheel.order if symbol != self.result(number))

    def begin(self, commit: bool = True) -> int:
        """Opens a round with a bet, and commits to it; gives its number."""
        self.do(DEALER, c.OpenRound())
        number = self.state.round_number
        if commit:
            self.do(SENSOR, c.CommitSpin(commitment=commitment_of("T1", number, self.drawn(number))))
        self.bet("1", {next(iter(self.rules.layout.bets)): 1_000})
        return number

    def reveal(self, number: int, opening: str | None = None) -> None:
        """Opens the commitment of a round that is over."""
        self.do(SENSOR, c.OpenCommitment(round=number, opening=opening or self.drawn(number).text))

    def settle(self, result: str) -> None:
        """Closes, spins, and settles the round by a result."""
        self.to_spinning()
        self.do(DEALER, c.EnterResult(result=result))
        self.do(DEALER, c.ConfirmResult(result=result))

    def sealed_round(self) -> int:
        """A whole round as it should be."""
        number = self.begin()
        self.settle(self.result(number))
        self.reveal(number)
        return number


def sealed(book: str = "mbs-roulette", **settings: Any) -> SealedPlay:
    """An open table with one seat."""
    play = SealedPlay(book, **settings)
    play.open()
    return play


def verdict(play: Play, number: int) -> Verdict:
    """What is shown about one round."""
    (found,) = check_journal(MemoryEvidence(play), "T1", number)
    return found


def verdict_of_forged(play: Play, number: int, records: list[Record]) -> Verdict:
    """What is shown where the records were changed and the chain was made anew."""
    evidence = MemoryEvidence(play)
    evidence.put(relink(records))
    (found,) = check_journal(evidence, "T1", number)
    return found
