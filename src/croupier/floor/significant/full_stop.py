"""Sentences that end with what somebody wrote."""


def stopped(sentence: str) -> str:
    """The sentence with one full stop at its end, whether the words of a person have brought theirs or not.

    >>> stopped("The table is halted: the ball is lost."), stopped("The table is halted: the ball is lost")
    ('The table is halted: the ball is lost.', 'The table is halted: the ball is lost.')
    """
    return unstopped(sentence) + "."


def unstopped(words: str) -> str:
    """The words of a person where the sentence goes on behind them.

    >>> unstopped("The player is gone.")
    'The player is gone'
    """
    return words.rstrip(" .\N{IDEOGRAPHIC FULL STOP}")
