/** The one next action and the steps of a round, derived from what the table says and from nothing else. */
import type { Key } from '../../lib/i18n/words.svelte';
import type { Do, Rejection, TableView } from '../../lib/live/wire';
import type { Voiding } from './desk.svelte';
import { takesAnother } from './desk.svelte';
import { outcomeTakesAnother, sensedOf, sensorWaits } from './sensor';

export interface Told {
  connected: boolean;
  table: TableView | null;
  /** Whether the wheel has a ball. */
  isBall: boolean;
  /** Where bets stay open while the ball rolls. */
  closesBeforeSpin: boolean;
  refusalOf: (action: string) => Rejection | null | undefined;
  /** Whether the refusals are of the table as it is now; the table itself refuses in any case. */
  judged: boolean;
  voiding: Voiding | null;
  /** Whether it is not known yet what voiding earlier rounds as well would do. */
  unforeseen?: boolean;
  stated: string | null;
  /** Of the person who is signed in. */
  position: string;
  changing: boolean;
  /** Whether the last spin was reported by the wheel; null where nobody has seen one yet. */
  spunByWheel: boolean | null;
}

export interface Next {
  tone: 'next' | 'wait' | 'stop';
  label: Key;
  sub: Key | null;
  facts: Record<string, string | number>;
  /** What it does; none where it waits, or where a dialog asks first. */
  do: Do | null;
  opens: 'resume' | 'void' | null;
  /** Why it cannot be done now, and whether another person makes up for it. */
  refusal: Rejection | null;
  takesAnother: boolean;
  /** The number to show beside it. */
  number: string | null;
}

const plain = { tone: 'next', sub: null, facts: {}, do: null, opens: null, refusal: null, takesAnother: false, number: null } as const;
const waits = { ...plain, tone: 'wait' } as const;

export function nextOf(told: Told): Next {
  const { table, voiding } = told;
  if (!table || !told.connected) return { ...waits, label: 'con.noLine', sub: 'con.noLine.sub' };
  if (voiding?.rounds.length) {
    const facts = { count: voiding.rounds.length + Number(voiding.running) };
    const label = facts.count === 1 ? 'con.void.settled' : 'con.void.rounds';
    return told.unforeseen ? { ...waits, label, sub: 'con.void.reading', facts } : { ...plain, tone: 'stop', label, sub: 'con.void.reverses', opens: 'void', facts };
  }
  if (voiding && !voiding.running) return { ...waits, label: 'con.void.which', sub: 'con.void.which.sub' };
  if (voiding) return { ...plain, tone: 'stop', label: voiding.do === 'no-spin' ? 'con.noSpin.do' : 'con.void.do', sub: 'con.void.sub', opens: 'void' };
  if (table.halted) return judged(told, 'resume-table', { ...plain, label: 'con.resume', sub: 'con.resume.sub', opens: 'resume' });
  if (table.awaits_outcome) {
    if (told.stated === null) return { ...waits, label: 'con.recovery', sub: 'con.recovery.sub' };
    const next = judged(told, 'state-outcome', { ...plain, label: 'con.conclude', sub: 'con.conclude.sub', number: told.stated, do: { type: 'state-outcome', result: told.stated } });
    return next.tone === 'next' && outcomeTakesAnother(table, told.stated, told.position) ? { ...next, takesAnother: true } : next;
  }
  if (!table.open) return judged(told, 'open-table', { ...plain, label: 'con.openTable', sub: 'con.openTable.sub', do: { type: 'open-table' } });
  const round = table.round;
  if (!round) {
    if (table.rounds_left === 0) return judged(told, 'close-table', { ...plain, label: 'con.closeTable', sub: 'con.closeTable.sub', do: { type: 'close-table' } });
    return judged(told, 'open-round', { ...plain, label: 'con.openRound', sub: 'con.playersWillSee', do: { type: 'open-round' } });
  }
  switch (round.phase) {
    case 'betting':
      return judged(told, 'close-bets', { ...plain, label: 'con.closeBets', sub: 'con.playersWillSee', do: { type: 'close-bets' } });
    case 'closed':
      return judged(told, 'start-spin', { ...plain, label: told.isBall ? 'con.spinBall' : 'con.spinWheel', sub: spinSub(told), do: { type: 'start-spin' } });
    case 'spinning': {
      if (sensorWaits(table, told.judged ? told.refusalOf('enter-result') : undefined)) return { ...waits, label: told.isBall ? 'con.rolling' : 'con.turning', sub: 'con.rolling.sensor' };
      const sensed = sensedOf(table);
      if (sensed !== null) return judged(told, 'enter-result', { ...plain, label: 'con.enterSensed', sub: 'con.enterSensed.sub', number: sensed, do: { type: 'enter-result', result: sensed } });
      const refusal = (told.judged && told.refusalOf('enter-result')) || null;
      if (refusal && takesAnother(refusal)) return { ...waits, label: told.isBall ? 'con.enter' : 'con.enterSymbol', sub: 'con.enter.failed' };
      if (round.spin?.finished) return { ...waits, label: told.isBall ? 'con.enter' : 'con.enterSymbol', sub: told.isBall ? 'con.enter.sub' : 'con.enterSymbol.sub' };
      return { ...waits, label: told.isBall ? 'con.rolling' : 'con.turning', sub: told.isBall ? 'con.rolling.sub' : 'con.turning.sub' };
    }
    default:
      if (told.changing) return { ...waits, label: 'con.change', sub: told.isBall ? 'con.enter.sub' : 'con.enterSymbol.sub' };
      return judged(told, 'confirm-result', { ...plain, label: 'con.confirm', sub: 'con.confirm.sub', number: round.result, do: { type: 'confirm-result', result: round.result ?? '' } });
  }
}

