import { expect, test } from 'vitest';
import { tilesOf } from '../src/screens/console/causes';
import { intentOf } from '../src/screens/console/keys';
import { entriesOf, merged, type Entry } from '../src/screens/console/logging';
import { nextOf, stepsOf, type Told } from '../src/screens/console/nextAction';
import type { Rejection, TableView } from '../src/lib/live/wire';
import { flagsOf, isByHand, stateOfWheel, type Watched } from '../src/screens/console/spin';
import { book } from './fixtures';
import { refusal, round, table } from './liveViews';

function told(view: Partial<TableView>, refusals: Record<string, Rejection> = {}, more: Partial<Told> = {}): Told {
  return {
    connected: true, table: table(view), isBall: true, closesBeforeSpin: true, judged: true, voiding: null, stated: null, position: 'dealer', changing: false, spunByWheel: null,
    refusalOf: (action) => refusals[action] ?? null, ...more,
  };
}
const at = { types: false, armed: false, rejects: false, advises: false, moves: false };
const spin = { ball: null, wheel: null, finished: false, pocket: null, revolutions: null, sensed: false, sensor_failed: false, on_record: true };
const VOIDING = { cause: 'ball-out', title: 'Ball left the wheel', clause: null, affects: false, mayRun: true, running: true, rounds: [], do: 'declare' } as const;

test.each<[string, Told, string | null]>([
  ['a closed table is opened', told({ open: false, round: null }), 'open-table'],
  ['between rounds the next one is opened', told({ round: null }), 'open-round'],
  ['after the last round the table is closed', told({ round: null, rounds_left: 0 }), 'close-table'],
  ['open bets are closed', told({}), 'close-bets'],
  ['closed bets are followed by the spin', told({ round: round(7, { phase: 'closed' }) }), 'start-spin'],
  ['a rolling ball is waited for', told({ round: round(7, { phase: 'spinning', spin }) }), null],
  ['a registered result is confirmed', told({ round: round(7, { phase: 'resulted', result: '17' }) }), 'confirm-result'],
  ['a result that is being changed is not confirmed', told({ round: round(7, { phase: 'resulted', result: '17' }) }, {}, { changing: true }), null],
  ['after an interruption nothing is assumed', told({ awaits_outcome: true, round: round(7, { phase: 'closed' }) }), null],
  ['after an interruption somebody states the outcome', told({ awaits_outcome: true, round: round(7, { phase: 'closed' }) }, {}, { stated: '5' }), 'state-outcome'],
  ['without a connection nothing is done', told({}, {}, { connected: false }), null],
])('%s', (_, seen, action) => {
  expect(nextOf(seen).do?.type ?? null).toBe(action);
});

test('what the table refuses is not offered, and what takes another person is', () => {
  expect(nextOf(told({}, { 'close-bets': refusal('table-halted') }))).toMatchObject({ tone: 'wait', refusal: { code: 'table-halted' } });
  expect(nextOf(told({ open: false, round: null }, { 'open-table': refusal('not-allowed') }))).toMatchObject({ tone: 'next', takesAnother: true });
});

test('a judgement of the step before holds nobody up', () => {
  expect(nextOf(told({ round: round(7, { phase: 'closed' }) }, { 'start-spin': refusal('bets-open') }, { judged: false }))).toMatchObject({ tone: 'next', do: { type: 'start-spin' } });
});

test('a void stands in the place of the next action, and the next action is never one', () => {
  expect(nextOf(told({}, {}, { voiding: { ...VOIDING, rounds: [] } }))).toMatchObject({ tone: 'stop', do: null, opens: 'void' });
  expect(nextOf(told({}))).toMatchObject({ tone: 'next', opens: null });
});

test('steps are done, now, or grey with the reason of the command itself', () => {
  const steps = stepsOf(told({ round: round(7, { phase: 'closed' }) }, { 'enter-result': refusal('no-spin-yet'), 'confirm-result': refusal('no-result') }));
  expect(steps.map((step) => step.state)).toEqual(['done', 'done', 'now', 'no', 'no', 'no']);
  expect(steps.map((step) => step.refusal?.code ?? null)).toEqual([null, null, null, 'no-spin-yet', 'no-result', null]);
});

test('where the book lets the ball roll before the close, the spin may be next', () => {
  const early = stepsOf(told({}, {}, { closesBeforeSpin: false }));
  expect(early[2]).toMatchObject({ name: 'spin', state: 'may' });
  expect(stepsOf(told({}, { 'start-spin': refusal('bets-open') }))[2]).toMatchObject({ state: 'no', refusal: { code: 'bets-open' } });
});

test('a digit is a number only where one is asked for, and names an irregularity only after I', () => {
  expect(intentOf('1', at)).toBeNull();
  expect(intentOf('1', { ...at, types: true })).toEqual({ kind: 'type', character: '1' });
  expect(intentOf('1', { ...at, types: true, armed: true })).toEqual({ kind: 'cause', place: 0 });
  expect(intentOf('X', { ...at, rejects: true })).toEqual({ kind: 'reject', place: 0 });
  expect(intentOf('x', at)).toEqual({ kind: 'correct' });
  expect(intentOf('m', { ...at, advises: true })).toEqual({ kind: 'advise' });
  expect(intentOf('J', { ...at, advises: true })).toEqual({ kind: 'reject-advised' });
  expect(intentOf('m', at)).toBeNull();
  expect(intentOf(' ', at)).toEqual({ kind: 'next' });
});

