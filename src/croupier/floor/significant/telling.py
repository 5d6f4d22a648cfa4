"""What happened, in one sentence for people who were not there."""

from collections.abc import Iterable
from typing import Final

from croupier.floor.significant.full_stop import stopped
from croupier.floor.significant.limits import limit_changes
from croupier.rulebook import show_cents
from croupier.table import Event
from croupier.table import events as e


def tell(event: Event) -> str:
    """One sentence about an event; what it is called, who did it and when stand beside it.

    >>> tell(e.SeatUnlocked(seat="4"))
    'Seat 4 is released.'
    """
    return _of_table(event) or _of_seat(event) or _of_bets(event) or _of_round(event) or _of_correction(event)


def _of_table(event: Event) -> str:
    match event:
        case e.TableCreated(settings=settings):
            layouts = ("layout " if len(settings.layouts) == 1 else "layouts ") + " and ".join(
                settings.layouts
            )
            return f"The table is made with the book {settings.book}, {layouts}."
        case e.TableOpened():
            return "The table opens."
        case e.TableClosed(notice=notice):
            return f"The table closes; players read {notice!r}."
        case e.LastRoundAnnounced(rounds_left=left):
            return f"The last round is announced; {left} more may begin."
        case e.TableHalted(reason=reason):
            return stopped(f"The table is halted: {reason}")
        case e.TableResumed(reason=reason):
            return stopped(f"The table plays again: {reason}")
        case e.LimitsChanged(old=old, new=new, reason=reason):
            changes = "; ".join(limit_changes(old, new)) or "-"
            return stopped(f"The limits change ({changes}): {reason}")
        case e.TableInterrupted(declared=str(reason), phase=phase, consequence=consequence):
            return stopped(
                f"An interruption is declared in the phase {phase}; consequence: {consequence}. {reason}"
            )
        case e.TableInterrupted(length_known=False, phase=phase, consequence=consequence):
            return f"An interruption of unknown length met the phase {phase}; consequence: {consequence}."
        case e.TableInterrupted(began_ms=began_ms, ended_ms=ended_ms, phase=phase, consequence=consequence):
            seconds = f"{(ended_ms - began_ms) / 1000:.1f}"
            return f"An interruption of {seconds} seconds met the phase {phase}; consequence: {consequence}."
        case e.CommandRefused(command=command, rejection=rejection):
            return f"{command} is refused ({rejection.code}): {rejection.sentence}"
        case e.WheelReported(fault=None):
            return "The wheel is well again."
        case e.WheelReported(fault=fault, detail=detail):
            return stopped(f"The wheel has the fault {fault}" + (f": {detail}" if detail else ""))
    return ""


def _of_seat(event: Event) -> str:
    match event:
        case e.SeatOpened(seat=seat, kind=kind, layout=None):
            return f"Seat {seat} is put into use as {kind}."
        case e.SeatOpened(seat=seat, kind=kind, layout=layout):
            return f"Seat {seat} is put into use as {kind} with layout {layout}."
        case e.SeatClosed(seat=seat):
            return f"Seat {seat} is put out of use."
        case e.SeatLost(seat=seat):
            return f"The terminal of seat {seat} does not answer; its registered bets stand."
        case e.SeatRestored(seat=seat):
            return f"The terminal of seat {seat} is back."
        case e.SeatLocked(seat=seat, reason=reason, cents=cents):
            return f"Seat {seat} is locked ({reason}, {show_cents(cents)})."
        case e.SeatUnlocked(seat=seat, round=int(number)):
            return f"Seat {seat} is released: the win of round {number} that locked it was taken back."
        case e.SeatUnlocked(seat=seat):
            return f"Seat {seat} is released."
        case e.AttendantCalled(seat=seat, reason=reason):
            return f"Seat {seat} calls an attendant ({reason})."
        case e.CallEnded(seat=seat, how=how):
            return f"The call of seat {seat} is {how}."
        case e.CreditsBought(seat=seat, cents=cents, voucher=voucher):
            return f"Seat {seat} buys credits for {show_cents(cents)} {_means(voucher, 'in cash')}."
        case e.CreditsPaidOut(seat=seat, cents=cents, voucher=voucher, occasion=occasion):
            by_hand = f"by an attendant{_OCCASIONS.get(occasion or '', '')}"
            return f"Seat {seat} is paid out {show_cents(cents)} {_means(voucher, by_hand)}."
    return ""


