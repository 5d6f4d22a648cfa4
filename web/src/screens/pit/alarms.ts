/** What the pit has to look at, derived from how the tables stand and from nothing else. */
import type { IconName } from '../../lib/parts/Icon.svelte';
import { reasonOfCall } from '../../lib/i18n/calls';
import { nameOfBox } from '../console/excess';
import type { Facts, Key, Words } from '../../lib/i18n/words.svelte';
import type { Book } from '../../lib/book/book';
import type { PitLine } from '../../lib/live/wire';

export type Weight = 'stops' | 'urgent' | 'look' | 'know';

export interface Alarm {
  /** One for each thing that is wrong, for as long as it is. */
  id: string;
  table: string;
  weight: Weight;
  icon: IconName;
  title: Key;
  /** A few words for the card of the table. */
  short: Key;
  facts: Facts;
  /** The code under which the journal has it, and the seat that it is about. */
  code: string;
  seat: string | null;
  /** Since when, where the table itself says so and nobody has to look it up. */
  since_ms?: number;
  /** The round in whose course it stands, where it is no significant event of its own. */
  round: number | null;
}

const ORDER: Record<Weight, number> = { stops: 0, urgent: 1, look: 2, know: 3 };

/** Everything that is wrong with a table, the worst first. */
export function alarmsOf(line: PitLine): Alarm[] {
  const { table } = line.view;
  const about = (code: string, rest: Omit<Alarm, 'id' | 'table' | 'code' | 'seat' | 'round' | 'facts'> & { round?: number }, facts: Facts = {}, seat: string | null = null): Alarm =>
    ({ id: idOf(table, code, seat ?? facts['bet']), table, code, seat, round: null, facts: { table, ...facts }, ...rest });
  const found: Alarm[] = [];
  if (line.halted_reason !== null) {
    found.push(about('table-halted', { weight: 'stops', icon: 'alert', title: 'alarm.halted', short: 'alarm.halted.short' }, { reason: line.halted_reason }));
  }
  if (line.view.awaits_outcome) {
    found.push(about('table-interrupted', { weight: 'stops', icon: 'alert', title: 'alarm.outcome', short: 'alarm.outcome.short' }));
  }
  if (line.wheel_fault !== null) {
    found.push(about('wheel-reported', { weight: 'stops', icon: 'alert', title: 'alarm.wheel', short: 'alarm.wheel.short' }, { fault: line.wheel_fault }));
  }
  for (const { round, registered, sensed } of line.disputes) {
    const title: Key = registered === null ? 'alarm.dispute.void' : sensed === null ? 'alarm.dispute.invalid' : 'alarm.dispute';
    found.push({ ...about('spin-reported-late', { weight: 'urgent', icon: 'alert', title, short: 'alarm.dispute.short', round }, { round, registered: registered ?? '', sensed: sensed ?? '' }), id: idOf(table, 'spin-reported-late', round) });
  }
  const running = line.view.round;
  if (running?.result != null && (running.sensor === 'contradicted' || running.sensor === 'failed')) {
    const isAgainst = running.sensor === 'contradicted';
    const facts = { round: running.number, registered: running.result, sensed: running.spin?.pocket ?? '' };
    found.push(about('result-entered', { weight: isAgainst ? 'urgent' : 'look', icon: 'ball', title: isAgainst ? 'alarm.against' : 'alarm.without', short: isAgainst ? 'alarm.against.short' : 'alarm.without.short', round: running.number }, facts));
  }
  if (line.suspect !== null) {
    found.push(about('wheel-suspected', { weight: 'look', icon: 'chart', title: 'alarm.suspect', short: 'alarm.suspect.short' }, { wheel: line.suspect }));
  }
  for (const seat of line.locked) {
    found.push(about('seat-locked', { weight: 'look', icon: 'lock', title: 'alarm.locked', short: 'alarm.locked.short' }, { seat }, seat));
  }
  for (const { seat, reason, since_ms } of line.calls) {
    found.push(about('attendant-called', { weight: 'look', icon: 'bell', title: 'alarm.call', short: 'alarm.call.short', since_ms }, { seat, call: reason }, seat));
  }
  for (const { bet, excess_cents, maximum_cents } of line.boxes) {
    found.push(about('box-marked', { weight: 'look', icon: 'scale', title: 'alarm.box', short: 'alarm.box.short', round: line.view.round_number }, { bet, excess_cents, maximum_cents }));
  }
  for (const seat of line.lost) {
    found.push(about('seat-lost', { weight: 'know', icon: 'off', title: 'alarm.lost', short: 'alarm.lost.short' }, { seat }, seat));
  }
  return found;
}

/** What is the same thing at the same table has the same id, for as long as it lasts. */
export function idOf(table: string, code: string, of: string | number | null | undefined): string {
  return [table, code, of].filter((part) => part !== null && part !== undefined).join('/');
}

/** Facts that are results, by the labels that the book gives them. */
const RESULTS: ReadonlySet<string> = new Set(['registered', 'sensed', 'result']);

/** The facts of an alarm as people read them: bets by their names, faults in words, cents as amounts. */
export function shownFacts(words: Words, book: Book | undefined, facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => {
    if (name === 'bet' && book) return [name, nameOfBox(words, book, String(fact))];
    if (RESULTS.has(name)) return [name, book?.outcomes.get(String(fact))?.label ?? fact];
    if (name === 'call') return ['reason', reasonOfCall(words, String(fact))];
    if (name === 'fault') return ['reason', words.own(`fault.${fact}`) ?? fact];
    return name.endsWith('_cents') ? [name.replace(/_cents$/, ''), words.amount(Number(fact))] : [name, fact];
  }));
}

/** All alarms of the floor, what stops play first. */
export function alarmsOfFloor(lines: readonly PitLine[]): Alarm[] {
  return lines.flatMap(alarmsOf).sort((a, b) => ORDER[a.weight] - ORDER[b.weight]);
}
