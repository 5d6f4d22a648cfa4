"""The report on a game that a test lab calls a PAR sheet: one page of HTML, and the same as PDF."""

from croupier.lab.report.making import Report, make_report

__all__ = ["Report", "make_report"]
