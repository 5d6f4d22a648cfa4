"""Rounds to recall, and what is looked at in them."""

from croupier.table import History, RoundRecall, Stake, recall_round
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.ledger import credits_of, post
from table.rig import DEALER, TIMER, Play, player
from table.scenes import IDLE, STAKE, at


def recall(play: Play, number: int) -> RoundRecall:
    found = recall_round(play.entries, number)
    assert found is not None
    return found


def followed(play: Play, **sizes: int) -> History:
    history = History(**sizes)
    for entry in play.entries:
        history.record(entry)
    return history


def kinds(found: RoundRecall) -> list[str]:
    return [type(entry.event).__name__ for entry in found.entries]


def a_full_round() -> Play:
    """A table whose second round has bets, changes, refusals, a void-free spin and a correction later."""
    play = at(IDLE)
    play.round({"1": {"red": STAKE}}, "1")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"straight:17": STAKE, "red": 500})
    play.refused(player("2"), c.PlaceBets(seat="2", stakes=(Stake("red", 10_000_000),)))
    play.do(player("2"), c.PlaceBets(seat="2", stakes=(Stake("black", 2_000),)))
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake("red", 500),)))
    play.wait(12)
    play.do(TIMER, c.CloseBets())
    play.do(DEALER, c.StartSpin())
    play.do(DEALER, c.EnterResult(result="17"))
    play.do(DEALER, c.ConfirmResult(result="17"))
    return play


def between(found: RoundRecall) -> list[tuple[str, str, int]]:
    return [
        (type(entry.event).__name__, entry.event.seat, entry.event.cents)
        for entry in found.between
        if isinstance(entry.event, e.CreditsBought | e.CreditsPaidOut)
    ]


def moved(entries: list[e.Entry]) -> list[tuple[str, str, int]]:
    """What moved credits, at which seat, and by how much."""
    found = []
    for entry in entries:
        seat = getattr(entry.event, "seat", "")
        balances: dict[str, int] = {}
        post(balances, e.postings(entry.event))
        found.append((type(entry.event).__name__, seat, balances[credits_of(seat)]))
    return found
