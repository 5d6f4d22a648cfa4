"""One table: commands in, events or a rejection out, and what the events add up to."""

from croupier.table.actors import SYSTEM, WHEEL, Actor
from croupier.table.at_once import play
from croupier.table.commands import Command, Do, NamedBet, Stake
from croupier.table.creating import create
from croupier.table.decide import COMMANDS, Reply, decide, may, submit
from croupier.table.earlier_rounds import recall_of, rounds_over, rounds_to_recall, with_rounds
from croupier.table.events import Cause, Entry, Event, audience, claims, hears, postings
from croupier.table.evolve import evolve, replay
from croupier.table.exposure import house_results
from croupier.table.foreseeing import ForeseenCorrection, foresee_correction
from croupier.table.foreseeing_decisions import Foreseen, foresee
from croupier.table.ledger import Posting
from croupier.table.recall import History, RoundRecall, recall_round
from croupier.table.rejections import CODES, Rejection
from croupier.table.rules import Rules
from croupier.table.settings import Limits, Range, Settings, limits_faults, settings_faults, table_rules
from croupier.table.state import Meters, Round, Seat, State, check

__all__ = [
    "CODES",
    "COMMANDS",
    "SYSTEM",
    "WHEEL",
    "Actor",
    "Cause",
    "Command",
    "Do",
    "Entry",
    "Event",
    "Foreseen",
    "ForeseenCorrection",
    "History",
    "Limits",
    "Meters",
    "NamedBet",
    "Posting",
    "Range",
    "Rejection",
    "Reply",
    "Round",
    "RoundRecall",
    "Rules",
    "Seat",
    "Settings",
    "Stake",
    "State",
    "audience",
    "check",
    "claims",
    "create",
    "decide",
    "evolve",
    "foresee",
    "foresee_correction",
    "hears",
    "house_results",
    "limits_faults",
    "may",
    "play",
    "postings",
    "recall_of",
    "recall_round",
    "replay",
    "rounds_over",
    "rounds_to_recall",
    "settings_faults",
    "submit",
    "table_rules",
    "with_rounds",
]
