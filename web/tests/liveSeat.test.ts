import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stakesOf, type Change } from '../src/lib/betting/betting';
import { LiveSeat } from '../src/lib/live/liveSeat.svelte';
import type { Line, TableEvent } from '../src/lib/live/wire';
import { FakeSocket, memory, open } from './fakeSocket';
import { refusal, round, seat, snapshot, table, told, welcome } from './liveViews';

const DEVICE = { token: 'a token', device: 'device-1', kind: 'terminal', table: 'R1', seat: '1', replaced: [] };
const place = (bet: string, cents: number): Change => ({ deltas: { [bet]: cents }, commands: [{ type: 'place-bets', stakes: [{ bet, cents }] }] });
const changed = (bet: string, cents: number, placed_by = 'player'): TableEvent => ({ type: 'bets-changed', seat: '1', round: 7, changes: [{ bet, cents, announced: null }], placed_by, clause: null });
const line = (bet: string, stake_cents: number, returned_cents: number): Line => ({ bet, stake_cents, counted_cents: stake_cents, won: returned_cents > 0, returned_cents, clause: null });

let answers: Record<string, unknown>;
/** Whatever is live is left at the end, so that no line is made again after it. */
const sources: LiveSeat[] = [];

beforeEach(() => {
  FakeSocket.all = [];
  answers = {};
  vi.stubGlobal('fetch', (path: string) => Promise.resolve(new Response(JSON.stringify(answers[path.split('?')[0]!] ?? { code: 'not-found', sentence: 'No.' }), { status: answers[path.split('?')[0]!] ? 200 : 404 })));
});
afterEach(() => {
  for (const source of sources.splice(0)) source.stop();
  vi.unstubAllGlobals();
});

function live(keeping = memory()): LiveSeat {
  const source = new LiveSeat(DEVICE, keeping, { open });
  sources.push(source);
  source.start();
  FakeSocket.last.accept().tell(welcome(), snapshot(5));
  return source;
}

const settled = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve, 0); });

test('a bet is on its way until the server has registered it, and is never counted twice', async () => {
  const source = live();
  source.change(place('straight:17', 500), 'new', 'straight:17');
  expect([source.slip.registered, stakesOf(source.slip)]).toEqual([{}, { 'straight:17': 500 }]);
  expect(FakeSocket.last.orders[0]?.do).toEqual({ type: 'place-bets', seat: '1', stakes: [{ bet: 'straight:17', cents: 500 }] });

  FakeSocket.last.tell(told(6, changed('straight:17', 500), { seat: seat({ 'straight:17': 500 }) }));
  expect([source.slip.registered, stakesOf(source.slip)]).toEqual([{ 'straight:17': 500 }, { 'straight:17': 500 }]);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 6 });
  await settled();
  expect([stakesOf(source.slip), source.slip.onTheWay, source.slip.done.length]).toEqual([{ 'straight:17': 500 }, [], 1]);
});

test('an answer that comes before its event does not take the chip away in between', async () => {
  const source = live();
  source.change(place('straight:17', 500), 'new', 'straight:17');
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 6 });
  await settled();
  expect(stakesOf(source.slip)).toEqual({ 'straight:17': 500 });
  FakeSocket.last.tell(told(6, changed('straight:17', 500), { seat: seat({ 'straight:17': 500 }) }));
  expect([source.slip.registered, source.slip.onTheWay]).toEqual([{ 'straight:17': 500 }, []]);
});

test('a refused bet goes back and says why, where it was', async () => {
  const source = live();
  source.change(place('straight:17', 500), 'new', 'straight:17');
  source.change(place('straight:18', 500), 'new', 'straight:18');
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 6, refused: refusal('exposure-limit') });
  await settled();

  expect(source.refused).toMatchObject({ name: 'straight:17', rejection: { code: 'exposure-limit' } });
  expect(stakesOf(source.slip)).toEqual({ 'straight:18': 500 });
});

