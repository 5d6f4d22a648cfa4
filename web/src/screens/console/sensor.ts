/** How the wheel's sensor stands to what people register, declare and state. The table judges all of it again. */
import type { Book } from '../../lib/book/book';
import type { Key, Words } from '../../lib/i18n/words.svelte';
import type { DisputeView, Do, Rejection, SpinView, TableView } from '../../lib/live/wire';

const POSITIONS = ['dealer', 'pit-supervisor', 'pit-manager', 'shift-manager'] as const;
type Position = (typeof POSITIONS)[number];
const rankOf = (position: string): number => POSITIONS.indexOf(position as Position);

/** Whether one position may do what another one may. */
export const holds = (position: string, wanted: string): boolean => rankOf(position) >= rankOf(wanted);

/** What entering a result is refused for if people read the wheel. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['sensor-failed', 'result-disagrees', 'second-person']);

/**
 * Whether a working sensor sees the spin and has not seen its end: nobody registers a result before that. What the
 * table says of entering one counts if it is known: faults of the wheel come with it, and not with the round.
 */
export function sensorWaits(table: TableView | null, judged: Rejection | null | undefined): boolean {
  const { round } = table ?? {};
  if (judged === null || (judged && OF_PEOPLE.has(judged.code))) return false;
  const spin = round?.spin;
  return !!spin && round?.phase !== 'resulted' && spin.sensed && !spin.finished && !spin.sensor_failed && !table?.wheel_fault;
}

/** Where the sensor saw the ball or the clapper rest. */
export const sensedOf = (table: TableView | null): string | null => table?.round?.spin?.pocket ?? null;

/** Whether the spin was on record before play stopped. */
export const isOnRecord = (table: TableView | null): boolean => table?.round?.spin?.on_record === true;

/** Whether a number is stated for a spin that is not on record: then its people state the spin as well. */
export function statesSpin(table: TableView | null, what: Do): boolean {
  return what.type === 'state-outcome' && what.result !== null && !isOnRecord(table);
}

/** Whether the sensor says something else than what is stated after an interruption. */
function isDisputed(table: TableView | null, result: string | null): boolean {
  const sensed = sensedOf(table);
  return sensed !== null && sensed !== result;
}

/** Whether an outcome takes another person than the one who is signed in. */
export function outcomeTakesAnother(table: TableView | null, result: string | null, first: string): boolean {
  return (result !== null && !isOnRecord(table)) || (isDisputed(table, result) && !holds(first, 'shift-manager'));
}

/** From which position on the second person signs, beside the first one. */
export function positionOfSecond(table: TableView | null, what: Do, why: Rejection, first: string): string {
  const named = String(why.facts['position'] ?? (why.code === 'result-disagrees' || why.code === 'sensor-failed' ? 'pit-supervisor' : 'dealer'));
  if (what.type !== 'state-outcome') return named;
  const wanted: string[] = [why.code === 'second-person' || why.code === 'not-allowed' ? named : 'dealer'];
  if (isDisputed(table, what.result) && !holds(first, 'shift-manager')) wanted.push('shift-manager');
  if (statesSpin(table, what)) wanted.push('pit-manager');
  return wanted.reduce((highest, each) => (rankOf(each) > rankOf(highest) ? each : highest));
}

/** Why a statement after an interruption takes more than a pit supervisor. */
export function whyOfOutcome(table: TableView | null, what: Do): Key | null {
  if (what.type !== 'state-outcome') return null;
  if (isDisputed(table, what.result)) return 'con.outcomeDisputed';
  return statesSpin(table, what) ? 'con.neither.unrecorded' : null;
}

const DENIED_AT_REST: ReadonlySet<string> = new Set(['too-few-revolutions', 'no-compartment', 'ball-out', 'ball-dropped', 'wheel-stopped', 'interruption-no-outcome']);

/** Whether the sensor saw that an irregularity did not happen in this spin. */
export function deniesCause(spin: SpinView | null, cause: string, wasTurning: boolean | null): boolean {
  if (!spin || spin.sensor_failed) return false;
  if (cause === 'same-direction') return spin.sensed && spin.ball !== null && spin.wheel !== null && spin.ball !== spin.wheel;
  if (cause === 'wheel-still') return spin.sensed && wasTurning === true;
  return DENIED_AT_REST.has(cause) && spin.pocket !== null;
}

/** What the sensor saw of the spin beside its end: revolutions and directions. */
export function seenOf(words: Words, book: Book, spin: SpinView | null): string[] {
  const isBall = book.view.wheel.kind === 'ball';
  const way = (direction: string): string => words.t(direction === 'clockwise' ? 'con.clockwise' : 'con.anticlockwise');
  return [
    spin?.revolutions != null ? words.t('con.evidence.revolutions', { n: spin.revolutions }) : '',
    isBall && spin?.ball ? words.t('con.evidence.ball', { way: way(spin.ball) }) : '',
    spin?.wheel ? words.t('con.evidence.wheel', { way: way(spin.wheel) }) : '',
  ].filter((fact) => fact !== '');
}

/** What follows from an interruption that somebody declares, by what the round has come to. */
export function afterDeclaring(table: TableView | null, spun: boolean): Key | null {
  const { round } = table ?? {};
  if (!round) return null;
  if (round.phase === 'resulted') return 'con.interruption.conclude';
  if (round.spin) return 'con.interruption.wait';
  if (table?.awaits_outcome) return 'con.interruption.waits';
  return spun ? 'con.interruption.spun' : 'con.interruption.void';
}

/** What resuming a halted table means for the round that the halt met. */
export function afterHalt(table: TableView | null): Key | null {
  const { round } = table ?? {};
  if (!round) return null;
  if (round.phase === 'resulted') return 'con.resume.resulted';
  if (round.spin) return round.spin.pocket === null ? 'con.resume.spun' : 'con.resume.sensed';
  return round.phase === 'betting' ? 'con.resume.betting' : 'con.resume.closed';
}

/** A dispute as a sentence: a round may be void, and a spin may not count. */
export function disputeText(dispute: DisputeView): 'dispute.number' | 'dispute.invalid' | 'dispute.void' {
  if (dispute.registered === null) return 'dispute.void';
  return dispute.sensed === null ? 'dispute.invalid' : 'dispute.number';
}
