import { expect, test } from 'vitest';
import type { Report, ReportRow, VoidsOf } from '../src/lib/api/types';
import { voidsOf } from '../src/screens/pit/reporting';

const voids = (more: Partial<VoidsOf>): VoidsOf => ({ not_spun: 0, rolling: 0, at_rest: 0, settled: 0, against_sensor: 0, ...more });
const row = (dealer: string, voids_by_cause: Record<string, VoidsOf>): ReportRow => ({ dealer, table: null, day: null, shift: null, hour: null, currency: 'SGD', voids_by_cause }) as ReportRow;

test('voids are listed by whose rows they are and by their cause', () => {
  const rows = [row('', {}), row('dee', { 'no-spin': voids({ rolling: 2 }), 'too-few-revolutions': voids({ rolling: 1, against_sensor: 1 }) }), row('dan', { 'no-compartment': voids({ at_rest: 1 }) })];
  const report = { by: ['dealer'], zone: 'UTC', shifts: [], from_day: null, to_day: null, rows, totals: [], rulings: [] } satisfies Report;
  expect(voidsOf(report, 'nobody').map(({ name, cause, rolling, at_rest, against_sensor }) => [name, cause, rolling, at_rest, against_sensor])).toEqual([
    ['dee', 'no-spin', 2, 0, 0],
    ['dee', 'too-few-revolutions', 1, 0, 1],
    ['dan', 'no-compartment', 0, 1, 0],
  ]);
});
