"""How much goes wrong in a simulation: every seed draws its own mixture."""

from random import Random

import msgspec


class Trouble(msgspec.Struct):
    """Chances of single events, and mean times between larger ones, in simulated seconds (0: never)."""

    failed_write: float = 0.0
    lost_acknowledgement: float = 0.0
    failed_read: float = 0.0
    lost_message: float = 0.0
    doubled_message: float = 0.0
    hung_up: float = 0.0
    """A sender that goes away while its command is being decided."""
    slow_disk_seconds: float = 0.002
    """The longest that the disk usually takes."""
    slow_network_seconds: float = 0.02
    """The longest that a message usually takes."""
    crash_every: float = 0.0
    stall_every: float = 0.0
    """A process that stands still, is taken for dead and replaced, and wakes up again."""
    restart_every: float = 0.0
    """A process that is stopped and started in good order."""
    full_disk_every: float = 0.0
    halt_every: float = 0.0
    """Halts, and interruptions that only people notice."""
    meddling_every: float = 0.0
    """Attempts of a dealer to do what is not allowed."""
    late_report: float = 0.0
    """The chance that the sensor tells of the end of a spin long after it."""
    wrong_report: float = 0.0
    """The chance that it names another pocket, or none."""
    silent_sensor: float = 0.0
    """The chance that it has a fault instead."""
    damaged_snapshot: float = 0.0
    """The chance that the kept snapshot is damaged when a process ends."""

    def end(self) -> None:
        """From now on everything works."""
        for field in msgspec.structs.fields(self):
            setattr(self, field.name, field.default)


def draw(random: Random) -> Trouble:
    """A mixture in which each kind of trouble is often, seldom or not there at all."""

    def chance(most: float) -> float:
        return random.choice((0.0, most / 5, most))

    def mean(least: float) -> float:
        return random.choice((0.0, least, 4 * least))

    return Trouble(
        failed_write=chance(0.05),
        lost_acknowledgement=chance(0.03),
        failed_read=chance(0.01),
        lost_message=chance(0.1),
        doubled_message=chance(0.1),
        hung_up=chance(0.05),
        slow_disk_seconds=random.choice((0.002, 0.05, 1.0)),
        slow_network_seconds=random.choice((0.02, 1.0)),
        crash_every=mean(15),
        stall_every=mean(40),
        restart_every=mean(40),
        full_disk_every=mean(60),
        halt_every=mean(20),
        meddling_every=mean(2),
        late_report=chance(0.4),
        wrong_report=chance(0.4),
        silent_sensor=chance(0.1),
        damaged_snapshot=chance(0.5),
    )
