import { expect, test } from 'vitest';
import { frequencies, shares } from '../src/lib/stage/statistics';
import { limitsInShort } from '../src/lib/betting/limitGroups';
import { indexBook } from '../src/lib/book/book';
import type { Limits } from '../src/lib/live/wire';
import { boxLines, limitLines, payNamed, spotLines } from '../src/screens/terminal/limits';
import { book, limits } from './fixtures';

const OUTCOMES = ['17', '0', '17', null, '2'].map((result, i) => ({ round: 10 - i, result }));

test('void rounds are not counted, and the average is that of the wheel', () => {
  const bars = frequencies(book('mbs-fusion'), OUTCOMES);
  expect(bars.map((bar) => bar.outcome.id)).toEqual(book('mbs-fusion').view.wheel.order);
  expect(bars.find((bar) => bar.outcome.id === '17')).toMatchObject({ count: 2, expected: 4 / 37 });
  expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(4);
});

test('a wheel with symbols counts each symbol once, with the share of its segments', () => {
  const bars = frequencies(book('money-wheel'), [{ round: 1, result: '1' }]);
  expect(bars).toHaveLength(7);
  expect(bars.find((bar) => bar.outcome.id === '1')).toMatchObject({ count: 1, expected: 24 / 52 });
});

test('shares are of the rounds with a result', () => {
  expect(shares(book('mbs-fusion'), OUTCOMES, ['black', 'dozen'])).toEqual([
    { bet: 'dozen:1', count: 1, share: 0.25 }, { bet: 'dozen:2', count: 2, share: 0.5 }, { bet: 'dozen:3', count: 0, share: 0 },
    { bet: 'black', count: 3, share: 0.75 },
  ]);
  expect(shares(book('mbs-fusion'), [], ['black'])[0]).toMatchObject({ count: 0, share: 0 });
});

test('limits of bets that pay alike stand in one line, kinds of inside bets in one each', () => {
  const lines = limitLines(book('rws-00-b'), limits(book('rws-00-b').view));
  expect(lines.map((line) => line.kinds)).toEqual([
    ['straight'], ['split'], ['street'], ['corner'], ['six-line'], ['top-line'], ['column', 'dozen'], ['low', 'high', 'odd', 'even', 'red', 'black'],
  ]);
});

test('bets with limits of their own have lines of their own, by name', () => {
  const mbs = book('mbs-fusion');
  const own = { minimum_cents: 100, maximum_cents: 5000 };
  const all = limits(mbs.view);
  const lines = limitLines(mbs, { ...all, bets: { ...all.bets, 'straight:0': own, 'dozen:1': own, 'column:3': own } });
  expect(lines.map((line) => [line.kinds, line.named.map(({ bet }) => bet), line.range.maximum_cents]).slice(0, 3)).toEqual([
    [['straight'], [], 20_000], [['straight'], ['straight:0'], 5000], [['split'], [], 20_000],
  ]);
  expect(lines.filter(({ named }) => named.length > 0).map(({ named }) => named.map(({ bet }) => bet))).toEqual([['straight:0'], ['column:3', 'dozen:1']]);
});

test('bets of one kind that do not pay alike go by name, and the rest by its kind', () => {
  const mbs = book('mbs-fusion');
  const paysMore = (...bets: string[]) => ({ ...mbs.view, layout: { ...mbs.view.layout, spots: mbs.view.layout.spots.map((spot) => (bets.includes(spot.bet) ? { ...spot, pays: 36 } : spot)) } });
  const of = (...bets: string[]) => limitLines(indexBook(paysMore(...bets)), limits(mbs.view)).filter(({ kinds }) => kinds.includes('straight') || kinds.includes('column'));
  expect(payNamed(mbs, mbs.view.pay_table[0]!)).toEqual([]);
  const [whole, single] = [35, 36].map((pays) => payNamed(indexBook(paysMore('straight:0')), { ...mbs.view.pay_table[0]!, pays }));
  expect([whole, single?.map(({ bet }) => bet)]).toEqual([[], ['straight:0']]);
  expect(of('straight:0').map(({ named, pays }) => [named.map(({ bet }) => bet), pays])).toEqual([[[], 35], [['straight:0'], 36], [[], 2]]);
});

test('boxes with limits of their own are named, on every screen', () => {
  const wheel = book('money-wheel');
  const all = limits(wheel.view);
  const bounds: Limits = { ...all, bets: { ...all.bets, 'symbol:20': { minimum_cents: 100, maximum_cents: 5000 } } };
  expect(boxLines(wheel, bounds).map(({ named, range }) => [named.map(({ bet }) => bet), range.maximum_cents])).toEqual([[[], 20_000], [['symbol:20'], 5000]]);
  expect(limitsInShort(wheel, bounds).map(({ groups }) => groups.map(({ isWhole }) => isWhole))).toEqual([[true, false]]);
  expect(limitsInShort(book('mbs-fusion'), limits(book('mbs-fusion').view)).map(({ kinds, groups }) => [kinds.length, groups.length])).toEqual([[1, 1], [6, 1]]);
});

test('the most of all seats is told once where it is the same for every bet', () => {
  const mbs = book('mbs-fusion');
  const all = limits(mbs.view);
  const spots = Object.fromEntries(Object.keys(all.bets).map((kind) => [kind, 50_000]));
  expect(spotLines(mbs, { ...all, spots })).toEqual([{ keys: [], cents: 50_000 }]);
  expect(spotLines(mbs, { ...all, spots: { straight: 500, split: 500, red: 900 } })).toEqual([{ keys: ['straight', 'split'], cents: 500 }, { keys: ['red'], cents: 900 }]);
});

test('symbols go by their names, two that pay alike in one line', () => {
  const own = book('own-money-wheel');
  expect(limitLines(own, limits(own.view)).map((line) => line.named.map(({ name }) => name))).toEqual([['Joker', 'Crown'], ['$20'], ['$10'], ['$5'], ['$2'], ['$1']]);
});
