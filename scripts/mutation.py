"""Mutation testing: is every small change of the pure core, or of the floor's accounts, noticed by a test?

Run it with `make mutation` or `python scripts/mutation.py --sample 300`. It draws mutants (see `mutants.py`),
the same ones for the same seed, and runs each in a process of its own (see `mutants_in_place.py`) against
the tests that call the changed function, quick ones first; a mutant outside of any function, or in what is
read once and kept, has to face all tests, loaded anew. A mutant is killed when a test fails or the tests do
not end in time, and survives when all of them pass. Survivors are listed with place and change; the last
line is the score.
`--part floor` takes reports, cage, audit, exports and what is served live in place of the core,
`--only table/settling table/ledger` some modules alone, and `--longest 4` leaves slower tests out.
"""

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import json
import multiprocessing
import multiprocessing.connection
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from math import inf
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, Final, NamedTuple, TextIO

import hypothesis
import hypothesis.stateful
import pytest
from mutants import Mutant, compile_mutant, find_mutants
from mutants_in_place import Change, Copies, changed_code, put_in, run_items

ROOT: Final = Path(__file__).resolve().parent.parent


class Part(NamedTuple):
    """Folders of modules, and patterns of the tests that mutants of them have to face."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def modules(self, only: Sequence[str] = ()) -> list[Path]:
        """Its modules, or those whose paths hold any of some texts."""
        found = sorted(path for source in self.sources for path in (ROOT / source).glob("*.py"))
        return [path for path in found if not only or any(text in str(path) for text in only)]

    def test_paths(self) -> list[str]:
        """The files and folders of its tests."""
        found = [path for pattern in self.tests for path in sorted(ROOT.glob(pattern))]
        return [str(path.relative_to(ROOT)) for path in found]


PARTS: Final = {
    "core": Part(
        ("src/croupier/rulebook", "src/croupier/table"), ("tests/rulebook", "tests/table", "tests/golden")
    ),
    "floor": Part(
        tuple(f"src/croupier/floor/{name}" for name in ("reports", "cage", "audit", "exports", "live")),
        (
            *(f"tests/floor/test_{name}*.py" for name in ("reports", "cage", "vouchers", "voucher_days")),
            *(f"tests/floor/test_{name}*.py" for name in ("export", "projections", "live", "money_watched")),
            *(f"tests/floor/test_verify{name}.py" for name in ("", "_[acfnrsvw]*")),
            *(f"tests/server/test_http_{name}*.py" for name in ("recall", "reports", "cage")),
            *(f"tests/standards/test_{name}.py" for name in ("at_hand", "reconciling", "voucher_secrets")),
        ),
    ),
}
READ_ONCE: Final = ("src/croupier/rulebook", "src/croupier/table/rules.py")
"""Books and rules are kept once read, so that the test that reads them says nothing about who uses them."""
ANSWER: Final = "answer.json"
NOT_PUT_IN: Final = 70
"""The status of a copy of the process in which there was no such function to change."""
LEAST_SECONDS: Final = 30
"""Added to three times what the tests took on the unchanged code, before a mutant counts as endless."""

Calls = dict[str, tuple[float, list[str]]]
"""For each test the seconds it took and the functions it called, as `path::name`."""


class Outcome(NamedTuple):
    """What became of a mutant."""

    mutant: Mutant
    fate: str
    """`killed`, `endless` or `survived`."""


class Recorder:
    """A pytest plugin that notes which functions of the sources each test calls."""

    def __init__(self) -> None:
        self.calls: Calls = {}
        self.called: set[CodeType] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Records one test."""
        self.called = set()
        start = time.perf_counter()
        threading.settrace(self._note)
        sys.settrace(self._note)
        try:
            result = yield
        finally:
            sys.settrace(None)
            threading.settrace(None)
        seconds, called = time.perf_counter() - start, self.called.copy()  # other threads may still run
        self.calls[item.nodeid] = seconds, sorted({name for code in called if (name := _name(code))})
        return result

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        self.called.add(frame.f_code)  # of lines nothing is asked for, so that nothing else is told


