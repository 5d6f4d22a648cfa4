/** What would go back of boxes that hold more than their maximum. */
import type { Box } from '../../lib/live/wire';

/** What a seat would get back of a box: how much, and whether its bet is the latest there; null where nothing would. */
export function goesBack(boxes: readonly Box[], bet: string, seat: string): { cents: number; isLatest: boolean } | null {
  const parts = boxes.find((box) => box.bet === bet)?.latest ?? [];
  const cents = parts.filter((part) => part.seat === seat).reduce((sum, part) => sum + part.cents, 0);
  return cents ? { cents, isLatest: parts[0]?.seat === seat } : null;
}
