"""One example of each message, as it stands in the documents; a test reads every one of them back."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from croupier.protocol import asking as a
from croupier.protocol import telling as t
from croupier.protocol.facts import facts_of
from croupier.protocol.views import Outcome, RoundView, ShownNotice, TableView
from croupier.table import Limits, Range, Rejection, Stake
from croupier.table import commands as c
from croupier.table import events as e

_AT_MS: Final = 1_700_000_000_000

_TABLE: Final = TableView(
    table="R1",
    book="mbs-roulette",
    layouts=("main",),
    open=True,
    halted=False,
    awaits_outcome=False,
    wheel_fault=False,
    rounds_left=None,
    round_number=7,
    round=RoundView(
        number=7,
        phase="betting",
        opened_ms=_AT_MS,
        closes_ms=_AT_MS + 30_000,
        warned=False,
        spin=None,
        result=None,
        sensor=None,
    ),
    notice="Place your bets, please",
    clause=None,
    limits=Limits(bets={"straight": Range(minimum_cents=100, maximum_cents=50_000)}),
    cash_limit_cents=None,
    betting_seconds=30,
    warning_seconds=5,
    outcomes=(Outcome(round=6, result="17"),),
    notices=(ShownNotice(step="open", text="Place your bets, please", clause="mbs-roulette:3.1"),),
)
_OPENED: Final = e.RoundOpened(
    round=7, closes_ms=_AT_MS + 30_000, notice="Place your bets, please", clause="mbs-roulette:3.1"
)
_REFUSED: Final = Rejection(
    code="above-maximum",
    sentence="At most 500.00 may lie on 17.",
    facts={"bet": "straight:17", "maximum_cents": 50_000},
)

MESSAGES: Final[tuple[msgspec.Struct, ...]] = (
    a.Hello(
        version=a.VERSION,
        token="terminal-k2m9x4pq.c2VjcmV0",
        audience="seat",
        resume=a.Resume(epoch="5f2c9a1e7b30d468", seq=412),
    ),
    a.Order(
        number=18,
        do=c.PlaceBets(seat="4", stakes=(Stake("straight:17", 500), Stake("tiers", 100))),
        round=7,
    ),
    a.Resync(),
    a.Alive(at_ms=_AT_MS),
    t.Problem(
        code="bad-message",
        sentence="This message cannot be read: Expected `int`, got `null` - at `$.do.round`",
        number=17,
    ),
    t.Bye(code="closing", sentence="The floor closes; come back soon.", again_seconds=2),
    t.Welcome(
        version=a.VERSION,
        epoch="5f2c9a1e7b30d468",
        server_ms=_AT_MS,
        audience="seat",
        table="R1",
        seat="4",
        who="terminal-k2m9x4pq",
        position="player",
        last_number=17,
        resumed=False,
        demonstration=False,
        zone="Asia/Singapore",
    ),
    t.Snapshot(seq=412, table=_TABLE),
    t.Told(seq=413, at_ms=_AT_MS, name="R1", event=facts_of(_OPENED, staff=False), table=_TABLE),
    t.Overview(seq=413),
    t.Boxes(boxes_cents={"symbol:5": 12_500}),
    t.PitNews(lines=()),
    t.Answer(number=18, seq=414, refused=_REFUSED),
    t.Beat(at_ms=_AT_MS),
)

EXAMPLES: Final[Mapping[type, Any]] = {type(message): msgspec.to_builtins(message) for message in MESSAGES}
"""By type of message, what goes over the wire."""
