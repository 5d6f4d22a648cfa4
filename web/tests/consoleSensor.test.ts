import { expect, test } from 'vitest';
import { noticesOf } from '../src/screens/console/notices';
import { nextOf, stepsOf, type Told } from '../src/screens/console/nextAction';
import { afterDeclaring, afterHalt, deniesCause, outcomeTakesAnother, positionOfSecond, sensorWaits, statesSpin, whyOfOutcome } from '../src/screens/console/sensor';
import type { Do, Rejection, RoundView, SpinView, TableView } from '../src/lib/live/wire';
import { alarmsOf } from '../src/screens/pit/alarms';
import { decisionsOf } from '../src/screens/pit/decisions';
import type { PitLine } from '../src/lib/live/wire';
import { consoleView, refusal, round, table } from './liveViews';

const spin = (more: Partial<SpinView> = {}): SpinView => ({ ball: 'clockwise', wheel: 'counter-clockwise', finished: false, pocket: null, revolutions: null, sensed: true, sensor_failed: false, on_record: true, ...more });
const rested = spin({ finished: true, pocket: '17', revolutions: 9 });
const at = (phase: string, more: Partial<RoundView> = {}, view: Partial<TableView> = {}): TableView => table({ round: round(7, { phase, ...more }), ...view });
const told = (view: TableView, refusals: Record<string, Rejection> = {}, more: Partial<Told> = {}): Told => ({
  connected: true, table: view, isBall: true, closesBeforeSpin: true, judged: true, voiding: null, stated: null, position: 'dealer', changing: false, spunByWheel: true, refusalOf: (action) => refusals[action], ...more,
});

test('a number is waited for as long as a sensor that works sees the ball roll', () => {
  expect(sensorWaits(at('spinning', { spin: spin() }), undefined)).toBe(true);
  expect(sensorWaits(at('spinning', { spin: spin() }), refusal('not-at-rest'))).toBe(true);
  expect(sensorWaits(at('spinning', { spin: rested }), undefined)).toBe(false);
  expect(sensorWaits(at('spinning', { spin: spin({ sensed: false }) }), undefined)).toBe(false);
  expect(sensorWaits(at('spinning', { spin: spin({ sensor_failed: true }) }), undefined)).toBe(false);
  expect(sensorWaits(at('spinning', { spin: spin() }, { wheel_fault: true }), undefined)).toBe(false);
  // A fault is told to the staff and not with the round: what the table says of entering counts.
  expect(sensorWaits(at('spinning', { spin: spin() }), refusal('sensor-failed'))).toBe(false);
});

test('at rest the sensor\'s number is one key away, and nothing is while the ball rolls', () => {
  expect(nextOf(told(at('spinning', { spin: spin() })))).toMatchObject({ tone: 'wait', sub: 'con.rolling.sensor', do: null });
  expect(stepsOf(told(at('spinning', { spin: spin() }), { 'enter-result': refusal('not-at-rest') }))[3]).toMatchObject({ state: 'no', why: 'con.step.sensor' });
  expect(nextOf(told(at('spinning', { spin: rested }), {}))).toMatchObject({ tone: 'next', number: '17', do: { type: 'enter-result', result: '17' } });
  expect(nextOf(told(at('spinning', { spin: spin({ sensed: false }) }), { 'enter-result': refusal('sensor-failed') }))).toMatchObject({ tone: 'wait', sub: 'con.enter.failed' });
});

const stating = (result: string | null): Do => ({ type: 'state-outcome', result });
test('a statement asks for the people that it takes', () => {
  const recorded = at('spinning', { spin: spin() }, { awaits_outcome: true });
  const sensed = at('spinning', { spin: rested }, { awaits_outcome: true });
  const unrecorded = at('closed', {}, { awaits_outcome: true });
  const inHalt = at('spinning', { spin: { ...rested, on_record: false } }, { awaits_outcome: true });
  const low = { ...refusal('not-allowed'), facts: { position: 'pit-supervisor' } };
  const who = (view: TableView, result: string | null, first: string, why: Rejection = low): string => positionOfSecond(view, stating(result), why, first);
  expect(who(recorded, '17', 'dealer')).toBe('pit-supervisor');
  expect(who(sensed, '20', 'dealer')).toBe('shift-manager');
  expect(who(sensed, null, 'pit-manager', refusal('outcome-disputed'))).toBe('shift-manager');
  expect(who(unrecorded, '17', 'pit-supervisor', refusal('no-spin-recorded'))).toBe('pit-manager');
  expect(who(inHalt, '20', 'shift-manager', refusal('no-spin-recorded'))).toBe('pit-manager');
  expect(who(inHalt, '20', 'pit-manager', refusal('no-spin-recorded'))).toBe('shift-manager');
  expect([statesSpin(recorded, stating('17')), statesSpin(unrecorded, stating('17')), statesSpin(unrecorded, stating(null)), statesSpin(inHalt, stating('17'))]).toEqual([false, true, false, true]);
  expect([whyOfOutcome(sensed, stating('17')), whyOfOutcome(sensed, stating('20')), whyOfOutcome(unrecorded, stating('17'))]).toEqual([null, 'con.outcomeDisputed', 'con.neither.unrecorded']);
  expect([outcomeTakesAnother(recorded, '17', 'pit-supervisor'), outcomeTakesAnother(sensed, '20', 'pit-supervisor'), outcomeTakesAnother(sensed, '20', 'shift-manager'), outcomeTakesAnother(unrecorded, '17', 'shift-manager')]).toEqual([false, true, false, true]);
});

