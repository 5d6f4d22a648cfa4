import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, SILENT_MS, type Line } from '../src/lib/live/connection';
import type { Answer, Message } from '../src/lib/live/wire';
import { FakeSocket, memory, open } from './fakeSocket';
import { refusal, snapshot, welcome } from './liveViews';

const OPEN_ROUND = { type: 'open-round' } as const;
const CASH_OUT = { type: 'cash-out', seat: '1' } as const;

let now: { round: number | null; sequence: number; heard: Message[]; states: string[]; orphans: [string, Answer][] };

function line(more: Partial<Line> = {}): Line {
  return {
    token: 'a token', audience: 'seat', sender: 'device-1.R1', address: 'ws://floor/ws', open,
    round: () => now.round, sequence: () => now.sequence,
    onmessage: (message) => { now.heard.push(message); if (message.type === 'snapshot') now.sequence = message.seq; },
    onstate: (state) => now.states.push(state),
    onorphan: (what, answer) => now.orphans.push([what.type, answer]),
    ...more,
  };
}

function connected(more: Partial<Line> = {}): Connection {
  const connection = new Connection(line(more));
  connection.start();
  FakeSocket.last.accept().tell(welcome(), snapshot(5));
  return connection;
}

/** The line is cut, and made again after a pause. */
function reconnected(): FakeSocket {
  FakeSocket.last.cut();
  vi.advanceTimersByTime(200);
  return FakeSocket.last.accept();
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  now = { round: 7, sequence: 0, heard: [], states: [], orphans: [] };
});
afterEach(() => vi.useRealTimers());

test('a hello says who is there, and the screen is live once it was shown everything', () => {
  const connection = new Connection(line());
  connection.start();
  FakeSocket.last.accept();
  expect(FakeSocket.last.said).toEqual([{ type: 'hello', version: 1, token: 'a token', audience: 'seat', table: null, resume: null }]);

  FakeSocket.last.tell(welcome());
  expect(connection.state).toBe('connecting');
  FakeSocket.last.tell(snapshot(5));
  expect(connection.state).toBe('live');
});

test('a welcome may come after the snapshot; nothing is numbered before it', () => {
  const connection = new Connection(line());
  connection.start();
  FakeSocket.last.accept().tell(snapshot(5));
  void connection.send(CASH_OUT);
  expect([connection.state, FakeSocket.last.orders]).toEqual(['connecting', []]);
  FakeSocket.last.tell(welcome({ last_number: 3 }));
  expect([connection.state, FakeSocket.last.orders.map(({ number }) => number)]).toEqual(['live', [4]]);
});

test('commands are numbered after the last one that was answered', async () => {
  const connection = new Connection(line());
  connection.start();
  FakeSocket.last.accept().tell(welcome({ last_number: 41 }), snapshot(5));
  const answer = connection.send(OPEN_ROUND);

  expect(FakeSocket.last.orders.map(({ number, do: what }) => [number, what.type])).toEqual([[42, 'open-round']]);
  FakeSocket.last.tell({ type: 'answer', number: 42, seq: 6 });
  expect(await answer).toMatchObject({ number: 42, seq: 6 });
});

test('after a cut it resumes where it stopped listening', () => {
  connected();
  expect(reconnected().said[0]).toMatchObject({ type: 'hello', resume: { epoch: 'one', seq: 5 } });
  expect(now.states).toEqual(['live', 'lost']);
  FakeSocket.last.tell(welcome({ resumed: true }));
  expect(now.states.at(-1)).toBe('live');
});

test('a command without an answer is sent again under its number, and asks for a snapshot to judge by', async () => {
  const connection = connected();
  const answer = connection.send(CASH_OUT);
  reconnected();
  expect(FakeSocket.last.said[0]).toMatchObject({ type: 'hello', resume: null });
  expect(FakeSocket.last.orders).toEqual([]);

  FakeSocket.last.tell(welcome({ last_number: 1 }), snapshot(9));
  expect(FakeSocket.last.orders.map(({ number }) => number)).toEqual([1]);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8, repeated: true, voucher: '123' });
  expect(await answer).toMatchObject({ voucher: '123' });
  expect(reconnected().said).toMatchObject([{ resume: { seq: 9 } }]);
});

