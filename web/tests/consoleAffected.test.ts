import { render, screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { House } from '../src/lib/api/house';
import type { Foreseen, ForeseenCredits } from '../src/lib/api/types';
import type { Decide, DeclareIrregularity, Do, Rejection } from '../src/lib/live/wire';
import { tilesOf } from '../src/screens/console/causes';
import { Desk, type Voiding } from '../src/screens/console/desk.svelte';
import Effects from '../src/screens/console/Effects.svelte';
import { Foresight } from '../src/screens/console/foresight.svelte';
import { nextOf } from '../src/screens/console/nextAction';
import { book } from './fixtures';
import { consoleView, round, table } from './liveViews';
import Worded from './Worded.svelte';

const PERSON = { token: 't', session: 's', name: 'dee', position: 'dealer', duties: [], expires_ms: 0, zone: 'UTC' };
const VOIDING: Voiding = { cause: 'ball-broken', title: 'Ball broke', clause: '5.4', affects: true, mayRun: true, running: true, rounds: [], do: 'declare' };
const seat = (id: string, more: Partial<ForeseenCredits> = {}): ForeseenCredits => ({
  seat: id, before_cents: 10_000, after_cents: 10_000, difference_cents: 0, returned_cents: 0, shortfall_cents: 0, unclaimed_cents: 0, has_left: false, ...more,
});
const foreseen = (...seats: ForeseenCredits[]): Foreseen => ({ rounds: [{ round: 1, registered: '17', result: null, house_before_cents: -34_000, house_after_cents: 0 }], seats });
const settle = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve); });
afterEach(() => vi.restoreAllMocks());

async function show(found: Foreseen, brief = false): Promise<void> {
  const foresight = new Foresight<Foreseen>(async () => found);
  await foresight.look();
  render(Worded, { props: { part: Effects as unknown as Component<Record<string, unknown>>, props: { foresight, brief } } });
}
const rows = (): string[][] => screen.getAllByRole('row').slice(1).map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim()));

test('each seat is shown with what becomes of its credits, what is missing and what is paid by hand', async () => {
  await show(foreseen(seat('10', { after_cents: 0, difference_cents: -10_000, shortfall_cents: 25_000 }), seat('3'), seat('2', { unclaimed_cents: 1000, has_left: true })));
  expect(rows()).toEqual([['2', '100.00', '0.00', '100.00', 'none', '10.00'], ['10', '100.00', '−100.00', '0.00', '250.00', 'none']]);
  expect(screen.getByText('House, round 1: −340.00 → 0.00')).toBeDefined();
  expect(screen.getByText(/^Credits of seat 10 do not suffice\. Credits never go below zero/)).toBeDefined();
  expect(screen.getByText(/^Seat 2: the player who had the bets has left\. The credits there belong/)).toBeDefined();
});

test('where there is little room, each seat says the same in a line', async () => {
  await show(foreseen(seat('10', { difference_cents: -10_000, shortfall_cents: 25_000 }), seat('2', { unclaimed_cents: 1000, has_left: true })), true);
  const shown = screen.getByRole('group').textContent;
  for (const text of ['Seat 20.0010.00 unclaimedSeat 10−100.00250.00 missing', 'Seat 2: the player who had the bets has left.', 'House, round 1']) expect(shown).toContain(text);
});

test('where no credits change that is said', async () => {
  await show({ rounds: [], seats: [seat('3')] });
  expect(screen.getByRole('status').textContent).toBe('No credits change.');
});

