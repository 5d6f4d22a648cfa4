"""Lock-outs, compared with a bookkeeping that remembers everything and counts anew each time."""

from dataclasses import dataclass, field

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.office import records as r
from croupier.floor.office.lockout import MINUTE_MS, LockOutPolicy
from croupier.floor.office.staff import add, unlock
from croupier.floor.office.state import FAILURES_KEPT, OfficeState, fold
from croupier.rulebook import BadInput
from croupier.server.access import AccessPolicy
from croupier.server.access.proving import SIGN_IN, Attempt, judge

NAMES = ("tan", "siti", "nobody")
HASH = "the hash"

steps = st.lists(
    st.one_of(
        st.tuples(st.just("right"), st.sampled_from(NAMES)),
        st.tuples(st.just("wrong"), st.sampled_from(NAMES)),
        st.tuples(st.just("wrong"), st.sampled_from(NAMES)),
        st.tuples(st.just("wait"), st.integers(0, 8 * MINUTE_MS)),
        st.tuples(st.just("unlock"), st.sampled_from(NAMES)),
    ),
    max_size=60,
)
policies = st.builds(
    LockOutPolicy,
    failures=st.integers(1, 4),
    window_minutes=st.integers(1, 20),
    locked_minutes=st.integers(1, 20),
)


@dataclass
class Model:
    """What a name has behind it: every try, in order, with what came of it."""

    policy: LockOutPolicy
    tries: list[tuple[int, str]] = field(default_factory=list)

    def locked(self, now_ms: int) -> bool:
        ends = [time for time, outcome in self.tries if outcome == "unlock"]
        return any(
            outcome == "lock"
            and time <= now_ms < time + self.policy.locked_minutes * MINUTE_MS
            and not any(end >= time for end in ends[self._ends_before(place) :])
            for place, (time, outcome) in enumerate(self.tries)
        )

    def _ends_before(self, place: int) -> int:
        return sum(outcome == "unlock" for _, outcome in self.tries[:place])

    def attempt(self, now_ms: int, *, gets_in: bool) -> str:
        if self.locked(now_ms):
            return "locked-out"
        if gets_in:
            self.tries.append((now_ms, "in"))
            return "in"
        self.tries.append((now_ms, "fail"))
        behind = 0
        for time, outcome in reversed(self.tries):
            if outcome != "fail":
                break
            behind += now_ms - self.policy.window_minutes * MINUTE_MS < time
        if behind >= self.policy.failures:
            self.tries.append((now_ms, "lock"))
        return "sign-in-failed"


class Door:
    """The decisions of the door, on a state that is folded and never stored."""

    def __init__(self, policy: LockOutPolicy) -> None:
        self.policy = AccessPolicy(lock_out=policy)
        self.office = OfficeState()
        self.history: list[tuple[int, r.OfficeEntry]] = []
        for name in NAMES[:2]:
            self.write(0, add(name, "dealer", [], HASH, is_one_time=False)(self.office, 0))

    def write(self, now_ms: int, events: object) -> None:
        assert isinstance(events, list | tuple)
        for event in events:
            entry = r.OfficeEntry(actor="x", position="", address="10.0.0.1", event=event)
            fold(self.office, entry, now_ms)
            self.history.append((now_ms, entry))

    def attempt(self, now_ms: int, name: str, *, is_right: bool) -> str:
        attempt = Attempt(name=name, purpose=SIGN_IN, compared_with=HASH, matches=is_right)
        decide = judge(attempt, self.policy, lambda person: [r.SignedIn(name=person.name, session="s")])
        self.write(now_ms, decide(self.office, now_ms))
        return "in" if attempt.refusal is None else attempt.refusal.code

    def replayed(self) -> OfficeState:
        office = OfficeState()
        for now_ms, entry in self.history:
            fold(office, entry, now_ms)
        return office


@given(policies, steps)
def test_a_name_is_locked_out_exactly_when_the_policy_says(
    policy: LockOutPolicy, steps: list[tuple[str, object]]
) -> None:
    door, models, now_ms = Door(policy), {name: Model(policy) for name in NAMES}, 1_000
    for what, value in steps:
        if what == "wait":
            assert isinstance(value, int)
            now_ms += value
            continue
        name = str(value)
        model = models[name]
        if what == "unlock":
            if model.locked(now_ms):
                door.write(now_ms, unlock(name, "asked")(door.office, now_ms))
                model.tries.append((now_ms, "unlock"))
            else:
                with pytest.raises(BadInput, match="is not locked out"):
                    unlock(name, "asked")(door.office, now_ms)
            continue
        is_right = what == "right"
        expected = model.attempt(now_ms, gets_in=is_right and name != "nobody")
        assert door.attempt(now_ms, name, is_right=is_right) == expected
        assert (door.office.locked_until(name, now_ms) is not None) == model.locked(now_ms)
    assert msgspec.structs.asdict(door.replayed()) == msgspec.structs.asdict(door.office)


@given(st.integers(1, 5), st.lists(st.integers(0, 3 * MINUTE_MS), max_size=30))
def test_an_address_is_held_back_while_its_recent_failures_are_too_many(most: int, gaps: list[int]) -> None:
    policy = LockOutPolicy(failures=1_000, window_minutes=5, address_failures=most)
    door, now_ms, times = Door(policy), 0, []
    for gap in gaps:
        now_ms += gap
        recent = [time for time in times if time > now_ms - 5 * MINUTE_MS]
        assert policy.holds_back(door.office, "10.0.0.1", now_ms) == (len(recent) >= most)
        assert not policy.holds_back(door.office, "10.0.0.2", now_ms)
        door.attempt(now_ms, "tan", is_right=False)
        times.append(now_ms)


def test_old_failures_are_forgotten_however_many_names_are_tried() -> None:
    door = Door(LockOutPolicy())
    day_ms = 24 * 60 * MINUTE_MS
    for number in range(1_500):
        door.attempt(number, f"guess{number}", is_right=False)
    door.attempt(2 * day_ms, "late", is_right=False)
    assert list(door.office.failures) == ["late"]


def test_no_more_failures_are_kept_than_a_policy_can_count() -> None:
    door = Door(LockOutPolicy(failures=FAILURES_KEPT + 5))
    for number in range(FAILURES_KEPT + 5):
        door.attempt(number, "tan", is_right=False)
    assert door.office.failures["tan"] == tuple(range(5, FAILURES_KEPT + 5))
