import { expect, test } from 'vitest';
import { Words } from '../src/lib/i18n/words.svelte';
import { newsAfter, readNews, without, type News } from '../src/lib/live/news';
import type { TableEvent } from '../src/lib/live/wire';
import { newsText } from '../src/screens/terminal/newsText';
import { book } from './fixtures';

const BOOK = book('mbs-fusion');
const words = new Words();
const told = (seq: number, event: TableEvent, at_ms = 5000) => ({ seq, at_ms, event });
const result = (more: object = {}): TableEvent => ({ type: 'result-corrected', round: 7, old: '17', new: '18', settled: true, cause: 'wrong-result', reason: 'misread', notice: '', clause: 'mbs-roulette:6.3', ...more });
const mine = (before: number, after: number, carried = 0, moved = after - before, given_up = 0): TableEvent => ({ type: 'seat-corrected', seat: '1', round: 7, result: '18', lines: [], returned_before_cents: before, returned_cents: after, carried_cents: carried, moved_cents: moved, given_up_cents: given_up, clause: 'c' });
const after = (...events: TableEvent[]): readonly News[] => events.reduce<readonly News[]>((news, event, i) => newsAfter(news, told(i + 1, event)), []);
const say = (news: News | undefined): string => Object.values(newsText(words, BOOK, news!)).join(' | ');

test.each([[[result(), mine(18_000, 1000)]], [[mine(18_000, 1000), result()]]])('a correction is one piece of news, in whichever order it is told', (events) => {
  const news = after(...events);
  expect(news).toHaveLength(1);
  expect(news[0]).toMatchObject({ kind: 'correction', round: 7, old: '17', new: '18', before_cents: 18_000, after_cents: 1000 });
  expect(say(news[0])).toBe('Round 7 was corrected | The result is 18 Red, not 17 Black. Reason: misread. | 170.00 was taken back. In all 10.00 came back.');
});

test('two corrections of one round are two pieces of news', () => {
  const news = newsAfter(after(result(), mine(0, 500)), told(9, result({ old: '18', new: '19' }), 6000));
  expect(news.map((each) => each.kind)).toEqual(['correction', 'correction']);
});

test('a correction before anybody was paid is no news for a player', () => {
  expect(after(result({ settled: false }))).toEqual([]);
});

test('more, the same, nothing at stake, and what cannot be taken back are told apart', () => {
  expect(say(after(result(), mine(0, 1000))[0])).toContain('You get 10.00 more.');
  expect(say(after(result(), mine(1000, 1000))[0])).toContain('Nothing changes for you: 10.00 came back.');
  expect(say(after(result())[0])).toContain('You had no bets in that round.');
  expect(say(after(result(), mine(18_000, 0, -5000, -13_000))[0])).toContain('130.00 was taken back. In all 0.00 came back. 50.00 is still owed');
  expect(say(after(result(), mine(0, 20_000, 20_000, 0))[0])).toContain('Your credits stay as they are. In all 200.00 came back. 200.00 of this is not among your credits: it is paid to you by hand. Call an attendant.');
  expect(say(after(result({ new: null }))[0])).toContain('The result 17 Black does not count: the round is void.');
});

test('what moves no credits is not told as if it did: what was written off, and what repays what was missing', () => {
  const outcome = (...facts: Parameters<typeof mine>): string => newsText(words, BOOK, after(result(), mine(...facts))[0]!).outcome;
  expect(outcome(0, 36_000, 0, 0, -36_000)).toBe('Your credits stay as they are. In all 360.00 came back. 360.00 of it was yours already: the house had written it off.');
  expect(outcome(36_000, 0, 0, 0, 36_000)).toBe('Your credits stay as they are. In all 0.00 came back. You keep 360.00, which the house has written off.');
  expect(outcome(0, 36_000, 0, 1000)).toBe('You get 10.00 more. In all 360.00 came back. 350.00 of it makes up for what you still owed.');
  expect(outcome(0, 36_000, -5000, 0)).toBe('Your credits stay as they are. In all 360.00 came back. 360.00 of it makes up for what you still owed. 50.00 is still owed; the shift manager speaks with you.');
});

test('news that a browser has kept from before say what the round gave back', () => {
  const [news] = after(result(), mine(0, 1000));
  const { moved_cents: _, given_up_cents: __, ...older } = news as Extract<News, { kind: 'correction' }>;
  expect(say(readNews([older])[0])).toContain('You get 10.00 more. In all 10.00 came back.');
});

