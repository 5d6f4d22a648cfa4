"""A wheel under watch: fed spin by spin, it always knows how the evidence stands and whether to raise alarm.

What a spin costs depends on the number of pockets and not on how many spins there were, so that a table that
runs can feed it after every round. Whoever reads a whole journal feeds it the same way and gets the same.
"""

import math
from functools import cache
from typing import Final

import numpy as np

from croupier.lab.bias import POCKET, SECTOR, BiasTest, Counts
from croupier.lab.bias_alarm import (
    DEALERS,
    SHARED,
    STANDARD_LEVEL,
    STRETCH_SPINS,
    STRETCHES,
    alarm_at,
    log_joined,
    share_of,
)
from croupier.lab.bias_counts import unevenness
from croupier.lab.bias_course import Course
from croupier.rulebook import Book
from croupier.wheel import watch_report as r
from croupier.wheel.watch_drops import DropZones
from croupier.wheel.watch_spins import (
    COUNTED,
    DISAGREED,
    STANDINGS,
    VOIDED,
    Amended,
    Ended,
    Measured,
    News,
    Spin,
)

_LN_10: Final = math.log(10)


class _Tally:
    """Counts of results, and the logarithm of the evidence in them."""

    def __init__(self, pockets: int) -> None:
        self.counts: Counts = np.zeros(pockets, np.int64)
        self.log_e = 0.0


