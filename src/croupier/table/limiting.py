"""Limits: roulette refuses what is outside them and says by how much; the Money Wheel marks the box."""

from croupier.rulebook import show_cents
from croupier.table.asking import Ask, refuse
from croupier.table.events import BetChange
from croupier.table.exposure import pays_by_result
from croupier.table.rejections import Rejection
from croupier.table.state import Round, Seat


def outside_limits(ask: Ask, seat: Seat, changes: tuple[BetChange, ...]) -> Rejection | None:
    """The first limit that changed stakes would break, in the order of the codes."""
    if ask.rules.marks_boxes:
        return None
    net = _net(changes)
    return (
        _bet_limits(ask, seat, net)
        or _seat_limit(ask, seat, net)
        or _spot_limits(ask, net)
        or _table_limit(ask, net)
        or _exposure_limit(ask, seat, net)
    )


def _net(changes: tuple[BetChange, ...]) -> dict[str, int]:
    net: dict[str, int] = {}
    for change in changes:
        net[change.bet] = net.get(change.bet, 0) + change.cents
    return net


def _bet_limits(ask: Ask, seat: Seat, net: dict[str, int]) -> Rejection | None:
    """A stake under its minimum comes before one over its maximum, wherever they stand in the command."""
    above, bets = None, ask.rules.seats[seat.layout].layout.bets
    for bet_id, cents in net.items():
        limit = ask.state.limits.of_bet(bet_id, bets[bet_id].kind)
        stake = seat.stakes.get(bet_id, 0) + cents
        if 0 < stake < limit.minimum_cents:
            return _limit(
                ask, "below-minimum", f"{bet_id} takes at least", limit.minimum_cents, stake, bet_id
            )
        if cents > 0 and stake > limit.maximum_cents and above is None:
            above = _limit(
                ask, "above-maximum", f"{bet_id} takes at most", limit.maximum_cents, stake, bet_id
            )
    return above


def _seat_limit(ask: Ask, seat: Seat, net: dict[str, int]) -> Rejection | None:
    most = ask.state.limits.seat_cents
    if most is not None and (more := sum(net.values())) > 0 and seat.staked_cents + more > most:
        return _limit(ask, "seat-limit", "One seat may have in play at most", most, seat.staked_cents + more)
    return None


def _spot_limits(ask: Ask, net: dict[str, int]) -> Rejection | None:
    if not ask.state.limits.spots:
        return None
    for bet_id, cents in net.items():
        most = ask.state.limits.of_spot(bet_id, ask.rules.bet(bet_id).kind)
        total = ask.round().spots.get(bet_id, 0) + cents
        if most is not None and cents > 0 and total > most:
            what = f"All seats together may have on {bet_id} at most"
            return _limit(ask, "spot-limit", what, most, total, bet_id)
    return None


def _table_limit(ask: Ask, net: dict[str, int]) -> Rejection | None:
    most = ask.state.limits.table_cents
    if most is not None and (more := sum(net.values())) > 0:
        total = ask.round().total_cents + more
        if total > most:
            return _limit(ask, "table-limit", "All seats together may have in play at most", most, total)
    return None


def _exposure_limit(ask: Ask, seat: Seat, net: dict[str, int]) -> Rejection | None:
    most = ask.state.limits.exposure_cents
    if most is None:
        return None
    own = ask.rules.seats[seat.layout]
    more = pays_by_result(own, (BetChange(bet_id, cents) for bet_id, cents in net.items()))
    for result, cents in more.items():
        pays = ask.round().pays.get(result, 0) + cents
        if cents > 0 and pays > most:
            return _limit(ask, "exposure-limit", f"On {result} the house pays at most", most, pays)
    return None


def _limit(ask: Ask, code: str, what: str, limit: int, would_be: int, bet_id: str | None = None) -> Rejection:
    off = abs(would_be - limit)
    side = "under" if would_be < limit else "over"
    facts: dict[str, str | int] = {"limit_cents": limit, "would_be_cents": would_be, "off_by_cents": off}
    if bet_id is not None:
        facts["bet"] = bet_id
    sentence = (
        f"{what} {show_cents(limit)}; with {show_cents(would_be)} it would be {show_cents(off)} {side}."
    )
    return refuse(code, sentence, ask.rules.cite("limits"), **facts)


def excess_cents(round_: Round, bet_id: str | None, maximum_cents: int | None) -> int:
    """How much a box, or the whole table where no box is named, holds above its maximum."""
    if maximum_cents is None:
        return 0
    total = round_.total_cents if bet_id is None else round_.spots.get(bet_id, 0)
    return max(0, total - maximum_cents)
