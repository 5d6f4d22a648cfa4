/** What corrections of a round have left open with its seats, from the record of the round. */
import type { RecalledRound } from '../api/types';

/** How it ends: unclaimed money is paid, a shortfall is collected or written off. */
export const WAYS = ['paid', 'collected', 'written-off'] as const;
export type Way = (typeof WAYS)[number];

/** Above zero it is owed to somebody who has left, below zero it is missing. */
export interface LeftOpen { seat: string; cents: number }

/** Among the acts stands also what was corrected of other rounds while this one ran: that is left open there. */
export function leftOpen({ round, acts }: Pick<RecalledRound, 'round' | 'acts'>): LeftOpen[] {
  const open = new Map<string, number>();
  for (const { event } of acts) {
    if (event['round'] !== round) continue;
    if (event.type === 'seat-corrected' || event.type === 'shortfall-raised' || event.type === 'carried-netted') open.set(String(event['seat']), Number(event['carried_cents']));
    else if (event.type === 'carried-settled') open.set(String(event['seat']), 0);
  }
  return [...open].filter(([, cents]) => cents !== 0).map(([seat, cents]) => ({ seat, cents })).sort((a, b) => a.seat.localeCompare(b.seat, undefined, { numeric: true }));
}

export function waysOf({ cents }: LeftOpen): readonly Way[] {
  return WAYS.filter((way) => (way === 'paid') === cents > 0);
}
