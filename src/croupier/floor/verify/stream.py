"""What is checked in every stream of a journal, whatever its records mean: chain, claims, anchors, end."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from croupier.floor.audit import DoesNotFit
from croupier.journal import EMPTY, Head, Record, misfit

_new: Final = tuple.__new__


class Misfit(msgspec.Struct, frozen=True, kw_only=True):
    """The first record of a stream that does not fit, and why."""

    sequence: int
    reason: str


class VoucherAct(NamedTuple):
    """Which record issued a voucher or ended it, for what amount, and when."""

    sequence: int
    cents: int
    at_ms: int
    expires_ms: int | None = None
    """Of an issue: from when on it is no longer taken; older ones do not say."""
    ending: str | None = None
    """Of an end: which one."""


class Told(NamedTuple):
    """How many records another stream had at least when the house wrote something down."""

    records: int
    by: int
    """The record of the house that says so."""
    when: str


class Seen(NamedTuple):
    """What a check has seen of a stream, as far as it fits: for whoever compares streams, or reports."""

    table: str
    head: Head
    rounds: int = 0
    worked_out: int = 0
    """How many settlements, returns and corrections were worked out again and agree."""
    currency: str = ""
    missing_book: str | None = None
    issued: Mapping[str, VoucherAct] = MappingProxyType({})
    used: Mapping[str, VoucherAct] = MappingProxyType({})
    again: Sequence[tuple[str, VoucherAct]] = ()
    told: Mapping[str, Told] = MappingProxyType({})
    """Of the house alone: what it has written down about other streams, the most of each."""


class StreamCheck:
    """Takes a stream's records one after the other; raises `DoesNotFit` at the first that does not fit."""

    def __init__(self, table: str, claimed: Mapping[int, set[str]], anchors: Mapping[int, bytes]) -> None:
        self.table = table
        self.head: Head = EMPTY
        self.at = 0
        """The record that is being looked at, by its number; a damaged file may hold something else there."""
        self.currency = ""
        """What is played for here; "" where that is not known, and at the cage, which pays every voucher."""
        self.missing_book: str | None = None
        """The book that a table was made with and that is not at hand: only its records are checked then, and
        not what they mean."""
        self.issued: dict[str, VoucherAct] = {}
        """The vouchers issued here."""
        self.used: dict[str, VoucherAct] = {}
        """The vouchers that ended here."""
        self.again: list[tuple[str, VoucherAct]] = []
        """What was done to vouchers since they were reinstated, by number."""
        self._claimed = dict(claimed)
        self._anchors = dict(anchors)

    def take(self, record: Record) -> None:
        """The next record."""
        self.at = record.sequence
        if (reason := self._misfit(record)) is not None:
            raise DoesNotFit(reason)
        if self._anchors:
            self._check_anchor(record.sequence, record.hash)
        self._go_on(record.sequence, record.hash, self._follow(record))

    def _check_anchor(self, sequence: int, own: bytes) -> None:
        if self._anchors.pop(sequence, own) != own:
            raise DoesNotFit("its hash is not the one that was noted down")

    def _go_on(self, sequence: int, own: bytes, made: Iterable[str]) -> None:
        """A record fits, unless what is noted as used up by it is something else than what it uses up."""
        if made or self._claimed:
            self._check_claims(sequence, made)
        self.head = _new(Head, (sequence, own))

    def _misfit(self, record: Record) -> str | None:
        """Why a record does not continue the chain."""
        return misfit(record, self.head)

    def _follow(self, record: Record) -> Iterable[str]:
        """Checks what a record means; gives what its payload uses up."""
        raise NotImplementedError

    def _issue(self, number: str, act: VoucherAct) -> None:
        """Notes that a voucher was issued; a number is given once."""
        if (before := self.issued.setdefault(number, act)) is not act:
            raise DoesNotFit(f"the voucher that it issues was issued already, by record {before.sequence}")

    def _use(self, number: str, act: VoucherAct) -> None:
        """Notes that a voucher ended; it does so once."""
        if (before := self.used.setdefault(number, act)) is not act:
            raise DoesNotFit(f"the voucher that it ends had ended already, by record {before.sequence}")

    def counts(self) -> tuple[int, int]:
        """How many rounds were opened, and how many settlements, returns and corrections worked out again."""
        return 0, 0

    def seen(self) -> Seen:
        """What was seen of the stream so far."""
        rounds, worked_out = self.counts()
        return Seen(
            self.table,
            self.head,
            rounds,
            worked_out,
            self.currency,
            self.missing_book,
            self.issued,
            self.used,
            self.again,
        )

    def close(self) -> None:
        """Lets go of what the check has taken."""

    def finish(self) -> None:
        """Nothing is left undone where the records end; raises `DoesNotFit` for the last of them."""

    def _check_claims(self, sequence: int, made: Iterable[str]) -> None:
        """What is noted as used up by a record is what its payload uses up."""
        held = self._claimed.pop(sequence, set())
        if held != set(made):
            raise DoesNotFit(
                f"its payload claims {_listed(made)}, and the journal holds {_listed(held)} as claimed by it"
            )

    def missing(self, promised: Head | None) -> Misfit | None:
        """What the head, a claim or an anchor says about records that are not there."""
        sequence = self.head.sequence
        if promised is None:
            return Misfit(sequence=sequence, reason="the records end with it, and no head says so")
        if promised != self.head:
            said, first = promised.sequence, min(sequence, promised.sequence)
            reason = (
                f"the records end at {sequence} with {self.head.hash.hex()}, "
                f"and the head says {said} with {_hex(promised.hash)}"
            )
            return Misfit(sequence=first if said == sequence else first + 1, reason=reason)
        if self._claimed:
            claiming, keys = min(self._claimed.items())
            reason = f"it is not there, and it is said to claim {_listed(keys)}"
            return Misfit(sequence=claiming, reason=reason)
        if self._anchors:
            reason = "it is not there, and its hash was noted down"
            return Misfit(sequence=min(self._anchors), reason=reason)
        return None


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(sorted(keys)) or "nothing"


def _hex(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else repr(value)
