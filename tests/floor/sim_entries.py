"""One entry of every kind of event, with a value in every field: what the golden payloads were made of.

Run as a program it writes the golden payloads that are missing; it never changes one that is there.
"""

from pathlib import Path

from msgspec.structs import replace

from croupier.floor.codec import drafts_of
from croupier.table import Actor, Cause, Entry, Event, Limits, Posting, Range, Rejection, Settings
from croupier.table import events as e

LIMITS = Limits(
    bets={
        "straight": Range(minimum_cents=100, maximum_cents=50_000),
        "red": Range(minimum_cents=500, maximum_cents=500_000),
    },
    spots={"straight:7": 90_000},
    seat_cents=1_000_000,
    table_cents=5_000_000,
    exposure_cents=20_000_000,
)
SETTINGS = Settings(
    table="T1",
    book="mbs-roulette",
    layouts=("main",),
    limits=LIMITS,
    lock_up_cents=500_000,
    voucher_limit_cents=300_000,
    betting_seconds=30,
    warning_seconds=5,
    grace_seconds=10,
    two_people=("decide",),
    rounds_kept=100,
    answers_kept=32,
    wheel="W7",
    spin_source="sensor",
    pocket_order=("0", "28", "9", "26"),
    cash_limit_cents=100_000,
)
OLD_SETTINGS = replace(SETTINGS, cash_limit_cents=None)
REJECTION = Rejection(
    code="not-enough-credits",
    sentence="The bets cost 10.00 and the credits are 5.00.",
    facts={"cost_cents": 1_000, "credits_cents": 500, "bet": "red"},
    clause="mbs-roulette:3.3",
)
LINE = e.Line("red", 1_000, 900, True, 1_900, "mbs-roulette:3.3")
LOST = e.Line("straight:7", 100, 100, False, 0)
CHANGE = e.BetChange("red", 1_000, "tiers")
STAKED = (Posting("credits/4", "stakes/4", 1_000),)
BACK = (Posting("stakes/4", "credits/4", 1_000),)
CLAUSE = "mbs-roulette:3.3"