test('a command of a round that is over is not given to the next one; money is moved all the same', async () => {
  const connection = connected();
  const close = connection.send({ type: 'close-bets' });
  const cashOut = connection.send(CASH_OUT);
  FakeSocket.last.cut();
  vi.advanceTimersByTime(200);
  now.round = 8;
  FakeSocket.last.accept().tell(welcome(), snapshot(20));

  expect((await close).refused?.code).toBe('overtaken');
  expect(FakeSocket.last.orders.map(({ do: what }) => what.type)).toEqual(['cash-out']);
  FakeSocket.last.tell({ type: 'answer', number: 2, seq: 21 });
  await cashOut;
});

test('what is meant for a round says so, however late and under whatever number it arrives', () => {
  const connection = connected();
  void connection.send({ type: 'close-bets' });
  void connection.send(CASH_OUT);
  void connection.send({ type: 'call-no-spin', reason: 'x' }, null, 6);
  now.round = 8;
  void connection.send(OPEN_ROUND);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 0, refused: refusal('number-reused') });
  expect(FakeSocket.last.orders.map(({ do: what, round }) => [what.type, round])).toEqual([
    ['close-bets', 7], ['cash-out', undefined], ['call-no-spin', 6], ['open-round', 8], ['close-bets', 7],
  ]);

  reconnected().tell(welcome({ last_number: 9 }), snapshot(9));
  expect(FakeSocket.last.orders.map(({ do: what, round }) => [what.type, round])).toEqual([
    ['cash-out', undefined], ['call-no-spin', 6], ['open-round', 8], ['close-bets', 7],
  ]);
});

test('what the table has answered already is asked for again, whatever the round', async () => {
  const connection = connected();
  const opening = connection.send(OPEN_ROUND);
  FakeSocket.last.cut();
  vi.advanceTimersByTime(200);
  now.round = 8;
  FakeSocket.last.accept().tell(welcome({ last_number: 1 }), snapshot(20));

  expect(FakeSocket.last.orders.map(({ number }) => number)).toEqual([1]);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8, repeated: true });
  expect((await opening).refused).toBeUndefined();
});

test('a reload sends what waits under the same number, and its answer finds its way', () => {
  const keeping = memory();
  void connected({ keeping }).send(CASH_OUT);
  const again = connected({ keeping });

  expect(FakeSocket.last.orders.map(({ number, do: what }) => [number, what.type])).toEqual([[1, 'cash-out']]);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8, voucher: '123' });
  expect(now.orphans).toMatchObject([['cash-out', { voucher: '123' }]]);
  void again.send(OPEN_ROUND);
  expect(FakeSocket.last.orders.at(-1)?.number).toBe(2);
});

test('a password is never kept', () => {
  const keeping = memory();
  void connected({ keeping }).send({ type: 'correct-result', round: 7, result: '1', reason: 'misread' }, { name: 'sue', password: 'a secret' });

  expect(FakeSocket.last.orders[0]?.second).toEqual({ name: 'sue', password: 'a secret' });
  expect(keeping.getItem('croupier.orders.device-1.R1')).not.toContain('secret');
});

test('two pages of one sender do not take each other for themselves', async () => {
  const connection = connected();
  const answer = connection.send(OPEN_ROUND);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 0, refused: refusal('number-reused') });
  FakeSocket.last.tell({ type: 'answer', number: 2, seq: 0, refused: refusal('number-reused') });

  expect(FakeSocket.last.orders.map(({ number }) => number)).toEqual([1, 2, 4]);
  FakeSocket.last.tell({ type: 'answer', number: 4, seq: 6 });
  expect(await answer).toMatchObject({ number: 4, seq: 6 });
});

