"""Vouchers over all streams of a journal: each is issued once and ends once, for what it was issued for.

One that expired and was reinstated ends once more, at the cage.

Which of two streams was first only their times can say; within one stream the order of its records does.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from croupier.floor.cage.vouchers import EXPIRED, REINSTATED
from croupier.floor.verify.stream import Misfit, Seen, VoucherAct

LATE_MS: Final = 60_000
"""How long after its end a voucher may still be taken: a floor asks before it writes that down, and two
machines' clocks are a little apart."""


class _Act(NamedTuple):
    """What a record did to a voucher, and where that record is."""

    at_ms: int
    stream: str
    sequence: int
    cents: int
    expires_ms: int | None
    ending: str | None

    @classmethod
    def of(cls, stream: str, act: VoucherAct) -> "_Act":
        """An act in its stream."""
        sequence, cents, at_ms, expires_ms, ending = act
        return cls(at_ms, stream, sequence, cents, expires_ms, ending)


def voucher_misfits(
    seen: Mapping[str, Seen], misfits: Mapping[str, Misfit | None], *, is_whole: bool
) -> dict[str, Misfit]:
    """The first record of each stream that does to a voucher what no floor would have done.

    Only records before a stream's own misfit count. Where the journal is not known whole, a voucher may have
    been issued where nobody has looked.
    """
    issued = _by_number({name: _standing(one.issued, misfits[name]) for name, one in seen.items()})
    used = _by_number({name: _standing(one.used, misfits[name]) for name, one in seen.items()})
    again = [
        (number, _Act.of(name, act))
        for name, one in seen.items()
        for number, act in one.again
        if (misfit := misfits[name]) is None or act.sequence < misfit.sequence
    ]
    currencies = {name: one.currency for name, one in seen.items()}
    found: dict[str, Misfit] = {}
    for act, reason in (
        *_issued_again(issued),
        *_wrongly_used(used, issued, is_whole=is_whole),
        *_wrong_again(again, issued),
        *_in_other_money(used, issued, currencies),
    ):
        first = found.get(act.stream)
        if first is None or act.sequence < first.sequence:
            found[act.stream] = Misfit(sequence=act.sequence, reason=reason)
    return found


def _standing(acts: Mapping[str, VoucherAct], misfit: Misfit | None) -> dict[str, VoucherAct]:
    """What was done before a stream's first misfit."""
    if misfit is None:
        return dict(acts)
    return {number: act for number, act in acts.items() if act.sequence < misfit.sequence}


def _by_number(acts: Mapping[str, Mapping[str, VoucherAct]]) -> dict[str, list[_Act]]:
    """The records of all streams by voucher, the first in time first."""
    found: dict[str, list[_Act]] = {}
    for stream, by_number in acts.items():
        for number, act in by_number.items():
            found.setdefault(number, []).append(_Act.of(stream, act))
    for same in found.values():
        same.sort()
    return found


def _issued_again(issued: Mapping[str, list[_Act]]) -> Iterator[tuple[_Act, str]]:
    for first, *others in issued.values():
        for act in others:
            yield act, f"the voucher that it issues was issued already, by record {_place(first)}"


def _wrongly_used(
    used: Mapping[str, list[_Act]], issued: Mapping[str, list[_Act]], *, is_whole: bool
) -> Iterator[tuple[_Act, str]]:
    for number, (first, *others) in used.items():
        for act in others:
            yield act, f"the voucher that it ends had ended already, by record {_place(first)}"
        if number not in issued:
            if is_whole:
                yield first, "no table of this journal issued the voucher that it ends"
            continue
        issue = issued[number][0]
        if issue.stream == first.stream and issue.sequence > first.sequence:
            yield first, f"the voucher that it ends is issued only later, by record {_place(issue)}"
        elif (reason := _not_as_issued(first, issue)) is not None:
            yield first, reason


def _wrong_again(
    acts: Iterable[tuple[str, _Act]], issued: Mapping[str, list[_Act]]
) -> Iterator[tuple[_Act, str]]:
    """What was done to vouchers since they were reinstated; in which order, their stream was asked."""
    for number, act in acts:
        if number in issued and (reason := _not_as_issued(act, issued[number][0])) is not None:
            yield act, reason


def _in_other_money(
    used: Mapping[str, list[_Act]], issued: Mapping[str, list[_Act]], currencies: Mapping[str, str]
) -> Iterator[tuple[_Act, str]]:
    """A table takes vouchers of its own currency alone."""
    for number, (first, *_) in used.items():
        if number not in issued:
            continue
        ours, theirs = currencies[first.stream], currencies[issued[number][0].stream]
        if ours and theirs and ours != theirs:
            yield first, f"the voucher that it ends was issued in {theirs}, and the table plays in {ours}"


def _not_as_issued(act: _Act, issue: _Act) -> str | None:
    """Why what was done to a voucher is not what its issue allows."""
    if issue.cents != act.cents:
        verb = "reinstates" if act.ending == REINSTATED else "ends"
        return f"the voucher that it {verb} was issued for another amount"
    return None if issue.expires_ms is None else _out_of_time(act, issue.expires_ms)


def _out_of_time(end: _Act, expires_ms: int) -> str | None:
    """Why a voucher cannot have ended or been reinstated then, by the end that is printed on it."""
    if end.ending == EXPIRED:
        return "the time of the voucher that it ends was not over" if end.at_ms < expires_ms else None
    is_late = end.at_ms >= expires_ms + LATE_MS
    return f"the time of the voucher that is {end.ending} was over" if is_late else None


def _place(act: _Act) -> str:
    return f"{act.sequence} of {act.stream}"
