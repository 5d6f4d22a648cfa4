/** An earlier round as the player reads it: from what the house recalls, without working anything out anew. */
import type { RecalledRound } from '../../lib/api/types';
import { returnedWithRound } from '../../lib/live/liveEnd';
import type { Line } from '../../lib/live/wire';

export interface CreditsBehind { round: number; cents: number }

export interface LookedBack {
  number: number;
  result: string | null;
  opened_ms: number;
  isOver: boolean;
  lines: readonly Line[];
  staked_cents: number;
  returned_cents: number;
  before_cents: number;
  /** Credits behind corrections of other rounds that came while this one ran. */
  meanwhile: readonly CreditsBehind[];
  /** Credits when the round ended. */
  after_cents: number;
  /** Credits behind corrections of the round itself. */
  corrected: readonly CreditsBehind[];
  /** What the last correction gave and the credits did not take: it is paid by hand. */
  owed_cents: number;
  notices: readonly { at_ms: number; text: string }[];
}

const ENDS = new Set(['round-settled', 'round-voided']);

export function lookedBack(round: RecalledRound): LookedBack {
  const seat = round.seats[0];
  const lines = seat?.lines ?? [];
  const isVoid = round.result === null;
  const staked = lines.reduce((cents, line) => cents + line.stake_cents, 0) || stakesOf(round);
  const returned = lines.reduce((cents, line) => cents + line.returned_cents, 0);
  const corrections = round.acts.filter(({ event }) => event.type === 'seat-corrected');
  const behind = corrections.flatMap(({ event, credits_cents }) => (typeof credits_cents === 'number' ? [{ round: Number(event['round']), cents: credits_cents }] : []));
  const last = corrections.findLast(({ event }) => event['round'] === round.round);
  const isPaid = last !== undefined && round.acts.slice(round.acts.indexOf(last)).some(({ event }) => event.type === 'carried-settled');
  return {
    number: round.round,
    result: round.result,
    opened_ms: round.acts[0]?.at_ms ?? 0,
    isOver: round.acts.some(({ event }) => ENDS.has(event.type)),
    lines,
    staked_cents: staked,
    returned_cents: isVoid && !returned ? returnedWithRound(round) : returned,
    before_cents: seat?.credits_before_cents ?? 0,
    meanwhile: behind.filter((each) => each.round !== round.round),
    after_cents: seat?.credits_after_cents ?? 0,
    corrected: behind.filter((each) => each.round === round.round),
    owed_cents: isPaid ? 0 : Math.max(0, Number(last?.event['carried_cents'] ?? 0)),
    notices: round.notices.filter(({ text }) => text),
  };
}

/**
 * What lay in play, from the changes of bets; of a round that has not been settled there is nothing else. What was
 * rejected, or went back by itself, lay there no more; what went back with its round did until then.
 */
function stakesOf(round: RecalledRound): number {
  return round.acts.reduce((cents, { event }) => {
    if (event.type === 'bets-rejected' || (event.type === 'seat-returned' && event['void'] === false)) return cents - Number(event['cents']);
    const changes = event.type === 'bets-changed' && Array.isArray(event['changes']) ? (event['changes'] as { cents: number }[]) : [];
    return changes.reduce((sum, change) => sum + change.cents, cents);
  }, 0);
}
