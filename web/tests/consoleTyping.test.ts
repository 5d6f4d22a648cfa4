import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { House } from '../src/lib/api/house';
import type { ActionView, Message, TableView } from '../src/lib/live/wire';
import { Desk } from '../src/screens/console/desk.svelte';
import { FakeSocket, memory } from './fakeSocket';
import { book } from './fixtures';
import { consoleView, refusal, round, snapshot, table, told, welcome } from './liveViews';

const PERSON = { token: 't', session: 's', name: 'dee', position: 'dealer', duties: [], expires_ms: 0, zone: 'UTC' };
const HOUSE = { book: () => Promise.reject(new Error('not here')), round: () => Promise.reject(new Error('not here')) } as unknown as House;
const at = (number: number, phase: string, more: Partial<TableView> = {}): TableView => table({ round_number: number, round: round(number, { phase }), ...more });
const shown = (seq: number, view: TableView, actions: ActionView[] = []): Message => snapshot(seq, { table: view, console: consoleView({ actions }) });

/** A desk whose floor is the test. */
function desk(view: TableView, actions: ActionView[] = [], house = HOUSE): Desk {
  const made = new Desk(house, PERSON, 'R1', memory());
  made.start();
  FakeSocket.last.accept().tell(welcome(), shown(5, view, actions));
  made.book ??= book('mbs-fusion');
  return made;
}
const asked = (): string[] => FakeSocket.last.orders.map(({ do: what }) => JSON.stringify(what));
const answered = async (place: number, more: object = {}): Promise<void> => {
  FakeSocket.last.tell({ type: 'answer', number: FakeSocket.last.orders[place]!.number, seq: 6, ...more });
  await Promise.resolve();
  await vi.advanceTimersByTimeAsync(0);
};
const typed = (made: Desk, digits: string): void => { for (const digit of digits) made.type(digit); };

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a number that is entered while something else waits stays in sight until it is registered', async () => {
  const made = desk(at(7, 'spinning'));
  void made.perform({ type: 'buy-credits', seat: '1', cents: 100 });
  typed(made, '17');
  made.enter();
  expect([made.typed, asked().length]).toEqual(['17', 1]);
  made.choose('20');
  expect([made.typed, asked().length]).toEqual(['20', 1]);
  await answered(0);
  made.enter();
  expect([made.typed, asked()[1]]).toEqual(['', '{"type":"enter-result","result":"20"}']);
});

test('what is touched twice is registered once, and nothing stays typed', () => {
  const made = desk(at(7, 'spinning'));
  made.choose('17');
  made.choose('17');
  FakeSocket.last.tell(told(6, { type: 'result-entered', round: 7, result: '17', clause: null } as never, { table: at(7, 'resulted') }));
  expect([made.typed, asked().length]).toEqual(['', 1]);
});

test('answering a call keeps nothing waiting, and is done once', async () => {
  const made = desk(at(7, 'spinning'));
  void made.perform({ type: 'answer-call', seat: '1' });
  void made.perform({ type: 'answer-call', seat: '1' });
  typed(made, '17');
  made.enter();
  expect([made.typed, asked()]).toEqual(['', ['{"type":"answer-call","seat":"1"}', '{"type":"enter-result","result":"17"}']]);
  await answered(0, { refused: refusal('no-call') });
  expect(made.refused).toMatchObject({ what: 'answer-call', rejection: { code: 'no-call' } });
});

test('the number may be typed before the table has said that the ball rolls', () => {
  const made = desk(at(7, 'closed'));
  void made.perform({ type: 'start-spin' });
  expect(made.typesAhead).toBe(true);
  typed(made, '17');
  made.enter();
  expect([made.typed, asked().length]).toEqual(['17', 1]);
  FakeSocket.last.tell(told(6, { type: 'spin-started', round: 7, said_by: 'dealer' } as never, { table: at(7, 'spinning') }));
  expect([made.typed, made.typesAhead]).toEqual(['17', false]);
  made.enter();
  expect(asked()[1]).toBe('{"type":"enter-result","result":"17"}');
});

