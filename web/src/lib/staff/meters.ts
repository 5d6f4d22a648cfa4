/** The meters of a seat in the order in which people read them: what came in, what went out, what was played, how often. */
import type { MetersLine, MetersView } from '../api/types';
import type { Meters } from '../live/wire';

export type Group = 'in' | 'out' | 'play' | 'counts';
export interface MeterLine { name: keyof Meters; value: number; isMoney: boolean }

const GROUPS: Record<Group, readonly (keyof Meters)[]> = {
  in: ['cash_in_cents', 'vouchers_in_cents', 'shortfall_in_cents', 'written_off_cents'],
  out: ['vouchers_out_cents', 'attendant_pays_cents', 'unclaimed_out_cents'],
  play: ['turnover_cents', 'wins_cents', 'returned_cents'],
  counts: ['games_played', 'games_won', 'voids', 'corrections'],
};

export function readingOf(view: MetersView, seat: string): MetersLine | null {
  return view.readings.find((reading) => reading.seat === seat) ?? null;
}

export function groupsOf(meters: Meters): { group: Group; lines: MeterLine[] }[] {
  return (Object.keys(GROUPS) as Group[]).map((group) => ({
    group,
    lines: GROUPS[group].map((name) => ({ name, value: meters[name], isMoney: name.endsWith('_cents') })),
  }));
}
