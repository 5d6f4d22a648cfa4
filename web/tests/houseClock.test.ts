import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HouseClock } from '../src/lib/live/houseClock';

beforeEach(() => { vi.useFakeTimers({ now: 5_000_000 }); });
afterEach(() => { vi.useRealTimers(); });

test('the house tells the time, and a machine whose clock is set meanwhile shows no other', () => {
  const clock = new HouseClock();
  expect([clock.isSet, clock.now_ms]).toEqual([false, 5_000_000]);
  clock.set(1_000);
  vi.advanceTimersByTime(500);
  for (const step_ms of [-3_600_000, 7_200_000]) {
    vi.setSystemTime(Date.now() + step_ms);
    expect([clock.isSet, clock.now_ms]).toEqual([true, 1_500]);
  }
});

test('a message that was long on its way does not put the time back, and another server may', () => {
  const clock = new HouseClock();
  clock.set(10_000);
  clock.set(9_000);
  expect(clock.now_ms).toBe(10_000);
  clock.reset();
  clock.set(9_000);
  expect(clock.now_ms).toBe(9_000);
});