_OCCASIONS: Final = {
    "lost-terminal": ", as its terminal is lost",
    "no-terminal": ", as it has no terminal",
    "locked-seat": ", as it is locked",
    "above-limit": ", as a voucher is never that large",
}
"""Why an attendant paid, as the event names it."""


def _means(voucher: str | None, otherwise: str) -> str:
    return otherwise if voucher is None else "by voucher"


def _of_bets(event: Event) -> str:
    match event:
        case e.BetsChanged(seat=seat, changes=changes, placed_by=placed_by):
            told = (_change(change) for change in changes)
            return f"Seat {seat} changes its bets by the hand of a {placed_by}: {', '.join(told)}."
        case e.BoxMarked(bet=bet, total_cents=total, maximum_cents=maximum):
            return f"{bet} holds {show_cents(total)}, over its maximum of {show_cents(maximum)}."
        case e.BetsRejected(seat=seat, bet=bet, cents=cents, cause="box-under-minimum"):
            return f"{show_cents(cents)} of seat {seat} on {bet} is rejected, under the minimum after advice."
        case e.BetsRejected(seat=seat, bet=bet, cents=cents):
            return f"{show_cents(cents)} of seat {seat} on {bet} is rejected."
        case e.MinimumAdvised(seat=seat, bet=bet, minimum_cents=minimum):
            return f"Seat {seat} is told that {bet} takes at least {show_cents(minimum)}."
        case e.SeatReturned(seat=seat, bets=bets, cents=cents):
            named = ", ".join(change.bet for change in bets)
            return f"{show_cents(cents)} goes back to seat {seat}: {named}."
        case e.SeatSettled(seat=seat, lines=lines, staked_cents=staked, returned_cents=returned):
            sums = f"{show_cents(staked)} staked, {show_cents(returned)} back"
            return f"Seat {seat} is settled: {sums} ({_lines(lines)})."
    return ""


def _change(change: e.BetChange) -> str:
    piece = "" if change.announced is None else f" ({change.announced})"
    return f"{change.bet} {'+' if change.cents > 0 else ''}{show_cents(change.cents)}{piece}"


def _lines(lines: Iterable[e.Line]) -> str:
    return ", ".join(
        f"{line.bet} {show_cents(line.stake_cents)} {_end(line)} {show_cents(line.returned_cents)}"
        for line in lines
    )


def _end(line: e.Line) -> str:
    if line.counted_cents == 0:
        return "returned"
    part = "" if line.counted_cents == line.stake_cents else f"counted {show_cents(line.counted_cents)}, "
    return f"{part}{'won' if line.won else 'lost'}, back"


