import { afterEach, expect, test, vi } from 'vitest';
import type { House } from '../src/lib/api/house';
import type { RecalledRound } from '../src/lib/api/types';
import type { Do, SeatLine } from '../src/lib/live/wire';
import { changesOf } from '../src/screens/console/affected.svelte';
import { Desk, type Voiding } from '../src/screens/console/desk.svelte';
import { nextOf } from '../src/screens/console/nextAction';
import { book } from './fixtures';
import { consoleView, round, table } from './liveViews';

const PERSON = { token: 't', session: 's', name: 'dee', position: 'dealer', duties: [], expires_ms: 0, zone: 'UTC' };
const VOIDING: Voiding = { cause: 'ball-breaks', title: 'Ball broke', clause: '5.4', affects: true, rounds: [], do: 'declare' };
const line = (seat: string, credits_cents: number, staked_cents = 0): SeatLine => ({
  seat, kind: 'terminal', in_use: true, connected: true, lost: false, lock: null, call: null, credits_cents, staked_cents, bets: 0, last_win_cents: 0, stakes: {},
});
/** A round in which seats staked and got back so much. */
const recalled = (number: number, seats: Record<string, [number, number]>): RecalledRound => ({
  label: '', table: 'R1', round: number, result: '17', notices: [], between: [], acts: [], after: [],
  seats: Object.entries(seats).map(([seat, [stake_cents, returned_cents]]) => ({
    seat, credits_before_cents: 0, credits_after_cents: 0, lines: [{ bet: 'straight:17', stake_cents, counted_cents: stake_cents, won: returned_cents > 0, returned_cents, clause: null }],
  })),
});
afterEach(() => vi.restoreAllMocks());

test('what settled rounds have paid is taken back, and their stakes go back with those of the running round', () => {
  const seats = [line('10', 200_000), line('2', 133_000, 500), line('3', 100)];
  const rounds = [recalled(1, { 2: [1000, 36_000], 10: [2000, 0] }), recalled(2, { 2: [1000, 0], 10: [2000, 72_000] })];
  expect(changesOf(seats, rounds)).toEqual([
    { seat: '2', cents: 500 - 35_000 + 1000, shortfall_cents: 0 },
    { seat: '10', cents: 2000 - 70_000, shortfall_cents: 0 },
  ]);
  expect(changesOf(seats, [])).toEqual([{ seat: '2', cents: 500, shortfall_cents: 0 }]);
});

test('credits that do not suffice are a shortfall, round by round', () => {
  const rounds = [recalled(1, { 1: [1000, 36_000] }), recalled(2, { 1: [1000, 0] })];
  expect(changesOf([line('1', 10_000, 500)], rounds)).toEqual([{ seat: '1', cents: 500 - 35_000 + 1000, shortfall_cents: 24_500 }]);
});

test('earlier rounds are voided once their record is there, and in their order', async () => {
  const answers: ((found: RecalledRound | null) => void)[] = [];
  const house = { round: (_: string, number: number) => new Promise((resolve, reject) => { answers.push((found) => (found ? resolve(found) : reject(new Error(String(number))))); }) } as unknown as House;
  const desk = new Desk(house, PERSON, 'R1', null);
  const asked: Do[] = [];
  vi.spyOn(desk.live, 'send').mockImplementation(async (what) => { asked.push(what); return { type: 'answer', number: 1, seq: 9 }; });
  desk.book = book('rws-000');
  desk.live.state = 'live';
  desk.live.table = table({ round: round(7, { phase: 'spinning' }) });
  desk.live.console = consoleView();
  const next = () => nextOf({ connected: true, table: desk.live.table, isBall: true, closesBeforeSpin: true, refusalOf: () => null, judged: true, voiding: desk.voiding, unread: desk.reversed === null, stated: null, changing: false, spunByWheel: null });
  const settle = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve); });

  desk.voiding = VOIDING;
  expect([desk.reversed, next().opens]).toEqual([[], 'void']);
  desk.affect(6);
  desk.affect(5);
  expect([desk.voiding.rounds, desk.reversed, next().tone, next().opens]).toEqual([[5, 6], null, 'wait', null]);
  await desk.voidIt();
  expect([asked, desk.voiding]).toEqual([[], { ...VOIDING, rounds: [5, 6] }]);
  answers[0]!(recalled(6, {}));
  answers[1]!(null);
  await settle();
  expect([desk.reversed, desk.affected.failed]).toEqual([null, true]);

  void desk.affected.read(5);
  answers[2]!(recalled(5, {}));
  await settle();
  expect([desk.reversed?.map((each) => each.round), desk.affected.failed, next().opens]).toEqual([[5, 6], false, 'void']);
  await desk.voidIt();
  expect(asked).toEqual([{ type: 'declare-irregularity', cause: 'ball-breaks', rounds: [5, 6, 7] }]);
});