test('where no ball rolls, what was typed for it is gone', async () => {
  const made = desk(at(7, 'closed'));
  void made.perform({ type: 'start-spin' });
  typed(made, '17');
  await answered(0, { refused: refusal('wheel-fault') });
  expect([made.typed, made.typesAhead]).toEqual(['', false]);
  made.choose('17');
  expect(asked().length).toBe(1);
});

test('what was begun before the line broke is not meant for another round', () => {
  const made = desk(at(7, 'spinning'));
  typed(made, '17');
  made.voiding = { cause: 'ball-out', title: '', clause: null, affects: false, mayRun: true, running: true, rounds: [], do: 'declare' };
  FakeSocket.last.tell(shown(6, at(7, 'spinning')));
  expect([made.typed, made.voiding !== null]).toEqual(['17', true]);
  FakeSocket.last.tell(shown(30, at(8, 'spinning')));
  expect([made.typed, made.voiding]).toEqual(['', null]);
});

test('a second person may be asked for only where the table or the wheel may want one', async () => {
  const made = desk(at(7, 'closed', { awaits_outcome: true }), [{ action: 'state-outcome', refusal: refusal('not-allowed') }, { action: 'call-no-spin', refusal: null }]);
  expect(made.mayAskAnother).toBe(false);
  void made.perform({ type: 'call-no-spin', reason: 'x' });
  expect(made.mayAskAnother).toBe(false);
  await answered(0);
  void made.perform({ type: 'state-outcome', result: '8' });
  expect(made.mayAskAnother).toBe(true);
  await answered(1, { refused: refusal('not-allowed') });
  expect([made.mayAskAnother, made.dialog?.kind]).toEqual([false, 'authorise']);
  void made.perform({ type: 'enter-result', result: '8' });
  expect(made.mayAskAnother).toBe(true);
});

test('what a second person signs for is meant for the round in which it was asked', async () => {
  const made = desk(at(7, 'closed'));
  void made.perform({ type: 'call-no-spin', reason: 'x' });
  await answered(0, { refused: refusal('not-allowed') });
  FakeSocket.last.tell(told(9, { type: 'round-opened', round: 8, closes_ms: null, notice: '', clause: 'c' }, { table: at(8, 'betting') }));
  const dialog = made.dialog;
  if (dialog?.kind !== 'authorise') throw new Error('nobody is asked for');
  void made.perform(dialog.do, { name: 'sue', password: 'a secret' }, dialog.round);
  expect(FakeSocket.last.orders.map(({ round }) => round)).toEqual([7, 7]);
});

test('stakes are typed in a row, also before anybody has judged what can be done', async () => {
  const made = desk(at(7, 'betting'));
  made.live.judged = false;
  void made.send({ type: 'buy-credits', seat: '1', cents: 5000 });
  expect(made.mayAskAnother).toBe(false);
  await answered(0);
  void made.perform({ type: 'close-bets' });
  expect(made.mayAskAnother).toBe(true);
});

test('a rule book that could not be read is asked for until it is there', async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error('gone')).mockResolvedValue(book('mbs-fusion').view);
  const made = new Desk({ ...HOUSE, book: read }, PERSON, 'R1', memory());
  made.start();
  FakeSocket.last.accept().tell(welcome(), shown(5, at(7, 'spinning')));
  await vi.advanceTimersByTimeAsync(10);
  expect([made.book, made.bookUnread]).toEqual([null, true]);
  FakeSocket.last.tell(shown(6, at(7, 'spinning')));
  await vi.advanceTimersByTimeAsync(1000);
  expect([made.book?.view.wheel.kind, made.bookUnread, read.mock.calls.length]).toEqual(['ball', false, 2]);
});

test('a decision about the round that is over is read again', async () => {
  const read: number[] = [];
  const house = { ...HOUSE, round: (_: string, number: number) => { read.push(number); return Promise.resolve({ round: number, result: '17', seats: [], acts: [], after: [], between: [] }); } } as unknown as House;
  const made = desk(table({ round_number: 7, round: null }), [], house);
  await vi.advanceTimersByTimeAsync(0);
  const before = read.length;
  FakeSocket.last.tell(told(6, { type: 'decision-recorded', round: 7, ruling: 'return-bets', reason: 'x', notice: '', clause: '6.1' } as never));
  await vi.advanceTimersByTimeAsync(0);
  expect([read.slice(before), made.ended?.round]).toEqual([[7], 7]);
});