class WheelWatch:
    """Everything that the spins of one wheel add up to."""

    def __init__(self, wheel: str, book: Book, level: float = STANDARD_LEVEL) -> None:
        self.wheel, self.level = wheel, level
        self._book = book.id
        self._log_needed = math.log(alarm_at(level))
        places = book.wheel.outcomes
        # Where a symbol stands on several segments, a result does not say on which of them it was.
        neighbours = all(count == 1 for count in places.values())
        self._outcomes = book.wheel.order if neighbours else tuple(places)
        self._index = {outcome: index for index, outcome in enumerate(self._outcomes)}
        self._test = _bias_test(tuple(places[outcome] for outcome in self._outcomes), neighbours)
        self._tables: dict[str, None] = {}
        self._standings = dict.fromkeys(STANDINGS, 0)
        self._all = self._tally()
        self._stretches: list[_Tally] = []
        self._dealers: dict[str, _Tally] = {}
        self._log_e = 0.0
        self._highest: r.Moment | None = None
        self._ever = 0
        self._spin_ms, self._rotor_start, self._rotor_rest = Course(), Course(), Course()
        self._drops = DropZones(self._outcomes, neighbours)
        self.raised: r.Moment | None = None
        """When the evidence first was enough for the alarm; None as long as it never was."""
        self._reported: r.WheelReport | None = None
        """What was last said; None where something has come since."""

    def join(self, table: str) -> None:
        """A table whose spins are on this wheel."""
        self._tables[table] = None
        self._reported = None

    def take(self, table: str, news: News) -> None:
        """What a table says about the wheel."""
        self._reported = None
        match news:
            case Measured():
                self._measure(news)
            case Ended(spin, at_ms):
                spin.stretch = self._ever // STRETCH_SPINS
                self._ever += spin.standing == COUNTED
                self._put(spin, 1)
                if spin.standing == COUNTED:
                    self._look(table, spin, at_ms)
            case Amended(spin, before, at_ms):
                self._put(before, -1)
                self._put(spin, 1)
                if COUNTED in (before.standing, spin.standing):
                    self._look(table, spin, at_ms)

    def _measure(self, measured: Measured) -> None:
        for course, reading in (
            (self._spin_ms, measured.spin_ms),
            (self._rotor_start, measured.rotor_start_tenths_rpm),
            (self._rotor_rest, measured.rotor_rest_tenths_rpm),
        ):
            if reading is not None:
                course.take(reading)
        if measured.diamond is not None:
            self._drops.drop(measured.diamond)

    def _put(self, spin: Spin, times: int) -> None:
        """Counts a spin, or takes it out again."""
        self._standings[spin.standing] += times
        if spin.standing != COUNTED or spin.result is None:
            return
        index = self._index[spin.result]
        for tally in self._tallies(spin):
            tally.counts[index] += times
        if spin.diamond is not None:
            self._drops.count(spin.diamond, index, times)

    def _tallies(self, spin: Spin) -> list[_Tally]:
        while len(self._stretches) <= spin.stretch:
            self._stretches.append(self._tally())
        tallies = [self._all, self._stretches[spin.stretch]]
        if spin.dealer is not None:
            tallies.append(self._dealers.setdefault(spin.dealer, self._tally()))
        return tallies

    def _tally(self) -> _Tally:
        return _Tally(len(self._outcomes))

    def _look(self, table: str, spin: Spin, at_ms: int) -> None:
        """Works the evidence out anew, for what the spin has changed."""
        changed = self._tallies(spin)
        logs = self._test.log_e(np.stack([tally.counts for tally in changed]))
        for tally, log_e in zip(changed, logs.tolist(), strict=True):
            tally.log_e = log_e
        self._log_e = log_joined(
            self._all.log_e,
            [stretch.log_e for stretch in self._stretches],
            [dealer.log_e for dealer in self._dealers.values()],
        )
        moment = r.Moment(
            table=table, round=spin.round, at_ms=at_ms, spins=self.spins, log10_e=self._log_e / _LN_10
        )
        if self._highest is None or moment.log10_e > self._highest.log10_e:
            self._highest = moment
        if self.raised is None and self._log_e >= self._log_needed:
            self.raised = moment

    @property
    def spins(self) -> int:
        """How many results are counted."""
        return self._standings[COUNTED]

    def report(self) -> r.WheelReport:
        """All there is to say at this moment; asked again before the next spin, it costs nothing.

        A wheel of few spins is compared with thousands of fair ones that are drawn for it.
        """
        if self._reported is None:
            self._reported = self._report()
        return self._reported

    def _report(self) -> r.WheelReport:
        counts = self._all.counts.tolist()
        return r.WheelReport(
            wheel=self.wheel,
            book=self._book,
            tables=tuple(self._tables),
            spins=self.spins,
            voided=self._standings[VOIDED],
            disagreed=self._standings[DISAGREED],
            without_dealer=self.spins - sum(int(dealer.counts.sum()) for dealer in self._dealers.values()),
            alarm=r.Alarm(
                level=self.level,
                log10_needed=self._log_needed / _LN_10,
                log10_e=self._log_e / _LN_10,
                highest=self._highest,
                raised=self.raised,
            ),
            outcomes=self._report_outcomes(counts),
            unevenness=unevenness(counts, self._test.weights),
            parts=self._report_parts(),
            stretches=tuple(
                r.Stretch(
                    stretch=order,
                    spins=int(tally.counts.sum()),
                    share=float(SHARED[STRETCHES] * share_of(order)),
                    log10_e=tally.log_e / _LN_10,
                )
                for order, tally in enumerate(self._stretches, 1)
            ),
            dealers=self._report_dealers(),
            drops=self._drops.report(),
            spin_ms=self._spin_ms.measure(),
            rotor_start_tenths_rpm=self._rotor_start.measure(),
            rotor_rest_tenths_rpm=self._rotor_rest.measure(),
        )

    def _report_outcomes(self, counts: list[int]) -> tuple[r.Outcome, ...]:
        logs = self._test.log_windows(self._all.counts)[: len(self._outcomes)]
        places = sum(self._test.weights)
        return tuple(
            r.Outcome(
                outcome=outcome,
                places=weight,
                count=count,
                expected=self.spins * weight / places,
                log10_e=log_e / _LN_10,
            )
            for outcome, weight, count, log_e in zip(
                self._outcomes, self._test.weights, counts, logs.tolist(), strict=True
            )
        )

    def _report_parts(self) -> tuple[r.Part, ...]:
        logs = self._test.log_parts(self._all.counts).tolist()
        pockets = len(self._outcomes)
        suspects = {
            POCKET: self._suspect(self._all, 0, pockets),
            SECTOR: self._suspect(self._all, pockets, len(self._test.windows)),
        }
        return tuple(
            r.Part(part=part, share=float(share), log10_e=log_e / _LN_10, suspect=suspects.get(part))
            for (part, share), log_e in zip(self._test.shares.items(), logs, strict=True)
        )

    def _report_dealers(self) -> tuple[r.Dealer, ...]:
        return tuple(
            r.Dealer(
                dealer=dealer,
                spins=int(tally.counts.sum()),
                share=float(SHARED[DEALERS] * share_of(order)),
                log10_e=tally.log_e / _LN_10,
                suspect=self._suspect(tally, 0, len(self._test.windows)),
            )
            for order, (dealer, tally) in enumerate(self._dealers.items(), 1)
        )

    def _suspect(self, tally: _Tally, begin: int, end: int) -> r.Suspect | None:
        """The window with the most evidence among some; None where nothing was counted."""
        spins = int(tally.counts.sum())
        if not spins or begin == end:
            return None
        logs = self._test.log_windows(tally.counts)[begin:end]
        best = begin + int(logs.argmax())
        first, size = self._test.windows[best]
        members = [(first + step) % len(self._outcomes) for step in range(size)]
        return r.Suspect(
            outcomes=tuple(self._outcomes[index] for index in members),
            count=int(tally.counts[members].sum()),
            expected=spins * float(self._test.chances[best]),
            log10_e=float(logs[best - begin]) / _LN_10,
        )


@cache
def _bias_test(weights: tuple[int, ...], neighbours: bool) -> BiasTest:
    """One test serves all wheels of a kind."""
    return BiasTest(weights, neighbours=neighbours)
