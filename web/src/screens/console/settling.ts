/** What a round came to for each seat, from its record. */
import type { RecalledRound } from '../../lib/api/types';
import type { NamedBet } from '../../lib/live/wire';

/**
 * What each seat got back of a round that is over: from its settlement, and where the round is void also what went back
 * of stakes, at once or by a decision before. Of a settled round such bets are no stakes any more.
 */
export function backBySeat({ result, seats, acts }: RecalledRound): (readonly [seat: string, cents: number])[] {
  const back = new Map(seats.map(({ seat, lines }) => [seat, lines.reduce((sum, line) => sum + line.returned_cents, 0)]));
  if (result === null) {
    for (const { event } of acts) {
      if (event.type === 'seat-returned') back.set(String(event['seat']), (back.get(String(event['seat'])) ?? 0) + Number(event['cents']));
    }
  }
  return [...back].sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }));
}

/** What lies on each bet of each seat in a round that runs, from what has happened in it. */
export function stakesOfActs(acts: readonly { event: { type: string; [fact: string]: unknown } }[]): Map<string, Map<string, number>> {
  const seats = new Map<string, Map<string, number>>();
  for (const { event } of acts) {
    const changes = event.type === 'bets-changed' ? event['changes'] as { bet: string; cents: number }[]
      : event.type === 'bets-rejected' ? [{ bet: String(event['bet']), cents: -Number(event['cents']) }]
      : event.type === 'seat-returned' ? event['bets'] as { bet: string; cents: number }[] : [];
    const seat = String(event['seat']);
    for (const { bet, cents } of changes) {
      const bets = seats.get(seat) ?? new Map<string, number>();
      const left = (bets.get(bet) ?? 0) + cents;
      if (left > 0) bets.set(bet, left); else bets.delete(bet);
      seats.set(seat, bets);
    }
  }
  return seats;
}

/** The bets of a round that can be given back; of a settled one those of which anything counts, for the others have been. */
export function betsLeft({ seats, acts }: RecalledRound): (NamedBet & { cents: number })[] {
  const lines = seats.flatMap(({ seat, lines: settled }) => settled.map((line) => ({ seat, line })));
  if (lines.length) return lines.filter(({ line }) => line.counted_cents > 0).map(({ seat, line }) => ({ seat, bet: line.bet, cents: line.stake_cents }));
  return [...stakesOfActs(acts)].flatMap(([seat, stakes]) => [...stakes].map(([bet, cents]) => ({ seat, bet, cents })));
}
