/** How the last round ended for a seat, put together from what it is told. */
import type { RecalledRound } from '../api/types';
import type { Stakes } from '../betting/betting';
import type { RoundEnd } from './source';
import type { Line, TableEvent } from './wire';

interface Ending { round: number; lines: readonly Line[]; returned_cents: number; reason: string | null; clause: string | null; result: string | null }

const ENDINGS: ReadonlySet<string> = new Set(['round-settled', 'round-voided', 'result-corrected']);

const empty = (round: number): Ending => ({ round, lines: [], returned_cents: 0, reason: null, clause: null, result: null });

/** The end of a round after one more event; the same where the event says nothing about it. */
export function endedBy(ended: RoundEnd | null, event: TableEvent): RoundEnd | null {
  const of = (round: number): Ending => (ended?.round === round ? ended : empty(round));
  switch (event.type) {
    case 'result-confirmed':
    case 'round-settled':
      return { ...of(event.round), result: event.result };
    case 'seat-settled':
      return { ...of(event.round), lines: event.lines, returned_cents: event.returned_cents, clause: event.clause };
    case 'seat-returned': {
      if (!event.void) return ended;
      return { ...of(event.round), returned_cents: event.cents, clause: event.clause };
    }
    case 'round-voided':
      return { ...of(event.round), result: null, lines: [], reason: event.reason, clause: event.clause };
    case 'result-corrected':
      if (!event.settled || ended?.round !== event.round) return ended;
      return { ...ended, result: event.new, reason: event.new === null ? event.reason ?? null : null, clause: event.clause };
    case 'seat-corrected':
      if (ended?.round !== event.round) return ended;
      return { ...ended, lines: event.result === null ? [] : event.lines, returned_cents: event.returned_cents, clause: event.clause };
    default:
      return ended;
  }
}

/** What a seat had in a round, for repeating it; null where the event does not say. */
export function stakesBy(event: TableEvent): Stakes | null {
  if (event.type === 'seat-settled') return stakesOfLines(event.lines);
  if (event.type === 'seat-returned' && event.void) {
    return Object.fromEntries(event.bets.map(({ bet, cents }) => [bet, Math.abs(cents)]));
  }
  return null;
}

/** The end of a round as it is recalled after the page was loaded again. */
export function endRecalled(recalled: RecalledRound): RoundEnd | null {
  if (!recalled.acts.some(({ event }) => event.type === 'round-settled' || event.type === 'round-voided')) return null;
  // What was put right later is how it ended: a settled round may be void since.
  const last = recalled.acts.findLast(({ event }) => ENDINGS.has(event.type));
  const lines = recalled.seats[0]?.lines ?? [];
  const returned = lines.reduce((cents, line) => cents + line.returned_cents, 0);
  const fact = (name: string): string | null => (typeof last?.event[name] === 'string' ? last.event[name] : null);
  return {
    round: recalled.round,
    result: recalled.result,
    lines: recalled.result === null ? [] : lines,
    returned_cents: returned || returnedWithRound(recalled),
    reason: recalled.result === null ? fact('reason') : null,
    clause: fact('clause'),
  };
}

export function stakesOfLines(lines: readonly Line[]): Stakes {
  return Object.fromEntries(lines.map((line) => [line.bet, line.stake_cents]));
}

/** What went back because the round is void, without single bets that were returned before. */
export function returnedWithRound(recalled: RecalledRound): number {
  return recalled.acts.reduce((cents, { event }) => cents + (event.type === 'seat-returned' && event['void'] !== false ? Number(event['cents']) : 0), 0);
}
