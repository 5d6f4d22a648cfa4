"""People at the door: a password is compared, the attempt is written down, and only then does it count."""

from croupier.floor.office.office import Who
from croupier.floor.office.state import Person
from croupier.journal import StoreError
from croupier.rulebook import BadInput
from croupier.server.access.hashing import Hasher, TooManyWaiting
from croupier.server.access.passwords import LONGEST, check_password, new_password
from croupier.server.access.policy import AccessPolicy
from croupier.server.access.proving import Attempt, Success, judge, written_name
from croupier.server.access.refusals import Refusal, refusal, refusal_of
from croupier.server.access.writing import LOG, NOBODY, OfficeThread
from croupier.server.threads import Stopping


class People:
    """Finds out whether people are who they say they are."""

    def __init__(self, office: OfficeThread, hasher: Hasher, policy: AccessPolicy) -> None:
        self._office = office
        self._hasher = hasher
        self._policy = policy
        self._decoy = ""

    async def begin(self) -> None:
        """Makes what names that nobody has are compared with, so that they take as long as any other."""
        self._decoy = await self._hasher.hash(new_password())

    async def prove(
        self,
        name: str,
        password: str,
        address: str,
        purpose: str,
        succeed: Success,
        new: str | None = None,
        beside: str = "",
    ) -> Person | Refusal:
        """Compares a password and writes down what came of it; with `succeed`'s events where it is right."""
        try:
            if new is not None:
                _check_new(new, password, name)
            return await self._prove(name, password, address, purpose, succeed, new, beside)
        except BadInput as error:
            return refusal_of(error)
        except TooManyWaiting:
            self._office.hold_back(address)
            return refusal("busy")
        except Stopping:
            return refusal("closing")
        except StoreError as error:
            LOG.error("an attempt to %s was not recorded: %s", purpose, error)
            return refusal("not-recorded")

    async def _prove(
        self,
        name: str,
        password: str,
        address: str,
        purpose: str,
        succeed: Success,
        new: str | None,
        beside: str,
    ) -> Person | Refusal:
        await self._office.catch_up()
        if self._policy.lock_out.holds_back(self._office.state, address, self._office.now_ms()):
            self._office.hold_back(address)
            return refusal("too-many-attempts")
        name = written_name(name)
        person = self._office.state.staff.get(name)
        compared_with = self._decoy if person is None else person.password
        matches = await self._hasher.matches(compared_with, password[: LONGEST + 1])
        attempt = Attempt(
            name=name,
            purpose=purpose,
            compared_with=compared_with,
            matches=matches and person is not None,
            beside=beside,
        )
        if attempt.matches and new is not None:
            attempt.new_hash = await self._hasher.hash(new)
        elif attempt.matches and self._hasher.is_outdated(compared_with):
            attempt.rehash = await self._hasher.hash(password)
        position = person.position if attempt.matches and person is not None else ""
        who = Who(name or NOBODY, position, address)
        await self._office.write(who, judge(attempt, self._policy, succeed))
        if attempt.person is not None:
            return attempt.person
        return attempt.refusal or refusal("sign-in-failed")


def _check_new(new: str, password: str, name: str) -> None:
    check_password(new, name)
    if new == password:
        raise BadInput("password-same", "The new password is the old one.", "Take another.")