def _of_round(event: Event) -> str:
    match event:
        case e.RoundOpened(round=number, notice=notice):
            return f"Round {number} begins; players read {notice!r}."
        case e.ClosingWarned(seconds=seconds):
            return f"Players are warned {seconds} seconds before the close."
        case e.BetsClosed(closed_by=closed_by, notice=notice):
            return f"Bets are closed by the {closed_by}; players read {notice!r}."
        case e.SpinStarted(said_by=said_by):
            facts = f"ball {_known(event.ball)}, wheel {_known(event.wheel)}{_speed(event.rotor_tenths_rpm)}"
            return f"The spin begins ({facts}), as reported by the {said_by}."
        case e.SpinFinished(revolutions=revolutions, pocket=pocket, at_rest=at_rest, said_by=said_by):
            facts = f"{_known(revolutions)} revolutions, pocket {_known(pocket)}, at rest {_yes(at_rest)}"
            facts += _speed(event.rotor_tenths_rpm)
            facts += "" if event.diamond is None else f", left the rim at deflector {event.diamond}"
            return f"The spin is over ({facts}), as reported by the {said_by}."
        case e.ResultEntered(result=result, said_by=said_by):
            sensor = {
                "contradicted": " against the wheel's sensor",
                "failed": " without the wheel's sensor",
            }.get(str(event.sensor), "")
            return f"{result} is entered by the {said_by}{sensor}."
        case e.ResultConfirmed(result=result, notice=notice):
            return f"{result} is confirmed; players read {notice!r}."
        case e.RoundSettled(round=number, result=result, excess_clause=None):
            return f"Round {number} is settled on {result}."
        case e.RoundSettled(round=number, result=result, excess_clause=excess_clause):
            settled = f"Round {number} is settled on {result}"
            return (
                f"{settled}; more was in play than the table takes, and every bet counts ({excess_clause})."
            )
        case e.RoundVoided(round=number, cause=cause, reason=reason):
            where = f"wheel {event.wheel}{', against the sensor' if event.against_sensor else ''}"
            return stopped(f"Round {number} is void ({cause}; {where}): {reason}")
        case e.SpinReportedLate(round=number, registered=registered, pocket=pocket, disagrees=disagrees):
            stand = "contradicts" if disagrees else "agrees with"
            found = event.irregularity or pocket
            return (
                f"The sensor reports {found} late for round {number} and {stand} {registered or 'the void'}."
            )
        case e.ResultUpheld(result=result, sensed=sensed, reason=reason):
            sensor = "the sensor, which counts no spin" if sensed is None else f"the sensor's {sensed}"
            return stopped(f"{result or 'The void'} stands against {sensor}: {reason}")
        case e.OutcomeStated(result=result):
            said = "no outcome" if result is None else result
            spun = ", and that the ball was spun" if event.spun else ""
            sensor = "" if event.sensed in (None, result) else f", against the sensor's {event.sensed}"
            return f"After the interruption {said} is stated to stand on the wheel{spun}{sensor}."
        case e.SpinCommitted(commitment=commitment):
            return f"The wheel binds itself to {commitment}."
        case e.CommitmentOpened(round=number, opening=opening):
            return f"What the wheel was bound to in round {number} is opened: {opening}."
    return ""


def _speed(tenths_rpm: int | None) -> str:
    return "" if tenths_rpm is None else f" at {tenths_rpm / 10:.1f} revolutions a minute"


def _known(value: object) -> str:
    return "not known" if value is None else str(value)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


_ENDS: Final = {"paid": "paid by hand", "collected": "collected in cash", "written-off": "written off"}
"""How what a correction left open ends."""


def _written_off(given_up_cents: int) -> str:
    if given_up_cents == 0:
        return ""
    what = "was written off before" if given_up_cents < 0 else "stays written off"
    return f"; {show_cents(abs(given_up_cents))} {what}"


def _of_correction(event: Event) -> str:
    match event:
        case e.ResultCorrected(round=number, old=old, new=new, reason=reason):
            to = "void" if new is None else new
            return stopped(f"The result of round {number} is corrected from {old} to {to}: {reason}")
        case e.SeatCorrected(seat=seat, round=number, returned_before_cents=before, returned_cents=after):
            sums = f"{show_cents(before)} back before, {show_cents(after)} now"
            told = f"Seat {seat} is settled again for round {number}: {sums} ({_lines(event.lines)})"
            return f"{told}{_written_off(event.given_up_cents)}."
        case e.ShortfallRaised(seat=seat, round=number, carried_cents=0):
            return f"Seat {seat} is neither short of anything nor owed anything in round {number} any more."
        case e.ShortfallRaised(seat=seat, round=number, carried_cents=carried):
            what = "was short of" if carried < 0 else "is owed"
            return f"Seat {seat} {what} {show_cents(abs(carried))} in round {number}."
        case e.CarriedNetted(seat=seat, round=number, against=against, cents=cents):
            covered = f"{show_cents(cents)} that seat {seat} was short of in round {number}"
            return f"{covered} is covered by what round {against} gave back."
        case e.RoundRecalled(round=number, result=result):
            return f"Round {number} ({result or 'void'}) is read from the journal to be corrected."
        case e.CarriedSettled(seat=seat, round=number, how=how, cents=cents, reason=reason):
            what = "that was owed to" if how == "paid" else "missing from"
            end = _ENDS.get(how, how)
            return stopped(f"{show_cents(cents)} {what} seat {seat} in round {number} is {end}: {reason}")
        case e.DecisionRecorded(round=number, ruling=ruling, reason=reason):
            return stopped(f"Decided on round {number}: {ruling}, because {reason}")
    return ""
