"""Users and privileges: who works here, without what they get in with."""

import msgspec

from croupier.floor.office.state import Device, OfficeState


class StaffRow(msgspec.Struct, frozen=True, kw_only=True):
    """A person as everybody who may read the list sees them."""

    name: str
    position: str
    duties: tuple[str, ...]
    added_ms: int
    password_set_ms: int
    is_one_time: bool
    """Whether the person has still to change the password they were given."""
    last_sign_in_ms: int | None
    retired_ms: int | None
    locked_until_ms: int | None


def staff_rows(office: OfficeState, now_ms: int) -> list[StaffRow]:
    """Everybody who works here or did, by name."""
    return [
        StaffRow(
            name=person.name,
            position=person.position,
            duties=person.duties,
            added_ms=person.added_ms,
            password_set_ms=person.password_set_ms,
            is_one_time=person.is_one_time,
            last_sign_in_ms=person.last_sign_in_ms,
            retired_ms=person.retired_ms,
            locked_until_ms=office.locked_until(person.name, now_ms),
        )
        for person in sorted(office.staff.values(), key=lambda person: person.name)
    ]


def device_rows(office: OfficeState) -> list[Device]:
    """Every device that is ours or was, by table, seat and time."""
    return sorted(
        office.devices.values(),
        key=lambda one: (one.table or "", one.kind, one.seat or "", one.enrolled_ms, one.id),
    )
