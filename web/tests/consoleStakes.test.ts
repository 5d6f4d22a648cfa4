import { afterEach, expect, test, vi } from 'vitest';
import type { House } from '../src/lib/api/house';
import type { Answer, Do, SeatLine } from '../src/lib/live/wire';
import { Desk } from '../src/screens/console/desk.svelte';
import { Entering } from '../src/screens/console/entry.svelte';
import { book } from './fixtures';
import { consoleView, refusal, round, table } from './liveViews';

const PERSON = { token: 't', session: 's', name: 'dee', position: 'dealer', duties: [], expires_ms: 0, zone: 'UTC' };
const place = (seat: string, credits_cents: number): SeatLine => ({
  seat, kind: 'place', layout: 'main', in_use: true, connected: false, lost: false, lock: null, call: null, credits_cents, staked_cents: 0, bets: 0, last_win_cents: 0, stakes: {},
});

const settled = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve); });

/** A console at a table that keeps the credits itself, answers when the test says so, and shows them later still. */
function consoleWith(credits_cents: number) {
  const desk = new Desk({} as House, PERSON, 'R1', null);
  const held = new Map([['1', credits_cents], ['2', credits_cents]]);
  const waiting: { what: Do; resolve: (answer: Answer) => void }[] = [];
  let seq = 9;
  desk.book = book('money-wheel');
  desk.live.state = 'live';
  desk.live.table = table();
  desk.live.shown = seq;
  const show = (): void => {
    desk.live.console = consoleView({ seats: [...held].map(([seat, cents]) => place(seat, cents)) });
    desk.live.shown = seq;
  };
  show();
  vi.spyOn(desk.live, 'send').mockImplementation((what) => new Promise((resolve) => { waiting.push({ what, resolve }); }));
  const carryOut = (what: Do): Partial<Answer> => {
    if (what.type !== 'buy-credits' && what.type !== 'place-bets' && what.type !== 'take-bets') return {};
    const cents = what.type === 'buy-credits' ? (what.cents ?? 0) : (what.type === 'take-bets' ? 1 : -1) * what.stakes[0]!.cents;
    const left = (held.get(what.seat) ?? 0) + cents;
    if (left < 0) return { refused: refusal('not-enough-credits') };
    held.set(what.seat, left);
    seq += 1;
    return {};
  };
  const done: string[] = [];
  /** Answers whatever is asked, and what is asked because of the answers. */
  const answerAll = async (each?: () => void): Promise<void> => {
    for (;;) {
      await settled();
      const next = waiting.shift();
      if (!next) return;
      const more = carryOut(next.what);
      done.push(`${next.what.type} ${'seat' in next.what ? next.what.seat : ''} ${'cents' in next.what ? next.what.cents : 'stakes' in next.what ? next.what.stakes?.[0]?.cents : ''}${more.refused ? ' refused' : ''}`);
      next.resolve({ type: 'answer', number: 1, seq, ...more });
      each?.();
    }
  };
  const entering = new Entering(desk);
  const enter = (seat: string, amount: string): void => {
    entering.choose(seat, 'symbol:5');
    for (const digit of amount) entering.type(digit);
    void entering.place();
  };
  return { desk, entering, enter, held, show, done, answerAll, waiting };
}
afterEach(() => vi.restoreAllMocks());

test.each([
  [0, ['buy-credits 1 5000', 'place-bets 1 5000', 'buy-credits 1 5000', 'place-bets 1 5000']],
  [3000, ['buy-credits 1 2000', 'place-bets 1 5000', 'buy-credits 1 5000', 'place-bets 1 5000']],
  [8000, ['place-bets 1 5000', 'buy-credits 1 2000', 'place-bets 1 5000']],
  [10_000, ['place-bets 1 5000', 'place-bets 1 5000']],
] as const)('two stakes that are entered quickly both lie there: with %i, exactly what is missing is sold', async (credits, expected) => {
  for (const isShown of [false, true]) {
    const at = consoleWith(credits);
    at.enter('1', '50');
    at.enter('1', '50');
    await at.answerAll(isShown ? at.show : undefined);
    expect(at.done).toEqual(expected);
    expect(at.held.get('1')).toBe(0);
  }
});

