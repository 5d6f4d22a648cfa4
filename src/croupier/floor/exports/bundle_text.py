"""A dispute bundle for people to read."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from croupier.rulebook import group_amounts

Facts = Mapping[str, Any]


def describe_files(table: str, number: int, last: int, last_hash: str, canonical: str) -> str:
    """What is in a bundle and how it proves itself."""
    return f"""\
Round {number} of table {table}

round.txt    the round, to read
round.json   the same for programs: seats with credits before the round, at its end and behind each
             correction of it, bets as they count now, spin, notices, acts, and what moved credits between
             the round before and this one, and after it up to the next one
chain.jsonl  every record of the table from the first of these to the last that bears on the round
proof.json   where these records stand in the table's chain, and the SHA-256 of every other file here
check.py     recomputes the chain and the hashes of the files: python3 check.py

{textwrap.fill(canonical, 100)}

The check shows that no record in chain.jsonl was changed, left out or put in after the last of them was
hashed. That the last is a record of the journal itself shows in the journal:

    croupier verify JOURNAL --table {table} --anchor {table}:{last}:{last_hash}

The chain proves chain.jsonl and nothing else. round.txt and round.json tell what the records say, with
credits that come from all records before them; the check finds one that was changed by itself. Whoever
changes proof.json along with it is found out in two ways: by the SHA-256 of proof.json, the bundle's seal,
where it was noted down when the bundle was made, and by the journal, which makes both files again:

    croupier export JOURNAL --table {table} --bundle {number} --out AGAIN

They are the same, byte by byte, unless somebody has since done something to this round or, if it was the
last one, moved credits. Where they differ, what the journal says counts.

The records between the first and the last are here whole, because a chain has no gaps. They may concern
other seats and hold the numbers of vouchers: give the bundle only to people who may see the journal.
"""


def describe_round(facts: Facts) -> str:
    """A round from the first act to the last, with what each seat had and got."""
    parts = (
        _heading(facts),
        _seats(facts),
        _acts("What moved credits between the round before and this one", facts["between"]),
        _acts("What happened", facts["acts"]),
        _acts("What else moved credits after it, up to the next round", facts["after"]),
    )
    return group_amounts("\n\n".join("\n".join(part) for part in parts)) + "\n"


def _heading(facts: Facts) -> Iterator[str]:
    layouts = ("layout " if len(facts["layouts"]) == 1 else "layouts ") + " and ".join(facts["layouts"])
    yield f"Round {facts['round']} of table {facts['table']} ({facts['book']}, {layouts})"
    yield ""
    yield f"opened     {facts['opened']}"
    yield f"closed     {facts['closed'] or 'not'}"
    yield f"ended      {facts['ended'] or 'not yet'}"
    cause = f" ({facts['cause']})" if facts["cause"] else ""
    yield f"state      {facts['state']}{cause}"
    yield f"result     {facts['result'] or 'none'}"
    yield f"clause     {facts['clause'] or 'none'}"
    yield f"staked     {facts['staked']}"
    yield f"returned   {facts['returned']}"
    yield f"corrected  {facts['corrections']} times"


def _seats(facts: Facts) -> Iterator[str]:
    yield "Seats"
    if not facts["seats"]:
        yield "  none took part"
    for seat in facts["seats"]:
        with_layout = f", layout {seat['layout']}" if seat["layout"] else ""
        credits = f"credits {seat['credits_before']} before, {seat['credits_after']} after"
        yield f"  seat {seat['seat']}{with_layout}: {credits}"
        for corrected in seat["corrected"]:
            yield f"    corrected {corrected['time']}: credits {corrected['credits_after']} then"
        for bet in seat["bets"]:
            end = "won" if bet["won"] else "lost" if bet["counted"] != "0.00" else "went back"
            counted = "" if bet["counted"] in (bet["stake"], "0.00") else f" (counted {bet['counted']})"
            yield f"    {bet['bet']}: {bet['stake']}{counted} {end}, {bet['returned']} returned"


def _acts(title: str, acts: Sequence[Facts]) -> Iterator[str]:
    yield title
    if not acts:
        yield "  nothing"
    for act in acts:
        who = f"{act['actor']} ({act['position']})" + (f" with {act['second']}" if act["second"] else "")
        yield f"  {act['time']}  record {act['sequence']}, {who}"
        clause = f" [{act['clause']}]" if act["clause"] else ""
        yield f"    {act['what']}{clause}"
        for posting in act["postings"]:
            yield f"    {posting['amount']} from {posting['source']} to {posting['destination']}"
        if act["credits_after"] is not None:
            yield f"    credits {act['credits_after']} behind it"
