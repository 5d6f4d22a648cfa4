/** What a correction means for each seat, worked out before it is made; the table does it, and it alone. */
import type { RecalledRound, RecalledSeat } from '../../lib/api/types';
import type { Book } from '../../lib/book/book';
import type { SeatLine } from '../../lib/live/wire';

export interface Effect { seat: string; before_cents: number; due_cents: number; difference_cents: number; after_cents: number; shortfall_cents: number }

/** A line that was given back whole stays so; every other one pays what its bet pays on the new result. */
export function dueOn(book: Book, seat: RecalledSeat, result: string): number {
  return seat.lines.reduce((sum, line) => {
    if (line.counted_cents === 0) return sum + line.returned_cents;
    const spot = book.spots.get(line.bet);
    const uncounted = line.stake_cents - line.counted_cents;
    return sum + uncounted + (spot?.numbers.includes(result) ? line.counted_cents * (spot.pays + 1) : 0);
  }, 0);
}

export function effectsOf(book: Book, seats: readonly RecalledSeat[], lines: readonly SeatLine[], result: string): Effect[] {
  return seats.filter((seat) => seat.lines.length > 0).map((seat) => {
    const before_cents = seat.lines.reduce((sum, line) => sum + line.returned_cents, 0);
    const due_cents = dueOn(book, seat, result);
    const credits = lines.find((line) => line.seat === seat.seat)?.credits_cents ?? 0;
    const after = credits + due_cents - before_cents;
    return { seat: seat.seat, before_cents, due_cents, difference_cents: due_cents - before_cents, after_cents: Math.max(0, after), shortfall_cents: Math.max(0, -after) };
  }).sort((a, b) => a.seat.localeCompare(b.seat, undefined, { numeric: true }));
}

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
