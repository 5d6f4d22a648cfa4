/** What a drawer is balanced against: the cage's acts of today or of this shift, everybody's or the own ones. */
import type { CageAct, CageReport, Totals } from '../../lib/api/types';
import { totalsOf } from '../../lib/staff/totals';

export const SPANS = ['today', 'shift'] as const;
export type Span = (typeof SPANS)[number];
export const ACTS = ['paid', 'voided', 'expired', 'reinstated'] as const;

/** The acts of a span, newest first; of one cashier where one is named. */
export function actsOf(report: CageReport, span: Span, cashier: string | null): CageAct[] {
  return report.acts.filter((act) => (span === 'today' || act.shift === report.shift) && (cashier === null || act.cashier === cashier)).toReversed();
}

export function sumsOf(acts: readonly CageAct[]): { act: (typeof ACTS)[number]; count: number; totals: Totals }[] {
  return ACTS.map((act) => {
    const of = acts.filter((each) => each.act === act);
    return { act, count: of.length, totals: totalsOf(of) };
  });
}

/** Whether there is more than one currency among its amounts. */
export function isMixed({ acts, outstanding_cents }: CageReport): boolean {
  return new Set([...acts.map((act) => act.currency), ...Object.keys(outstanding_cents)]).size > 1;
}
