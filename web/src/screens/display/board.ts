/** What the display says above everything else: the notice, its colour and icon, and the time that is left. */
import { columnsOf } from '../../lib/i18n/columns';
import type { Key } from '../../lib/i18n/words.svelte';
import { factsIn, fits } from '../../lib/i18n/retelling';
import type { IconName } from '../../lib/parts/Icon.svelte';
import type { Outcome, ShownNotice, TableView } from '../../lib/live/wire';
import { secondsOf, timeLeft_ms } from '../../lib/stage/timeLeft';
import { closingOf } from '../closing';

export type Look = 'open' | 'warning' | 'closed' | 'won' | 'told' | 'void' | 'away';

export interface Announced {
  look: Look;
  icon: IconName;
  /** The step whose notice stands there: while bets are closed, that they are, whatever the ball does. */
  step: string;
  /** Where the floor is silent or not heard, the screen has words of its own. */
  own: Key | null;
  /** Whole seconds until the close. */
  seconds: number | null;
  /** How much of the betting time is left, from 0 to 1. */
  left: number | null;
}

/** `settled` is what the book says once a round is over: whatever else stands there between rounds was said since. */
export function announcedOf(view: TableView | null, connected: boolean, now_ms: number, settled: string | null = null): Announced {
  const still = { seconds: null, left: null, own: null } as const;
  if (!connected || !view) return { ...still, look: 'away', icon: 'off', step: 'interrupted', own: 'noConnection' };
  if (view.halted || view.awaits_outcome) return { ...still, look: 'void', icon: 'alert', step: 'interrupted' };
  if (!view.open) return { ...still, look: 'closed', icon: 'lock', step: 'table-closed' };
  const { round } = view;
  if (!round) return betweenRounds(view, settled);
  if (round.phase === 'betting') return betting(view, now_ms);
  const isSpinning = round.phase !== 'closed';
  return { ...still, look: 'closed', icon: isSpinning ? 'ball' : 'lock', step: 'closed' };
}

function betting(view: TableView, now_ms: number): Announced {
  const left_ms = timeLeft_ms(view, now_ms);
  if (left_ms === null || !view.betting_seconds) return { look: 'open', icon: 'history', step: 'open', own: null, seconds: null, left: null };
  const seconds = secondsOf(left_ms);
  const isWarned = view.round?.warned === true || seconds <= view.warning_seconds;
  return { look: isWarned ? 'warning' : 'open', icon: 'history', step: isWarned ? 'warning' : 'open', own: null, seconds, left: left_ms / (1000 * view.betting_seconds) };
}

function betweenRounds(view: TableView, settled: string | null): Announced {
  const still = { seconds: null, left: null, own: null } as const;
  const last = view.outcomes[0];
  if (last?.round !== view.round_number) return { ...still, look: 'closed', icon: 'history', step: 'settled', own: closingOf(view) === 'played' ? 'closing.played' : 'betweenRounds' };
  if (last.result === null) return { ...still, look: 'void', icon: 'alert', step: 'void' };
  // A correction, a decision, the last round: the players are told, and the result stands below it all the same.
  if (settled !== null && view.notice && !fits(settled, view.notice)) return { ...still, look: 'told', icon: 'alert', step: 'told' };
  return { ...still, look: 'won', icon: 'check', step: 'result' };
}

/** Steps that the bar, the clock and the result tell already. */
const TOLD_BY_THE_BAR = new Set(['open', 'warning', 'closed', 'result', 'settled']);

/** What players were told beside the notice of the step, such as a decision while bets are open. */
export function toldBeside(view: TableView, step: string): ShownNotice | null {
  const last = view.notices.at(-1);
  return last && last.step !== step && !TOLD_BY_THE_BAR.has(last.step) ? last : null;
}

/** The most that the bar holds in its smallest type, in columns. */
export const MOST_COLUMNS = 215;

/** A notice that the bar can hold: the house's words stay whole, and the reason that somebody wrote is cut short. */
export function clipped(notice: string, templates: readonly string[], most = MOST_COLUMNS): string {
  const over = columnsOf(notice) - most;
  if (over <= 0) return notice;
  const reason = templates.map((template) => factsIn(template, notice)?.['reason']).find((found) => found !== undefined);
  if (!reason) return notice;
  let kept = [...reason];
  while (kept.length && columnsOf(kept.join('')) > columnsOf(reason) - over - 1) kept = kept.slice(0, -1);
  // Between words, where there are any.
  return notice.replace(reason, () => `${kept.join('').replace(/\s+\S*$/, '')}…`);
}

/** In how many steps the type of a mark goes down: two letters may be as wide as three figures. */
export function widthOf(mark: string): number {
  const letters = [...mark].length;
  return letters === 2 && /\D/.test(mark) ? 3 : Math.min(4, letters);
}

/** The newest result that there is: void rounds have none. */
export function lastResult(view: TableView): Outcome | undefined {
  return view.outcomes.find(({ result }) => result !== null);
}

export interface Often { id: string; count: number }

/** The outcomes that came most often and those that came least often, so many of each; ties in the wheel's order, and nothing often that never came. */
export function extremes(frequencies: Readonly<Record<string, number>>, order: readonly string[], most: number): { often: Often[]; rarely: Often[] } {
  const seen = new Set<string>();
  const all = order.filter((id) => !seen.has(id) && seen.add(id)).map((id) => ({ id, count: frequencies[id] ?? 0 }));
  const share = Math.min(most, Math.floor(all.length / 2));
  return {
    often: all.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count).slice(0, share),
    rarely: all.toSorted((a, b) => a.count - b.count).slice(0, share),
  };
}