/** Whether the dealer states the spin: where wheels report it, the button is for the one that does not. */
function spinSub({ spunByWheel, isBall }: Told): Key {
  if (spunByWheel === null) return 'con.spin.either';
  return spunByWheel ? 'con.spin.sub' : isBall ? 'con.spin.ball' : 'con.spin.wheel';
}

/** What the table itself says about it: allowed, allowed with another person, or not now and why. */
function judged(told: Told, action: string, next: Next): Next {
  const refusal = (told.judged && told.refusalOf(action)) || null;
  if (!refusal) return next;
  return takesAnother(refusal) ? { ...next, refusal, takesAnother: true } : { ...next, refusal, tone: 'wait' };
}

export type StepName = 'open' | 'close' | 'spin' | 'result' | 'confirm' | 'settle';
export interface Step {
  name: StepName;
  state: 'done' | 'now' | 'may' | 'no' | 'stop';
  /** Why not, from the same predicate that guards the command. */
  refusal: Rejection | null;
  /** A word of our own where the table has none. */
  why: Key | null;
}

const STEPS: readonly (readonly [StepName, string | null])[] = [
  ['open', 'open-round'], ['close', 'close-bets'], ['spin', 'start-spin'], ['result', 'enter-result'], ['confirm', 'confirm-result'], ['settle', null],
];

/** How many of the steps are done. */
export function reached(table: TableView | null): number {
  if (!table) return 0;
  const round = table.round;
  if (!round) return table.round_number > 0 && table.outcomes[0]?.round === table.round_number && table.outcomes[0].result !== null ? STEPS.length : 0;
  if (table.awaits_outcome) return round.spin ? 3 : 2;
  const phases: Record<string, number> = { betting: 1, closed: 2, spinning: 3, resulted: 4 };
  return phases[round.phase] ?? 0;
}

export function stepsOf(told: Told): Step[] {
  const { table } = told;
  const at = reached(table);
  const isOver = table?.round === null && at > 0;
  return STEPS.map(([name, action], place): Step => {
    if (place < at) return { name, state: 'done', refusal: null, why: null };
    const refusal = (action !== null && told.judged && told.refusalOf(action)) || null;
    if (told.voiding) return { name, state: place === at ? 'stop' : 'no', refusal: null, why: place === at ? null : 'con.step.void' };
    if (table?.awaits_outcome) return { name, state: 'no', refusal, why: 'con.step.question' };
    if (name === 'result' && place === at && sensorWaits(table, told.judged ? told.refusalOf('enter-result') : undefined)) return { name, state: 'no', refusal: null, why: 'con.step.sensor' };
    if (place === at && !isOver) return { name, state: refusal && !takesAnother(refusal) ? 'no' : 'now', refusal, why: refusal ? null : name === 'close' && table?.betting_seconds == null ? 'con.step.closeByHand' : `con.step.${name}` };
    // The ball may roll before the bets are closed, where the book lets it.
    if (name === 'spin' && table?.round?.phase === 'betting' && table.round.spin) return { name, state: 'done', refusal: null, why: null };
    if (name === 'spin' && table?.round?.phase === 'betting' && !refusal && !told.closesBeforeSpin) return { name, state: 'may', refusal: null, why: 'con.step.early' };
    return { name, state: 'no', refusal, why: name === 'settle' ? 'con.step.settle' : null };
  });
}
