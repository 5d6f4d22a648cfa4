import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveSeat } from '../src/lib/live/liveSeat.svelte';
import { FakeSocket, memory, open } from './fakeSocket';
import { book } from './fixtures';
import { refusal, seat, snapshot, table, told, welcome } from './liveViews';

/** What the house is asked over HTTP, and what becomes of a seat while it does not answer. */
const DEVICE = { token: 'a token', device: 'device-1', kind: 'terminal', table: 'R1', seat: '1', replaced: [] };
const TICKET = '/api/vouchers/0042/ticket';
const HISTORY = '/api/seat/history';
const BOOK = '/api/books/mbs-roulette/view';
const VOUCHER = 'croupier.voucher.device-1';

type Said = { status: number; body: unknown } | 'nothing';
const yes = (body: unknown): Said => ({ status: 200, body });
const no = (status: number, code: string): Said => ({ status, body: { code, sentence: 'No.' } });

let says: Record<string, Said>;
let asked: string[];
let addresses: string[];
let sources: LiveSeat[];

beforeEach(() => {
  vi.useFakeTimers();
  [FakeSocket.all, says, asked, addresses, sources] = [[], {}, [], [], []];
  vi.stubGlobal('fetch', (address: string) => {
    const path = address.split('?')[0]!;
    asked.push(path);
    addresses.push(address);
    const said = says[path] ?? 'nothing';
    return said === 'nothing' ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(new Response(JSON.stringify(said.body), { status: said.status }));
  });
});
afterEach(() => {
  for (const source of sources) source.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function live(keeping = memory(), shown = snapshot(5)): LiveSeat {
  const source = new LiveSeat(DEVICE, keeping, { open });
  sources.push(source);
  source.start();
  FakeSocket.last.accept().tell(welcome(), shown);
  return source;
}

const times = (path: string): number => asked.filter((each) => each === path).length;
const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

async function cashedOut(keeping: Storage): Promise<LiveSeat> {
  const source = live(keeping);
  const done = source.cashOut();
  FakeSocket.last.tell({ type: 'answer', number: FakeSocket.last.orders[0]!.number, seq: 6, voucher: '0042' });
  await done;
  await pass();
  return source;
}

test.each([
  ['nothing' as const], [no(429, 'busy')], [no(503, 'journal-unavailable')], [no(503, 'not-recorded')],
  [{ status: 502, body: 'a page of a proxy' }], [{ status: 404, body: 'a page of a proxy' }],
])('a ticket that the house cannot tell of is kept with its amount, and asked for until it is there: %o', async (said) => {
  const keeping = memory();
  says[TICKET] = said;
  await cashedOut(keeping);
  const again = live(keeping);
  await pass();
  expect(again.voucher).toEqual({ number: '0042', cents: 10_000, ticket: null });
  says[TICKET] = yes({ cents: 10_000 });
  await pass(1000);
  expect(again.voucher).toEqual({ number: '0042', cents: 10_000, ticket: { cents: 10_000 } });
  const found = times(TICKET);
  await pass(60_000);
  expect(times(TICKET)).toBe(found);
  expect(keeping.getItem(VOUCHER)).not.toBeNull();
  again.takeTicket();
  expect(keeping.getItem(VOUCHER)).toBeNull();
});

test.each(['redeemed', 'paid', 'voided', 'expired', 'unknown'])('a ticket that is %s is none any more', async (how) => {
  const keeping = memory();
  await cashedOut(keeping);
  says[TICKET] = no(409, `voucher-${how}`);
  const again = live(keeping);
  await pass();
  expect([again.voucher, keeping.getItem(VOUCHER)]).toEqual([null, null]);
});

test('a number that was kept without its amount is found again', async () => {
  const keeping = memory();
  keeping.setItem(VOUCHER, '"0042"');
  says[TICKET] = yes({ cents: 700 });
  const source = live(keeping);
  await pass();
  expect(source.voucher).toMatchObject({ number: '0042', cents: 700 });
});

test('a ticket that was taken meanwhile is not asked for any more', async () => {
  const source = await cashedOut(memory());
  source.takeTicket();
  await pass(60_000);
  expect([source.voucher, times(TICKET)]).toEqual([null, 1]);
});

test('a book that could not be read is asked for until it is there, and the seat says so meanwhile', async () => {
  const source = live();
  await pass();
  expect([source.book, source.bookFailed, times(BOOK)]).toEqual([null, true, 1]);
  says[BOOK] = yes(book('mbs-fusion').view);
  await pass(1000);
  expect([source.book?.view.id, source.bookFailed, times(BOOK)]).toEqual(['mbs-roulette', false, 2]);
  FakeSocket.last.tell(snapshot(6));
  await pass(60_000);
  expect(times(BOOK)).toBe(2);
  // The wheel of a table may have an order of its own.
  expect(addresses.find((each) => each.startsWith(BOOK))).toContain('table=R1');
});

test('the book of the seat on another layout takes the place of the one before, however late that is', async () => {
  says[BOOK] = yes(book('mbs-fusion').view);
  const source = live();
  await pass();
  expect(source.book).not.toBeNull();
  says[BOOK] = 'nothing';
  FakeSocket.last.tell(snapshot(6, { table: table({ layouts: ['main', 'other'] }), seat: seat({}, { layout: 'other' }) }));
  await pass();
  expect([source.book, source.bookFailed]).toEqual([null, true]);
});

test('a seat that is left asks for nothing more', async () => {
  const source = live();
  await pass();
  source.stop();
  const before = asked.length;
  await pass(60_000);
  expect(asked).toHaveLength(before);
});

test('rounds that could not be read are no rounds that were not there', async () => {
  const source = live();
  expect(source.historyRead).toBe('waiting');
  await pass();
  expect([source.historyRead, source.history]).toEqual(['failed', []]);
  says[HISTORY] = yes({ rounds: [] });
  await source.lookBack();
  expect(source.historyRead).toBe('read');
});

test('the rounds of one visit are not shown to the next player, however late they come', async () => {
  says[HISTORY] = yes({ rounds: [{ round: 3, result: '1', seats: [], acts: [], notices: [] }] });
  const source = live();
  await pass();
  expect(source.history).toHaveLength(1);
  const looking = source.lookBack();
  FakeSocket.last.tell(told(7, { type: 'seat-unlocked', seat: '1', round: null }, { seat: seat({}, { visit: 2, credits_cents: 0, visit_in_cents: 0 }) }));
  await looking;
  expect([source.history, source.historyRead]).toEqual([[], 'waiting']);
});

test('a round that ended while the line was down is looked up, whatever ended before it', async () => {
  says[HISTORY] = yes({ rounds: [] });
  const source = live();
  FakeSocket.last.tell(told(6, { type: 'round-voided', round: 7, cause: 'ball-out', reason: 'Ball left the wheel', notice: '', clause: 'c' }, { table: table({ round: null }) }));
  const acts = [{ event: { type: 'seat-returned', cents: 700 } }, { event: { type: 'round-voided', reason: 'Foreign object', clause: 'c' } }];
  says[HISTORY] = yes({ rounds: [{ round: 8, result: null, seats: [], acts, notices: [] }] });
  FakeSocket.last.tell(snapshot(20, { table: table({ round_number: 8, round: null, outcomes: [{ round: 8, result: null }] }) }));
  await pass();
  expect(source.ended).toMatchObject({ round: 8, result: null, returned_cents: 700, reason: 'Foreign object' });
});

test('what is repeated is of the last round, also where that ended while the line was down', async () => {
  const line = (bet: string, stake_cents: number) => ({ bet, stake_cents, counted_cents: stake_cents, won: false, returned_cents: 0, clause: null });
  const source = live();
  FakeSocket.last.tell(told(6, { type: 'seat-settled', seat: '1', round: 7, lines: [line('red', 500)], staked_cents: 500, returned_cents: 0, clause: 'c' }));
  expect(source.lastStakes).toEqual({ red: 500 });
  const recalled = (round: number, bet: string): unknown => ({ round, result: '1', seats: [{ seat: '1', lines: [line(bet, 700)] }], acts: [], notices: [] });
  says[HISTORY] = yes({ rounds: [recalled(6, 'odd')] });
  await source.lookBack();
  expect(source.lastStakes).toEqual({ red: 500 });
  says[HISTORY] = yes({ rounds: [recalled(8, 'black'), recalled(6, 'odd')] });
  FakeSocket.last.tell(snapshot(20, { table: table({ round_number: 8, round: null }) }));
  await pass();
  expect(source.lastStakes).toEqual({ black: 700 });
});

test('all results are either there or were not read', async () => {
  const source = live();
  expect(await source.results()).toBeNull();
  says['/api/tables/R1/statistics'] = yes({ outcomes: [{ round: 1, result: '1' }] });
  expect(await source.results()).toEqual([{ round: 1, result: '1' }]);
});

test('one purchase at a time: a second one is not sent before the first is answered', async () => {
  const source = live();
  const first = source.buyIn(10_000);
  expect(source.errand).toEqual({ sheet: 'buyIn', cents: 10_000, isUnderWay: true, refused: null });
  source.settleUp();
  expect([await source.buyIn(10_000), await source.cashOut(), source.errand?.isUnderWay]).toEqual([false, false, true]);
  expect(FakeSocket.last.orders).toHaveLength(1);
  FakeSocket.last.tell({ type: 'answer', number: FakeSocket.last.orders[0]!.number, seq: 6 });
  expect([await first, source.errand]).toMatchObject([true, { cents: 10_000, isUnderWay: false, refused: null }]);
  source.settleUp();
  expect(source.errand).toBeNull();
  void source.cashOut();
  expect(FakeSocket.last.orders.map(({ do: what }) => what.type)).toEqual(['buy-credits', 'cash-out']);
});

test('a purchase that was on its way when the page was loaded again is so still, and says how it ended', async () => {
  const keeping = memory();
  void live(keeping).buyIn(10_000, '0042');
  const again = live(keeping);
  expect(again.errand).toMatchObject({ sheet: 'buyIn', cents: 10_000, isUnderWay: true });
  expect(await again.buyIn(10_000)).toBe(false);
  const [order, ...others] = FakeSocket.last.orders;
  expect(others).toEqual([]);
  FakeSocket.last.tell({ type: 'answer', number: order!.number, seq: 6, refused: refusal('voucher-used') });
  await pass();
  expect(again.errand).toMatchObject({ sheet: 'buyIn', isUnderWay: false, refused: { code: 'voucher-used' } });
  // It was no bet, and is not said to have been one.
  expect(again.refused).toBeNull();
  expect(live(keeping).errand).toBeNull();
});

test('a call that is on its way is not sent a second time', async () => {
  const source = live();
  const called = source.callAttendant('help');
  expect([source.calling, await source.callAttendant('help'), source.callRefused]).toEqual([true, false, null]);
  expect(FakeSocket.last.orders).toHaveLength(1);
  FakeSocket.last.tell({ type: 'answer', number: FakeSocket.last.orders[0]!.number, seq: 6 });
  expect([await called, source.calling]).toEqual([true, false]);
});
