"""The mathematics: exact odds, whole sessions, simulation, reports."""

from croupier.lab.exposure import BetLimits, LimitChange, change_limits, exposure_cents
from croupier.lab.house import HouseDay, Player, adjustment_rate, house_day
from croupier.lab.odds import Odds, bet_odds, slip_odds
from croupier.lab.pockets import SlipPlan, SlipRun, simulate_slip
from croupier.lab.rounds import NetDistribution, net_distribution, total_distribution
from croupier.lab.sessions import ENDINGS, SessionResult, play_session
from croupier.lab.simulate import SessionPlan, SessionPlayer, SessionRun, simulate_sessions
from croupier.lab.slip import Slip, join_slips, place_slip
from croupier.lab.system import LEAVE, NO_OUTCOME, Limits, Session, System, step
from croupier.lab.systems import SYSTEMS, make_system

__all__ = [
    "ENDINGS",
    "LEAVE",
    "NO_OUTCOME",
    "SYSTEMS",
    "BetLimits",
    "HouseDay",
    "LimitChange",
    "Limits",
    "NetDistribution",
    "Odds",
    "Player",
    "Session",
    "SessionPlan",
    "SessionPlayer",
    "SessionResult",
    "SessionRun",
    "Slip",
    "SlipPlan",
    "SlipRun",
    "System",
    "adjustment_rate",
    "bet_odds",
    "change_limits",
    "exposure_cents",
    "house_day",
    "join_slips",
    "make_system",
    "net_distribution",
    "place_slip",
    "play_session",
    "simulate_sessions",
    "simulate_slip",
    "slip_odds",
    "step",
    "total_distribution",
]
