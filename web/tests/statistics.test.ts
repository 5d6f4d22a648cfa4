import { expect, test } from 'vitest';
import { frequencies, shares } from '../src/lib/stage/statistics';
import { limitLines } from '../src/screens/terminal/limits';
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

test('symbols go by their names, two that pay alike in one line', () => {
  const own = book('own-money-wheel');
  expect(limitLines(own, limits(own.view)).map((line) => line.symbols)).toEqual([['Joker', 'Crown'], ['$20'], ['$10'], ['$5'], ['$2'], ['$1']]);
});