test('earlier rounds are voided once the table has said what that does, as it was seen, and in their order', async () => {
  const questions: { what: Decide | DeclareIrregularity; answer: (found: Foreseen | null) => void }[] = [];
  const house = { foreseen: (_: string, what: Decide | DeclareIrregularity) => new Promise((resolve, reject) => { questions.push({ what, answer: (found) => (found ? resolve(found) : reject(new Error('none'))) }); }) } as unknown as House;
  const desk = new Desk(house, PERSON, 'R1', null);
  const given: Do[] = [];
  vi.spyOn(desk.live, 'send').mockImplementation(async (what) => { given.push(what); return { type: 'answer', number: 1, seq: 9 }; });
  desk.book = book('rws-000');
  desk.live.state = 'live';
  desk.live.table = table({ round: round(7, { phase: 'spinning' }) });
  desk.live.console = consoleView();
  const next = () => nextOf({ connected: true, table: desk.live.table, isBall: true, closesBeforeSpin: true, refusalOf: () => null, judged: true, voiding: desk.voiding, unforeseen: desk.unforeseen, stated: null, position: 'dealer', changing: false, spunByWheel: null });
  const answer = async (found: Foreseen | null): Promise<void> => { questions.at(-1)!.answer(found); await settle(); };

  desk.voiding = VOIDING;
  expect([desk.unforeseen, next().opens]).toEqual([false, 'void']);
  desk.affect(6);
  desk.affect(5);
  expect(questions.map(({ what }) => what)).toEqual([[6, 7], [5, 6, 7]].map((rounds) => ({ type: 'declare-irregularity', cause: 'ball-broken', rounds })));
  expect([desk.voiding.rounds, desk.unforeseen, next().tone, next().opens]).toEqual([[5, 6], true, 'wait', null]);
  await desk.voidIt();
  expect([given, desk.voiding]).toEqual([[], { ...VOIDING, rounds: [5, 6] }]);
  questions[0]!.answer(foreseen(seat('1')));
  await answer(null);
  expect([desk.unforeseen, desk.foresight.reading.failed]).toEqual([true, new Error('none')]);

  void desk.foresight.look();
  await answer(foreseen(seat('1')));
  expect([desk.unforeseen, next().opens]).toEqual([false, 'void']);
  // Somebody has left meanwhile: it is shown, and not done.
  void desk.voidIt();
  await answer(foreseen(seat('1', { has_left: true })));
  expect([given, desk.voiding?.rounds, desk.foresight.changed]).toEqual([[], [5, 6], true]);
  void desk.voidIt();
  void desk.voidIt();
  await answer(foreseen(seat('1', { has_left: true })));
  expect(given).toEqual([{ type: 'declare-irregularity', cause: 'ball-broken', rounds: [5, 6, 7] }]);
});

test('an earlier round alone may be named, and the running one then goes on', async () => {
  const house = { foreseen: async () => foreseen(seat('1')) } as unknown as House;
  const desk = new Desk(house, PERSON, 'R1', null);
  const given: Do[] = [];
  vi.spyOn(desk.live, 'send').mockImplementation(async (what) => { given.push(what); return { type: 'answer', number: 1, seq: 9 }; });
  desk.book = book('rws-000');
  desk.live.state = 'live';
  desk.live.table = table({ round: round(7, { phase: 'resulted', result: '17' }) });
  desk.live.console = consoleView();
  const next = () => nextOf({ connected: true, table: desk.live.table, isBall: true, closesBeforeSpin: true, refusalOf: () => null, judged: true, voiding: desk.voiding, unforeseen: desk.unforeseen, stated: null, position: 'dealer', changing: false, spunByWheel: null });

  desk.voiding = VOIDING;
  desk.affect(7);
  expect([desk.voiding.running, next().tone, next().label]).toEqual([false, 'wait', 'con.void.which']);
  await desk.voidIt();
  expect(given).toEqual([]);
  desk.affect(6);
  await settle();
  expect([next().opens, next().label]).toEqual(['void', 'con.void.settled']);
  await desk.voidIt();
  expect(given).toEqual([{ type: 'declare-irregularity', cause: 'ball-broken', rounds: [6] }]);
});

test('where the book voids settled rounds, causes stay open while no round runs', () => {
  const refused = { code: 'no-round', kind: 'not-now', sentence: '', facts: {}, clause: null } as const;
  const refusalOf = (later: null | { code: string }) => (action: string) => {
    if (action === 'void-settled-rounds') return later as Rejection | null;
    return (action.endsWith('/interruption-no-outcome') ? { ...refused, code: 'unknown-cause' } : refused) as Rejection;
  };
  const open = (name: Parameters<typeof book>[0], later: null | { code: string }) => tilesOf(book(name), refusalOf(later)).filter((tile) => tile.key !== 'N' && tile.refusal === null).map((tile) => [tile.irregularity.cause, tile.mayRun]);
  expect(open('rws-000', null)).toEqual([['ball-broken', false]]);
  expect(open('rws-000', { code: 'second-person' })).toEqual([['ball-broken', false]]);
  expect(open('money-wheel', { code: 'not-allowed' }).map(([cause]) => cause)).toEqual(['interference', 'no-compartment', 'too-few-revolutions']);
  expect(open('money-wheel', { code: 'round-stands' })).toEqual([]);
});
