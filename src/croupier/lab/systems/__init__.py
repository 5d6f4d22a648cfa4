"""Betting systems, by name and one by one."""

from croupier.lab.systems.bond import james_bond
from croupier.lab.systems.catalogue import SYSTEMS, Entry, default_bet, make_system
from croupier.lab.systems.grind import oscars_grind
from croupier.lab.systems.kelly import kelly
from croupier.lab.systems.ladders import (
    anti_martingale,
    dalembert,
    fibonacci,
    flat,
    grand_martingale,
    martingale,
    one_three_two_six,
)
from croupier.lab.systems.lines import labouchere
from croupier.lab.systems.tracking import andrucci

__all__ = [
    "SYSTEMS",
    "Entry",
    "andrucci",
    "anti_martingale",
    "dalembert",
    "default_bet",
    "fibonacci",
    "flat",
    "grand_martingale",
    "james_bond",
    "kelly",
    "labouchere",
    "make_system",
    "martingale",
    "one_three_two_six",
    "oscars_grind",
]
