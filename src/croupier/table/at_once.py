"""A command decided and carried out, as the one writer of a table does it."""

from croupier.table import commands as c
from croupier.table.decide import Reply, fingerprint_of, submit
from croupier.table.events import Cause, Entry
from croupier.table.evolve import evolve
from croupier.table.evolve_stakes import change_stakes
from croupier.table.plain_bet import plain_bet
from croupier.table.rules import Rules
from croupier.table.state import Answer, State


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
        evolve(rules, state, entry)
    return reply


def _play_plain(rules: Rules, state: State, command: c.Command, do: c.PlaceBets) -> Reply | None:
    """Plain bets under a new number in one go: what `submit` and `evolve` do with them, and nothing else.

    None where anything is unusual; nothing has changed then.
    """
    by_sender, sender, number, at_ms = state.answers, command.sender, command.number, command.at_ms
    answers = by_sender.get(sender)
    if not answers or next(reversed(answers)) >= number:
        return None  # a sender who is new, or a number that may have been answered
    event = plain_bet(rules, state, command)
    if event is None:
        return None
    fingerprint = fingerprint_of(do)
    cause = Cause(
        at_ms=at_ms, actor=command.actor, sender=sender, number=number, fingerprint=fingerprint, second=None
    )
    sequence = state.sequence = state.sequence + 1
    if at_ms > state.at_ms:
        state.at_ms = at_ms
    (posting,), seat_id, balances = event.postings, event.seat, state.balances
    cents = posting.cents
    balances[posting.source] -= cents
    balances[posting.destination] = balances.get(posting.destination, 0) + cents
    change_stakes(rules, state, seat_id, event.changes)
    state.seats[seat_id].meters.turnover_cents += cents
    state.meters.turnover_cents += cents
    # Who was heard of last stands last, and of a sender's numbers the highest.
    del by_sender[sender]
    by_sender[sender] = answers
    answers[number] = Answer(fingerprint, sequence, sequence)
    if len(answers) > state.settings.answers_kept:
        del answers[next(iter(answers))]
    return Reply(rejection=None, entries=(Entry(cause, event),), first=sequence, last=sequence)
