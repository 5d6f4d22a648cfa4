import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commandAt } from '../src/lib/live/commandAt';
import type { Do } from '../src/lib/live/wire';
import { FakeSocket, open } from './fakeSocket';
import { refusal, snapshot, welcome } from './liveViews';

const WHO = { token: 'a token', session: 's1' };
const SECOND = { name: 'dee', password: 'secret' };
const RESUME: Do = { type: 'resume-table', reason: 'mended' };
const ask = () => commandAt(WHO, 'R1', RESUME, SECOND, { open, address: 'ws://floor/ws' });

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
});
afterEach(() => vi.useRealTimers());

test('a screen that only watches asks at the table as its console does, once, and leaves', async () => {
  const answered = ask();
  const socket = FakeSocket.last.accept();
  expect(socket.said).toEqual([{ type: 'hello', version: 1, token: 'a token', audience: 'console', table: 'R1', resume: null }]);
  socket.tell(welcome({ last_number: 41 }), snapshot(5));
  expect(socket.orders).toEqual([{ type: 'command', number: 42, do: RESUME, second: SECOND }]);
  socket.tell({ type: 'answer', number: 42, seq: 0, refused: refusal('round-running') });
  expect((await answered).refused?.code).toBe('round-running');
  expect(socket.readyState).toBe(3);
});

test('a command whose answer was lost with the line is sent again under its number', async () => {
  const answered = ask();
  FakeSocket.last.accept().tell(welcome(), snapshot(5));
  const [{ number } = { number: 0 }] = FakeSocket.last.orders;
  FakeSocket.last.cut();
  vi.advanceTimersByTime(200);
  FakeSocket.last.accept().tell(welcome(), snapshot(5));
  expect(FakeSocket.last.orders).toEqual([{ type: 'command', number, do: RESUME, second: SECOND }]);
  FakeSocket.last.tell({ type: 'answer', number, seq: 6 });
  expect((await answered).refused).toBeUndefined();
});

test('nobody waits for ever where nobody answers', async () => {
  const answered = ask();
  const failed = expect(answered).rejects.toMatchObject({ code: 'closed' });
  vi.advanceTimersByTime(20_000);
  await failed;
});

test('whoever the floor does not want there is told why', async () => {
  const answered = ask();
  FakeSocket.last.accept().tell({ type: 'bye', code: 'not-allowed', sentence: 'This takes a dealer.', again_seconds: null });
  await expect(answered).rejects.toMatchObject({ code: 'not-allowed', message: 'This takes a dealer.' });
});
