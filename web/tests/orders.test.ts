import { afterEach, expect, test } from 'vitest';
import { clock, Orders } from '../src/lib/live/liveOrders';
import { memory } from './fakeSocket';

const OPEN_ROUND = { type: 'open-round' } as const;

afterEach(() => { clock.now = () => 0; });

test('numbers come from the clock and never go back', () => {
  const orders = new Orders(memory(), 'device-1.R1');
  clock.now = () => 1_700_000_000_000;
  expect(orders.add(OPEN_ROUND, null, null).number).toBe(1_700_000_000_000);
  expect(orders.add(OPEN_ROUND, null, null).number).toBe(1_700_000_000_001);
  clock.now = () => 1_600_000_000_000;
  expect(orders.add(OPEN_ROUND, null, null).number).toBe(1_700_000_000_002);
  orders.answeredTo(1_800_000_000_000);
  expect(orders.add(OPEN_ROUND, null, null).number).toBe(1_800_000_000_001);
});

test('a page that has lost all that it kept takes numbers that were never used', () => {
  clock.now = () => 1_700_000_000_000;
  const before = new Orders(memory(), 'device-1.R1').add(OPEN_ROUND, null, null).number;
  clock.now = () => 1_700_000_000_500;
  expect(new Orders(memory(), 'device-1.R1').add(OPEN_ROUND, null, null).number).toBeGreaterThan(before);
});
