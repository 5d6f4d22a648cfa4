"""A second bookkeeping of a table, written from the rules and sharing no arithmetic with the first."""

from croupier.floor.audit.auditor import Auditor
from croupier.floor.audit.books import DoesNotFit

__all__ = ["Auditor", "DoesNotFit"]
