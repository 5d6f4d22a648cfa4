import { afterEach, expect, test, vi } from 'vitest';
import type { House } from '../src/lib/api/house';
import type { Answer, Do, SeatLine, TableView } from '../src/lib/live/wire';
import { Desk } from '../src/screens/console/desk.svelte';
import { Entering } from '../src/screens/console/entry.svelte';
import { book } from './fixtures';
import { memory } from './fakeSocket';
import { consoleView, round, table } from './liveViews';

const PERSON = { token: 't', session: 's', name: 'dee', position: 'dealer', duties: [], expires_ms: 0, zone: 'UTC' };
const place = (seat: string, more: Partial<SeatLine> = {}): SeatLine => ({
  seat, kind: 'place', layout: 'main', in_use: true, connected: false, lost: false, lock: null, call: null, credits_cents: 5000, staked_cents: 0, bets: 0, last_win_cents: 0, stakes: {}, ...more,
});
const answer = (more: Partial<Answer> = {}): Answer => ({ type: 'answer', number: 1, seq: 9, ...more });

/** A desk at a table whose answers are given by the test. */
function desk(name: string, view: Partial<TableView> = {}, keeping = memory()): { desk: Desk; asked: Do[]; answers: Answer[] } {
  const made = new Desk({} as House, PERSON, 'R1', keeping);
  made.book = book(name);
  made.live.state = 'live';
  made.live.table = table(view);
  made.live.console = consoleView({ seats: [place('1'), place('2'), place('3', { in_use: false })] });
  const [asked, answers]: [Do[], Answer[]] = [[], []];
  vi.spyOn(made.live, 'send').mockImplementation(async (what: Do) => {
    asked.push(what);
    return answers.shift() ?? answer();
  });
  return { desk: made, asked, answers };
}
afterEach(() => vi.restoreAllMocks());

test('a number that the wheel does not have stays in sight, and nothing is registered', () => {
  const { desk: at, asked } = desk('mbs-fusion', { round: round(7, { phase: 'spinning' }) });
  at.type('3');
  at.type('7');
  at.enter();
  expect([at.typed, at.unknown, asked]).toEqual(['37', true, []]);
  at.type('1');
  at.type('7');
  expect([at.typed, at.unknown]).toEqual(['17', false]);
  at.enter();
  expect([at.typed, asked]).toEqual(['', [{ type: 'enter-result', result: '17' }]]);
});

test('digits that run on are no other number', () => {
  const { desk: at } = desk('rws-000', { round: round(7, { phase: 'spinning' }) });
  for (const digit of '71000') at.type(digit);
  at.enter();
  expect([at.typed, at.unknown]).toEqual(['7100', true]);
  at.erase();
  expect([at.typed, at.unknown]).toEqual(['710', false]);
});

test('the first arrow leads to the first place and box, and the arrows go on from there', () => {
  const { desk: at } = desk('money-wheel');
  const boxes = at.book!.view.layout.boxes.map((box) => box.bet);
  const entering = new Entering(at);
  entering.move(at.book!, 0, 1);
  expect([entering.seat, entering.bet]).toEqual(['1', boxes[0]]);
  entering.move(at.book!, 0, 1);
  entering.move(at.book!, -1, 0);
  expect([entering.seat, entering.bet]).toEqual(['2', boxes.at(-1)]);
});

test('what was placed last is taken back in its own round only', async () => {
  const { desk: at, asked } = desk('money-wheel');
  const entering = new Entering(at);
  entering.choose('1', 'symbol:5');
  entering.type('7');
  await entering.place();
  expect(entering.last).toMatchObject({ seat: '1', bet: 'symbol:5', cents: 700 });
  at.live.table = table({ round_number: 8, round: round(8) });
  expect(entering.last).toBeNull();
  await entering.undo();
  expect(asked.map(({ type }) => type)).toEqual(['place-bets']);
});
