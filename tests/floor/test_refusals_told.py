"""What the floor answers by itself is documented as it is said."""

import re
from pathlib import Path

import pytest

from croupier.floor.refusals import CODES

DOCUMENT = Path(__file__).parents[2] / "docs" / "rejections.md"


@pytest.mark.parametrize("code", CODES)
def test_a_refusal_of_the_floor_is_documented_with_its_sentence(code: str) -> None:
    found = re.findall(
        rf"^\| `{code}` \| [a-z-]+ \| (.+) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found == [CODES[code]]


@pytest.mark.parametrize("code", [code for code in CODES if code.startswith("voucher-")])
def test_whoever_has_a_voucher_that_is_not_taken_reads_what_to_do(code: str) -> None:
    assert re.search(r"; (look at the ticket again|ask at the cage)", CODES[code])