test('a change of several commands is for one round, also where the answer to the first comes in the next one', async () => {
  const source = live();
  const stakes = [{ bet: 'red', cents: 500 }];
  source.change({ deltas: { red: 500 }, commands: [{ type: 'take-bets', stakes }, { type: 'place-bets', stakes }] }, 'new', 'red');
  FakeSocket.last.tell(told(9, { type: 'round-opened', round: 8, closes_ms: null, notice: '', clause: 'c' }, { table: table({ round_number: 8, round: round(8) }) }));
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 6 });
  await settled();
  source.change(place('black', 500), 'new', 'black');
  expect(FakeSocket.last.orders.map(({ do: what, round }) => [what.type, round])).toEqual([['take-bets', 7], ['place-bets', 7], ['place-bets', 8]]);
  FakeSocket.last.tell({ type: 'answer', number: 2, seq: 10, refused: refusal('another-round') });
  await settled();
  expect([source.refused?.rejection.code, stakesOf(source.slip)]).toEqual(['another-round', { black: 500 }]);
});

test('whoever comes next is not shown how the last round ended for whoever has left', () => {
  const source = live();
  FakeSocket.last.tell(
    told(9, { type: 'seat-settled', seat: '1', round: 7, lines: [line('straight:17', 500, 18_000)], staked_cents: 500, returned_cents: 18_000, clause: 'c' }, { seat: seat() }),
    told(10, { type: 'round-settled', round: 7, result: '17', notice: '', clause: 'c', excess_clause: null }, { table: table({ round: null }) }),
    told(11, { type: 'credits-paid-out', seat: '1', cents: 18_000, voucher: '123456789012345678', occasion: null, clause: null }, { seat: seat({}, { visit: 2, credits_cents: 0, visit_in_cents: 0 }) }),
  );
  expect(source.ended).toBeNull();
  FakeSocket.last.tell(
    told(12, { type: 'credits-bought', seat: '1', cents: 500, clause: null }, { seat: seat({}, { visit: 2 }) }),
    told(13, { type: 'result-corrected', round: 7, old: '17', new: '18', settled: true, cause: 'wrong-result', reason: 'misread', notice: '', clause: 'c' }),
  );
  expect(source.ended).toBeNull();
});

test('a call goes to the floor, and says when it was answered but not when it was withdrawn', async () => {
  const source = live();
  const called = source.callAttendant('payout');
  expect(FakeSocket.last.orders[0]?.do).toEqual({ type: 'call-attendant', seat: '1', reason: 'payout' });
  FakeSocket.last.tell(told(6, { type: 'attendant-called', seat: '1', reason: 'payout', since_ms: 9 }, { seat: seat({}, { call: { reason: 'payout', since_ms: 9 } }) }));
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 6 });
  expect([await called, source.seat?.call]).toEqual([true, { reason: 'payout', since_ms: 9 }]);
  FakeSocket.last.tell(told(7, { type: 'call-ended', seat: '1', how: 'answered', since_ms: 9 }, { seat: seat() }));
  expect([source.seat?.call, source.callAnswered]).toEqual([null, true]);

  void source.callAttendant('help');
  FakeSocket.last.tell(told(8, { type: 'attendant-called', seat: '1', reason: 'help', since_ms: 10 }, { seat: seat({}, { call: { reason: 'help', since_ms: 10 } }) }));
  expect(source.callAnswered).toBe(false);
  FakeSocket.last.tell({ type: 'answer', number: 2, seq: 8 });
  await settled();
  void source.withdrawCall();
  expect(FakeSocket.last.orders.at(-1)?.do).toEqual({ type: 'answer-call', seat: '1' });
  FakeSocket.last.tell(told(9, { type: 'call-ended', seat: '1', how: 'withdrawn', since_ms: 10 }, { seat: seat() }));
  expect([source.seat?.call, source.callAnswered]).toEqual([null, false]);
});

