import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PAUSE_MS, Resting } from '../src/screens/console/resting.svelte';
import { round, table } from './liveViews';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the next action rests for a moment whenever the table has gone on, and not before', () => {
  const resting = new Resting();
  resting.at(table({ round: round(7) }));
  expect(resting.now).toBe(false);
  resting.at(table({ round: round(7, { warned: true }) }));
  expect(resting.now).toBe(false);
  resting.at(table({ round: round(7, { phase: 'closed' }) }));
  expect(resting.now).toBe(true);
  vi.advanceTimersByTime(PAUSE_MS - 1);
  expect(resting.now).toBe(true);
  vi.advanceTimersByTime(1);
  expect(resting.now).toBe(false);
});

test('another result is another action, and every change begins the pause anew', () => {
  const resting = new Resting();
  resting.at(table({ round: round(7, { phase: 'resulted', result: '17' }) }));
  resting.at(table({ round: round(7, { phase: 'resulted', result: '18' }) }));
  vi.advanceTimersByTime(PAUSE_MS - 1);
  resting.at(table({ round: null }));
  vi.advanceTimersByTime(PAUSE_MS - 1);
  expect(resting.now).toBe(true);
  resting.end();
  expect(resting.now).toBe(false);
});
