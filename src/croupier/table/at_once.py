"""A command decided and carried out, as the one writer of a table does it."""

from croupier.table import commands as c
from croupier.table.decide import Reply, fingerprint_of, submit
from croupier.table.events import Cause, Entry
from croupier.table.evolve import carry_out_bets, evolve_at_length
from croupier.table.plain_bet import plain_bet
from croupier.table.rules import Rules
from croupier.table.state import State


def play(rules: Rules, state: State, command: c.Command) -> Reply:
    """Decides a command and carries out what follows from it."""
    if type(command.do) is c.PlaceBets:
        plain = _play_plain(rules, state, command, command.do)
        if plain is not None:
            return plain
    return play_at_length(rules, state, command)


def play_at_length(rules: Rules, state: State, command: c.Command) -> Reply:
    """The same for any command, in two steps."""
    reply = submit(rules, state, command)
    for entry in reply.entries:
        evolve_at_length(rules, state, entry)
    return reply


def _play_plain(rules: Rules, state: State, command: c.Command, do: c.PlaceBets) -> Reply | None:
    """Plain bets under a new number in one go: what `submit` and `evolve` do with them, and nothing else.

    None where anything is unusual; nothing has changed then.
    """
    sender, number = command.sender, command.number
    answers = state.answers.get(sender)
    if not answers or next(reversed(answers)) >= number:
        return None  # a sender who is new, or a number that may have been answered
    event = plain_bet(rules, state, command)
    if event is None:
        return None
    cause = Cause(
        at_ms=command.at_ms,
        actor=command.actor,
        sender=sender,
        number=number,
        fingerprint=fingerprint_of(do),
        second=None,
    )
    carry_out_bets(rules, state, cause, event, answers)
    sequence = state.sequence
    return Reply(rejection=None, entries=(Entry(cause, event),), first=sequence, last=sequence)