test('a call that is refused says why, and without a line none is sent', async () => {
  const source = live();
  const called = source.callAttendant('help');
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 6, refused: refusal('attendant-called') });
  expect([await called, source.callRefused?.code]).toEqual([false, 'attendant-called']);
  const orders = FakeSocket.last.orders.length;
  FakeSocket.last.cut();
  expect([await source.callAttendant('help'), source.callRefused]).toEqual([false, null]);
  expect(FakeSocket.last.orders).toHaveLength(orders);
});

test('what the dealer places for the player is no answer to the player', () => {
  const source = live();
  source.change(place('straight:17', 500), 'new', 'straight:17');
  FakeSocket.last.tell(told(6, changed('red', 700, 'dealer'), { seat: seat({ red: 700 }) }));

  expect([source.slip.registered, stakesOf(source.slip)]).toEqual([{ red: 700 }, { red: 700, 'straight:17': 500 }]);
});

test.each<[string, TableEvent]>([
  ['the dealer has rejected it', { type: 'bets-rejected', seat: '1', round: 7, bet: 'red', cents: 500, cause: 'box-over-maximum', clause: 'c' }],
  ['a decision has returned it', { type: 'seat-returned', seat: '1', round: 7, bets: [{ bet: 'red', cents: -500, announced: null }], cents: 500, void: false, clause: 'c' }],
  ['the dealer has taken it off', changed('red', -500, 'dealer')],
])('what lies there otherwise cannot be undone: %s', (_, event) => {
  const source = live();
  source.change(place('straight:17', 500), 'new', 'straight:17');
  source.change(place('red', 500), 'new', 'red');
  FakeSocket.last.tell(told(6, changed('straight:17', 500), { seat: seat({ 'straight:17': 500 }) }), told(7, changed('red', 500), { seat: seat({ 'straight:17': 500, red: 500 }) }));
  expect(source.slip.done).toHaveLength(2);
  FakeSocket.last.tell(told(8, event, { seat: seat({ 'straight:17': 500 }) }));
  expect(source.slip).toMatchObject({ registered: { 'straight:17': 500 }, done: [], undone: [] });

  source.change(place('black', 500), 'new', 'black');
  FakeSocket.last.tell(told(9, changed('black', 500), { seat: seat({ 'straight:17': 500, black: 500 }) }));
  expect(source.slip.done).toEqual([{ black: 500 }]);
});

test('what changed while the line was down cannot be undone', () => {
  const source = live();
  source.change(place('red', 500), 'new', 'red');
  FakeSocket.last.tell(told(6, changed('red', 500), { seat: seat({ red: 500 }) }));
  FakeSocket.last.tell(snapshot(7, { seat: seat({ red: 500 }) }));
  expect(source.slip.done).toHaveLength(1);
  FakeSocket.last.tell(snapshot(8, { seat: seat({ black: 500 }) }));
  expect(source.slip).toMatchObject({ registered: { black: 500 }, done: [] });
});

test('without a connection nothing is taken', () => {
  const source = live();
  FakeSocket.last.cut();
  source.change(place('straight:17', 500), 'new', 'straight:17');
  expect([source.connected, stakesOf(source.slip)]).toEqual([false, {}]);
});

test('a settled round is whole: result, lines, what came back, and what to repeat', () => {
  const source = live();
  const lines = [line('straight:17', 500, 18_000), line('red', 500, 0)];
  FakeSocket.last.tell(
    told(9, { type: 'result-confirmed', round: 7, result: '17', notice: '17', clause: 'c' }),
    told(10, { type: 'seat-settled', seat: '1', round: 7, lines, staked_cents: 1000, returned_cents: 18_000, clause: 'c' }, { seat: seat() }),
    told(11, { type: 'round-settled', round: 7, result: '17', notice: '', clause: 'c', excess_clause: null }, { table: table({ round: null }) }),
  );
  expect(source.ended).toMatchObject({ round: 7, result: '17', lines, returned_cents: 18_000 });
  expect(source.lastStakes).toEqual({ 'straight:17': 500, red: 500 });

  FakeSocket.last.tell(told(12, { type: 'round-opened', round: 8, closes_ms: null, notice: '', clause: 'c' }, { table: table({ round_number: 8, round: round(8) }) }));
  expect([source.slip.registered, source.slip.done]).toEqual([{}, []]);
});

