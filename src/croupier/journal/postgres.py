"""Journals in PostgreSQL."""
