"""The house: its log, and the watches on clock, disk and software."""
