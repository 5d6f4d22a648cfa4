"""Who may come in: people with a password, devices with a token, each written down before it counts."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from croupier import __version__
from croupier.floor.clock import Clock
from croupier.floor.office import records as r
from croupier.floor.office import staff as office_staff
from croupier.floor.office.listing import StaffRow, device_rows, staff_rows
from croupier.floor.office.office import Who
from croupier.floor.office.staff import Decision
from croupier.floor.office.state import Device, Person
from croupier.journal import Store, StoreError
from croupier.rulebook import BadInput
from croupier.server.access.devices import Devices, Enrolled, Issued
from croupier.server.access.hashing import Hasher
from croupier.server.access.people import People
from croupier.server.access.policy import AccessPolicy
from croupier.server.access.proving import AUTHORISE, CHANGE_PASSWORD, SIGN_IN
from croupier.server.access.refusals import Refusal, refusal, refusal_of
from croupier.server.access.sessions import REPLACED, SIGNED_OUT, Session, Sessions
from croupier.server.access.tokens import Token, new_id
from croupier.server.access.writing import LOG, OfficeThread, just
from croupier.server.threads import Stopping
from croupier.table import Actor
from croupier.table.actors import holds

_SYSTEM: Final = Who("system")
_TEND_SECONDS: Final = 1
_REFRESH_SECONDS: Final = 0.2
_UNREAD_SECONDS: Final = 5
"""For how long it may stay unknown who was sent away at another server."""


class Admitted(NamedTuple):
    """Somebody who is signed in now, with the token that says so; it is given out once."""

    session: Session
    token: Token


class Access:
    """The door of a server. What is let in or refused is in the journal before anybody is told."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        policy: AccessPolicy,
        on_session_end: Callable[[Session, str], None],
        on_device_end: Callable[[Device, str], None],
    ) -> None:
        """Use `open`."""
        self._clock = clock
        self._policy = policy
        self._on_device_end = on_device_end
        self._office = OfficeThread(store, clock, self._notice)
        self._hasher = Hasher(policy.hash_cost, policy.hashers, policy.hashes_waiting)
        self._sessions = Sessions(policy, on_session_end)
        self._people = People(self._office, self._hasher, policy)
        self._devices = Devices(self._office, self._hasher, policy)
        self._signing_in: dict[str, str] = {}
        """By session, the address of somebody whose password is being compared."""
        self._admitted: dict[str, Admitted] = {}
        self._unclaimed: list[Session] = []
        self._turn = asyncio.Lock()
        self._tending: asyncio.Task[None] | None = None
        self._refreshing: asyncio.Task[None] | None = None
        self._refreshed_at = 0.0
        self._unread_since: float | None = None
        """Since when the office is to be read and has not been."""
        self._was_current = True
        self._is_closing = False

    @classmethod
    async def open(
        cls,
        store: Store,
        clock: Clock,
        policy: AccessPolicy | None = None,
        *,
        on_session_end: Callable[[Session, str], None] = lambda session, why: None,
        on_device_end: Callable[[Device, str], None] = lambda device, why: None,
    ) -> "Access":
        """Reads the office's records and begins to let people in; raises `StoreError` where it cannot.

        The callbacks hear, in the event loop, of sessions and devices that are let in no more, whoever ended
        them in whatever process: what they are connected by is to be cut.
        """
        access = cls(store, clock, policy or AccessPolicy(), on_session_end, on_device_end)
        try:
            await access._office.begin()
            await access._people.begin()
            await access._office.write(_SYSTEM, just(r.AccessOpened(version=__version__)))
        except BaseException:
            await access._let_go()
            raise
        access._tending = asyncio.create_task(access._tend_on())
        return access

    async def close(self) -> None:
        """Ends all sessions and lets nobody in any more."""
        self._is_closing = True
        running = [task for task in (self._tending, self._refreshing) if task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for session in self._sessions.all():
            self._sessions.end(session, "server-stopped")
        try:
            await self._office.write_held_back()
            await self._office.write(_SYSTEM, just(r.AccessClosed()))
        except StoreError as error:
            LOG.error("the end of access was not recorded: %s", error)
        await self._let_go()

    async def sign_in(
        self, name: str, password: str, address: str, new_password: str | None = None
    ) -> Admitted | Refusal:
        """Lets somebody in; a one-time password only together with the new one that replaces it."""
        id_ = new_id("session")
        self._signing_in[id_] = address
        person = None
        try:
            person = await self._people.prove(
                name,
                password,
                address,
                SIGN_IN,
                lambda person: [r.SignedIn(name=person.name, session=id_)],
                new_password,
            )
        finally:
            del self._signing_in[id_]
            admitted = self._admitted.pop(id_, None)
            if admitted is not None and not isinstance(person, Person):
                self._unclaimed.append(admitted.session)  # whoever asked is gone, and nobody has the token
        if isinstance(person, Refusal):
            return person
        if self._is_closing:
            return refusal("closing")
        if admitted is None or self.session(admitted.token.reveal()) is None:
            return refusal("sign-in-failed")  # retired, or sent away, in the very moment of coming in
        for oldest in self._sessions.of(person.name)[: -self._policy.sessions_each]:
            await self._end(oldest, REPLACED)
        return admitted

    @property
    def is_current(self) -> bool:
        """Whether it is known who was sent away: the office was read lately, or can be.

        Where it is not, somebody who may come in no more would go on here, over another server's tables.
        """
        since = self._unread_since
        return since is None or asyncio.get_running_loop().time() - since < _UNREAD_SECONDS

    def session(self, token: str, *, is_use: bool = True) -> Session | None:
        """The session that a token belongs to; it counts as used now, unless a screen asks by itself."""
        return self._sessions.find(token, self._clock.now_ms(), is_use=is_use)

    def sessions(self) -> list[Session]:
        """Everybody who is signed in here."""
        return self._sessions.all()

    async def sign_out(self, token: str) -> Refusal | None:
        """Ends a session; it is over even where that could not be written down."""
        session = self.session(token)
        return None if session is None else await self._end(session, SIGNED_OUT)

    async def authorise(
        self, name: str, password: str, address: str, *, beside: str = "", what: str = ""
    ) -> Actor | Refusal:
        """A second person proves who they are at the console of `beside`, without a session."""
        person = await self._people.prove(
            name,
            password,
            address,
            AUTHORISE,
            lambda person: [r.Authorised(name=person.name, beside=beside, what=what)],
            beside=beside,
        )
        return person if isinstance(person, Refusal) else Actor(id=person.name, position=person.position)

    async def change_password(
        self, name: str, password: str, new_password: str, address: str
    ) -> Refusal | None:
        """Changes one's own password; that ends all sessions of the person."""
        person = await self._people.prove(
            name, password, address, CHANGE_PASSWORD, lambda person: [], new_password
        )
        return person if isinstance(person, Refusal) else None

    async def end_sessions(self, by: Actor, name: str, reason: str, address: str = "") -> Refusal | None:
        """Ends all sessions of a person, at every server."""
        return await self._as_supervisor(by, address, lambda: office_staff.end_sessions(name, reason))

    async def unlock(self, by: Actor, name: str, reason: str, address: str = "") -> Refusal | None:
        """Ends a lock-out before its time."""
        return await self._as_supervisor(by, address, lambda: office_staff.unlock(name, reason))

    def staff(self) -> list[StaffRow]:
        """Everybody who works here or did, without what they get in with."""
        return staff_rows(self._office.state, self._clock.now_ms())

    async def issue_code(
        self, by: Actor, kind: str, table: str | None = None, seat: str | None = None, address: str = ""
    ) -> Issued | Refusal:
        """A code that enrols one device, from a pit supervisor or somebody higher."""
        return await self._devices.issue_code(by, kind, table, seat, address)

    async def enrol(self, code: str, address: str) -> Enrolled | Refusal:
        """Turns a code into a device with a token; the device that had its seat is revoked."""
        return await self._devices.enrol(code, address)

    def device(self, token: str) -> Device | None:
        """The device that holds a token; None where it is not, or not any more, ours."""
        return self._devices.find(token)

    def devices(self) -> list[Device]:
        """Every device that is ours or was."""
        return device_rows(self._office.state)

    async def revoke(self, by: Actor, device: str, reason: str, address: str = "") -> Refusal | None:
        """A device is not let in any more."""
        return await self._devices.revoke(by, device, reason, address)

    async def tend(self) -> None:
        """Hears of what other processes have done, and ends sessions whose time is over.

        It happens every second by itself.
        """
        async with self._turn:
            if self._unread_since is None:
                self._unread_since = asyncio.get_running_loop().time()
            await self._office.catch_up()
            self._unread_since = None
            unclaimed = [(session, "unclaimed") for session in self._unclaimed]
            self._unclaimed.clear()
            for session, why in [*unclaimed, *self._sessions.overdue(self._clock.now_ms())]:
                await self._end(session, why)
            await self._office.write_held_back()

    async def refresh(self) -> None:
        """Hears of what other processes have written by now: a token that is not known here may be new.

        Whoever asks at the same time shares one look, and looks are some time apart: anybody can ask.
        """
        if self._refreshing is None:
            self._refreshing = asyncio.create_task(self._refresh())
        looking = self._refreshing
        try:
            await asyncio.shield(looking)
        except asyncio.CancelledError:
            if not looking.cancelled():
                raise
            # The server stops, and nothing new is known.

    async def _refresh(self) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._refreshed_at + _REFRESH_SECONDS - loop.time()))
        self._refreshed_at, self._refreshing = loop.time(), None  # who asks from now on waits for the next
        try:
            await self._office.catch_up()
        except Stopping:
            pass
        except StoreError as error:
            LOG.warning("the office cannot be read: %s", error)

    async def _tend_on(self) -> None:
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + 1000 * _TEND_SECONDS)
            try:
                await self.tend()
            except StoreError as error:
                LOG.warning("the office cannot be read or written: %s", error)
            except Exception:  # sessions whose time is over have to end whatever happened before
                LOG.exception("sessions and devices could not be seen to")
            self._say_whether_current()

    def _say_whether_current(self) -> None:
        if self.is_current != self._was_current:
            self._was_current = self.is_current
            if self._was_current:
                LOG.info("the office is read again, and commands are taken")
            else:
                LOG.error("no commands are taken until the office can be read: who was sent away is unknown")

    async def _as_supervisor(
        self, by: Actor, address: str, decision: Callable[[], Decision]
    ) -> Refusal | None:
        if not holds(by, "pit-supervisor"):
            return refusal("not-allowed")
        try:
            decided = decision()
        except BadInput as error:
            return refusal_of(error)
        return await self._office.try_to(Who(by.id, by.position, address), decided)

    async def _end(self, session: Session, why: str) -> Refusal | None:
        """Ends a session and then writes that down: whatever fails, nobody stays in."""
        if not self._sessions.end(session, why):
            return None
        who = Who(session.name, session.position, session.address)
        return await self._office.try_to(
            who, just(r.SignedOut(name=session.name, session=session.id, why=why))
        )

    def _notice(self, entries: Sequence[r.OfficeEntry]) -> None:
        """Acts on what was written, here or by another process."""
        for entry in entries:
            match entry.event:
                # The record opens the session: what is written behind it ends it again, in this order.
                case r.SignedIn(name=name, session=id_) if id_ in self._signing_in:
                    self._admitted[id_] = self._let_in(id_, name, self._signing_in[id_])
                case r.StaffRetired(name=name) | r.PasswordSet(name=name) | r.PositionSet(name=name):
                    self._end_all(name, r.office_kind(entry.event))
                case r.SessionsEnded(name=name):
                    self._end_all(name, "sessions-ended")
                case r.DeviceRevoked(device=device, reason=reason):
                    self._on_device_end(self._office.state.devices[device], reason)
                case _:
                    pass

    def _let_in(self, id_: str, name: str, address: str) -> Admitted:
        person = self._office.state.staff[name]
        now_ms = self._clock.now_ms()
        return Admitted(*self._sessions.open(id_, name, person.position, person.duties, address, now_ms))

    def _end_all(self, name: str, why: str) -> None:
        for session in self._sessions.of(name):
            self._sessions.end(session, why)

    async def _let_go(self) -> None:
        await self._office.close()
        await asyncio.to_thread(self._hasher.close)
