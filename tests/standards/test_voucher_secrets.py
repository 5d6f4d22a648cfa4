"""The numbers of vouchers: from a key that only the floor has, and nothing in one tells of another."""

import stat
from itertools import pairwise
from pathlib import Path

from croupier.floor.cage.numbers import is_voucher_number
from croupier.server.voucher_key import read_key
from croupier.server.vouchers import voucher_number


def test_the_key_is_random_kept_and_for_the_floors_own_account_alone(tmp_path: Path) -> None:
    key = read_key(tmp_path / "voucher.key")
    assert len(key) == 32
    assert read_key(tmp_path / "voucher.key") == key
    assert read_key(tmp_path / "other.key") != key
    assert stat.S_IMODE((tmp_path / "voucher.key").stat().st_mode) == 0o600


def test_numbers_of_one_seat_in_a_row_do_not_show_where_the_next_one_lies() -> None:
    numbers = [voucher_number(b"a key for tests", "R1", "terminal-1", number) for number in range(2_000)]
    assert len(set(numbers)) == len(numbers)
    assert all(is_voucher_number(number) for number in numbers)
    for place in range(17):
        counted = [sum(number[place] == digit for number in numbers) for digit in "0123456789"]
        # With 9 degrees of freedom chance is above 40 once in a hundred thousand times; the key is fixed.
        assert sum((count - 200) ** 2 / 200 for count in counted) < 40
    steps = {int(later) - int(earlier) for earlier, later in pairwise(numbers)}
    assert len(steps) == len(numbers) - 1
    with_another_key = [voucher_number(b"another key", "R1", "terminal-1", number) for number in range(2_000)]
    assert not set(numbers) & set(with_another_key)
