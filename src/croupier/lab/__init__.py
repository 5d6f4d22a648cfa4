"""The mathematics: exact odds, whole sessions, simulation, reports."""
