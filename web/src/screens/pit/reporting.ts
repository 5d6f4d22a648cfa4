/** A report as bars and rows: what each row is called, and how much there is of what was asked for. */
import type { Report, ReportRow } from '../../lib/api/types';

export const DIMENSIONS = ['table', 'dealer', 'shift', 'day', 'day,table', 'dealer,table'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export const MEASURES = ['win', 'drop', 'turnover', 'hold'] as const;
export type Measure = (typeof MEASURES)[number];

/** A row's own name, from the narrowest to the widest part of it. */
export function nameOf(row: ReportRow, report: Report, nobody: string): string {
  const parts = report.by.map((dimension) => {
    switch (dimension) {
      case 'table': return row.table ?? '';
      case 'dealer': return row.dealer || nobody;
      case 'shift': return `${row.day ?? ''} ${row.shift ?? ''}`.trim();
      default: return row.day ?? '';
    }
  });
  return parts.join(' · ');
}

/** What a bar shows: cents, or percent of the drop; none where nothing was dropped. */
export function measureOf(row: ReportRow, measure: Measure): number | null {
  switch (measure) {
    case 'win': return row.win_cents;
    case 'drop': return row.drop_cents;
    case 'turnover': return row.turnover_cents;
    case 'hold': return row.hold_percent === null ? null : Number(row.hold_percent);
  }
}
