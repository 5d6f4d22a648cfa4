import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readUntilFound } from '../src/lib/live/bookReading';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

it('asks again with a growing pause until there is an answer', async () => {
  const asked_ms: number[] = [];
  let fails = 6;
  const failed = vi.fn();
  const found = readUntilFound(() => {
    asked_ms.push(performance.now());
    return fails-- > 0 ? Promise.reject(new Error('gone')) : Promise.resolve('book');
  }, () => false, failed);
  await vi.runAllTimersAsync();
  expect(await found).toBe('book');
  expect(failed).toHaveBeenCalledTimes(6);
  expect(asked_ms.slice(1).map((at, place) => at - (asked_ms[place] ?? 0))).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
});

it('stops where it is no more wanted, and takes no late answer', async () => {
  let wanted = true;
  const read = vi.fn(() => Promise.reject(new Error('gone')));
  const given = readUntilFound(read, () => !wanted);
  await vi.advanceTimersByTimeAsync(500);
  wanted = false;
  await vi.runAllTimersAsync();
  expect(await given).toBeNull();
  expect(read).toHaveBeenCalledTimes(1);

  wanted = true;
  let answer = (_: string): void => undefined;
  const late = readUntilFound(() => new Promise<string>((resolve) => { answer = resolve; }), () => !wanted);
  wanted = false;
  answer('book');
  expect(await late).toBeNull();
});
