import { expect, test } from 'vitest';
import { forgotten, keyOf, readFavourites, saved } from '../src/lib/betting/favourites';
import { book } from './fixtures';

const BOOK = book('mbs-fusion');

test('bets are saved under a name, the newest first, and a name is used once', () => {
  let list = saved([], ' Tiers + 0 ', { 'straight:0': 500, red: 0 });
  list = saved(list, 'Corners', { 'corner:25/26/28/29': 500 });
  list = saved(list, 'Tiers + 0', { 'straight:0': 1000 });

  expect(list).toEqual([
    { name: 'Tiers + 0', stakes: { 'straight:0': 1000 } },
    { name: 'Corners', stakes: { 'corner:25/26/28/29': 500 } },
  ]);
  expect(forgotten(list, 'Corners')).toHaveLength(1);
});

test('nothing is saved without a name or without a bet', () => {
  expect(saved([], '  ', { red: 500 })).toEqual([]);
  expect(saved([], 'Empty', {})).toEqual([]);
});

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['no list', '{"name":"x"}'],
  ['a bet of another layout', '[{"name":"x","stakes":{"straight:00":500}}]'],
  ['an amount that is none', '[{"name":"x","stakes":{"red":-5}}]'],
  ['half a cent', '[{"name":"x","stakes":{"red":0.5}}]'],
])('what a browser kept is not trusted: %s', (_, text) => {
  expect(readFavourites(text, BOOK)).toEqual([]);
});

test('what was saved is read again', () => {
  const list = saved([], 'Red', { red: 500 });

  expect(readFavourites(JSON.stringify(list), BOOK)).toEqual(list);
  expect(keyOf(BOOK)).toBe('croupier.favourites.mbs-roulette.main');
});