test('a void round says why, and what went back', () => {
  const source = live();
  FakeSocket.last.tell(
    told(9, { type: 'seat-returned', seat: '1', round: 7, bets: [{ bet: 'red', cents: -700, announced: null }], cents: 700, void: true, clause: 'mbs-roulette:5.6' }, { seat: seat() }),
    told(10, { type: 'round-voided', round: 7, cause: 'ball-out', reason: 'Ball left the wheel', notice: '', clause: 'mbs-roulette:5.6' }, { table: table({ round: null }) }),
  );
  expect(source.ended).toMatchObject({ round: 7, result: null, returned_cents: 700, reason: 'Ball left the wheel', clause: 'mbs-roulette:5.6' });
  expect(source.lastStakes).toEqual({ red: 700 });
});

test('a correction replaces the end of its round, and of no other', () => {
  const source = live();
  FakeSocket.last.tell(told(9, { type: 'seat-settled', seat: '1', round: 7, lines: [line('red', 500, 0)], staked_cents: 500, returned_cents: 0, clause: 'c' }));
  const corrected = (number: number): TableEvent => ({ type: 'seat-corrected', seat: '1', round: number, result: '1', lines: [line('red', 500, 1000)], returned_before_cents: 0, returned_cents: 1000, carried_cents: 0, moved_cents: 1000, given_up_cents: 0, clause: 'c' });
  FakeSocket.last.tell(told(10, corrected(6)));
  expect(source.ended?.returned_cents).toBe(0);
  FakeSocket.last.tell(told(11, corrected(7)), told(12, { type: 'result-corrected', round: 7, old: '2', new: '1', settled: true, cause: 'wrong-result', reason: 'misread', notice: '', clause: 'c' }));
  expect(source.ended).toMatchObject({ result: '1', returned_cents: 1000 });
});

test('after a reload the last round and its stakes are looked up', async () => {
  answers['/api/seat/history'] = { rounds: [{ round: 7, result: '17', seats: [{ seat: '1', credits_before_cents: 0, credits_after_cents: 0, lines: [line('red', 500, 1000)] }], acts: [{ at_ms: 0, event: { type: 'round-settled', clause: 'c', excess_clause: null }, what: null, actor: null, position: null, second: null }] }] };
  const source = live();
  await settled();
  expect(source.ended).toMatchObject({ round: 7, result: '17', returned_cents: 1000 });
  expect(source.lastStakes).toEqual({ red: 500 });
});

test('a cash-out shows its voucher, also to a page that was loaded again in between', async () => {
  const keeping = memory();
  const source = live(keeping);
  const done = source.cashOut();
  answers['/api/vouchers/0042/ticket'] = { cents: 10_000 };
  const again = live(keeping);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8, repeated: true, voucher: '0042' });
  await settled();
  await settled();
  expect(again.voucher).toEqual({ number: '0042', cents: 10_000, ticket: { cents: 10_000 } });

  FakeSocket.all[0]!.tell({ type: 'answer', number: 1, seq: 8, voucher: '0042' });
  expect([await done, source.voucher]).toMatchObject([true, { number: '0042', cents: 10_000 }]);
});

test('money that does not move says why', async () => {
  const source = live();
  const done = source.buyIn(5000, '0042');
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8, refused: refusal('voucher-used') });
  expect([await done, source.errand?.refused?.code]).toEqual([false, 'voucher-used']);
});

