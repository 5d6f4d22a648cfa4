"""As many connections as there are files for, with some left for the journal."""

import pytest

from croupier.server.open_files import room_for

resource = pytest.importorskip("resource")


@pytest.mark.parametrize(
    ("soft", "hard", "room", "asked"),
    [
        (65_536, 65_536, 5_000, None),
        (1_024, 1_048_576, 5_000, 5_128),
        (1_024, resource.RLIM_INFINITY, 5_000, 5_128),
        (1_024, 4_096, 3_968, 4_096),
        (120, 120, 60, 120),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 5_000, None),
    ],
)
def test_there_is_room_for_as_many_as_there_are_files(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, room: int, asked: int | None
) -> None:
    asked_for: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda what: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: asked_for.append(limits))
    assert room_for(5_000) == room
    assert asked_for == ([] if asked is None else [(asked, hard)])


def test_a_system_that_gives_no_more_files_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    def no(what: int, limits: tuple[int, int]) -> None:
        raise ValueError("no")

    monkeypatch.setattr(resource, "getrlimit", lambda what: (1_024, 1_048_576))
    monkeypatch.setattr(resource, "setrlimit", no)
    assert room_for(5_000) == 896