test('what is still on the way counts in what is said to be sold', async () => {
  const at = consoleWith(8000);
  at.enter('1', '50');
  at.entering.type('5');
  at.entering.type('0');
  expect(at.entering.missing_cents).toBe(2000);
  await at.answerAll();
  expect(at.entering.missing_cents).toBe(2000);
  at.show();
  expect(at.entering.missing_cents).toBe(2000);
});

test('a stake that is refused leaves the next one its credits', async () => {
  const at = consoleWith(5000);
  // Somebody else has taken credits meanwhile.
  at.held.set('1', 3000);
  at.enter('1', '50');
  at.enter('1', '30');
  await at.answerAll();
  expect(at.done).toEqual(['place-bets 1 5000 refused', 'place-bets 1 3000']);
});

test('places do not wait for each other', async () => {
  const at = consoleWith(10_000);
  at.enter('1', '50');
  at.enter('2', '40');
  await settled();
  expect(at.waiting.map(({ what }) => 'seat' in what && what.seat)).toEqual(['1', '2']);
});

test('what is taken back can be staked again at once', async () => {
  const at = consoleWith(5000);
  at.enter('1', '50');
  await at.answerAll();
  void at.entering.undo();
  at.enter('1', '50');
  await at.answerAll();
  expect(at.done).toEqual(['place-bets 1 5000', 'take-bets 1 5000', 'place-bets 1 5000']);
});

test('undo that is pressed twice takes one stake back, and can be tried again where it was refused', async () => {
  const at = consoleWith(20_000);
  at.enter('1', '100');
  at.enter('1', '10');
  await at.answerAll();
  void at.entering.undo();
  void at.entering.undo();
  await at.answerAll();
  expect(at.done).toEqual(['place-bets 1 10000', 'place-bets 1 1000', 'take-bets 1 1000']);

  at.enter('1', '10');
  await at.answerAll();
  at.held.set('1', -5000);
  void at.entering.undo();
  expect(at.entering.last).toBeNull();
  await at.answerAll();
  expect(at.done.at(-1)).toBe('take-bets 1 1000 refused');
  expect(at.entering.last).toMatchObject({ cents: 1000 });
});

test('a stake whose turn comes in another round is not placed, and that is said', async () => {
  const at = consoleWith(10_000);
  at.enter('1', '50');
  at.enter('1', '40');
  await at.answerAll(() => { at.desk.live.table = table({ round_number: 8, round: round(8) }); });
  expect(at.done).toEqual(['place-bets 1 5000']);
  expect(at.desk.refused).toMatchObject({ what: 'place-bets', rejection: { code: 'overtaken' } });
});

test('an amount that was typed first is for the first place that is chosen, and for no other', async () => {
  const at = consoleWith(10_000);
  for (const digit of '50') at.entering.type(digit);
  await at.entering.place();
  expect([at.entering.typed, at.entering.ready, at.waiting]).toEqual(['50', false, []]);
  at.entering.move(at.desk.book!, 0, 1);
  expect([at.entering.seat, at.entering.typed, at.entering.ready]).toEqual(['1', '50', true]);
  at.entering.move(at.desk.book!, 0, 1);
  expect([at.entering.seat, at.entering.typed]).toEqual(['2', '']);
});

test('digits behind the longest amount are not cut off: nothing is placed until they are gone', async () => {
  const at = consoleWith(10_000);
  at.entering.choose('1', 'symbol:5');
  for (const digit of '12345678') at.entering.type(digit);
  expect([at.entering.typed, at.entering.tooLong, at.entering.ready]).toEqual(['12345678', true, false]);
  await at.entering.place();
  expect([at.entering.typed, at.waiting]).toEqual(['12345678', []]);
  at.entering.typed = '123456';
  expect([at.entering.tooLong, at.entering.ready]).toEqual([false, true]);
  for (const digit of '0999999') at.entering.type(digit);
  expect(at.entering.tooLong).toBe(true);
});

test('a stake is for the round in which it was entered, also where what is missing is sold in the next one', async () => {
  const { desk, enter, answerAll } = consoleWith(0);
  enter('1', '50');
  await answerAll(() => { desk.live.table = table({ round_number: 8, round: round(8) }); });
  expect(vi.mocked(desk.live.send).mock.calls.map(([what, , number]) => [what.type, number])).toEqual([['buy-credits', 7], ['place-bets', 7]]);
});
