"""The sentences that the live projection keeps: its format stands for how events are told."""

import hashlib
from itertools import chain

from croupier.floor.house.log import HouseEvent, tell_house
from croupier.floor.live.file import FORMAT
from croupier.floor.office.records import OfficeEntry, OfficeEvent
from croupier.floor.office.rows import tell_office
from croupier.floor.significant.telling import tell
from floor.sim_entries import EVENTS
from languages.test_languages import kinds_of, sample, variants


def test_a_file_with_sentences_of_an_earlier_version_is_built_again() -> None:
    """Where a sentence has changed, FORMAT is raised; where an event is new, the hash alone is another."""
    of_house = chain.from_iterable(variants(sample(kind)) for kind in kinds_of(HouseEvent))
    of_office = chain.from_iterable(variants(sample(kind)) for kind in kinds_of(OfficeEvent))
    sentences = [
        *map(tell, chain.from_iterable(map(variants, EVENTS))),
        *map(tell_house, of_house),
        *(
            tell_office(OfficeEntry(event=event, actor="sue", position="pit-supervisor", address=""))
            for event in of_office
        ),
    ]
    told = hashlib.sha256("\n".join(sentences).encode()).hexdigest()[:16]
    assert (FORMAT, told) == (9, "aca618594639e055")
