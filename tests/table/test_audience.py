"""Each event names its audience, and nobody is shown another seat's data."""

import typing

import msgspec
import pytest

from croupier.table import Event, Posting, audience, claims, postings
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import player
from table.scenes import Game, at, correct, title
from table.stories import TOLD, told

AUDIENCES = {
    e.TableCreated: "staff",
    e.TableOpened: "table",
    e.TableClosed: "table",
    e.LastRoundAnnounced: "table",
    e.TableHalted: "table",
    e.TableResumed: "table",
    e.LimitsChanged: "table",
    e.SeatOpened: "seat",
    e.SeatClosed: "seat",
    e.SeatLost: "seat",
    e.SeatRestored: "seat",
    e.SeatLocked: "seat",
    e.SeatUnlocked: "seat",
    e.AttendantCalled: "seat",
    e.CallEnded: "seat",
    e.CreditsBought: "seat",
    e.CreditsPaidOut: "seat",
    e.BetsChanged: "seat",
    e.BoxMarked: "staff",
    e.BetsRejected: "seat",
    e.MinimumAdvised: "seat",
    e.RoundOpened: "table",
    e.ClosingWarned: "table",
    e.BetsClosed: "table",
    e.SpinStarted: "table",
    e.SpinFinished: "table",
    e.ResultEntered: "table",
    e.ResultConfirmed: "table",
    e.SeatSettled: "seat",
    e.RoundSettled: "table",
    e.SeatReturned: "seat",
    e.RoundVoided: "table",
    e.ResultCorrected: "table",
    e.SeatCorrected: "seat",
    e.ShortfallRaised: "staff",
    e.CarriedNetted: "seat",
    e.CarriedSettled: "staff",
    e.TableInterrupted: "table",
    e.OutcomeStated: "table",
    e.DecisionRecorded: "table",
    e.RoundRecalled: "staff",
    e.WheelReported: "staff",
    e.SpinReportedLate: "staff",
    e.ResultUpheld: "staff",
    e.SpinCommitted: "table",
    e.CommitmentOpened: "table",
    e.CommandRefused: "staff",
}

every_story = pytest.mark.parametrize("game", TOLD, ids=title)


def test_every_kind_of_event_has_its_audience() -> None:
    assert {kind: kind.to for kind in typing.get_args(Event)} == AUDIENCES


def test_what_goes_to_a_seat_names_it_and_what_goes_to_everybody_names_none() -> None:
    for kind, told_to in AUDIENCES.items():
        fields = kind.__struct_fields__
        if told_to == "seat":
            assert "seat" in fields, kind
        if told_to == "table":
            assert not {"seat", "postings", "lines", "bets", "cents", "carried_cents"} & {*fields}, kind


@every_story
def test_an_event_of_a_seat_is_for_that_seat_and_carries_no_other_seats_accounts(game: Game) -> None:
    for event in (entry.event for entry in told(game).entries):
        if audience(event).startswith("seat/"):
            seat = audience(event).removeprefix("seat/")
            assert getattr(event, "seat", None) == seat
            others = {"1", "2", "3"} - {seat}
            written = msgspec.json.encode(event).decode()
            assert not any(f'/{other}"' in written or f'"seat":"{other}"' in written for other in others)


@every_story
def test_what_everybody_sees_says_nothing_of_any_seat(game: Game) -> None:
    for event in (entry.event for entry in told(game).entries):
        if audience(event) == "table":
            written = msgspec.json.encode(event).decode()
            assert "credits/" not in written
            assert "stakes/" not in written
            assert '"seat"' not in written


def test_the_correction_of_a_player_who_has_left_is_not_told_to_whoever_sits_there_now() -> None:
    play = at("settled")
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    corrected = [event for event in correct(play, 1, "20") if isinstance(event, e.SeatCorrected)]

    assert [(event.seat, event.has_left, audience(event)) for event in corrected] == [
        ("1", True, "staff"),
        ("2", False, "seat/2"),
    ]


def test_a_voucher_is_claimed_when_it_is_issued_and_when_it_is_redeemed() -> None:
    bought = e.CreditsBought(seat="1", cents=5, voucher="V1", clause=None, postings=())
    paid = e.CreditsPaidOut(seat="1", cents=5, voucher="V1", clause=None, postings=())
    by_hand = e.CreditsPaidOut(seat="1", cents=5, voucher=None, clause=None, postings=())

    assert (claims(bought), claims(paid)) == (("voucher-redeemed/V1",), ("voucher-issued/V1",))
    assert claims(by_hand) == claims(e.SeatUnlocked(seat="1")) == ()


@every_story
def test_every_voucher_of_a_story_is_claimed_and_nothing_else(game: Game) -> None:
    found = [claim for entry in told(game).entries for claim in claims(entry.event)]

    assert "voucher-redeemed/V0" in found
    assert "voucher-issued/V1" in found
    assert len({*found}) == len(found)


def test_an_event_without_money_has_no_postings() -> None:
    assert postings(e.SeatUnlocked(seat="1")) == ()
    moved = (Posting("cash", "credits/1", 5),)
    assert postings(e.CreditsBought(seat="1", cents=5, voucher=None, clause=None, postings=moved)) == moved
