import { expect, test } from 'vitest';
import { largestChip, rangeOf, stackOf } from '../src/lib/betting/amounts';

test.each([[100, 100], [499, 100], [500, 500], [124_000, 100_000], [50, 100]])('the largest chip in %i cents is %i', (cents, chip) => {
  expect(largestChip(cents)).toBe(chip);
});

test('a stack shows its largest chips first, and not more than asked', () => {
  expect(stackOf(11_600, 4)).toEqual([10_000, 1000, 500, 100]);
  expect(stackOf(11_600, 2)).toEqual([10_000, 1000]);
  expect(stackOf(0, 4)).toEqual([]);
});

test('a bet has limits of its own, else those of its kind', () => {
  const [own, kind] = [{ minimum_cents: 1, maximum_cents: 2 }, { minimum_cents: 3, maximum_cents: 4 }];
  const limits = { bets: { 'top-line:0/00': own, split: kind }, spots: {}, seat_cents: null, table_cents: null, exposure_cents: null };
  expect(rangeOf(limits, 'top-line:0/00', 'top-line')).toBe(own);
  expect(rangeOf(limits, 'split:1/2', 'split')).toBe(kind);
  expect(rangeOf(limits, 'red', 'red')).toBeUndefined();
});
