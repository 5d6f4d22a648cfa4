import { expect, test } from 'vitest';
import type { CageAct, CageReport } from '../src/lib/api/types';
import { actsOf, isMixed, sumsOf } from '../src/screens/cage/balance';

const act = (sequence: number, more: Partial<CageAct> = {}): CageAct => ({ day: '2026-03-01', shift: '06:00-14:00', time_ms: sequence, cashier: 'cash', act: 'paid', number: '**1234', currency: 'SGD', cents: 100 * sequence, reason: '', sequence, ...more });
const REPORT: CageReport = {
  from_day: '2026-03-01', to_day: '2026-03-01', cashier: null, outstanding_cents: {}, shift: '14:00-22:00',
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
    { act: 'paid', count: 3, totals: { SGD: 700 } }, { act: 'voided', count: 1, totals: { SGD: 300 } }, { act: 'expired', count: 0, totals: {} }, { act: 'reinstated', count: 0, totals: {} },
  ]);
});

test('amounts of several currencies are never added up', () => {
  const euros = { ...REPORT, acts: [...REPORT.acts, act(5, { currency: 'EUR' })] };
  expect(sumsOf(euros.acts)[0]).toEqual({ act: 'paid', count: 4, totals: { SGD: 700, EUR: 500 } });
  expect([isMixed(REPORT), isMixed(euros), isMixed({ ...REPORT, outstanding_cents: { '': 100 } })]).toEqual([false, true, true]);
});