test('a beat is answered, and three that do not come are a lost line', () => {
  connected();
  FakeSocket.last.tell({ type: 'beat', at_ms: 123 });
  expect(FakeSocket.last.said.at(-1)).toEqual({ type: 'alive', at_ms: 123 });

  vi.advanceTimersByTime(SILENT_MS - 3_000);
  expect(now.states).toEqual(['live']);
  vi.advanceTimersByTime(6_000);
  expect(now.states).toEqual(['live', 'lost']);
  expect(FakeSocket.all[0]?.readyState).toBe(3);
});

test.each([-3_600_000, 3_600_000])('a machine whose clock is set by %i ms hears silence as long after as any other', (step_ms) => {
  connected();
  vi.setSystemTime(Date.now() + step_ms);
  vi.advanceTimersByTime(SILENT_MS - 3_000);
  expect(now.states).toEqual(['live']);
  vi.advanceTimersByTime(6_000);
  expect(now.states).toEqual(['live', 'lost']);
});

test('pauses between attempts grow, and shrink again once the floor has answered', () => {
  connected();
  FakeSocket.last.cut();
  const waits: number[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const [before, began] = [FakeSocket.all.length, Date.now()];
    while (FakeSocket.all.length === before) vi.advanceTimersByTime(25);
    waits.push(Date.now() - began);
    FakeSocket.last.cut();
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(6_275);
  expect(waits.at(-1)).toBeGreaterThan(20 * waits[0]!);

  vi.advanceTimersByTime(7_000);
  FakeSocket.last.accept().tell(welcome(), snapshot(9)).cut();
  const made = FakeSocket.all.length;
  vi.advanceTimersByTime(200);
  expect(FakeSocket.all.length).toBe(made + 1);
});

test('a floor that stops says when to come back', () => {
  connected();
  FakeSocket.last.tell({ type: 'bye', code: 'closing', sentence: 'The server stops.', again_seconds: 2 });
  vi.advanceTimersByTime(1_000);
  expect(FakeSocket.all.length).toBe(1);
  vi.advanceTimersByTime(2_000);
  expect(FakeSocket.all.length).toBe(2);
});

test('a floor that wants this screen no more is not asked again, and who waits is told', async () => {
  const connection = connected();
  const answer = connection.send(OPEN_ROUND);
  FakeSocket.last.tell({ type: 'bye', code: 'signed-out', sentence: 'This session is over.', again_seconds: null });

  await expect(answer).rejects.toMatchObject({ code: 'signed-out' });
  await expect(connection.send(OPEN_ROUND)).rejects.toMatchObject({ code: 'signed-out' });
  vi.advanceTimersByTime(60_000);
  expect([FakeSocket.all.length, connection.state]).toEqual([1, 'ended']);
});

test('a command that the floor cannot read is refused, and is not sent again', async () => {
  const keeping = memory();
  const connection = connected({ keeping });
  const [cashOut, decision] = [connection.send(CASH_OUT), connection.send({ type: 'decide', ruling: 'none', reason: 'x', round: 0 })];
  FakeSocket.last.tell({ type: 'problem', code: 'bad-message', sentence: 'This message cannot be read.', number: 2 });
  expect((await decision).refused).toMatchObject({ code: 'bad-message', sentence: 'This message cannot be read.' });
  // A problem with something else ends no command.
  FakeSocket.last.tell({ type: 'problem', code: 'too-fast', sentence: 'Snapshots are asked for too often.' });
  reconnected().tell(welcome(), snapshot(5));
  expect(FakeSocket.last.orders.map(({ number }) => number)).toEqual([1]);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 6 });
  await cashOut;
});

test('one that was kept over a reload is told as refused', () => {
  const keeping = memory();
  void connected({ keeping }).send(CASH_OUT);
  connected({ keeping });
  FakeSocket.last.tell({ type: 'problem', code: 'bad-message', sentence: 'This message cannot be read.', number: 1 });
  expect(now.orphans).toMatchObject([['cash-out', { refused: { code: 'bad-message' } }]]);
});

const doubted = (number: number, code = 'not-registered') => ({ type: 'answer', number, seq: 0, refused: refusal(code) }) as const;

