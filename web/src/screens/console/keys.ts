/** What a key means at a console, as a value; what follows from it is the screen's business. */
import { CAUSE_KEYS } from './causes';

export type Intent =
  | { kind: 'next' } | { kind: 'enter' } | { kind: 'back' } | { kind: 'erase' } | { kind: 'type'; character: string }
  | { kind: 'arm' } | { kind: 'cause'; place: number } | { kind: 'decide' } | { kind: 'no-spin' } | { kind: 'ball' } | { kind: 'no-outcome' }
  | { kind: 'correct' } | { kind: 'reject'; place: number } | { kind: 'advise' } | { kind: 'reject-advised' } | { kind: 'recall' } | { kind: 'seats' } | { kind: 'log' } | { kind: 'order' }
  | { kind: 'notice'; place: number } | { kind: 'answer' } | { kind: 'table' } | { kind: 'keys' } | { kind: 'interruption' } | { kind: 'move'; along: number; across: number };

export interface At {
  /** Whether a number is asked for, or an amount. */
  types: boolean;
  /** Whether an irregularity is about to be named. */
  armed: boolean;
  /** Whether boxes are over their limit and the bets are open. */
  rejects: boolean;
  /** Whether bets are under their minimum and the bets are open. */
  advises: boolean;
  /** Whether the arrows move over the places of the Money Wheel. */
  moves: boolean;
}

const LETTERS: Record<string, Intent> = {
  n: { kind: 'no-spin' }, b: { kind: 'ball' }, x: { kind: 'correct' }, r: { kind: 'recall' }, t: { kind: 'seats' }, g: { kind: 'log' },
  o: { kind: 'order' }, l: { kind: 'table' }, a: { kind: 'answer' }, v: { kind: 'no-outcome' }, i: { kind: 'arm' }, s: { kind: 'decide' }, d: { kind: 'interruption' }, '?': { kind: 'keys' },
  f2: { kind: 'notice', place: 0 }, f3: { kind: 'notice', place: 1 }, ' ': { kind: 'next' }, enter: { kind: 'enter' }, escape: { kind: 'back' }, backspace: { kind: 'erase' },
};
const ARROWS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export function intentOf(key: string, at: At): Intent | null {
  if (at.armed && key.length === 1 && CAUSE_KEYS.includes(key)) return { kind: 'cause', place: CAUSE_KEYS.indexOf(key) };
  const arrow = ARROWS[key];
  if (arrow) return at.moves ? { kind: 'move', along: arrow[0], across: arrow[1] } : null;
  if (/^[0-9]$/.test(key)) return at.types ? { kind: 'type', character: key } : null;
  const letter = key.toLowerCase();
  if (at.rejects && (letter === 'x' || letter === 'z')) return { kind: 'reject', place: letter === 'x' ? 0 : 1 };
  if (at.advises && (letter === 'm' || letter === 'j')) return { kind: letter === 'm' ? 'advise' : 'reject-advised' };
  return LETTERS[letter] ?? null;
}
