/** Amounts of several currencies, which are never added up. */
import type { Totals } from '../api/types';

/** Amounts added up, each currency by itself. */
export function totalsOf(amounts: readonly { cents: number; currency: string }[]): Totals {
  const totals: Record<string, number> = {};
  for (const { cents, currency } of amounts) totals[currency] = (totals[currency] ?? 0) + cents;
  return totals;
}

/** Totals as they are shown: each with its currency, unless there is one only. */
export function shownTotals(totals: Totals, isMixed: boolean, amount: (cents: number) => string): string {
  const each = Object.entries(totals).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return each.map(([currency, cents]) => (isMixed ? inMoney(currency, amount(cents)) : amount(cents))).join(' · ') || amount(0);
}

/** An amount with its currency. */
export function inMoney(currency: string, amount: string): string {
  return `${currency || '?'} ${amount}`;
}