test.each(['not-registered', 'busy', 'table-down', 'stepped-down', 'office-unread', 'too-fast'])('%s judges nothing: the same number is sent again, and its first answer is the answer', async (code) => {
  const keeping = memory();
  const answer = connected({ keeping }).send(CASH_OUT);
  FakeSocket.last.tell(doubted(1, code));
  expect(keeping.getItem('croupier.orders.device-1.R1')).toContain('cash-out');
  vi.advanceTimersByTime(1_000);
  expect(FakeSocket.last.orders.map(({ number }) => number)).toEqual([1, 1]);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8, repeated: true, voucher: '123' });
  expect(await answer).toMatchObject({ voucher: '123' });
  vi.advanceTimersByTime(20_000);
  expect(FakeSocket.last.orders.length).toBe(2);
});

/** Every time that the command is sent, the table cannot say; for so long. */
function doubtedFor(duration_ms: number): void {
  let answered = 0;
  for (let at = 0; at < duration_ms; at += 250) {
    const { orders } = FakeSocket.last;
    for (const { number } of orders.slice(answered)) FakeSocket.last.tell(doubted(number));
    answered = orders.length;
    vi.advanceTimersByTime(250);
    FakeSocket.last.tell({ type: 'beat', at_ms: 0 });
  }
}

test('whoever waits for money is told after a while that nobody can say; the number is kept until somebody can', async () => {
  const keeping = memory();
  const answer = connected({ keeping }).send(CASH_OUT);
  doubtedFor(20_000);
  expect((await answer).refused?.code).toBe('not-registered');
  expect(keeping.getItem('croupier.orders.device-1.R1')).toContain('cash-out');
  doubtedFor(600_000);
  expect([now.orphans, new Set(FakeSocket.last.orders.map(({ number }) => number))]).toEqual([[], new Set([1])]);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8, repeated: true, voucher: '123' });
  expect(now.orphans).toMatchObject([['cash-out', { voucher: '123' }]]);
});

test('a command of its round that nobody can say anything of is given up after a while', async () => {
  const connection = connected();
  const closing = connection.send({ type: 'close-bets' });
  doubtedFor(20_000);
  expect((await closing).refused?.code).toBe('not-registered');
  const sent = FakeSocket.last.orders.length;
  vi.advanceTimersByTime(20_000);
  expect(FakeSocket.last.orders.length).toBe(sent);
});

test('what is given behind a command in doubt comes behind it', async () => {
  const connection = connected();
  const first = connection.send({ type: 'close-bets' });
  FakeSocket.last.tell(doubted(1));
  const second = connection.send({ type: 'start-spin' });
  expect(FakeSocket.last.orders.map(({ number }) => number)).toEqual([1]);
  vi.advanceTimersByTime(1_000);
  expect(FakeSocket.last.orders.map(({ number }) => number)).toEqual([1, 1, 2]);
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8 }, { type: 'answer', number: 2, seq: 9 });
  expect([(await first).seq, (await second).seq]).toEqual([8, 9]);
  void connection.send(OPEN_ROUND);
  expect(FakeSocket.last.orders.at(-1)?.number).toBe(3);
});

test('what is given once more while it is in doubt keeps its number', async () => {
  const connection = connected();
  const [buy, other] = [{ type: 'buy-credits', seat: '1', cents: 100, voucher: null }, { type: 'buy-credits', seat: '2', cents: 100, voucher: null }] as const;
  const first = connection.send(buy);
  doubtedFor(20_000);
  expect((await first).refused?.code).toBe('not-registered');
  const again = connection.send(buy);
  void connection.send(other);
  vi.advanceTimersByTime(6_000);
  expect(new Set(FakeSocket.last.orders.map(({ number, do: what }) => `${number} ${'seat' in what ? what.seat : ''}`))).toEqual(new Set(['1 1', '2 2']));
  FakeSocket.last.tell({ type: 'answer', number: 1, seq: 8 });
  expect((await again).seq).toBe(8);
});
