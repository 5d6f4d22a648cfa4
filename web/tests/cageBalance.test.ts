import { expect, test } from 'vitest';
import type { CageAct, CageReport } from '../src/lib/api/types';
import { actsOf, sumsOf } from '../src/screens/cage/balance';

const act = (sequence: number, more: Partial<CageAct> = {}): CageAct => ({ day: '2026-03-01', shift: '06:00-14:00', time_ms: sequence, cashier: 'cash', act: 'paid', number: '**1234', cents: 100 * sequence, reason: '', sequence, ...more });
const REPORT: CageReport = {
  from_day: '2026-03-01', to_day: '2026-03-01', cashier: null, outstanding_cents: 0, shift: '14:00-22:00',
  acts: [act(1), act(2, { shift: '14:00-22:00' }), act(3, { shift: '14:00-22:00', cashier: 'sue', act: 'voided' }), act(4, { shift: '14:00-22:00', cashier: 'till' })],
};

test('a drawer is balanced for the day or the shift, for everybody or one', () => {
  expect(actsOf(REPORT, 'today', null).map((each) => each.sequence)).toEqual([4, 3, 2, 1]);
  expect(actsOf(REPORT, 'shift', null).map((each) => each.sequence)).toEqual([4, 3, 2]);
  expect(actsOf(REPORT, 'today', 'cash').map((each) => each.sequence)).toEqual([2, 1]);
  expect(actsOf(REPORT, 'shift', 'cash').map((each) => each.sequence)).toEqual([2]);
});

test('each kind of act has its count and its sum', () => {
  expect(sumsOf(REPORT.acts)).toEqual([
    { act: 'paid', count: 3, cents: 700 }, { act: 'voided', count: 1, cents: 300 }, { act: 'expired', count: 0, cents: 0 }, { act: 'reinstated', count: 0, cents: 0 },
  ]);
});
