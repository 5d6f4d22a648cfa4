"""The audit of a simulation: the books by requests and replies alone, against what the journals hold."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from croupier.floor.codec import entry_of
from croupier.floor.loading import load_table, rules_of
from croupier.floor.simulation.correspondence import Correspondence
from croupier.floor.simulation.tally import Tally
from croupier.journal import EMPTY, Head, Store, misfit
from croupier.rulebook import load_book
from croupier.table import Settings, State, check, replay
from croupier.table.commands import BuyCredits, CashOut


def audit(
    store: Store, tables: Iterable[tuple[Settings, Correspondence]], paid: Mapping[str, int] | None = None
) -> list[str]:
    """Everything that does not fit, as sentences; empty where the books are right.

    `paid` is what the cage says that it has paid out, by voucher.
    """
    faults: list[str] = []
    tallies = []
    for settings, correspondence in tables:
        tally = Tally(load_book(settings.book), settings)
        tallies.append(tally)
        for question, answer in correspondence.in_order():
            tally.take(question, answer)
        faults += correspondence.faults + correspondence.overlaps() + tally.faults
        faults += [f"{settings.table}: nobody answered {open_}" for open_ in correspondence.open_questions()]
        faults += _lost(store, correspondence)
        state, wrong = _replayed(store, settings.table)
        faults += wrong
        if state is not None:
            faults += _differences(settings.table, tally, state)
    return faults + _vouchers(tallies, paid or {})


def _lost(store: Store, correspondence: Correspondence) -> list[str]:
    """Answers that the journal does not hold in the place where they were said to be."""
    faults = []
    for question, answer in correspondence.in_order():
        record = store.first_of(correspondence.table, question.sender, question.number)
        where = None if record is None else record.sequence
        refused = record is not None and record.kind == "command-refused"
        if where != answer.first or refused != (answer.code is not None):
            faults.append(
                f"{correspondence.table}: {question.sender} number {question.number} was answered {answer}, "
                f"and the journal has it at {where}"
            )
    return faults


def _replayed(store: Store, table: str) -> tuple[State | None, list[str]]:
    """The state by the records alone, each checked to continue the chain; and by the snapshot, the same."""
    head: Head = EMPTY
    entries = []
    for record in store.read(table):
        if (reason := misfit(record, head)) is not None:
            return None, [f"{table}: record {record.sequence} does not fit: {reason}"]
        entries.append(entry_of(record))
        head = Head(record.sequence, record.hash)
    state = replay(rules_of(store, table), entries)
    faults = [f"{table}: {fault}" for fault in check(state)]
    try:
        loaded = load_table(store, table)
    except Exception as error:  # whatever it is, it is a finding
        return state, [*faults, f"{table}: cannot be opened from its snapshot: {error!r}"]
    if loaded is None or loaded.head != head or loaded.state != state:
        faults.append(f"{table}: opened from its snapshot it is another table than replayed")
    return state, faults


def _differences(table: str, tally: Tally, state: State) -> list[str]:
    faults = []
    for account in sorted({*tally.accounts, *state.balances}):
        expected, held = tally.accounts[account], state.balances.get(account, 0)
        if expected != held:
            faults.append(f"{table}: {account} holds {held} and should hold {expected}")
    stakes = {seat.id: seat.stakes for seat in state.seats.values() if seat.stakes}
    expected_stakes = {seat: bets for seat, bets in tally.stakes().items() if bets}
    if stakes != expected_stakes:
        faults.append(f"{table}: the bets are {stakes} and should be {expected_stakes}")
    disputes = {number: (told.registered, told.sensed) for number, told in state.disputes.items()}
    if disputes != tally.disputes:
        faults.append(f"{table}: the sensor contradicts {disputes} and should contradict {tally.disputes}")
    if sum(state.balances.values()):
        faults.append(f"{table}: all accounts together hold {sum(state.balances.values())}")
    return faults


def _vouchers(tallies: Sequence[Tally], paid: Mapping[str, int]) -> list[str]:
    """Vouchers that were used twice or never, or for another amount than they were issued for."""
    issued: Counter[str] = Counter()
    redeemed = Counter(paid)
    times = Counter(paid.keys())
    for tally in tallies:
        issued.update(tally.issued)
        redeemed.update(tally.redeemed)
        times.update(tally.redeemed.keys())
    faults = [
        f"voucher {voucher} was redeemed {count} times" for voucher, count in times.items() if count > 1
    ]
    for voucher, cents in redeemed.items():
        if issued[voucher] != cents:
            faults.append(f"voucher {voucher} was issued for {issued[voucher]} and redeemed for {cents}")
    for refused in (do for tally in tallies for do in tally.refused_vouchers):
        used = redeemed if isinstance(refused, BuyCredits) else issued
        if isinstance(refused, BuyCredits | CashOut) and refused.voucher not in used:
            faults.append(f"voucher {refused.voucher} was refused as used, and nobody had used it")
    return faults