class Workshop:
    """A pytest plugin that records all tests once, and then runs mutants in copies of the process."""

    def __init__(self, drawn: Sequence[Mutant], jobs: int, longest: float, scratch: Path) -> None:
        self.drawn, self.jobs, self.longest, self.scratch = drawn, jobs, longest, scratch
        self.recorder = Recorder()
        self.told = os.fdopen(os.dup(2), "w")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Writes down which tests call what, and what became of the mutants that can be put in place."""
        calls = self._record(session)
        if calls is None:
            os._exit(1)
        calls = {test: noted for test, noted in calls.items() if noted[0] <= self.longest}
        fates = dict[int, str]()
        items = {item.nodeid: item for item in session.items}
        waiting = [*enumerate(self.drawn)]
        copies = Copies(self.jobs)
        while waiting or len(copies):
            while waiting and not copies.is_full:
                place, mutant = waiting.pop(0)
                if str(mutant.path.relative_to(ROOT)).startswith(READ_ONCE):
                    continue
                if (change := changed_code(mutant, ROOT / "src")) is None:
                    continue
                chosen = choose_tests(mutant, calls)
                if copies.start(place, LEAST_SECONDS + 3 * sum(calls[test][0] for test in chosen)):
                    self._face(change, [items[test] for test in chosen])
            for place, status in copies.ended():
                if status != NOT_PUT_IN:
                    fates[place] = "endless" if status is None else _fate(status, self.scratch)
                    tell(len(fates), len(self.drawn), fates.values(), self.told)
            time.sleep(0.02)
        answer = {"calls": calls, "fates": fates}
        (self.scratch / ANSWER).write_text(json.dumps(answer), encoding="utf-8")
        os._exit(0)

    def _record(self, session: pytest.Session) -> Calls | None:
        """Runs all tests in a copy; None where one of them does not pass."""
        answer = self.scratch / "calls.json"
        copy = os.fork()
        if not copy:
            session.config.pluginmanager.register(self.recorder)
            passed = run_items(session.items)
            answer.write_text(json.dumps(self.recorder.calls), encoding="utf-8")
            os._exit(not passed)
        _, status = os.waitpid(copy, 0)
        return None if status else json.loads(answer.read_text(encoding="utf-8"))

    def _face(self, change: Change, items: Sequence[pytest.Item]) -> None:
        """What a copy does with one mutant."""
        try:
            os._exit(not run_items(items) if put_in(change) else NOT_PUT_IN)
        finally:
            os._exit(1)  # whatever else ended the tests


class Chooser:
    """A pytest plugin that runs the chosen tests only, in their order."""

    def __init__(self, chosen: Sequence[str]) -> None:
        self.places = {test: place for place, test in enumerate(chosen)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drops and orders what was collected."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.places), key=lambda item: self.places[item.nodeid]
        )


class MutantFinder(importlib.abc.MetaPathFinder):
    """Gives out the mutant in place of the module it was made from."""

    def __init__(self, mutant: Mutant) -> None:
        parts = mutant.path.relative_to(ROOT / "src").with_suffix("").parts
        self.mutant, self.module = mutant, ".".join(parts)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The mutant's place, for its own module alone."""
        if fullname != self.module:
            return None
        loader = MutantLoader(fullname, str(self.mutant.path))
        loader.mutant = self.mutant
        return importlib.util.spec_from_file_location(fullname, self.mutant.path, loader=loader)


class MutantLoader(importlib.machinery.SourceFileLoader):
    """Loads a module with one change in it."""

    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:
        """The changed code; what is cached on disk is neither read nor written."""
        return compile_mutant(self.mutant.path, self.mutant.ordinal)


def _name(code: CodeType) -> str | None:
    path = Path(code.co_filename)
    if not path.is_relative_to(ROOT / "src"):
        return None
    return f"{path.relative_to(ROOT)}::{code.co_qualname}"


