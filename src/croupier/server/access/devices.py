"""Devices at the door: codes for them, their tokens, and their end."""

from typing import NamedTuple

from croupier.floor.office import devices as office_devices
from croupier.floor.office import records as r
from croupier.floor.office.office import Who
from croupier.floor.office.state import Device
from croupier.journal import StoreError
from croupier.rulebook import BadInput
from croupier.server.access.hashing import Hasher, TooManyWaiting
from croupier.server.access.policy import AccessPolicy
from croupier.server.access.refusals import Refusal, refusal, refusal_of
from croupier.server.access.tokens import Token, holder_of, is_same, new_code, new_id, new_token, read_code
from croupier.server.access.writing import LOG, OfficeThread
from croupier.server.threads import Stopping
from croupier.table import Actor
from croupier.table.actors import holds

_AT_THE_DEVICE = "device"
"""Who is behind an enrolment: whoever typed the code; the record of the code names its supervisor."""


class Issued(NamedTuple):
    """A code to be typed at a device; it is shown once."""

    code: Token
    kind: str
    table: str | None
    seat: str | None
    expires_ms: int


class Enrolled(NamedTuple):
    """A device of ours with its token, and the ids of the devices whose place it takes."""

    device: Device
    token: Token
    replaced: tuple[str, ...]


class Devices:
    """Lets devices in."""

    def __init__(self, office: OfficeThread, hasher: Hasher, policy: AccessPolicy) -> None:
        self._office = office
        self._hasher = hasher
        self._policy = policy

    async def issue_code(
        self, by: Actor, kind: str, table: str | None, seat: str | None, address: str
    ) -> Issued | Refusal:
        """A code that enrols one device, from a pit supervisor or somebody higher."""
        if not holds(by, "pit-supervisor"):
            return refusal("not-allowed")
        try:
            office_devices.check_place(kind, table, seat)
            if table is not None and not await self._office.has_table(table):
                return refusal("unknown-table")
            code = new_code()
            digest = await self._hasher.digest_of_code(read_code(code) or "")
            minutes = self._policy.code_minutes
            decision = office_devices.issue_code(new_id("code"), digest, kind, table, seat, minutes)
            (issued,) = await self._office.write(Who(by.id, by.position, address), decision)
        except BadInput as error:
            return refusal_of(error)
        except TooManyWaiting:
            return refusal("busy")
        except Stopping:
            return refusal("closing")
        except StoreError as error:
            LOG.error("a code was not recorded: %s", error)
            return refusal("not-recorded")
        assert isinstance(issued, r.CodeIssued)
        return Issued(Token(code), kind, table, seat, issued.expires_ms)

    async def enrol(self, code: str, address: str) -> Enrolled | Refusal:
        """Turns a code into a device with a token; whatever had its place is revoked."""
        try:
            await self._office.catch_up()
            if self._policy.lock_out.holds_back(self._office.state, address, self._office.now_ms()):
                self._office.hold_back(address)
                return refusal("too-many-attempts")
            written = read_code(code)
            # A text that cannot be a code is a failed attempt like any other.
            digest = "" if written is None else await self._hasher.digest_of_code(written)
            kind = self._kind_of(digest)
            device = new_id(kind)
            token, sha256 = new_token(device)
            decision = office_devices.enrol(digest, device, sha256)
            events = await self._office.write(Who(_AT_THE_DEVICE, "", address), decision)
        except TooManyWaiting:
            self._office.hold_back(address)
            return refusal("busy")
        except Stopping:
            return refusal("closing")
        except StoreError as error:
            LOG.error("an enrolment was not recorded: %s", error)
            return refusal("not-recorded")
        if not isinstance(events[-1], r.DeviceEnrolled):
            return refusal("code-unknown")
        replaced = tuple(event.device for event in events if isinstance(event, r.DeviceRevoked))
        return Enrolled(self._office.state.devices[device], token, replaced)

    def _kind_of(self, digest: str) -> str:
        state = self._office.state
        code = state.codes.get(state.digests.get(digest, ""))
        return _AT_THE_DEVICE if code is None else code.kind

    def find(self, token: str) -> Device | None:
        """The device that holds a token; None where it is not, or not any more, ours."""
        state, device = self._office.state, holder_of(token)
        kept = state.tokens.get(device)
        return state.devices[device] if kept is not None and is_same(kept, token) else None

    async def revoke(self, by: Actor, device: str, reason: str, address: str) -> Refusal | None:
        """A device is not let in any more."""
        if not holds(by, "pit-supervisor"):
            return refusal("not-allowed")
        try:
            decision = office_devices.revoke(device, reason)
        except BadInput as error:
            return refusal_of(error)
        return await self._office.try_to(Who(by.id, by.position, address), decision)
