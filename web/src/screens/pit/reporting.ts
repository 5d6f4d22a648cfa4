/** A report as bars and rows: what each row is called, and how much there is of what was asked for. */
import type { Report, ReportRow, Ruling, Totals, VoidsOf } from '../../lib/api/types';
import type { Words } from '../../lib/i18n/words.svelte';

export const DIMENSIONS = ['table', 'dealer', 'hour', 'shift', 'day', 'day,table', 'dealer,table', 'hour,table'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export const MEASURES = ['win', 'drop', 'turnover', 'hold', 'rounds', 'roundsAnHour'] as const;
export type Measure = (typeof MEASURES)[number];

/** A measure as it is written: an amount, a share, or a number. */
export function shownMeasure(words: Words, measure: Measure, value: number): string {
  switch (measure) {
    case 'hold': return words.percent(value / 100).replace('-', '−');
    case 'rounds':
    case 'roundsAnHour': return words.number(value);
    default: return words.whole(value);
  }
}

/** The same where there is little room. */
export function briefMeasure(words: Words, measure: Measure, value: number): string {
  switch (measure) {
    case 'hold': return `${words.brief(value)}%`;
    case 'rounds':
    case 'roundsAnHour': return words.brief(value);
    default: return words.brief(value / 100);
  }
}

/** A row's own name, from the narrowest to the widest part of it. */
export function nameOf(row: ReportRow, report: Report, nobody: string): string {
  const parts = report.by.map((dimension) => {
    switch (dimension) {
      case 'table': return row.table ?? '';
      case 'dealer': return row.dealer || nobody;
      case 'shift': return `${row.day ?? ''} ${row.shift ?? ''}`.trim();
      // The hours of one day need not repeat it.
      case 'hour': return report.from_day !== null && report.from_day === report.to_day ? (row.hour ?? '') : `${row.day ?? ''} ${row.hour ?? ''}`.trim();
      default: return row.day ?? '';
    }
  });
  return inCurrency(parts.join(' · '), row, report);
}

/** A row's name with its currency, where the report has several. */
export function inCurrency(name: string, { currency }: ReportRow, { totals }: Report): string {
  return totals.length > 1 ? `${name} · ${currency || '?'}` : name;
}

/** An amount of a whole report, each currency by itself. */
export function moneyOf({ totals }: Report, of: 'turnover_cents' | 'win_cents'): Totals {
  return Object.fromEntries(totals.map((total) => [total.currency, total[of]]));
}

/** How often something came in a whole report. */
export function countOf({ totals }: Report, of: 'rounds' | 'voids' | 'corrections'): number {
  return totals.reduce((sum, total) => sum + total[of], 0);
}

/** A line of the voids: whose they are, why, what the wheel did, and how many the sensor contradicted. */
export interface VoidLine extends VoidsOf { name: string; cause: string }

/** The voids of a report, by its rows and their causes. */
export function voidsOf(report: Report, nobody: string): VoidLine[] {
  return report.rows.flatMap((row) => Object.entries(row.voids_by_cause).map(([cause, voids]) => ({ name: nameOf(row, report, nobody), cause, ...voids })));
}

/** What kind of ruling it was; of what a correction had left open, how much ended and how. */
export function kindOf(words: Words, { kind, cause, carried_cents }: Ruling): string {
  const how = words.own(`carried.${cause}`) ?? cause;
  return words.own(`report.kind.${kind}`, { amount: words.amount(carried_cents), how }) ?? kind;
}

/** What a bar shows: cents, percent of the drop, or rounds; none where nothing was dropped, or the table was not open. */
export function measureOf(row: ReportRow, measure: Measure): number | null {
  switch (measure) {
    case 'win': return row.win_cents;
    case 'drop': return row.drop_cents;
    case 'turnover': return row.turnover_cents;
    case 'hold': return row.hold_percent === null ? null : Number(row.hold_percent);
    case 'rounds': return row.rounds;
    case 'roundsAnHour': return row.rounds_an_hour === null ? null : Number(row.rounds_an_hour);
  }
}
