"""Backups of a journal, and their way back."""
