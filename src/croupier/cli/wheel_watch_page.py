"""The watch over wheels as a page for people: a bar for each pocket in the order of the wheel."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from croupier.cli.tables import NO_BREAK, Column, Row, counted, render_table, render_text
from croupier.lab.bias_counts import BY_DRAWS, Unevenness
from croupier.lab.bias_course import Measure
from croupier.wheel.watch_report import Drops, Moment, Suspect, WheelReport

_HALF_BAR: Final = 12
_SIGNS_A_DEVIATION: Final = 3
"""How many signs of a bar stand for one standard deviation."""

_PARTS: Final = {
    "pocket": "one pocket or symbol",
    "sector": "a sector of neighbours",
    "whole": "the wheel as a whole",
}


def watch_page(journal: str, reports: Sequence[WheelReport], level: float) -> str:
    """All wheels of a journal, one after the other."""
    if not reports:
        return f"{journal} holds no tables.\n"
    parts = [part for report in reports for part in _wheel(report)]
    if len(reports) > 1:
        parts.append(
            render_text(
                f"Each of the {len(reports)} wheels has a level of {level:g} of its own: "
                f"the chance that any of them raises a false alarm is at most {len(reports) * level:.3g}."
            )
        )
    return "\n".join(parts)


def _wheel(report: WheelReport) -> Iterator[str]:
    yield _heading(report) + "\n" + _verdict(report)
    if report.spins:
        yield _outcomes(report)
        yield _said("All counts together", report.unevenness)
        yield _evidence(report)
    if report.dealers:
        yield _dealers(report)
    if report.drops is not None:
        yield _drops(report.drops)
    measures = [
        ("spin, start to rest", "s", 1000, report.spin_ms),
        ("rotor at the start", "rpm", 10, report.rotor_start_tenths_rpm),
        ("rotor at rest", "rpm", 10, report.rotor_rest_tenths_rpm),
    ]
    rows = [
        _measure(name, unit, scale, measure) for name, unit, scale, measure in measures if measure is not None
    ]
    if rows:
        yield _measures(rows)


def _heading(report: WheelReport) -> str:
    tables = f"{'table' if len(report.tables) == 1 else 'tables'} {', '.join(report.tables)}"
    left_out = f"{report.voided:,} voided, {report.disagreed:,} where sensor and result disagree"
    return render_text(
        f"Wheel {report.wheel} ({report.book}, {tables}): {counted(report.spins, 'result')} counted; "
        f"left out: {left_out}."
    )


def _verdict(report: WheelReport) -> str:
    alarm = report.alarm
    needed = f"{show_e(alarm.log10_needed)} is needed at the level {alarm.level:g}"
    if alarm.raised is not None:
        first = f"ALARM, raised {_moment(alarm.raised)}: {needed}."
    else:
        first = f"No alarm: {needed}."
    highest = "" if alarm.highest is None else f", at its highest {_moment(alarm.highest)}"
    return render_text(f"{first} The evidence is {show_e(alarm.log10_e)}{highest}.")


def _moment(moment: Moment) -> str:
    when = f"after round {moment.round} of {moment.table}"
    return f"{show_e(moment.log10_e)} {when} ({counted(moment.spins, 'spin')})"


def show_e(log10_e: float) -> str:
    """An e-value as people read it.

    >>> show_e(4.0), show_e(-0.5), show_e(0.4), show_e(123.456), show_e(-20.0)
    ('10,000', '0.316', '2.51', '2.86e123', '1.00e-20')
    """
    if 3 <= log10_e < 9:
        return f"{10**log10_e:,.0f}"
    if -3 <= log10_e < 3:
        return f"{10**log10_e:.3g}"
    whole = math.floor(log10_e)
    return f"{10 ** (log10_e - whole):.2f}e{whole}"


def _outcomes(report: WheelReport) -> str:
    ball = all(outcome.places == 1 for outcome in report.outcomes)
    columns = [
        Column("POCKET" if ball else "SYMBOL", right=ball),
        *([] if ball else [Column("SEGMENTS", right=True)]),
        Column("COUNT", right=True),
        Column("EXPECTED", right=True),
        Column("OFF", right=True),
        Column("EVIDENCE", right=True),
        Column("TOO RARE".rjust(_HALF_BAR) + " " + "TOO OFTEN"),
    ]
    places = sum(outcome.places for outcome in report.outcomes)
    rows = []
    for outcome in report.outcomes:
        chance = outcome.places / places
        deviation = math.sqrt(report.spins * chance * (1 - chance))
        off = outcome.count - outcome.expected
        rows.append(
            Row(
                [
                    outcome.outcome,
                    *([] if ball else [str(outcome.places)]),
                    f"{outcome.count:,}",
                    f"{outcome.expected:,.2f}",
                    f"{100 * off / outcome.expected:+.1f} %",
                    show_e(outcome.log10_e),
                    draw_off(off / deviation).replace(" ", NO_BREAK),
                ]
            )
        )
    title = "Pockets, clockwise" if ball else "Symbols"
    return render_table(f"{title}; a bar of three signs is one standard deviation", columns, rows)


def draw_off(deviations: float) -> str:
    """A bar from the middle: to the left where something is too rare, to the right where it is too often.

    >>> draw_off(-1), draw_off(2), draw_off(99)
    ('         ###|', '            |######', '            |###########>')
    """
    signs = round(abs(deviations) * _SIGNS_A_DEVIATION)
    bar = "#" * signs if signs <= _HALF_BAR else "#" * (_HALF_BAR - 1) + ">"
    if deviations < 0:
        return bar[::-1].replace(">", "<").rjust(_HALF_BAR) + "|"
    return " " * _HALF_BAR + "|" + bar


def _said(what: str, found: Unevenness) -> str:
    how = ", from drawn wheels because counts are small" if found.method == BY_DRAWS else ""
    return render_text(
        f"{what}: chi-square {found.statistic:.2f} with {found.degrees} degrees of freedom, "
        f"p = {show_p(found.p)}{how}. "
        "This p is for one look, at a number of spins that was settled beforehand."
    )


def show_p(p: float) -> str:
    """A chance as people read it.

    >>> show_p(0.25), show_p(0.00004)
    ('0.250', '4.0e-05')
    """
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def _evidence(report: WheelReport) -> str:
    columns = [Column("TESTED"), Column("EVIDENCE", right=True), Column("MOST SUSPECT", wraps=True)]
    rows = [Row([_PARTS[part.part], show_e(part.log10_e), _suspect(part.suspect)]) for part in report.parts]
    # A single stretch is all spins, and says nothing of its own.
    for stretch in report.stretches if len(report.stretches) > 1 else ():
        name = f"stretch {stretch.stretch}, {counted(stretch.spins, 'spin')}"
        rows.append(Row([name, show_e(stretch.log10_e), ""]))
    return render_table("Evidence that may be looked at after every spin", columns, rows)


def _dealers(report: WheelReport) -> str:
    columns = [
        Column("DEALER"),
        Column("SPINS", right=True),
        Column("EVIDENCE", right=True),
        Column("MOST SUSPECT", wraps=True),
    ]
    rows = [
        Row([dealer.dealer, f"{dealer.spins:,}", show_e(dealer.log10_e), _suspect(dealer.suspect)])
        for dealer in report.dealers
    ]
    if report.without_dealer:
        rows.append(Row(["(nobody known)", f"{report.without_dealer:,}", "", ""]))
    return render_table("Dealers, each by their own spins", columns, rows)


def _suspect(suspect: Suspect | None) -> str:
    if suspect is None:
        return ""
    where = " ".join(suspect.outcomes)
    return f"{where}: {suspect.count:,} for {suspect.expected:,.2f}, evidence {show_e(suspect.log10_e)}"


def _drops(drops: Drops) -> str:
    columns = [
        Column("DIAMOND", right=True),
        Column("DROPS", right=True),
        Column("RESULTS", right=True),
        Column("AROUND", right=True),
        Column("CLOSENESS", right=True),
        Column("P", right=True),
    ]
    rows = []
    for drop in drops.diamonds:
        found = drop.scatter
        cells = ["", "", "", ""]
        if found is not None and found.spins:
            cells = [f"{found.spins:,}", drop.centre or "-", f"{found.closeness:.3f}", show_p(found.p)]
        rows.append(Row([str(drop.diamond), f"{drop.spins:,}", *cells]))
    table = render_table("Drop zones, and how the results of each lie around the wheel", columns, rows)
    return table + "\n" + _said("Drops by diamond", drops.unevenness)


def _measure(name: str, unit: str, scale: int, measure: Measure) -> Row:
    drift = ""
    if measure.drift is not None and measure.drift_error is not None:
        drift = f"{measure.drift / scale:+.3f} +- {measure.drift_error / scale:.3f}"
    return Row(
        [
            f"{name}, {unit}",
            f"{measure.readings:,}",
            f"{measure.mean / scale:.2f}",
            "" if measure.spread is None else f"{measure.spread / scale:.2f}",
            f"{measure.least / scale:.1f}",
            f"{measure.most / scale:.1f}",
            drift,
        ]
    )


def _measures(rows: Sequence[Row]) -> str:
    columns = [
        Column("MEASURED"),
        *(
            Column(heading, right=True)
            for heading in ("SPINS", "MEAN", "SPREAD", "LEAST", "MOST", "DRIFT OVER 1,000")
        ),
    ]
    return render_table("Spin times and rotor", columns, rows)
