import { expect, test } from 'vitest';
import { EMPTY } from '../src/lib/betting/betting';
import type { RoundView, SeatView, TableView } from '../src/lib/live/wire';
import { stageOf, winnerOf } from '../src/screens/stage';
import { book, limits } from './fixtures';

const BOOK = book('mbs-fusion');
const ROUND: RoundView = { number: 7, phase: 'betting', opened_ms: 0, closes_ms: 30_000, warned: false, spin: null, result: null, sensor: null };
const TABLE: TableView = {
  table: 'T', book: 'mbs-roulette', layouts: ['main'], open: true, halted: false, awaits_outcome: false, wheel_fault: false, rounds_left: null, round_number: 7,
  round: ROUND, notice: 'Place your bets', clause: null, limits: limits(BOOK.view), cash_limit_cents: null, betting_seconds: 30, warning_seconds: 5, outcomes: [{ round: 6, result: '17' }], notices: [],
};
const SEAT: SeatView = {
  seat: '1', kind: 'rapid-fusion', layout: 'main', in_use: true, visit: 1, lost: false, lock: null, call: null, credits_cents: 1000, staked_cents: 500, stakes: { red: 500 }, boxes_cents: null, last_round: null,
  last_win_cents: 0, visit_in_cents: 1500, visit_out_cents: 0, visit_turnover_cents: 0,
};
const told = (table: Partial<TableView> = {}, seat: Partial<SeatView> = {}, now_ms = 12_100, connected = true) =>
  ({ connected, book: BOOK, bookFailed: false, table: { ...TABLE, ...table }, seat: { ...SEAT, ...seat }, slip: EMPTY, ended: null, now_ms });
const inPhase = (phase: string) => told({ round: { ...ROUND, phase } });

test('while bets are open the seconds are counted up to whole ones', () => {
  expect(stageOf(told())).toMatchObject({ state: 'betting', open: true, seconds: 18, step: 'open', detail: 'closesIn' });
});

test('a clock that is late never shows more than the table gives', () => {
  expect(stageOf(told({}, {}, -400)).seconds).toBe(30);
  expect(stageOf(told({}, {}, 0)).seconds).toBe(30);
  expect(stageOf(told({}, {}, 1)).seconds).toBe(30);
  expect(stageOf(told({}, {}, 1000)).seconds).toBe(29);
});

test('the last seconds are a warning, by the clock or by the word of the table', () => {
  expect(stageOf(told({}, {}, 25_000))).toMatchObject({ state: 'closing', open: true, seconds: 5, tone: 'warn', step: 'warning' });
  expect(stageOf(told({ round: { ...ROUND, warned: true } }))).toMatchObject({ state: 'closing', open: true });
  expect(stageOf(told({}, {}, 99_000))).toMatchObject({ state: 'closing', seconds: 0 });
});

test('without a clock the dealer closes the bets', () => {
  expect(stageOf(told({ round: { ...ROUND, closes_ms: null } }))).toMatchObject({ state: 'betting', open: true, seconds: null, detail: 'opensUntilDealer' });
});

test.each(['closed', 'spinning', 'resulted'])('no bets are taken when the round is %s', (phase) => {
  expect(stageOf(inPhase(phase))).toMatchObject({ state: phase, open: false, seconds: null });
  expect(winnerOf(inPhase(phase))).toBeNull();
});

test('the result is shown between the rounds, and never one of an earlier round', () => {
  const over = told({ round: null, outcomes: [{ round: 7, result: '0' }, ...TABLE.outcomes] });
  expect([stageOf(over).state, winnerOf(over)]).toEqual(['ended', '0']);
  const before = told({ round: null });
  expect([stageOf(before).state, winnerOf(before)]).toEqual(['waiting', null]);
});

test('a void round has no winner', () => {
  const voided = told({ round: null, outcomes: [{ round: 7, result: null }] });
  expect([stageOf(voided).state, winnerOf(voided)]).toEqual(['void', null]);
});

test('a seat that is locked or not connected takes no bets, whatever the round does', () => {
  expect(stageOf(told({}, { lock: 'a large win' }))).toMatchObject({ state: 'locked', open: false });
  expect(stageOf(told({}, {}, 0, false))).toMatchObject({ state: 'disconnected', open: false });
  expect(stageOf({ ...told(), table: null })).toMatchObject({ state: 'disconnected', open: false });
});

test.each([
  [{ open: false }, 'shut'],
  [{ halted: true }, 'interrupted'],
  [{ awaits_outcome: true }, 'interrupted'],
])('a table that is not in play takes no bets: %o', (table, state) => {
  expect(stageOf(told(table))).toMatchObject({ state, open: false });
});

test('a seat that nobody has opened takes no bets', () => {
  expect(stageOf(told({}, { in_use: false }))).toMatchObject({ state: 'unused', open: false });
});

test('a player without money is asked to buy in', () => {
  expect(stageOf(told({}, { credits_cents: 0, staked_cents: 0 })).detail).toBe('buyInFirst');
});

test('before the first round nothing is settled yet', () => {
  expect(stageOf(told({ round: null, round_number: 0, outcomes: [] }))).toMatchObject({ state: 'waiting', open: false, detail: 'noResults' });
});

test('without its book a table takes no bets, and says so once the book could not be read', () => {
  expect(stageOf({ ...told(), book: null, bookFailed: true })).toMatchObject({ state: 'unread', open: false, detail: 'rules.unread.sub' });
  expect(winnerOf({ ...told({ round: null, outcomes: [{ round: 7, result: '17' }] }), book: null, bookFailed: true })).toBeNull();
  expect(stageOf(told({}, { lock: 'win' })).state).toBe('locked');
});
