"""What a database consists of, compared part by part with what croupier makes."""

from collections.abc import Mapping

Part = tuple[str, str]
"""The kind and the name of something in a database: a table, a key, a trigger."""


def differences(made: Mapping[Part, str], found: Mapping[Part, str]) -> list[str]:
    """What is missing, was added or has another content than it was made with: each as half a sentence."""
    faults = [f"the {kind} {name} is missing" for kind, name in made if (kind, name) not in found]
    for (kind, name), content in found.items():
        if (kind, name) not in made:
            faults.append(f"the {kind} {name} was added")
        elif content != made[kind, name]:
            faults.append(f"the {kind} {name} is another one")
    return faults
