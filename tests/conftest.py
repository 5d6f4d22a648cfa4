"""What holds for every test: the clauses that it cites are listed in a book."""

import functools
import gc
import logging
import sys
from types import SimpleNamespace

import pytest
from hypothesis import settings

from croupier.rulebook import load_book, shipped_books


@functools.cache
def listed_clauses() -> frozenset[str]:
    return frozenset(clause for book_id in shipped_books() for clause in load_book(book_id).clauses)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fails a test that says it shows a clause that no book has: the matrix of clauses would be wrong.

    The check stands before each test and not behind the collection, because an error there does not
    reach the person who runs the tests on several processes.
    """
    cited = [clause for marker in item.iter_markers("clause") for clause in marker.args]
    unknown = [clause for clause in cited if clause not in listed_clauses()]
    logging.disable(logging.NOTSET)  # whatever a test before this one has switched off
    if unknown:
        pytest.fail(f"{item.nodeid} cites {', '.join(map(repr, unknown))}: no shipped book lists that", False)


def pytest_collection_finish() -> None:
    """Has the garbage collector leave alone what was loaded: the tests, and all that they import.

    Thousands of tests start a server or end an event loop, and each has its garbage collected there. With
    everything that was loaded to look through every time, that took more work than most of the tests.
    """
    gc.collect()
    gc.freeze()
    if (serving := sys.modules.get("croupier.server.serving")) is not None:
        # A server would do the same with its own process, and undo it when it ends; here the process is not
        # its own. Servers in processes of theirs, such as those of the command line's tests, still do it.
        only_thresholds = {name: getattr(gc, name) for name in ("get_threshold", "set_threshold")}
        calls = dict.fromkeys(("collect", "freeze", "unfreeze"), lambda: 0)
        vars(serving)["gc"] = SimpleNamespace(**calls, **only_thresholds)


# Properties are judged by what they find and never by how long it takes: machines differ.
settings.register_profile("croupier", deadline=None, derandomize=True)
settings.load_profile("croupier")