test('another number asks for a supervisor, or for anybody beside one', () => {
  const entering: Do = { type: 'enter-result', result: '20' };
  const view = at('spinning', { spin: rested });
  expect(positionOfSecond(view, entering, refusal('result-disagrees'), 'dealer')).toBe('pit-supervisor');
  expect(positionOfSecond(view, entering, refusal('sensor-failed'), 'dealer')).toBe('pit-supervisor');
  expect(positionOfSecond(view, entering, { ...refusal('second-person'), facts: { position: 'dealer' } }, 'pit-supervisor')).toBe('dealer');
});

test.each<[string, SpinView | null, boolean | null, boolean]>([
  ['too-few-revolutions', rested, null, true],
  ['too-few-revolutions', spin(), null, false],
  ['ball-out', { ...rested, sensor_failed: true }, null, false],
  ['same-direction', spin(), null, true],
  ['same-direction', spin({ wheel: null }), null, false],
  ['wheel-still', spin(), true, true],
  ['wheel-still', spin(), null, false],
  ['interference', rested, true, false],
  ['ball-breaks', rested, true, false],
  ['too-few-revolutions', null, null, false],
])('whether the sensor contradicts %s', (cause, seen, wasTurning, denied) => {
  expect(deniesCause(seen, cause, wasTurning)).toBe(denied);
});

test('what follows from an interruption or a halt depends on the spin', () => {
  expect([afterDeclaring(at('betting'), false), afterDeclaring(at('closed'), true), afterDeclaring(at('spinning', { spin: spin() }), false), afterDeclaring(at('resulted', { spin: rested, result: '17' }), false), afterDeclaring(table({ round: null }), false)])
    .toEqual(['con.interruption.void', 'con.interruption.spun', 'con.interruption.wait', 'con.interruption.conclude', null]);
  expect([afterHalt(at('betting')), afterHalt(at('closed')), afterHalt(at('spinning', { spin: spin() })), afterHalt(at('spinning', { spin: rested })), afterHalt(at('resulted', { spin: rested, result: '17' }))])
    .toEqual(['con.resume.betting', 'con.resume.closed', 'con.resume.spun', 'con.resume.sensed', 'con.resume.resulted']);
});

const seen = (disputes: { round: number; registered: string | null; sensed: string | null }[]) => noticesOf({ table: table({ round: null }), console: consoleView({ disputes }), refused: null, dismissed: new Set(), wins: {} });
test('a dispute is a notice that stays until it is decided', () => {
  const found = seen([{ round: 6, registered: '20', sensed: '17' }, { round: 5, registered: null, sensed: '3' }, { round: 4, registered: '1', sensed: null }]);
  expect(found.map(({ tone, text, does, passes }) => [tone, text, does.kind, passes])).toEqual([['danger', 'dispute.number', 'dispute', false], ['danger', 'dispute.void', 'dispute', false], ['danger', 'dispute.invalid', 'dispute', false]]);
});

test('the pit has an alarm for each dispute, and while a result stands without the sensor or against it', () => {
  const line = (more: Partial<PitLine>): PitLine => ({ view: table({ table: 'T1', round: null }), halted_reason: null, wheel_fault: null, disputes: [], total_cents: 0, worst_cents: 0, seats_in_use: 1, seats_connected: 1, locked: [], lost: [], calls: [], boxes: [], suspect: null, meters: {} as PitLine['meters'], ...more });
  const disputed = line({ disputes: [{ round: 6, registered: '20', sensed: '17' }, { round: 5, registered: null, sensed: '3' }] });
  expect(alarmsOf(disputed).map(({ id, weight, title }) => [id, weight, title])).toEqual([['T1/spin-reported-late/6', 'urgent', 'alarm.dispute'], ['T1/spin-reported-late/5', 'urgent', 'alarm.dispute.void']]);
  expect(decisionsOf(disputed).map(({ id }) => id)).toEqual(alarmsOf(disputed).map(({ id }) => id));
  const entered = (sensor: string | null): PitLine => line({ view: table({ table: 'T1', round: round(7, { phase: 'resulted', result: '20', sensor, spin: rested }) }) });
  expect(alarmsOf(entered('contradicted'))).toMatchObject([{ weight: 'urgent', title: 'alarm.against', facts: { registered: '20', sensed: '17' } }]);
  expect(alarmsOf(entered('failed'))).toMatchObject([{ weight: 'look', title: 'alarm.without' }]);
  expect([...alarmsOf(entered('agreed')), ...alarmsOf(entered(null))]).toEqual([]);
  expect(decisionsOf(entered('contradicted'))).toMatchObject([{ text: 'decision.confirm.overruled' }]);
});
