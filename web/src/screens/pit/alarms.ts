/** What the pit has to look at, derived from how the tables stand and from nothing else. */
import type { IconName } from '../../lib/parts/Icon.svelte';
import type { Facts, Key } from '../../lib/i18n/words.svelte';
import type { PitLine } from '../../lib/live/wire';

export type Weight = 'stops' | 'look' | 'know';

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
}

export interface Decision { id: string; table: string; title: Key; text: Key; facts: Facts }

const ORDER: Record<Weight, number> = { stops: 0, look: 1, know: 2 };

/** Everything that is wrong with a table, the worst first. */
export function alarmsOf(line: PitLine): Alarm[] {
  const { table } = line.view;
  const about = (code: string, rest: Omit<Alarm, 'id' | 'table' | 'code' | 'seat' | 'facts'>, facts: Facts = {}, seat: string | null = null): Alarm =>
    ({ id: [table, code, seat].filter(Boolean).join('/'), table, code, seat, facts: { table, ...facts }, ...rest });
  const found: Alarm[] = [];
  if (line.halted_reason !== null) {
    found.push(about('table-halted', { weight: 'stops', icon: 'alert', title: 'alarm.halted', short: 'alarm.halted.short' }, { reason: line.halted_reason }));
  }
  if (line.view.awaits_outcome) {
    found.push(about('table-interrupted', { weight: 'stops', icon: 'alert', title: 'alarm.outcome', short: 'alarm.outcome.short' }));
  }
  if (line.wheel_fault !== null) {
    found.push(about('wheel-reported', { weight: 'stops', icon: 'alert', title: 'alarm.wheel', short: 'alarm.wheel.short' }, { reason: line.wheel_fault }));
  }
  if (line.suspect !== null) {
    found.push(about('wheel-suspected', { weight: 'look', icon: 'chart', title: 'alarm.suspect', short: 'alarm.suspect.short' }, { wheel: line.suspect }));
  }
  for (const seat of line.locked) {
    found.push(about('seat-locked', { weight: 'look', icon: 'lock', title: 'alarm.locked', short: 'alarm.locked.short' }, { seat }, seat));
  }
  for (const seat of line.lost) {
    found.push(about('seat-lost', { weight: 'know', icon: 'off', title: 'alarm.lost', short: 'alarm.lost.short' }, { seat }, seat));
  }
  return found;
}

/** All alarms of the floor, what stops play first. */
export function alarmsOfFloor(lines: readonly PitLine[]): Alarm[] {
  return lines.flatMap(alarmsOf).sort((a, b) => ORDER[a.weight] - ORDER[b.weight]);
}

/** What waits for somebody to decide: outcomes to be stated, tables to be let play again, results to be confirmed. */
export function decisionsOf(lines: readonly PitLine[]): Decision[] {
  return lines.flatMap(({ view, halted_reason }) => {
    const { table } = view;
    const facts: Facts = { table, round: view.round_number };
    const found: Decision[] = [];
    if (view.awaits_outcome) found.push({ id: `${table}/outcome`, table, title: 'decision.outcome', text: 'decision.outcome.text', facts });
    if (halted_reason !== null) found.push({ id: `${table}/resume`, table, title: 'decision.resume', text: 'decision.resume.text', facts: { ...facts, reason: halted_reason } });
    if (!view.awaits_outcome && view.round?.phase === 'resulted') {
      found.push({ id: `${table}/confirm`, table, title: 'decision.confirm', text: 'decision.confirm.text', facts: { ...facts, result: view.round.result ?? '' } });
    }
    return found;
  });
}
