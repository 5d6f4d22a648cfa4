/** The list of vouchers that are still to be paid, and its filters. */
import type { VoucherLine } from '../../lib/api/types';

export const FILTERS = ['all', 'today', 'large', 'expiring'] as const;
export type Filter = (typeof FILTERS)[number];

/** Above this a voucher is a large one. */
export const LARGE_CENTS = 100_000;
const DAY_MS = 24 * 60 * 60 * 1000;

export function takes(filter: Filter, voucher: VoucherLine, now_ms: number, isSameDay: (at: number, other: number) => boolean): boolean {
  switch (filter) {
    case 'all': return true;
    case 'today': return isSameDay(voucher.issued_ms, now_ms);
    case 'large': return voucher.cents > LARGE_CENTS;
    case 'expiring': return isExpiring(voucher, now_ms);
  }
}

export function isExpiring(voucher: VoucherLine, now_ms: number): boolean {
  return voucher.expires_ms - now_ms < DAY_MS;
}

/** Whether its time is over: it is not paid, and is listed until that it has expired is recorded. */
export function isOverdue(voucher: VoucherLine, now_ms: number): boolean {
  return voucher.expires_ms <= now_ms;
}

/** How long ago: hours and minutes, or whole days. */
export function ageOf(issued_ms: number, now_ms: number): { days: number } | { clock: string } {
  const minutes = Math.max(0, Math.floor((now_ms - issued_ms) / 60_000));
  if (minutes >= 24 * 60) return { days: Math.floor(minutes / (24 * 60)) };
  return { clock: `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}` };
}
