import { afterEach, expect, test, vi } from 'vitest';
import type { House } from '../src/lib/api/house';
import type { Answer, Do, SeatLine, TableView } from '../src/lib/live/wire';
import { barcodeOf } from '../src/screens/console/barcode';
import { Desk } from '../src/screens/console/desk.svelte';
import { Entering } from '../src/screens/console/entry.svelte';
import { noticesOf } from '../src/screens/console/notices';
import { Tickets } from '../src/screens/console/tickets.svelte';
import { book } from './fixtures';
import { memory } from './fakeSocket';
import { consoleView, refusal, round, table } from './liveViews';

const PERSON = { token: 't', session: 's', name: 'dee', position: 'dealer', duties: [], expires_ms: 0, zone: 'UTC' };
const NUMBER = '047212345678901234';
const place = (seat: string, more: Partial<SeatLine> = {}): SeatLine => ({
  seat, kind: 'place', layout: 'main', in_use: true, connected: false, lost: false, lock: null, call: null, credits_cents: 5000, staked_cents: 0, bets: 0, last_win_cents: 0, stakes: {}, ...more,
});
const answer = (more: Partial<Answer> = {}): Answer => ({ type: 'answer', number: 1, seq: 9, ...more });

/** A desk at a table whose answers are given by the test. */
function desk(name: string, view: Partial<TableView> = {}, keeping = memory(), lasting = keeping): { desk: Desk; asked: Do[]; answers: Answer[] } {
  const made = new Desk({} as House, PERSON, 'R1', keeping, lasting);
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

test('a cash-out shows its voucher until somebody has taken it, also after a reload', async () => {
  const keeping = memory();
  const { desk: at, answers } = desk('money-wheel', {}, keeping);
  answers.push(answer({ voucher: NUMBER }));
  await at.perform({ type: 'cash-out', seat: '1' });
  expect(at.dialog).toEqual({ kind: 'ticket', number: NUMBER });
  expect(at.tickets.untaken).toMatchObject([{ number: NUMBER, seat: '1', cents: 5000 }]);

  at.back();
  expect([at.dialog, at.tickets.untaken.length]).toEqual([null, 1]);
  const again = desk('money-wheel', {}, keeping).desk;
  expect(again.dialog).toEqual({ kind: 'ticket', number: NUMBER });
  expect(again.tickets.untaken).toEqual(at.tickets.untaken);
  again.tickets.taken(NUMBER);
  expect(desk('money-wheel', {}, keeping).desk.dialog).toBeNull();
});

test('a cash-out that is refused, or that locks the seat instead, shows no voucher', async () => {
  const { desk: at, answers } = desk('money-wheel');
  answers.push(answer({ refused: refusal('stakes-in-play') }), answer());
  await at.perform({ type: 'cash-out', seat: '1' });
  await at.perform({ type: 'cash-out', seat: '1' });
  expect([at.dialog, at.tickets.untaken]).toEqual([null, []]);
});

test('the amount of a voucher is what the table paid, whichever of the two is told first', () => {
  const [before, after] = [new Tickets(null, 'R1'), new Tickets(null, 'R1')];
  before.paid(9, 7700);
  expect(before.issued(NUMBER, '1', 9, 0).cents).toBe(7700);
  after.asked('1', 5000);
  expect(after.issued(NUMBER, '1', 9, 0).cents).toBe(5000);
  after.paid(8, 100);
  expect(after.untaken[0]?.cents).toBe(5000);
  after.paid(9, 7700);
  expect(after.untaken[0]?.cents).toBe(7700);
});

test('an answer that comes to a page loaded again finds the amount that was asked for', () => {
  const keeping = memory();
  new Tickets(keeping, 'R1').asked('1', 5000);
  const again = new Tickets(keeping, 'R1');
  again.issued(NUMBER, '1', 9, 0);
  again.issued(NUMBER, '1', 9, 0);
  expect(again.untaken).toMatchObject([{ number: NUMBER, cents: 5000 }]);
  expect(new Tickets(keeping, 'R2').untaken).toEqual([]);
});

test('a cash-out that was not answered before its session ended is for the next one to find out', async () => {
  const keeping = memory();
  const first = desk('money-wheel', {}, keeping);
  vi.mocked(first.desk.live.send).mockImplementation(() => new Promise(() => undefined));
  void first.desk.perform({ type: 'cash-out', seat: '1' });
  expect(first.desk.tickets.unanswered).toEqual([]);

  const next = new Desk({} as House, { ...PERSON, session: 'another' }, 'R1', null, keeping);
  const [found] = next.tickets.unanswered;
  expect(found).toMatchObject({ seat: '1', cents: 5000, session: 's' });
  expect(noticesOf({ table: null, console: null, refused: null, dismissed: new Set(), untaken: [], unanswered: next.tickets.unanswered, wins: {} })).toMatchObject([{ title: 'con.notice.cashing', facts: { seat: '1', amount: 5000 } }]);
  next.tickets.clearedUp(found!);
  expect([next.tickets.unanswered, new Tickets(keeping, 'R1', 's').unanswered]).toEqual([[], []]);
});

test.each([
  ['a voucher', { voucher: NUMBER }, 0],
  ['a refusal', { refused: refusal('stakes-in-play') }, 0],
  ['a doubt whether it is on the disk', { refused: refusal('not-registered') }, 1],
])('a cash-out that was answered with %s leaves as much to find out as it has to', async (_, more, left) => {
  const keeping = memory();
  const { desk: at, answers } = desk('money-wheel', {}, keeping);
  answers.push(answer(more));
  await at.perform({ type: 'cash-out', seat: '1' });
  expect(at.tickets.unanswered.length).toBe(left);
  expect(new Tickets(keeping, 'R1', 'another').unanswered.length).toBe(left);
});

test('vouchers outlast the window, and commands do not', async () => {
  const [session, lasting] = [memory(), memory()];
  const { answers, desk: at } = desk('money-wheel', {}, session, lasting);
  answers.push(answer({ voucher: NUMBER }));
  await at.perform({ type: 'cash-out', seat: '1' });
  expect(desk('money-wheel', {}, memory(), lasting).desk.dialog).toEqual({ kind: 'ticket', number: NUMBER });
});

test('the ticket of the house is asked for by those who may have it, and by nobody else', async () => {
  const printed = { number: NUMBER, cents: 5000, currency: 'SGD', figures: '50.00', words: 'fifty dollars', lines: [], barcode_svg: '' };
  const asking = async (may: string[]): Promise<[unknown, number]> => {
    const ticket = vi.fn(async () => printed);
    const at = new Desk({ session: async () => ({ may }), ticket } as unknown as House, PERSON, 'R1', null);
    return [await at.ticketOf(NUMBER), ticket.mock.calls.length];
  };
  expect(await asking(['round', 'ticket'])).toEqual([printed, 1]);
  expect(await asking(['round'])).toEqual([null, 0]);
});

test('a number has the bars that the house prints for it', () => {
  // As croupier.floor.cage.ticket.barcode_svg draws it.
  const widths = [[10, 1], [12, 1], [14, 1], [16, 1], [18, 3], [24, 3], [28, 1], [32, 1], [34, 1], [38, 1], [40, 3], [44, 3], [50, 3], [54, 1]];
  const bars = widths.map(([x, width]) => `<rect x="${x}" width="${width}" height="40"/>`).join('');
  expect(barcodeOf('0472')).toBe(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 65 40" role="img"><title>Voucher 0472</title>${bars}</svg>`);
  expect([barcodeOf('047'), barcodeOf('no'), barcodeOf('')]).toEqual([null, null, null]);
});
