"""A voucher as it is printed: everything a ticket has to show, and its barcode."""

import datetime
from collections.abc import Mapping
from typing import Final
from zoneinfo import ZoneInfo

from croupier.floor.cage.vouchers import Voucher
from croupier.rulebook import show_cents

_ONES: Final = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES: Final = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))

_NARROW, _WIDE = 1, 3
_ITF: Final = ("nnwwn", "wnnnw", "nwnnw", "wwnnn", "nnwnw", "wnwnn", "nwwnn", "nnnww", "wnnwn", "nwnwn")
"""Interleaved 2 of 5: which of a digit's five bars, or spaces, are wide."""


_UNITS: Final[Mapping[str, tuple[str, str, str, str]]] = {
    **dict.fromkeys(("AUD", "CAD", "HKD", "NZD", "SGD", "USD"), ("dollar", "dollars", "cent", "cents")),
    "EUR": ("euro", "euros", "cent", "cents"),
    "GBP": ("pound", "pounds", "penny", "pence"),
}
"""By currency, what one and several of its units are called, and one and several hundredths of them."""


def amount_in_words(cents: int, currency: str) -> str:
    """An amount as it is written out; where a currency's units have no name here, with the code.

    >>> amount_in_words(123405, "SGD")
    'one thousand two hundred thirty-four dollars and five cents'
    >>> amount_in_words(30001, "GBP")
    'three hundred pounds and one penny'
    >>> amount_in_words(30000, "CHF")
    'three hundred and 00/100 CHF'
    """
    whole, rest = divmod(cents, 100)
    if currency not in _UNITS:
        return f"{_whole_in_words(whole)} and {rest:02}/100 {currency}".rstrip()
    one, several, hundredth, hundredths = _UNITS[currency]
    words = f"{_whole_in_words(whole)} {_of(whole, one, several)}"
    return words if rest == 0 else f"{words} and {_whole_in_words(rest)} {_of(rest, hundredth, hundredths)}"


def _of(count: int, one: str, several: str) -> str:
    return one if count == 1 else several


def _whole_in_words(number: int) -> str:
    for scale, name in _SCALES:
        if number >= scale:
            count, rest = divmod(number, scale)
            words = f"{_whole_in_words(count)} {name}"
            return words if rest == 0 else f"{words} {_whole_in_words(rest)}"
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] if ones == 0 else f"{_TENS[tens - 2]}-{_ONES[ones]}"


def ticket_text(voucher: Voucher, site: str, zone: ZoneInfo, currency: str) -> str:
    """The lines of a ticket, times as the site's clocks show them."""
    issued, expires = (_local(ms, zone) for ms in (voucher.issued_ms, voucher.expires_ms))
    groups = " ".join(voucher.number[start : start + 4] for start in range(0, len(voucher.number), 4))
    return "\n".join(
        [
            site,
            "CASH-OUT VOUCHER",
            f"Validation {groups}",
            f"{currency} {show_cents(voucher.cents)}".lstrip(),
            amount_in_words(voucher.cents, currency),
            f"Issued {issued} at table {voucher.table}, seat {voucher.seat}",
            f"Ticket {voucher.table}-{voucher.sequence}",
            f"Void after {expires}",
        ]
    )


def barcode_svg(number: str) -> str:
    """The validation number as an Interleaved 2 of 5 barcode.

    >>> barcode_svg("123456789012345672").startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    widths = _bars(number)
    x, bars = 10, []
    for index, width in enumerate(widths):
        if index % 2 == 0:
            bars.append(f'<rect x="{x}" width="{width}" height="40"/>')
        x += width
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x + 10} 40" role="img">'
        f"<title>Voucher {number[-4:]}</title>{''.join(bars)}</svg>"
    )


def _bars(number: str) -> list[int]:
    """The widths of bars and spaces in turn: start, pairs of digits woven into each other, stop."""
    if len(number) % 2 or not number.isdigit():
        raise ValueError("an interleaved barcode takes pairs of digits")
    widths = [_NARROW] * 4
    for bar, space in zip(number[::2], number[1::2], strict=True):
        for one, other in zip(_ITF[int(bar)], _ITF[int(space)], strict=True):
            widths += [_WIDE if one == "w" else _NARROW, _WIDE if other == "w" else _NARROW]
    return [*widths, _WIDE, _NARROW, _NARROW]


def _local(at_ms: int, zone: ZoneInfo) -> str:
    """A time by the clocks of a zone; where they show it twice, with how far they are from Greenwich.

    >>> [_local(at_ms, ZoneInfo("Europe/Berlin")) for at_ms in (1_792_888_200_000, 1_792_891_800_000)]
    ['2026-10-25 02:30:00 GMT+2', '2026-10-25 02:30:00 GMT+1']
    """
    moment = datetime.datetime.fromtimestamp(at_ms // 1000, zone)
    shown = moment.strftime("%Y-%m-%d %H:%M:%S")
    if moment.replace(fold=0).utcoffset() == moment.replace(fold=1).utcoffset():
        return shown
    return f"{shown} {_from_greenwich(moment)}"


def _from_greenwich(moment: datetime.datetime) -> str:
    """As screens say it: GMT+2, GMT+10:30."""
    hours, minutes = moment.strftime("%z")[:3], moment.strftime("%z")[3:5]
    return f"GMT{int(hours):+}" + ("" if minutes == "00" else f":{minutes}")