EVENTS: list[Event] = [
    e.TableCreated(settings=SETTINGS, book_sha256="ab" * 32),
    e.TableOpened(limits=LIMITS, clause=CLAUSE),
    e.TableClosed(notice="The table is closed"),
    e.LastRoundAnnounced(rounds_left=1, notice="Last spin"),
    e.TableHalted(reason="All accounts together hold 1 cents.", notice="Please wait"),
    e.TableResumed(reason="looked at"),
    e.LimitsChanged(old=LIMITS, new=LIMITS, reason="evening", clause=CLAUSE),
    e.SeatOpened(seat="4", kind="rapid-select", layout="B"),
    e.SeatClosed(seat="4"),
    e.SeatLost(seat="4", round=12, clause=CLAUSE),
    e.SeatRestored(seat="4", clause=CLAUSE),
    e.SeatLocked(seat="4", round=12, reason="win", cents=600_000),
    e.SeatUnlocked(seat="4", round=12),
    e.AttendantCalled(seat="4", reason="payout", since_ms=1_700_000_000_123),
    e.CallEnded(seat="4", how="answered", since_ms=1_700_000_000_123),
    e.CreditsBought(
        seat="4",
        cents=5_000,
        voucher="123456789012345678",
        clause=CLAUSE,
        postings=(Posting("vouchers", "credits/4", 5_000),),
    ),
    e.CreditsPaidOut(
        seat="4",
        cents=5_000,
        voucher="123456789012345678",
        clause=CLAUSE,
        postings=(Posting("credits/4", "vouchers", 5_000),),
        expires_ms=1_702_592_000_123,
        occasion="lost-terminal",
    ),
    e.BetsChanged(seat="4", round=12, changes=(CHANGE,), placed_by="player", clause=CLAUSE, postings=STAKED),
    e.BoxMarked(round=12, bet="symbol:20", total_cents=120_000, maximum_cents=100_000, clause=CLAUSE),
    e.BetsRejected(seat="4", round=12, bet="symbol:20", cents=1_000, clause=CLAUSE, postings=BACK),
    e.MinimumAdvised(seat="4", round=12, bet="symbol:20", minimum_cents=1_000, clause=CLAUSE),
    e.RoundOpened(round=12, closes_ms=1_700_000_030_000, notice="Place your bets", clause=CLAUSE),
    e.ClosingWarned(round=12, seconds=5, notice="5 seconds"),
    e.BetsClosed(round=12, closed_by="timer", notice="No more bets", clause=CLAUSE, stakes_clause=CLAUSE),
    e.SpinStarted(
        round=12,
        ball="clockwise",
        wheel="counter-clockwise",
        wheel_turning=True,
        rotor_tenths_rpm=251,
        said_by="wheel",
        notice="The ball is rolling",
        clause=CLAUSE,
    ),
    e.SpinFinished(
        round=12,
        revolutions=7,
        pocket="32",
        at_rest=True,
        rotor_tenths_rpm=243,
        diamond=3,
        said_by="wheel",
        clause=CLAUSE,
    ),
    e.ResultEntered(round=12, result="32", said_by="dealer", clause=CLAUSE, sensor="contradicted"),
    e.ResultConfirmed(round=12, result="32", notice="32", clause=CLAUSE, against_sensor=True),
    e.SpinReportedLate(
        round=12,
        revolutions=3,
        pocket="15",
        at_rest=True,
        registered="32",
        disagrees=True,
        irregularity="too-few-revolutions",
        clause=CLAUSE,
    ),
    e.ResultUpheld(round=12, result="32", sensed="15", reason="the film shows it", clause=CLAUSE),
    e.SeatSettled(
        seat="4",
        round=12,
        lines=(LINE, LOST),
        staked_cents=1_100,
        returned_cents=1_900,
        clause=CLAUSE,
        postings=(Posting("stakes/4", "house", 1_100), Posting("house", "credits/4", 1_900)),
        layout="B",
    ),
    e.RoundSettled(
        round=12,
        result="32",
        notice="Bets are settled",
        clause=CLAUSE,
        excess_clause="assumption:table-excess",
    ),
    e.SeatReturned(
        seat="4",
        round=12,
        bets=(e.BetChange("red", -1_000),),
        cents=1_000,
        void=True,
        clause=CLAUSE,
        postings=BACK,
        layout="B",
    ),
    e.RoundVoided(
        round=12,
        cause="no-spin",
        reason="called",
        notice="The round is void",
        clause=CLAUSE,
        wheel="at-rest",
        against_sensor=True,
        named_rounds=(11, 12),
    ),
    e.ResultCorrected(
        round=12,
        old="32",
        new="15",
        settled=True,
        cause="wrong-result",
        reason="misread",
        notice="The result is 15",
        clause=CLAUSE,
        sensor="failed",
        named_rounds=(11, 12),
    ),
    e.SeatCorrected(
        seat="4",
        round=12,
        result="15",
        reversed=(LINE,),
        lines=(LOST,),
        returned_before_cents=1_900,
        returned_cents=0,
        carried_cents=-900,
        moved_cents=-1_000,
        given_up_cents=0,
        has_left=True,
        clause=CLAUSE,
        postings=(Posting("credits/4", "house", 1_000), Posting("shortfall", "house", 900)),
    ),
    e.ShortfallRaised(seat="4", round=12, carried_cents=-900, clause=CLAUSE),
    e.CarriedNetted(
        seat="4",
        round=12,
        against=13,
        cents=900,
        carried_cents=-100,
        against_carried_cents=200,
        has_left=True,
        clause=CLAUSE,
        postings=(Posting("unclaimed", "shortfall", 900),),
    ),
    e.RoundRecalled(
        round=12,
        phase="settled",
        result="17",
        sensed="20",
        limits=LIMITS,
        seats=(
            e.RecalledSeat(
                seat="4",
                visit=2,
                layout="main",
                fresh_from=9,
                lines=(LINE, LOST),
                returned_cents=1_900,
                written_off_cents=300,
                written_off_at_cents=1_000,
                by_hand_cents=-200,
            ),
        ),
    ),
    e.CarriedSettled(
        seat="4",
        round=12,
        how="collected",
        cents=900,
        reason="brought back",
        clause=CLAUSE,
        postings=(Posting("cash", "shortfall", 900),),
    ),
    e.TableInterrupted(
        round=12,
        phase="betting",
        began_ms=1_700_000_000_000,
        ended_ms=1_700_000_060_000,
        consequence="void",
        notice="Technical interruption",
        clause=CLAUSE,
        length_known=False,
        declared="no light in the hall",
        spun=True,
    ),
    e.OutcomeStated(round=12, result="32", clause=CLAUSE, spun=True, sensed="15"),
    e.DecisionRecorded(round=12, ruling="void", reason="a bird on the wheel", notice="A bird", clause=CLAUSE),
    e.WheelReported(round=12, fault="line-lost", detail="nothing for 2.0 s"),
    e.SpinCommitted(round=12, commitment="5e" * 32),
    e.CommitmentOpened(round=12, opening="32"),
    e.CommandRefused(command="place-bets", rejection=REJECTION),
]


def entry(event: Event) -> Entry:
    """An event with a cause that has a value in every field."""
    cause = Cause(
        at_ms=1_700_000_000_123,
        actor=Actor(id="terminal-4", position="player", seat="4"),
        sender="terminal-4",
        number=77,
        fingerprint="0123456789abcdef",
        second=Actor(id="supervisor-1", position="pit-supervisor"),
    )
    return Entry(cause, event)


def write(directory: Path) -> None:
    """Writes the golden payload of every kind for its present version."""
    for event in EVENTS:
        (draft,) = drafts_of([entry(event)])
        (directory / f"{draft.kind}.{draft.version}.json").write_bytes(draft.payload + b"\n")


if __name__ == "__main__":
    write(Path(__file__).with_name("payloads"))
