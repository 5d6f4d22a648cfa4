/** The time until the bets close: on every screen the same, and never more than the table gives. */
import type { TableView } from '../live/wire';

type Clocked = Pick<TableView, 'round' | 'betting_seconds'>;

/**
 * Milliseconds until the close; none where no clock runs. A screen learns the server's time from messages
 * that took a while, so its clock may be a little late: what is left is not more for that.
 */
export function timeLeft_ms(table: Clocked | null, now_ms: number): number | null {
  const closes_ms = table?.round?.closes_ms ?? null;
  if (table === null || closes_ms === null || table.round?.phase !== 'betting') return null;
  const whole_ms = table.betting_seconds === null ? Infinity : 1000 * table.betting_seconds;
  return Math.min(whole_ms, Math.max(0, closes_ms - now_ms));
}

/** Whole seconds, counted up, so that the clock is at nought when time is over and not before. */
export function secondsOf(left_ms: number): number {
  return Math.ceil(left_ms / 1000);
}