test.each(['none', 'continue', 'void', 'conclude', 'wait'])('an interruption says what follows from it: %s', (consequence) => {
  const [news] = after({ type: 'table-interrupted', round: 7, phase: 'betting', began_ms: 0, ended_ms: 2000, consequence, notice: '', clause: null, length_known: true });
  expect(say(news)).toContain('For 2 seconds.');
  expect(newsText(words, BOOK, news!).outcome).not.toBe('');
});

test('a decision and the bets that it gives back are one piece of news', () => {
  const decided: TableEvent = { type: 'decision-recorded', round: 7, ruling: 'return-bets', reason: 'slipped', notice: '', clause: 'c' };
  const returned: TableEvent = { type: 'seat-returned', seat: '1', round: 7, bets: [], cents: 500, void: false, clause: 'c' };
  expect(say(after(decided, returned)[0])).toBe('Decision on round 7 | slipped | Your 5.00 was returned');
  expect(say(after(decided)[0])).toContain('yours are not among them');
  expect(after({ ...returned, void: true } as TableEvent)).toEqual([]);
});

test('a decision that gives settled bets back says what came of it, and nothing of another result', () => {
  const decided: TableEvent = { type: 'decision-recorded', round: 7, ruling: 'return-bets', reason: 'slipped', notice: '', clause: 'c' };
  expect(after(decided, mine(0, 10_000)).map(say)).toEqual(['Decision on round 7 | slipped | You get 100.00 more. In all 100.00 came back.']);
  expect(after(decided, mine(20_000, 10_000)).map(say)).toEqual(['Decision on round 7 | slipped | 100.00 was taken back. In all 100.00 came back.']);
  expect(after({ ...decided, ruling: 'correct' } as TableEvent, result(), mine(0, 10_000)).map(({ kind }) => kind)).toEqual(['correction', 'decision']);
});

test('a decision that gives back bets of a settled round is one piece of news, and no other result', () => {
  const decided: TableEvent = { type: 'decision-recorded', round: 7, ruling: 'return-bets', reason: 'wrong limit', notice: '', clause: 'c' };
  const news = after(decided, mine(18_000, 19_000));
  expect(news).toHaveLength(1);
  expect(say(news[0])).toBe('Decision on round 7 | wrong limit | You get 10.00 more. In all 190.00 came back.');
  expect(after({ ...decided, ruling: 'correct' } as TableEvent, result(), mine(0, 500)).map(({ kind }) => kind)).toEqual(['correction', 'decision']);
});

test('credits that were paid out by hand are news until somebody buys in; a voucher tells of itself', () => {
  const paid = (voucher: string | null): TableEvent => ({ type: 'credits-paid-out', seat: '1', cents: 360_000, voucher, occasion: voucher ? null : 'locked-seat', clause: null });
  expect(say(after(paid(null))[0])).toBe('Paid out by hand | An attendant has paid out all credits of this seat: 3,600.00. | If you were not given the money, call an attendant.');
  expect(after(paid('123456789012345678'))).toEqual([]);
  const limits: TableEvent = { type: 'limits-changed', old: {} as never, new: {} as never, reason: 'evening', clause: null };
  expect(after(limits, paid(null), { type: 'credits-bought', seat: '1', cents: 500, clause: null }).map(({ kind }) => kind)).toEqual(['limits']);
});

test('news is read once, and a browser keeps no more than is news', () => {
  const news = after(result(), { type: 'limits-changed', old: {} as never, new: {} as never, reason: 'evening', clause: null });
  expect(without(news, news[0]!)).toEqual([news[1]]);
  expect(readNews(JSON.parse(JSON.stringify(news)))).toEqual(news);
  expect(readNews({ not: 'news' })).toEqual([]);
});

test.each([
  ['paid', 'Round 7 was paid by hand | An attendant has paid what its correction gave you: 180.00. It is not among your credits. | If you were not given the money, call an attendant.'],
  ['collected', 'What was owed from round 7 is paid | An attendant has taken 180.00 in cash for it. Your credits stay as they are. | If you did not pay it, call an attendant.'],
])('money that passed by hand after a correction is told: %s', (how, expected) => {
  expect(say(after({ type: 'carried-settled', seat: '1', round: 7, how, cents: 18_000, clause: 'c' })[0])).toBe(expected);
});

test('a bet that was rejected under the minimum is said to be that, and not over the maximum', () => {
  const rejected = (cause: string): TableEvent => ({ type: 'bets-rejected', seat: '1', round: 7, bet: 'red', cents: 500, cause, clause: 'c' });
  const [advised] = after(rejected('box-under-minimum'));
  expect(say(advised)).toContain('under the minimum');
  const [over] = after(rejected('box-over-maximum'));
  expect(say(over)).toContain('over its maximum');
});
