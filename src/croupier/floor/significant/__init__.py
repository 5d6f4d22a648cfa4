"""Significant events: rows, sentences and searches."""
