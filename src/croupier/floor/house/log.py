"""The house's own stream: what happens to the server and the machine, in the journal beside the tables.

Its records are chained like all others. The server writes them, and so does whoever makes a backup.
"""

from typing import Final, get_args

import msgspec

from croupier.floor.clock import Clock
from croupier.floor.codec import UnknownRecord, UnreadableRecord, kind_of
from croupier.floor.significant.full_stop import stopped
from croupier.journal import Draft, Fenced, Record, Store, StoreError, link
from croupier.table import SYSTEM

HOUSE_STREAM: Final = "house"
"""The name of the stream, beside the cage's, the office's and those of the tables."""

_TRIES: Final = 20
"""How often a record is tried again behind those of other writers."""


class ServerStarted(msgspec.Struct, frozen=True, kw_only=True, tag="server-started"):
    """The server runs and takes commands."""

    version: str
    tables: tuple[str, ...]
    server: str = ""
    """Which one, where the floor has several."""


class ServerStopped(msgspec.Struct, frozen=True, kw_only=True, tag="server-stopped"):
    """The server was stopped in good order; a start without this before it was not."""

    reason: str
    server: str = ""
    """Which one, where the floor has several."""


class ClockStepped(msgspec.Struct, frozen=True, kw_only=True, tag="clock-stepped"):
    """The machine's clock jumped: forward where positive, back where negative."""

    by_ms: int


class DiskLow(msgspec.Struct, frozen=True, kw_only=True, tag="disk-low"):
    """There is little room left for the journal."""

    free_bytes: int
    low_bytes: int


class DiskRecovered(msgspec.Struct, frozen=True, kw_only=True, tag="disk-recovered"):
    """There is room for the journal again."""

    free_bytes: int


class SoftwareChecked(msgspec.Struct, frozen=True, kw_only=True, tag="software-checked"):
    """The installed software was compared with what was recorded of it."""

    occasion: str
    """`start`, `demand` or `daily`."""
    digest: str
    ok: bool
    faults: tuple[str, ...] = ()


class CheckFailed(msgspec.Struct, frozen=True, kw_only=True, tag="check-failed"):
    """What has to be right about the machine is not, or cannot be looked at."""

    check: str
    """`clock`, `disk` or `journal`."""
    reason: str


class CheckPassed(msgspec.Struct, frozen=True, kw_only=True, tag="check-passed"):
    """What was not right about the machine is right again."""

    check: str


class DeviceLost(msgspec.Struct, frozen=True, kw_only=True, tag="device-lost"):
    """A device stopped answering."""

    device: str
    table: str | None = None
    seat: str | None = None


class DeviceFound(msgspec.Struct, frozen=True, kw_only=True, tag="device-found"):
    """A device that was lost answers again."""

    device: str
    table: str | None = None
    seat: str | None = None


class BackupMade(msgspec.Struct, frozen=True, kw_only=True, tag="backup-made"):
    """A copy of the journal was made and checked."""

    name: str
    """The name of the file, without the folder that it is in."""
    heads: dict[str, int]
    """How far each stream of the journal is in it."""


class WheelSuspected(msgspec.Struct, frozen=True, kw_only=True, tag="wheel-suspected"):
    """The results of a wheel are further from chance than the operator's level allows."""

    wheel: str
    table: str
    round: int
    spins: int
    one_in: int
    """How rare a false alarm of a fair wheel is, in its whole life."""


HouseEvent = (
    ServerStarted
    | ServerStopped
    | ClockStepped
    | DiskLow
    | DiskRecovered
    | SoftwareChecked
    | CheckFailed
    | CheckPassed
    | DeviceLost
    | DeviceFound
    | BackupMade
    | WheelSuspected
)


class HouseEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the house's log."""

    actor: str
    event: HouseEvent


_DECODER: Final = msgspec.json.Decoder(HouseEntry)
_KINDS: Final = frozenset(str(event.__struct_config__.tag) for event in get_args(HouseEvent))


class HouseLog:
    """A pen for the house's stream; any number of them may write at once, in any number of processes."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def note(self, event: HouseEvent, actor: str = SYSTEM) -> Record:
        """Writes down what happened; it is on the disk when this returns."""
        payload = msgspec.json.encode(HouseEntry(actor=actor, event=event))
        for _ in range(_TRIES):
            head = self._store.head(HOUSE_STREAM)
            draft = Draft(
                self._clock.now_ms(), actor, HOUSE_STREAM, head.sequence + 1, 0, kind_of(event), 1, payload
            )
            (record,) = link(HOUSE_STREAM, head, [draft])
            try:
                self._store.append([record], [])
            except Fenced:
                continue  # another writer was faster; behind that record then
            return record
        raise StoreError("The house's log is too busy; try again.")


def house_entry_of(record: Record) -> HouseEntry:
    """What a record of the house holds."""
    if record.version != 1 or record.kind not in _KINDS:
        raise UnknownRecord(f"the house writes no {record.kind} of version {record.version}")
    try:
        entry = _DECODER.decode(record.payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableRecord(f"its payload is not a {record.kind}: {error}") from error
    if kind_of(entry.event) != record.kind:
        raise UnreadableRecord(f"its payload is a {kind_of(entry.event)}, not a {record.kind}")
    return entry


def tell_house(event: HouseEvent) -> str:
    """One sentence about an event of the house.

    >>> tell_house(ClockStepped(by_ms=-1500))
    "The machine's clock jumped back by 1.5 seconds."
    """
    match event:
        case ServerStarted(version=version, tables=tables, server=server):
            return f"{_server(server)} starts (croupier {version}) with {_listed(tables)}."
        case ServerStopped(reason=reason, server=server):
            return stopped(f"{_server(server)} stops: {reason}")
        case ClockStepped(by_ms=by_ms):
            way = "forward" if by_ms > 0 else "back"
            return f"The machine's clock jumped {way} by {abs(by_ms) / 1000:.1f} seconds."
        case DiskLow(free_bytes=free, low_bytes=low):
            return f"The disk of the journal has {_megabytes(free)} left, less than {_megabytes(low)}."
        case DiskRecovered(free_bytes=free):
            return f"The disk of the journal has {_megabytes(free)} again."
        case SoftwareChecked(occasion=occasion, digest=digest, ok=ok, faults=faults):
            verdict = "is as recorded" if ok else f"is NOT as recorded: {' '.join(faults)}"
            return f"The software was checked ({occasion}) and {verdict} (SHA-256 {digest})."
        case CheckFailed(check=check, reason=reason):
            return stopped(f"The check of the {check} fails: {reason}")
        case CheckPassed(check=check):
            return f"The check of the {check} does not fail any more."
        case DeviceLost(device=device):
            return f"Device {device} does not answer."
        case DeviceFound(device=device):
            return f"Device {device} answers again."
        case BackupMade(name=name, heads=heads):
            return f"A backup was made: {name}, with {sum(heads.values())} records of {_listed(heads)}."
        case WheelSuspected(wheel=wheel, table=table, spins=spins, one_in=one_in):
            odds = f"one fair wheel in {one_in:,} gets there"
            return f"Wheel {wheel} at {table} is not like chance after {spins:,} spins: {odds}."


def _server(name: str) -> str:
    return f"Server {name}" if name else "The server"


def _listed(names: tuple[str, ...] | dict[str, int]) -> str:
    return ", ".join(names) or "no tables"


def _megabytes(size: int) -> str:
    return f"{size // 1_000_000} MB"
