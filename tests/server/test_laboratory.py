"""The process that computes beside the server: answers, refusals, faults, and an end to what takes long."""

import functools
import operator
import os
import time
from collections.abc import Iterator

import pytest

from croupier.rulebook import BadInput, load_book
from croupier.server.laboratory.process import Computing, TooLong, Warming

LONG = 60.0
"""Seconds that nothing here takes; nobody waits for them unless something is wrong."""


@pytest.fixture
def computing() -> Iterator[Computing]:
    made = Computing(warm_up=time.time)
    yield made
    made.close()


def test_it_answers_in_a_process_of_its_own(computing: Computing) -> None:
    assert computing.compute(LONG, LONG, operator.add, 2, 3) == 5
    there = computing.compute(LONG, LONG, os.getpid)
    assert there == computing.compute(LONG, LONG, os.getpid) != os.getpid()


def test_bad_input_comes_back_as_it_was(computing: Computing) -> None:
    with pytest.raises(BadInput) as here:
        load_book("nothing")
    with pytest.raises(BadInput) as there:
        computing.compute(LONG, LONG, load_book, "nothing")
    assert (there.value.code, str(there.value)) == (here.value.code, str(here.value))


def test_a_fault_is_told_and_the_process_goes_on(computing: Computing) -> None:
    process = computing.compute(LONG, LONG, os.getpid)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        computing.compute(LONG, LONG, operator.truediv, 1, 0)
    assert computing.compute(LONG, LONG, os.getpid) == process


def test_what_takes_too_long_is_ended_and_the_next_question_is_answered(computing: Computing) -> None:
    process = computing.compute(LONG, LONG, os.getpid)
    with pytest.raises(TooLong):
        computing.compute(LONG, 0.01, time.sleep, LONG)
    assert computing.compute(LONG, LONG, os.getpid) != process


def test_a_process_that_dies_is_started_anew(computing: Computing) -> None:
    with pytest.raises(RuntimeError, match="ended by itself"):
        computing.compute(LONG, LONG, os._exit, 1)
    assert computing.compute(LONG, LONG, operator.add, 2, 3) == 5


def test_a_question_does_not_wait_for_ever_until_it_is_ready() -> None:
    computing = Computing(warm_up=functools.partial(time.sleep, LONG))
    for _ in range(2):
        with pytest.raises(Warming):
            computing.compute(0.0, LONG, operator.add, 2, 3)
    computing.close()
    with pytest.raises(RuntimeError, match="closed"):
        computing.compute(LONG, LONG, operator.add, 2, 3)


def test_a_warm_up_that_fails_is_told_every_time() -> None:
    computing = Computing(warm_up=functools.partial(operator.truediv, 1, 0))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            computing.compute(LONG, LONG, operator.add, 2, 3)
    computing.close()