test.each(['mbs-fusion', 'rws-00-b', 'money-wheel'])('%s lists what can be declared, each with a clause and a key of its own', (name) => {
  const view = book(name);
  // As the table judges them: only what voids can be declared, and what has a command of its own cannot.
  const voids = new Set(view.view.irregularities.filter((each) => each.consequence.startsWith('void') && each.cause !== 'interruption-no-outcome').map((each) => each.cause));
  const tiles = tilesOf(view, (action) => (action === 'call-no-spin' || voids.has(action.split('/')[1] ?? '') ? null : refusal('unknown-cause')));
  expect(tiles.map((tile) => tile.irregularity.cause).sort()).toEqual([...voids].sort());
  expect(new Set(tiles.map((tile) => tile.key)).size).toBe(tiles.length);
  for (const { irregularity } of tiles) expect(irregularity.clause).toMatch(/^[a-z0-9-]+:\d/);
  expect(tiles.map((tile) => tile.irregularity.cause)).not.toContain('wrong-result');
});

test('what is recalled stands whole in the order in which it happened', () => {
  const act = (at_ms: number, type: string) => ({ at_ms, event: { type }, what: null, actor: 'dee', position: 'dealer', second: null });
  const acts = [...Array.from({ length: 200 }, (_, number) => act(number, 'bets-changed')), act(500, 'result-corrected'), act(500, 'seat-corrected')];
  const told = entriesOf([act(-1, 'credits-bought'), ...acts, act(400, 'credits-paid-out')]);
  expect(told).toHaveLength(204);
  expect(told[0]).toMatchObject({ at_ms: -1, who: 'dee' });
  expect(told.slice(-3).map(({ event }) => event.type)).toEqual(['credits-paid-out', 'result-corrected', 'seat-corrected']);
});

test('what was told while the record was read stands in the log once', () => {
  const opened = { type: 'round-opened', round: 7, closes_ms: null, notice: '', clause: 'c' } as const;
  const closed = { type: 'bets-closed', round: 7, closed_by: 'dealer', notice: '', clause: 'c', stakes_clause: null } as const;
  const log: Entry[] = [{ at_ms: 5, who: 'dee', event: opened }, { at_ms: 9, who: 'dee', event: closed }];
  const acts = [{ at_ms: 5, event: { ...opened }, what: null, actor: 'dee', position: 'dealer', second: null }];
  expect(merged(acts, log).map(({ at_ms }) => at_ms)).toEqual([5, 9]);
});

test('where no timer closes the bets, none is spoken of', () => {
  expect(stepsOf(told({ betting_seconds: null }))[1]).toMatchObject({ name: 'close', why: 'con.step.closeByHand' });
  expect(stepsOf(told({ betting_seconds: 60 }))[1]).toMatchObject({ name: 'close', why: 'con.step.close' });
});

test('only where the wheel reports spins is the dealer told to wait for it', () => {
  const closed = { round: round(7, { phase: 'closed' }) };
  const sub = (more: Partial<Told>): string | null => nextOf(told(closed, {}, more)).sub;
  expect([sub({ spunByWheel: true }), sub({ spunByWheel: false }), sub({ spunByWheel: false, isBall: false }), sub({})]).toEqual(['con.spin.sub', 'con.spin.ball', 'con.spin.wheel', 'con.spin.either']);
});

const begun = { type: 'spin-started', round: 7, ball: null, wheel: null, wheel_turning: null, notice: '', clause: 'c' } as const;
const watched = (more: Partial<Watched>): Watched => ({ table: table(), wheel: book('mbs-fusion').view.wheel, fault: null, started: undefined, finished: undefined, spunByWheel: null, ...more });

test('a wheel without sensors is not said to have no ball, and a registered result is where it rests', () => {
  const rolling = watched({ table: table({ round: round(7, { phase: 'spinning', spin }) }), started: { ...begun, said_by: 'dealer' } });
  expect([stateOfWheel(rolling), isByHand(rolling)]).toEqual(['con.rolling', true]);
  expect(flagsOf(rolling).map(({ text }) => text)).toEqual(['con.flag.byHand', 'con.flag.count']);
  const entered = watched({ ...rolling, table: table({ round: round(7, { phase: 'resulted', spin, result: '17' }) }) });
  expect(stateOfWheel(entered)).toBe('con.wheel.rests');
});

test('a wheel with sensors is judged by what they say', () => {
  const seen = { ...spin, ball: 'clockwise', wheel: 'counter-clockwise' };
  const rolling = watched({ table: table({ round: round(7, { phase: 'spinning', spin: seen }) }), started: { ...begun, ...seen, wheel_turning: true, said_by: 'wheel' } });
  expect(isByHand(rolling)).toBe(false);
  expect(flagsOf(rolling).map(({ good, text }) => [good, text])).toEqual([[true, 'con.flag.opposite'], [true, 'con.flag.turning'], [null, 'con.flag.revolutionsYet'], [null, 'con.flag.restYet']]);
  // Nothing was spun in this round yet, and the last one was reported by the wheel.
  expect(isByHand(watched({ spunByWheel: true }))).toBe(false);
  expect(isByHand(watched({ spunByWheel: false }))).toBe(true);
});
