import { expect, test } from 'vitest';
import type { RecalledAct, RecalledRound } from '../src/lib/api/types';
import { endRecalled } from '../src/lib/live/liveEnd';
import { lookedBack } from '../src/screens/terminal/lookBack';

const act = (type: string, more: object = {}): RecalledAct => ({ at_ms: 1000, event: { type, ...more }, what: null, actor: null, position: null, second: null });
const changed = (cents: number): RecalledAct => act('bets-changed', { changes: [{ bet: 'red', cents }] });
const line = { bet: 'red', stake_cents: 500, counted_cents: 500, won: true, returned_cents: 1000, clause: null };
const round = (more: Partial<RecalledRound>): RecalledRound => ({
  label: '', table: 'R1', round: 7, result: '1', between: [], after: [], notices: [{ at_ms: 1, text: '' }, { at_ms: 2, text: 'No more bets' }],
  seats: [{ seat: '1', credits_before_cents: 5000, credits_after_cents: 5500, lines: [line] }], acts: [act('round-opened'), changed(500), act('round-settled')], ...more,
});

test('a settled round has its lines, its money and its notices', () => {
  expect(lookedBack(round({}))).toMatchObject({ isOver: true, staked_cents: 500, returned_cents: 1000, before_cents: 5000, after_cents: 5500, notices: [{ text: 'No more bets' }] });
});

test('a void round gives back what lay in play', () => {
  const acts = [act('round-opened'), changed(800), changed(-300), act('seat-returned', { cents: 500 }), act('round-voided')];
  expect(lookedBack(round({ result: null, acts, seats: [{ seat: '1', credits_before_cents: 5000, credits_after_cents: 5000, lines: [] }] }))).toMatchObject({ result: null, isOver: true, staked_cents: 500, returned_cents: 500 });
});

test('a round that runs is not over', () => {
  expect(lookedBack(round({ result: null, acts: [act('round-opened'), changed(500)], seats: [] }))).toMatchObject({ isOver: false, staked_cents: 500, returned_cents: 0 });
});

test('credits behind corrections stand apart from those of the end, and so does what is paid by hand', () => {
  const corrected = (of: number, carried: number, credits: number | null): RecalledAct => ({ ...act('seat-corrected', { round: of, carried_cents: carried }), credits_cents: credits });
  const acts = [act('round-opened'), changed(500), corrected(6, 0, 4000), act('round-settled'), corrected(7, 0, 9000), corrected(7, 2000, null)];
  expect(lookedBack(round({ acts }))).toMatchObject({ meanwhile: [{ round: 6, cents: 4000 }], after_cents: 5500, corrected: [{ round: 7, cents: 9000 }], owed_cents: 2000 });
  expect(lookedBack(round({ acts: [...acts, corrected(7, -300, null)] })).owed_cents).toBe(0);
  const paid: RecalledAct = { ...acts.at(-1)!, event: { type: 'carried-settled', seat: '1', round: 7, how: 'paid', cents: 2000 }, credits_cents: null };
  expect(lookedBack(round({ acts: [...acts, paid] })).owed_cents).toBe(0);
  expect(lookedBack(round({ acts: [...acts, paid, corrected(7, 500, null)] })).owed_cents).toBe(500);
  expect(lookedBack(round({ acts: [...acts.slice(0, 2), corrected(6, 2000, null)] })).owed_cents).toBe(0);
});

test('what was rejected or returned by itself is not staked any more', () => {
  const before = [act('round-opened'), changed(800), act('bets-rejected', { bet: 'red', cents: 200 }), act('seat-returned', { cents: 100, void: false })];
  const of = (...acts: RecalledAct[]) => lookedBack(round({ result: null, acts: [...before, ...acts], seats: [] }));
  expect(of()).toMatchObject({ staked_cents: 500, returned_cents: 0 });
  expect(of(act('seat-returned', { cents: 500, void: true }), act('round-voided'))).toMatchObject({ staked_cents: 500, returned_cents: 500 });
});

test('a settled round that was voided says by which clause, also when it is looked up', () => {
  const settled = act('round-settled', { result: '17', clause: 'book:5.1' });
  const acts = [settled, act('decision-recorded', { reason: 'glass', clause: 'book:9' }), act('result-corrected', { new: null, reason: 'glass', clause: 'book:9' })];
  expect(endRecalled(round({ result: null, acts }))).toMatchObject({ result: null, reason: 'glass', clause: 'book:9' });
  expect(endRecalled(round({ acts: [settled] }))).toMatchObject({ reason: null, clause: 'book:5.1' });
  expect(endRecalled(round({ acts: [act('result-corrected', { clause: 'c' })] }))).toBeNull();
});
