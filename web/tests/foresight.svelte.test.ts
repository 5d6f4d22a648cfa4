import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Foreseen, ForeseenCorrection, ForeseenCredits, ForeseenSeat } from '../src/lib/api/types';
import { Foresight, PACE_MS } from '../src/screens/console/foresight.svelte';

const seat: ForeseenSeat = { seat: '1', before_cents: 36_000, due_cents: 0, difference_cents: -36_000, credits_after_cents: 0, shortfall_cents: 31_000, unclaimed_cents: 0, written_off_cents: 0, has_left: false };
const found = (more: Partial<ForeseenSeat> = {}, registered = '17'): ForeseenCorrection => ({ round: 1, registered, result: '20', seats: [{ ...seat, ...more }], house_before_cents: -35_000, house_after_cents: 1000 });

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

test('whatever happens at the table it is asked again, and no more often than is useful', async () => {
  const question = vi.fn(async () => found());
  const foresight = new Foresight(question);
  await foresight.look();
  for (let news = 0; news < 100; news += 1) {
    foresight.soon();
    await vi.advanceTimersByTimeAsync(PACE_MS / 10);
  }
  expect(question.mock.calls.length).toBeGreaterThan(5);
  expect(question.mock.calls.length).toBeLessThan(12);
  foresight.soon();
  foresight.stop();
  foresight.soon();
  const asked = question.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10 * PACE_MS);
  expect(question.mock.calls.length).toBe(asked);
});

test('what was found stays in sight until it is found again, and goes where it could not be', async () => {
  const question = vi.fn(async () => found());
  const foresight = new Foresight(question);
  await foresight.look();
  question.mockRejectedValueOnce(new Error('no answer'));
  foresight.soon();
  expect(foresight.reading.found).toEqual(found());
  await vi.advanceTimersByTimeAsync(PACE_MS);
  expect(foresight.reading.found).toBeNull();
  expect(foresight.reading.failed).toBeInstanceOf(Error);
});

test.each<[string, ForeseenCorrection, boolean]>([
  ['nothing', found(), true],
  ['the credits, which move with every bet', found({ credits_after_cents: 700 }), true],
  ['the shortfall', found({ shortfall_cents: 36_000 }), false],
  ['what was written off', found({ written_off_cents: 1 }), false],
  ['what is owed', found({ unclaimed_cents: 1 }), false],
  ['who plays there', found({ has_left: true }), false],
  ['what was paid', found({ before_cents: 0 }), false],
  ['the result that is registered', found({}, '8'), false],
])('it is sure of what is signed unless it has changed: %s', async (_what, then, sure) => {
  const question = vi.fn(async () => found());
  const foresight = new Foresight(question);
  await foresight.look();
  question.mockResolvedValueOnce(then);
  expect(await foresight.sure()).toBe(sure);
  expect(foresight.reading.found).toEqual(then);
});

test('it is sure of nothing where nobody answers, and news do not take the answer away', async () => {
  const answers: ((found: ForeseenCorrection) => void)[] = [];
  const foresight = new Foresight<ForeseenCorrection>(() => new Promise((resolve) => { answers.push(resolve); }));
  const looking = foresight.look();
  answers.shift()!(found());
  await looking;
  const sure = foresight.sure();
  expect(foresight.checking).toBe(true);
  foresight.soon();
  await vi.advanceTimersByTimeAsync(3 * PACE_MS);
  expect(answers.length).toBe(1);
  answers.shift()!(found());
  expect(await sure).toBe(true);
  await vi.advanceTimersByTimeAsync(PACE_MS);
  expect(answers.length).toBe(1);

  const failing = new Foresight(() => Promise.reject(new Error('no answer')));
  expect(await failing.sure()).toBe(false);
});

const credits: ForeseenCredits = { seat: '1', before_cents: 5000, after_cents: 5500, difference_cents: 500, returned_cents: 500, shortfall_cents: 35_000, unclaimed_cents: 0, has_left: true };
const bets: ForeseenCredits = { seat: '2', before_cents: 0, after_cents: 700, difference_cents: 700, returned_cents: 700, shortfall_cents: 0, unclaimed_cents: 0, has_left: false };
const voided = (house_before_cents: number, ...seats: Partial<ForeseenCredits>[]): Foreseen => ({
  rounds: [{ round: 1, registered: '17', result: null, house_before_cents, house_after_cents: 0 }],
  seats: seats.map((seat) => ({ ...credits, ...seat })),
});

test.each<[string, Foreseen, boolean]>([
  ['nothing', voided(1, {}), true],
  ['the credits, which move with every bet', voided(1, { before_cents: 1, after_cents: 501 }), true],
  ['the stakes of the running round, which go back whatever they are', voided(1, { difference_cents: 900, returned_cents: 900 }, bets), true],
  ['what is taken', voided(1, { difference_cents: -500 }), false],
  ['the shortfall', voided(1, { shortfall_cents: 0 }), false],
  ['what is owed', voided(1, { unclaimed_cents: 1 }), false],
  ['who plays there', voided(1, { has_left: false }), false],
  ['the house', voided(2, {}), false],
])('a void or a decision is signed as it was seen, unless it has changed: %s', async (_what, then, sure) => {
  const question = vi.fn(async () => voided(1, {}));
  const foresight = new Foresight<Foreseen>(question);
  await foresight.look();
  question.mockResolvedValueOnce(then);
  expect([await foresight.sure(), foresight.changed]).toEqual([sure, !sure]);
  await foresight.look();
  expect(foresight.changed).toBe(false);
});
