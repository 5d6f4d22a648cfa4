"""Sentences that end with what somebody wrote."""


def stopped(sentence: str) -> str:
    """The sentence with one full stop at its end, whether the words of a person have brought theirs or not.

    >>> stopped("The table is halted: the ball is lost."), stopped("The table is halted: the ball is lost")
    ('The table is halted: the ball is lost.', 'The table is halted: the ball is lost.')
    """
    return sentence.rstrip(" .\N{IDEOGRAPHIC FULL STOP}") + "."
