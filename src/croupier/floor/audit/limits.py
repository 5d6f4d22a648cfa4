"""Limits, audited: those that a table would have refused."""

import msgspec

from croupier.table.rules import Rules
from croupier.table.settings import Limits, Settings, limits_faults, settings_faults


def faults_of_limits(rules: Rules, limits: Limits) -> list[str]:
    """Everything that is wrong with limits that some version of this software has taken."""
    return limits_faults(rules, _applied(rules, limits))


def faults_of_settings(rules: Rules, settings: Settings) -> list[str]:
    """The same for the settings of a table."""
    limits = _applied(rules, settings.limits)
    return settings_faults(rules, msgspec.structs.replace(settings, limits=limits))


def _applied(rules: Rules, limits: Limits) -> Limits:
    """The limits that count.

    Where every bet is taken and boxes are marked, the first versions took limits too that hold only by
    refusing bets, and never applied them.
    """
    if not rules.marks_boxes:
        return limits
    return msgspec.structs.replace(limits, spots={}, seat_cents=None, exposure_cents=None)
