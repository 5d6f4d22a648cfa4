/** The state of a table in a word, an icon and a bar. */
import type { Key } from '../../lib/i18n/words.svelte';
import type { IconName } from '../../lib/parts/Icon.svelte';
import type { TableView } from '../../lib/live/wire';
import { secondsOf, timeLeft_ms } from '../../lib/stage/timeLeft';

export interface PhaseShown {
  word: Key;
  icon: IconName;
  tone: '' | 'warn' | 'danger';
  /** How much of the betting time is left, from 0 to 1; none where no clock runs. */
  left: number | null;
  seconds: number | null;
}

export function phaseOf(view: TableView, now_ms: number, isClapper: boolean): PhaseShown {
  const still = { left: null, seconds: null, tone: '' } as const;
  if (view.halted) return { ...still, word: 'phase.halted', icon: 'alert', tone: 'danger' };
  if (view.awaits_outcome) return { ...still, word: 'phase.interrupted', icon: 'alert', tone: 'danger' };
  if (!view.open) return { ...still, word: 'phase.shut', icon: 'take' };
  const { round } = view;
  if (!round) return view.outcomes[0]?.round === view.round_number && view.outcomes[0].result === null
    ? { ...still, word: 'phase.void', icon: 'alert', tone: 'warn' }
    : { ...still, word: 'phase.settled', icon: 'check' };
  switch (round.phase) {
    case 'betting': return { word: 'phase.betting', icon: 'history', tone: '', ...clockOf(view, now_ms) };
    case 'closed': return { ...still, word: 'phase.closed', icon: 'lock' };
    case 'spinning': return { ...still, word: isClapper ? 'phase.turning' : 'phase.rolling', icon: 'ball' };
    default: return { ...still, word: 'phase.resulted', icon: 'ball' };
  }
}

function clockOf(view: TableView, now_ms: number): Pick<PhaseShown, 'left' | 'seconds'> {
  const left_ms = timeLeft_ms(view, now_ms);
  if (left_ms === null || !view.betting_seconds) return { left: null, seconds: null };
  return { left: left_ms / (1000 * view.betting_seconds), seconds: secondsOf(left_ms) };
}
