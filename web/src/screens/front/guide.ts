/** A first round, step by step: what the dealer does, what the player sees, and which step the table is at. */
import type { Key } from '../../lib/i18n/words.svelte';
import type { TableView } from '../../lib/live/wire';

export const STEPS = ['places', 'open', 'bet', 'close', 'spin', 'result', 'settled', 'cash'] as const;
export type Step = (typeof STEPS)[number];

export interface Shown { step: Step; title: Key; dealer: Key; player: Key }

export const SHOWN: readonly Shown[] = STEPS.map((step) => ({
  step, title: `guide.${step}`, dealer: `guide.${step}.dealer`, player: `guide.${step}.player`,
}));

/** What has been opened so far. */
export interface Taken { console: boolean; seat: boolean }

/** The step at which the table is; before both places are taken there is no other than that. */
export function stepOf(view: TableView | null, taken: Taken): Step {
  if (!view || !taken.console || !taken.seat) return 'places';
  const { round } = view;
  if (!round) return view.outcomes[0]?.round === view.round_number ? 'settled' : 'open';
  switch (round.phase) {
    case 'betting': return 'bet';
    case 'closed': return 'spin';
    case 'spinning': return 'spin';
    default: return 'result';
  }
}

/** Where a window of half the screen goes. */
export function half(side: 'left' | 'right', screen: { availWidth: number; availHeight: number }): string {
  const width = Math.floor(screen.availWidth / 2);
  return `popup,width=${width},height=${screen.availHeight},left=${side === 'left' ? 0 : width},top=0`;
}
