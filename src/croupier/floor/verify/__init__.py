"""Verifying a journal, offline and alone."""
