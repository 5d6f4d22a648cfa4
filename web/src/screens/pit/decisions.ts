/** What waits for a person, over all tables; derived from how they stand and from nothing else. */
import type { Facts, Key } from '../../lib/i18n/words.svelte';
import type { PitLine } from '../../lib/live/wire';
import { idOf } from './alarms';

export interface Decision {
  /** One for each thing that waits, for as long as it does; an alarm about the same thing has the same id. */
  id: string;
  table: string;
  title: Key;
  text: Key;
  facts: Facts;
  /** The code under which the journal has what it began with, the seat that it is about, and the round. */
  code: string;
  seat: string | null;
  round: number | null;
}

/** Everything at a table that somebody has to decide, state, look at or release; a call for an attendant is an alarm alone. */
export function decisionsOf({ view, halted_reason, locked, disputes }: PitLine): Decision[] {
  const { table, round } = view;
  const found: Decision[] = [];
  const waits = (title: Key, text: Key, code: string, facts: Facts = {}, of: { seat?: string; round?: number } = {}): void => {
    const { seat = null, round: number = null } = of;
    found.push({ id: idOf(table, code, seat ?? number), table, title, text, code, seat, round: number, facts: { table, round: view.round_number, ...facts } });
  };
  if (view.awaits_outcome) waits('decision.outcome', 'decision.outcome.text', 'table-interrupted');
  if (halted_reason !== null) waits('decision.resume', 'decision.resume.text', 'table-halted', { reason: halted_reason });
  if (!view.awaits_outcome && round?.phase === 'resulted' && round.result !== null) {
    const sensed = round.spin?.pocket ?? round.result;
    const isSigned = round.sensor === 'contradicted';
    const text: Key = sensed === round.result ? 'decision.confirm.text' : isSigned ? 'decision.confirm.overruled' : 'decision.confirm.disagrees';
    waits('decision.confirm', text, 'result-entered', { result: round.result, sensed }, { round: round.number });
  }
  for (const { round: number, registered, sensed } of disputes) {
    const text: Key = registered === null ? 'decision.dispute.void' : sensed === null ? 'decision.dispute.invalid' : 'decision.dispute.text';
    waits('decision.dispute', text, 'spin-reported-late', { round: number, registered: registered ?? '', sensed: sensed ?? '' }, { round: number });
  }
  for (const seat of locked) waits('decision.locked', 'decision.locked.text', 'seat-locked', { seat }, { seat });
  return found;
}

/** What has waited longest comes first; what began at an unknown time comes behind what is known. */
export function oldestFirst(decisions: readonly Decision[], beganAt: (decision: Decision) => number | undefined): Decision[] {
  // Two that are unknown are infinitely far apart, which is no number: they stay as they came.
  return decisions.toSorted((a, b) => (beganAt(a) ?? Infinity) - (beganAt(b) ?? Infinity) || 0);
}
