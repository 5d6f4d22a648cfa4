/** What a drawer is balanced against: the cage's acts of today or of this shift, everybody's or the own ones. */
import type { CageAct, CageReport } from '../../lib/api/types';

export const SPANS = ['today', 'shift'] as const;
export type Span = (typeof SPANS)[number];
export const ACTS = ['paid', 'voided', 'expired', 'reinstated'] as const;

/** The acts of a span, newest first; of one cashier where one is named. */
export function actsOf(report: CageReport, span: Span, cashier: string | null): CageAct[] {
  return report.acts.filter((act) => (span === 'today' || act.shift === report.shift) && (cashier === null || act.cashier === cashier)).toReversed();
}

export function sumsOf(acts: readonly CageAct[]): { act: (typeof ACTS)[number]; count: number; cents: number }[] {
  return ACTS.map((act) => {
    const of = acts.filter((each) => each.act === act);
    return { act, count: of.length, cents: of.reduce((sum, each) => sum + each.cents, 0) };
  });
}