test('after a reload what was done can be undone, but only where it leads to what lies there', () => {
  const keeping = memory();
  const source = live(keeping);
  source.change(place('red', 500), 'new', 'red');
  FakeSocket.last.tell(told(6, changed('red', 500), { seat: seat({ red: 500 }) }));
  expect(source.slip.done).toEqual([{ red: 500 }]);

  const loaded = (stakes: Record<string, number>): LiveSeat => {
    const again = new LiveSeat(DEVICE, keeping, { open });
    again.start();
    FakeSocket.last.accept().tell(welcome(), snapshot(6, { seat: seat(stakes) }));
    return again;
  };
  expect(loaded({ red: 500 }).slip.done).toEqual([{ red: 500 }]);
  expect(loaded({ red: 500, black: 100 }).slip.done).toEqual([]);
});

test('a seat that was paid out by hand is told so, although the visit is over', () => {
  const keeping = memory();
  const source = live(keeping);
  FakeSocket.last.tell(told(6, { type: 'limits-changed', old: {} as never, new: {} as never, reason: 'evening', clause: null }));
  FakeSocket.last.tell(told(7, { type: 'credits-paid-out', seat: '1', cents: 360_000, voucher: null, occasion: 'locked-seat', clause: null }));
  // What the seat is then comes with the last event of the command.
  FakeSocket.last.tell(told(8, { type: 'seat-unlocked', seat: '1', round: null }, { seat: seat({}, { visit: 2, credits_cents: 0, visit_in_cents: 0 }) }));
  expect(source.news).toMatchObject([{ kind: 'paid', cents: 360_000 }]);

  const again = new LiveSeat(DEVICE, keeping, { open });
  again.start();
  FakeSocket.last.accept().tell(welcome(), snapshot(8, { seat: seat({}, { visit: 2, credits_cents: 0, visit_in_cents: 0 }) }));
  expect(again.news).toMatchObject([{ kind: 'paid' }]);
});

describe('where nobody can say what became of it', () => {
  beforeEach(() => { vi.useFakeTimers(); });
  afterEach(() => { vi.useRealTimers(); });

  /** The table cannot say, however often it is asked, for longer than anybody waits. */
  async function doubted(): Promise<void> {
    for (let at = 0, answered = 0; at < 20_000; at += 250) {
      const { orders } = FakeSocket.last;
      for (const { number } of orders.slice(answered)) FakeSocket.last.tell({ type: 'answer', number, seq: 0, refused: refusal('not-registered') });
      answered = orders.length;
      await vi.advanceTimersByTimeAsync(250);
    }
  }

  test('a cash-out is under way until its voucher is there, also over a reload', async () => {
    const keeping = memory();
    const source = live(keeping);
    void source.cashOut();
    await doubted();
    expect(source.errand).toMatchObject({ sheet: 'cashOut', cents: 10_000, isUnderWay: true, refused: { code: 'not-registered' } });
    source.settleUp();
    expect(source.errand).toMatchObject({ isUnderWay: true, refused: null });
    source.stop();

    const again = live(keeping);
    expect(again.errand).toMatchObject({ sheet: 'cashOut', isUnderWay: true });
    await doubted();
    expect(again.errand).toMatchObject({ isUnderWay: true, refused: { code: 'not-registered' } });
    const [{ number } = { number: 0 }] = FakeSocket.last.orders;
    FakeSocket.last.tell({ type: 'answer', number, seq: 8, repeated: true, voucher: '123456789012345678' });
    await vi.advanceTimersByTimeAsync(0);
    expect([again.errand?.isUnderWay, again.errand?.refused, again.voucher?.number]).toEqual([false, null, '123456789012345678']);
  });

  test('a buy-in cannot be given a second time, and is told as bought when the answer comes', async () => {
    const source = live();
    void source.buyIn(10_000);
    await doubted();
    expect(await source.buyIn(10_000)).toBe(false);
    expect(new Set(FakeSocket.last.orders.map(({ number }) => number)).size).toBe(1);
    FakeSocket.last.tell({ type: 'answer', number: FakeSocket.last.orders[0]!.number, seq: 8, repeated: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(source.errand).toEqual({ sheet: 'buyIn', cents: 10_000, isUnderWay: false, refused: null });
  });
});
