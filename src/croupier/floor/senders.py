"""Which numbers the senders of commands have used; a number is used once."""


class Numbers:
    """Remembers used numbers in little room: senders count up, so that a first and a last say most of it.

    >>> numbers = Numbers()
    >>> [numbers.take("console", number) for number in (1, 2, 2, 5, 3, 1)]
    [True, True, False, True, True, False]
    """

    def __init__(self) -> None:
        self._runs: dict[str, tuple[int, int]] = {}
        """By sender, the first number seen and the one behind the unbroken run that began there."""
        self._others: dict[str, set[int]] = {}

    def take(self, sender: str, number: int) -> bool:
        """Uses a number; False where it was used before."""
        run = self._runs.get(sender)
        if run is None:
            self._runs[sender] = number, number + 1
            return True
        first, end = run
        if number == end:
            others = self._others.get(sender)
            end += 1
            while others and end in others:
                others.remove(end)
                end += 1
            self._runs[sender] = first, end
            return True
        others = self._others.setdefault(sender, set())
        if first <= number < end or number in others:
            return False
        others.add(number)
        return True
