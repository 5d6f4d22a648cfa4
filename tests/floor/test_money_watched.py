"""What a runner watches after every command: each sentence is heard where the money is wrong."""

from collections.abc import Callable

import msgspec
import pytest

from croupier.floor.watching import faults_after
from croupier.table import Entry
from croupier.table.ledger import Posting
from floor.forged_events import betting
from table.rig import Play


def below_zero(play: Play, entry: Entry) -> Entry:
    play.state.balances["credits/1"] = -5
    play.state.seats["1"].meters.cash_in_cents -= 9_005
    return entry


def other_stakes(play: Play, entry: Entry) -> Entry:
    play.state.seats["1"].staked_cents = 900
    return entry


def other_meters(play: Play, entry: Entry) -> Entry:
    play.state.seats["1"].meters.cash_in_cents += 1
    return entry


def posted(source: str, destination: str, cents: int) -> Callable[[Play, Entry], Entry]:
    def change(play: Play, entry: Entry) -> Entry:
        postings = (Posting(source, destination, cents),)
        return Entry(entry.cause, msgspec.structs.replace(entry.event, postings=postings))

    return change


WRONG: dict[str, Callable[[Play, Entry], Entry]] = {
    "Seat 1 has -5 cents of credits.": below_zero,
    "The stakes of seat 1 are not what lies on its bets.": other_stakes,
    "The meters of seat 1 do not give its credits.": other_meters,
    "A posting from credits/1 to stakes/1 moves 0.": posted("credits/1", "stakes/1", 0),
    "A posting from cash to credits/1 moves -5.": posted("cash", "credits/1", -5),
    "An event of seat 1 moves money of credits/2.": posted("credits/2", "stakes/1", 1_000),
    "An event of seat 1 moves money of stakes/2.": posted("credits/1", "stakes/2", 1_000),
}


def test_a_bet_in_order_has_nothing_against_it() -> None:
    play = betting()
    assert faults_after(play.state, play.entries[-1:]) == []


@pytest.mark.parametrize("sentence", WRONG)
def test_wrong_money_is_said(sentence: str) -> None:
    play = betting()
    entry = WRONG[sentence](play, play.entries[-1])
    assert faults_after(play.state, [entry]) == [sentence]
