"""The wheel with two zeros that American makers build, clockwise: another order than the books assume."""

_CLOCKWISE = """
    0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1
    00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2
"""
AMERICAN = tuple(_CLOCKWISE.split())