def _run_tests(paths: Sequence[str], plugin: object, log: Path) -> int:
    """Runs tests in this process, which does nothing else afterwards."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    # A failure is all that is asked for: no smaller example, and no example kept for later.
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile("mutation", database=None, phases=phases, derandomize=True)
    hypothesis.settings.load_profile("mutation")
    quiet = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
    options = ("-x", "-p", "no:cacheprovider", "-p", "no:xdist", *quiet)
    return int(pytest.main([*options, *paths], plugins=[plugin]))


def _try(mutant: Mutant, chosen: Sequence[str], log: Path) -> None:
    sys.meta_path.insert(0, MutantFinder(mutant))
    files = [*dict.fromkeys(test.partition("::")[0] for test in chosen)]
    os._exit(_run_tests(files, Chooser(chosen), log))


def run_in_place(part: Part, workshop: Workshop) -> tuple[Calls, dict[int, str]]:
    """Runs all tests on the unchanged code, and what can be put in place of it.

    The tests have to pass, or no mutant says anything.
    """
    log = workshop.scratch / "baseline.log"
    arguments = part.test_paths(), workshop, log
    process = multiprocessing.get_context("fork").Process(target=_run_tests, args=arguments)
    process.start()
    process.join()
    if process.exitcode != 0:
        raise SystemExit(f"The tests do not pass on the unchanged code:\n{log.read_text(encoding='utf-8')}")
    answer = json.loads((workshop.scratch / ANSWER).read_text(encoding="utf-8"))
    return answer["calls"], {int(place): fate for place, fate in answer["fates"].items()}


def choose_tests(mutant: Mutant, calls: Calls) -> list[str]:
    """The tests that a mutant has to face: those that call its function, the quickest first."""
    path = str(mutant.path.relative_to(ROOT))
    name = f"{path}::{mutant.function}"
    by_time = sorted(calls, key=lambda test: calls[test][0])
    calling = [test for test in by_time if name in calls[test][1]]
    if mutant.function is None or path.startswith(READ_ONCE) or not calling:
        near = [test for test in by_time if any(call.startswith(path) for call in calls[test][1])]
        return [*dict.fromkeys([*calling, *near, *by_time])]
    return calling


def face_tests(mutants: Sequence[Mutant], calls: Calls, jobs: int, scratch: Path) -> Iterator[Outcome]:
    """Runs every mutant, a few at a time, and tells what became of each."""
    waiting, running = [*mutants], list[tuple[Mutant, Any, float]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop(0)
            chosen = choose_tests(mutant, calls)
            log = scratch / f"{mutant.path.stem}-{mutant.ordinal}.log"
            process = multiprocessing.get_context("fork").Process(target=_try, args=(mutant, chosen, log))
            process.start()
            patience = LEAST_SECONDS + 3 * sum(calls[test][0] for test in chosen)
            running.append((mutant, process, time.monotonic() + patience))
        multiprocessing.connection.wait([process.sentinel for _, process, _ in running], timeout=0.5)
        for entry in [*running]:
            mutant, process, deadline = entry
            if process.exitcode is None and time.monotonic() > deadline:
                process.kill()
                process.join()
                running.remove(entry)
                yield Outcome(mutant, "endless")
            elif process.exitcode is not None:
                running.remove(entry)
                yield Outcome(mutant, _fate(process.exitcode, scratch))


def _fate(status: int, scratch: Path) -> str:
    if status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"pytest ran no tests for a mutant (status {status}); see {scratch}")
    return "survived" if status == pytest.ExitCode.OK else "killed"


def tell(done: int, drawn: int, fates: Iterable[str], to: TextIO) -> None:
    """How far it has come."""
    counts = Counter(fates)
    line = f"{done} of {drawn}: {counts['survived']} survived, {counts['endless']} endless"
    print(f"\r{line}", end="", file=to, flush=True)


def report(part: Part, outcomes: Sequence[Outcome]) -> None:
    """Prints the survivors, and how many of how many were killed."""
    for outcome in sorted(outcomes):
        if outcome.fate == "survived":
            mutant = outcome.mutant
            print(f"{mutant.path.relative_to(ROOT)}:{mutant.line}")
            print(f"    - {mutant.before[:140]}\n    + {mutant.after[:140]}")
    for source in (*part.sources, ""):
        fates = Counter(o.fate for o in outcomes if str(o.mutant.path.relative_to(ROOT)).startswith(source))
        total = fates.total()
        noticed = total - fates["survived"]
        share = f"{100 * noticed / total:.1f} %" if total else "nothing drawn"
        killed = f"{noticed} killed, {fates['endless']} of them endless, {fates['survived']} survived"
        print(f"{source or 'together':<26} {total:>5} mutants: {killed}: {share}")


def main() -> int:
    """Draws mutants, runs them, and prints what became of them."""
    parser = argparse.ArgumentParser(description="Mutation testing of croupier's core and its accounts.")
    parser.add_argument("--part", choices=PARTS, default="core", help="what is changed")
    parser.add_argument("--sample", type=int, default=300, help="how many mutants to draw; 0 takes all")
    parser.add_argument(
        "--seed", type=int, default=1, help="which ones: the same seed draws the same mutants"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument(
        "--only", nargs="+", default=(), help="texts in paths: draws from these modules alone"
    )
    parser.add_argument("--longest", type=float, default=inf, help="leaves out tests of more seconds")
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT / "src"))  # what stands beside this file, wherever the package is installed
    part = PARTS[options.part]
    mutants = [mutant for path in part.modules(options.only) for mutant in find_mutants(path)]
    if not mutants:
        parser.error(f"no module of {options.part} has any of {', '.join(options.only)} in its path")
    drawn = random.Random(options.seed).sample(mutants, min(options.sample or len(mutants), len(mutants)))
    print(f"{len(mutants)} mutants in all, {len(drawn)} drawn with seed {options.seed}")
    with tempfile.TemporaryDirectory(prefix="mutation-") as scratch:
        workshop = Workshop(drawn, options.jobs, options.longest, Path(scratch))
        calls, fates = run_in_place(part, workshop)
        outcomes = [Outcome(drawn[place], fate) for place, fate in fates.items()]
        anew = [mutant for place, mutant in enumerate(drawn) if place not in fates]
        for outcome in face_tests(anew, calls, options.jobs, Path(scratch)):
            outcomes.append(outcome)
            tell(len(outcomes), len(drawn), [o.fate for o in outcomes], sys.stderr)
        print(file=sys.stderr)
    report(part, outcomes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
