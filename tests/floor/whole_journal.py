"""A round by reading the whole journal: what an export and a bundle have to give that read less."""

from croupier.floor.exports.bearing import bearing_on, commands_in
from croupier.floor.exports.gathering import Gathered
from croupier.floor.exports.selection import entries_of
from croupier.floor.verify.evidence import Evidence
from croupier.journal import Record
from croupier.table import Entry, Limits, recall_round
from croupier.table import events as e


def bearing_in_all(evidence: Evidence, table: str, number: int) -> list[tuple[Record, Entry]]:
    """The records that bear on a round, among all that there are."""
    return [*bearing_on(commands_in(entries_of(evidence, table)), number)]


def gathered_from_all(evidence: Evidence, table: str, number: int) -> Gathered:
    """What a bundle has of a round: its history from the first record to the last."""
    history = [*entries_of(evidence, table)]
    recall = recall_round((entry for _, entry in history), number)
    created, head = history[0][1].event, evidence.head(table)
    assert isinstance(created, e.TableCreated)
    assert recall is not None
    assert head is not None

    def those(entries: list[Entry]) -> list[tuple[Record, Entry]]:
        wanted = {id(entry) for entry in entries}
        return [(record, entry) for record, entry in history if id(entry) in wanted]

    return Gathered(
        table,
        number,
        created,
        _limits_before(created, history, number),
        head,
        recall,
        [*bearing_on(commands_in(history), number)],
        those(recall.between),
        those(recall.after),
    )


def _limits_before(created: e.TableCreated, history: list[tuple[Record, Entry]], number: int) -> Limits:
    limits = created.settings.limits
    for _, entry in history:
        if isinstance(entry.event, e.RoundOpened) and entry.event.round == number:
            break
        if isinstance(entry.event, e.LimitsChanged):
            limits = entry.event.new
    return limits
