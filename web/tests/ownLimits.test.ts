import { flushSync } from 'svelte';
import { beforeEach, expect, test } from 'vitest';
import { EMPTY, place } from '../src/lib/betting/betting';
import { OwnLimits, roomWithin } from '../src/screens/terminal/ownLimits.svelte';
import { book, limits } from './fixtures';
import { seat, table } from './liveViews';

const BOOK = book('mbs-fusion');
const MINUTE = 60_000;
beforeEach(() => localStorage.clear());

function own(at: { visit?: number; now_ms?: number } = {}): { limits: OwnLimits; go: (more: typeof at) => void } {
  let now = { visit: 1, now_ms: 0, ...at };
  const made = new OwnLimits(() => ({ table: table(), seat: seat({}, { visit: now.visit }), began_ms: 0, now_ms: now.now_ms }));
  made.recall();
  return { limits: made, go: (more) => { now = { ...now, ...more }; flushSync(); } };
}

test.each([
  [10_000, 50_000, 0, 50_000, 10_000],
  [10_000, 50_000, 0, 43_000, 3000],
  [10_000, 50_000, 0, 40_000, 0],
  [10_000, 50_000, 0, 12_000, 0],
  [10_000, 50_000, 0, 70_000, 30_000],
  [10_000, 50_000, 36_000, 5000, 1000],
])('a limit of %d with %d put in, %d paid by hand and %d left leaves room for %d', (limit, visit_in_cents, visit_out_cents, left, room) => {
  expect(roomWithin(limit, { visit_in_cents, visit_out_cents }, left)).toBe(room);
});

test('a bet with which the limit could be passed is an obstacle, one up to it is not', () => {
  const means = { limits: limits(BOOK.view), credits_cents: 50_000, refuses: true, own: { limit_cents: 10_000, room_cents: 500 } };
  expect(place(BOOK, EMPTY, means, 'red', 500)).toHaveProperty('change');
  expect(place(BOOK, EMPTY, means, 'red', 1000)).toEqual({ obstacle: { reason: 'loss-limit', facts: { limit: 10_000, room: 500, cost: 1000 } } });
});

test('what was set is there again after a reload, and gone with the visit', () => {
  const first = own();
  first.limits.setLoss(5000);
  first.limits.setReminder(30);
  const again = own().limits;
  expect([again.loss_cents, again.reminder_ms]).toEqual([5000, 30 * MINUTE]);
  const next = own({ visit: 2 }).limits;
  expect([next.loss_cents, next.reminder_ms]).toEqual([null, null]);
});

test('the reminder is due again and again, and never for time that passed before it was set', () => {
  const { limits: mine, go } = own({ now_ms: 50 * MINUTE });
  mine.setReminder(15);
  expect(mine.isDue).toBe(false);
  go({ now_ms: 59 * MINUTE });
  expect(mine.isDue).toBe(false);
  go({ now_ms: 61 * MINUTE });
  expect(mine.isDue).toBe(true);
  mine.goOn();
  expect(mine.isDue).toBe(false);
  go({ now_ms: 75 * MINUTE });
  expect(mine.isDue).toBe(true);
});

test('what somebody has tampered with is not believed', () => {
  localStorage.setItem('croupier.own.R1.1', JSON.stringify({ visit: 1, loss_cents: -5, reminder_ms: 'soon' }));
  const { limits: mine } = own();
  expect([mine.loss_cents, mine.reminder_ms, mine.isDue]).toEqual([null, null, false]);
});
