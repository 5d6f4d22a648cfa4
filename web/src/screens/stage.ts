/** What a terminal shows above the table: derived from what it was told, and from nothing else. */
import type { SeatSource } from '../lib/live/source';
import type { IconName } from '../lib/parts/Icon.svelte';
import type { Key } from '../lib/i18n/words.svelte';
import { secondsOf, timeLeft_ms } from '../lib/stage/timeLeft';
import { closingOf } from './closing';

export type State = 'betting' | 'closing' | 'closed' | 'spinning' | 'resulted' | 'ended' | 'void' | 'waiting' | 'shut' | 'interrupted' | 'unused' | 'locked' | 'unread' | 'disconnected';

export interface Stage {
  state: State;
  /** Whether bets are taken. */
  open: boolean;
  /** Whole seconds until the close; none where no clock runs. */
  seconds: number | null;
  icon: IconName;
  tone: 'plain' | 'warn' | 'danger';
  /** The step whose notice stands there: while bets are closed, that they are, whatever the ball does. */
  step: string;
  detail: Key;
}

type Told = Pick<SeatSource, 'connected' | 'book' | 'bookFailed' | 'table' | 'seat' | 'slip' | 'ended' | 'now_ms'>;

export function stageOf(told: Told): Stage {
  const { table, seat } = told;
  const shut = { open: false, seconds: null, icon: 'lock', tone: 'plain' } as const;
  if (!told.connected || !table || !seat) return { ...shut, state: 'disconnected', icon: 'off', tone: 'danger', step: 'interrupted', detail: 'noConnection.sub' };
  if (seat.lock !== null) return { ...shut, state: 'locked', tone: 'warn', step: 'interrupted', detail: 'seatLocked.sub' };
  const round = table.round;
  if (!seat.in_use) return { ...shut, state: 'unused', step: 'table-closed', detail: 'unused.sub' };
  if (table.halted || table.awaits_outcome) return { ...shut, state: 'interrupted', icon: 'alert', tone: 'warn', step: 'interrupted', detail: seat.staked_cents > 0 ? 'betsStand' : 'noBets' };
  if (!table.open) return { ...shut, state: 'shut', step: 'table-closed', detail: 'shut.sub' };
  // Without the book there is no felt to bet on, and no result has a name.
  if (!told.book && told.bookFailed) return { ...shut, state: 'unread', icon: 'alert', tone: 'danger', step: 'interrupted', detail: 'rules.unread.sub' };
  if (!round) return ended(told);
  const hasBets = seat.staked_cents > 0;
  switch (round.phase) {
    case 'betting': return betting(told);
    case 'closed': return { ...shut, state: 'closed', step: 'closed', detail: hasBets ? 'betsStand' : 'noBets' };
    case 'spinning': return { ...shut, state: 'spinning', icon: 'ball', step: 'closed', detail: hasBets ? 'betsStand' : 'noBets' };
    default: return { ...shut, state: 'resulted', icon: 'ball', step: 'closed', detail: 'resultRegistered' };
  }
}

function betting(told: Told): Stage {
  const { table, seat, now_ms } = told;
  const left_ms = timeLeft_ms(table, now_ms);
  const seconds = left_ms === null ? null : secondsOf(left_ms);
  const warned = table?.round?.warned === true || (seconds !== null && seconds <= (table?.warning_seconds ?? 0));
  const poor = seat?.credits_cents === 0 && seat.staked_cents === 0 && !told.slip.onTheWay.length;
  const detail: Key = poor ? 'buyInFirst' : seconds === null ? 'opensUntilDealer' : warned ? 'lastSeconds' : 'closesIn';
  return { state: warned ? 'closing' : 'betting', open: true, seconds, icon: 'history', tone: warned ? 'warn' : 'plain', step: warned ? 'warning' : 'open', detail };
}

function ended(told: Told): Stage {
  const newest = told.table?.outcomes[0];
  const isLast = closingOf(told.table) === 'played';
  const base = { open: false, seconds: null, icon: 'history', tone: 'plain', detail: isLast ? 'closing.played' : 'betweenRounds' } as const;
  if (!newest || newest.round !== told.table?.round_number) return { ...base, state: 'waiting', step: 'settled', detail: 'noResults' };
  return newest.result === null
    ? { ...base, state: 'void', icon: 'alert', tone: 'warn', step: 'void' }
    : { ...base, state: 'ended', step: 'result' };
}

/** The result to show on the table and the wheel: of the round that has just ended. */
export function winnerOf(told: Told): string | null {
  return stageOf(told).state === 'ended' ? (told.table?.outcomes[0]?.result ?? null) : null;
}
