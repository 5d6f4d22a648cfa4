import { describe, expect, it, vi } from 'vitest';
import { Words } from '../src/lib/i18n/words.svelte';
import { NoAnswer, Refusal } from '../src/lib/api/client';
import type { Paid, Voucher } from '../src/lib/api/types';
import { CageDesk } from '../src/screens/cage/desk.svelte';
import { shownTotals, totalsOf } from '../src/lib/staff/totals';
import { ageOf, isExpiring, isOverdue, takes } from '../src/screens/cage/outstanding';
import { Payments, type Keeping } from '../src/screens/cage/payment';
import { centsOf, digitsOf, grouped, masked, verdictOf } from '../src/screens/cage/verdict';

const NUMBER = '123456789012345672';
const voucher = (more: Partial<Voucher> = {}): Voucher => ({
  number: NUMBER, cents: 21_400, currency: 'SGD', table: 'T1', sequence: 9, seat: '3', issued_ms: 0, expires_ms: 1, status: 'outstanding', ended_at: null, ended_ms: null, reinstatable: false, ...more,
});
class Drawer implements Keeping {
  kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}
function house(found: Voucher | Error, ...payments: (Paid | Error)[]) {
  const pay = vi.fn(async (_number: string, _cents: number, _key: string): Promise<Paid> => {
    const next = payments.shift()!;
    if (next instanceof Error) throw next;
    return next;
  });
  return {
    pay,
    voucher: vi.fn(async () => { if (found instanceof Error) throw found; return found; }),
    ticket: vi.fn(async () => ({ number: NUMBER, cents: 21_400, currency: 'SGD', figures: '214.00', words: 'two hundred fourteen dollars', lines: [], barcode_svg: '' })),
    voidVoucher: vi.fn(async () => voucher({ status: 'voided' })),
    reinstateVoucher: vi.fn(async () => voucher()),
    outstanding: vi.fn(async () => ({ vouchers: [], totals_cents: {}, now_ms: 0 })),
  };
}
const paid = (repeated = false): Paid => ({ voucher: voucher({ status: 'paid', ended_at: 'cage', ended_ms: 5 }), repeated });
const refused = (code: string): Refusal => new Refusal(409, { code, sentence: code });

describe('a number', () => {
  it('is read however it is typed, and shown in groups', () => {
    expect(digitsOf(' 1234 5678-90 ')).toBe('1234567890');
    expect(grouped(NUMBER)).toBe('1234 5678 9012 3456 72');
    expect(masked(NUMBER)).toBe('•••• •••• •••• ••56 72');
  });
  it('has one verdict for each state', () => {
    expect(['outstanding', 'paid', 'redeemed', 'voided', 'expired'].map((status) => verdictOf(voucher({ status: status as Voucher['status'] })))).toEqual(['payable', 'paid', 'redeemed', 'voided', 'expired']);
  });
});

describe('totals', () => {
  const amount = (cents: number): string => (cents / 100).toFixed(2);
  it('add up vouchers of one currency alone', () => {
    const listed = [{ cents: 100, currency: 'SGD' }, { cents: 30_000, currency: 'EUR' }, { cents: 250, currency: 'SGD' }];
    expect(totalsOf(listed)).toEqual({ SGD: 350, EUR: 30_000 });
    expect(shownTotals(totalsOf(listed), true, amount)).toBe('EUR 300.00 · SGD 3.50');
    expect(shownTotals(totalsOf(listed.slice(0, 1)), true, amount)).toBe('SGD 1.00');
    expect(shownTotals(totalsOf(listed.slice(0, 1)), false, amount)).toBe('1.00');
    expect(shownTotals({}, false, amount)).toBe('0.00');
  });
  it('of what was paid at a desk are kept by currency', async () => {
    const euros = voucher({ currency: 'EUR', status: 'paid' });
    const desk = new CageDesk(house(voucher(), paid(), { voucher: euros, repeated: false }), null);
    for (let count = 0; count < 2; count += 1) {
      await desk.find(NUMBER);
      await desk.pay(21_400);
    }
    expect(desk.isMixed).toBe(true);
    expect(desk.paid).toEqual({ count: 2, totals_cents: { SGD: 21_400, EUR: 21_400 } });
  });
});

describe('a stated amount', () => {
  it('is taken in full, with or without commas', () => {
    expect(centsOf('21,400.00')).toBe(2_140_000);
    expect(centsOf('21400')).toBe(2_140_000);
    expect(centsOf('0.05')).toBe(5);
  });
  it('is refused where it could mean something else', () => {
    for (const typed of ['', '0', '21.4', '2,14', '21,400.0', '-5', '1e3', '١٢']) expect(centsOf(typed)).toBeNull();
  });
});

describe('the desk', () => {
  it('tells a mistyped number from one that was never issued', async () => {
    const unknown = new CageDesk(house(refused('voucher-unknown')), null);
    await unknown.find(NUMBER);
    expect(unknown.verdict).toBe('unknown');
    const malformed = new CageDesk(house(refused('voucher-malformed')), null);
    await malformed.find('12');
    expect(malformed.verdict).toBe('malformed');
    expect(malformed.payable).toBe(false);
  });
  it('pays once, and cannot pay again', async () => {
    const asked = house(voucher(), paid());
    const desk = new CageDesk(asked, new Drawer());
    await desk.find(NUMBER);
    expect(desk).toMatchObject({ verdict: 'payable', payable: true });
    await desk.pay(21_400);
    expect(desk).toMatchObject({ verdict: 'paid-now', payable: false, paid: { count: 1, totals_cents: { SGD: 21_400 } } });
    await desk.pay(21_400);
    expect(asked.pay).toHaveBeenCalledTimes(1);
  });
  it('asks under the same key after a lost answer, and never under two', async () => {
    const asked = house(voucher(), new NoAnswer(), new NoAnswer(), paid(true));
    const desk = new CageDesk(asked, new Drawer());
    await desk.find(NUMBER);
    await desk.pay(21_400);
    expect(desk).toMatchObject({ unanswered: true, verdict: 'payable' });
    await desk.pay(21_400);
    await desk.pay(21_400);
    expect(new Set(asked.pay.mock.calls.map(([, , key]) => key)).size).toBe(1);
    expect(desk).toMatchObject({ verdict: 'paid-now', repeated: true, unanswered: false, paid: { count: 1, totals_cents: { SGD: 21_400 } } });
  });
  it('finds the answer of a payment that was sent before the page was loaded again', async () => {
    const drawer = new Drawer();
    const before = house(voucher(), new NoAnswer());
    const desk = new CageDesk(before, drawer);
    await desk.find(NUMBER);
    await desk.pay(21_400);
    const after = house(voucher({ status: 'paid', ended_at: 'cage', ended_ms: 5 }), paid(true));
    const again = new CageDesk(after, drawer);
    await again.find(NUMBER);
    expect(again).toMatchObject({ verdict: 'paid-now', repeated: true });
    expect(after.pay.mock.calls[0]![2]).toBe(before.pay.mock.calls[0]![2]);
    expect(drawer.kept.size).toBe(0);
  });
  it('does not take somebody else’s payment for its own', async () => {
    const desk = new CageDesk(house(voucher({ status: 'paid', ended_at: 'cage', ended_ms: 5 })), new Drawer());
    await desk.find(NUMBER);
    expect(desk).toMatchObject({ verdict: 'paid', paid: { count: 0, totals_cents: {} } });
  });
  it('takes a new key for another try after a refusal', async () => {
    const asked = house(voucher(), refused('voucher-amount'), paid());
    const desk = new CageDesk(asked, new Drawer());
    await desk.find(NUMBER);
    await desk.pay(1);
    expect(desk).toMatchObject({ verdict: 'payable', refused: { code: 'voucher-amount' } });
    await desk.pay(21_400);
    const keys = asked.pay.mock.calls.map(([, , key]) => key);
    expect(keys[0]).not.toBe(keys[1]);
    expect(desk.verdict).toBe('paid-now');
  });
  it('shows that another window was faster', async () => {
    const desk = new CageDesk(house(voucher(), refused('voucher-paid')), new Drawer());
    await desk.find(NUMBER);
    await desk.pay(21_400);
    expect(desk).toMatchObject({ verdict: 'paid', payable: false });
  });
  it('voids in the name of whoever may', async () => {
    const own = house(voucher());
    const supervisor = { voidVoucher: vi.fn(async () => voucher({ status: 'voided' })) };
    const desk = new CageDesk(own, null);
    await desk.find(NUMBER);
    await desk.void('Damaged', supervisor);
    expect(supervisor.voidVoucher).toHaveBeenCalledWith(NUMBER, 'Damaged');
    expect(own.voidVoucher).not.toHaveBeenCalled();
    expect(desk.verdict).toBe('voided-now');
  });
  it('offers to reinstate what expired by a clock that was ahead, and nothing else', async () => {
    // Far from each other: the machine's clock has no say in it.
    const expired = voucher({ status: 'expired', ended_at: 'cage', ended_ms: 5, expires_ms: 3 });
    for (const [found, reinstatable] of [[{ ...expired, reinstatable: true }, true], [{ ...expired, expires_ms: 9e15 }, false], [voucher(), false]] as const) {
      const desk = new CageDesk(house(found), null);
      await desk.find(NUMBER);
      expect(desk.reinstatable).toBe(reinstatable);
      expect(desk.payable).toBe(found.status === 'outstanding');
    }
  });
  it('tells the time by the house', async () => {
    const desk = new CageDesk({ ...house(voucher()), outstanding: async () => ({ vouchers: [], totals_cents: {}, now_ms: 1_700_000_000_000 }) }, null);
    expect(desk.clock.isSet).toBe(false);
    await desk.list();
    expect(Math.abs(desk.clock.now_ms - 1_700_000_000_000)).toBeLessThan(5_000);
    expect(desk.listed_ms).toBeLessThan(1_700_000_005_000);
  });
  it('pays what a shift manager has reinstated', async () => {
    const own = house(voucher({ status: 'expired', ended_at: 'cage', ended_ms: 5, expires_ms: 3, reinstatable: true }), paid());
    const manager = { reinstateVoucher: vi.fn(async () => voucher({ expires_ms: 3 })) };
    const desk = new CageDesk(own, null);
    await desk.find(NUMBER);
    await desk.reinstate('The clock was wrong', manager);
    expect(manager.reinstateVoucher).toHaveBeenCalledWith(NUMBER, 'The clock was wrong');
    expect(own.reinstateVoucher).not.toHaveBeenCalled();
    expect(desk).toMatchObject({ verdict: 'payable', payable: true, reinstatable: false });
    await desk.pay(21_400);
    expect(desk.verdict).toBe('paid-now');
  });
});

describe('kept payments', () => {
  const [ANN, BEN] = ['ann', 'ben'];
  const over = (status: number, code: string): Refusal => new Refusal(status, { code, sentence: code });
  const done = voucher({ status: 'paid', ended_at: 'cage', ended_ms: 5 });

  it.each([[401, 'not-signed-in'], [403, 'not-allowed'], [429, 'too-many-attempts'], [503, 'busy'], [503, 'journal-unavailable']])('outlast an answer with %i that judges no voucher', async (status, code) => {
    const drawer = new Drawer();
    const before = house(voucher(), new NoAnswer(), over(status, code));
    const desk = new CageDesk(before, drawer, ANN);
    await desk.find(NUMBER);
    await desk.pay(21_400);
    await desk.pay(21_400);
    expect(desk).toMatchObject({ unanswered: true, payable: true, refused: { code } });
    const after = house(done, over(status, code), paid(true));
    const again = new CageDesk(after, drawer, ANN);
    await again.find(NUMBER);
    expect(again).toMatchObject({ verdict: 'paid', unanswered: true, payable: true, refused: { code } });
    await again.pay(21_400);
    expect(again).toMatchObject({ verdict: 'paid-now', repeated: true, unanswered: false });
    expect(new Set([...before.pay.mock.calls, ...after.pay.mock.calls].map(([, , key]) => key)).size).toBe(1);
    expect(drawer.kept.size).toBe(0);
  });
  it('are not known where the journal could not say whether it has them', async () => {
    const desk = new CageDesk(house(voucher(), over(503, 'journal-unavailable')), new Drawer(), ANN);
    await desk.find(NUMBER);
    await desk.pay(21_400);
    expect(desk).toMatchObject({ unanswered: true, payable: true });
  });
  it('end where the voucher turns out to be paid by somebody else', async () => {
    const drawer = new Drawer();
    new Payments(drawer, ANN).begin(NUMBER, 21_400, 0);
    const desk = new CageDesk(house(done, refused('voucher-paid')), drawer, ANN);
    await desk.find(NUMBER);
    expect(desk).toMatchObject({ verdict: 'paid', unanswered: false, payable: false });
    expect(drawer.kept.size).toBe(0);
  });
  it('are their cashier’s: another one is told, and ends nothing', async () => {
    const drawer = new Drawer();
    const { key } = new Payments(drawer, ANN).begin(NUMBER, 21_400, 7);
    const asked = house(done);
    const desk = new CageDesk(asked, drawer, BEN);
    await desk.find(NUMBER);
    expect(asked.pay).not.toHaveBeenCalled();
    expect(desk).toMatchObject({ verdict: 'paid', payable: false, sentBy: { cashier: ANN, sent_ms: 7 } });
    expect(new Payments(drawer, ANN).of(NUMBER)?.key).toBe(key);
  });
  it('of two windows do not write over each other', () => {
    const drawer = new Drawer();
    const [one, two] = [new Payments(drawer, ANN), new Payments(drawer, ANN)];
    one.begin('1', 5, 0);
    two.begin('2', 5, 0);
    two.end('2');
    expect([new Payments(drawer, ANN).of('1')?.cents, two.of('1')?.cents]).toEqual([5, 5]);
  });
  it('are not taken from what cannot be read', () => {
    const drawer = new Drawer();
    drawer.setItem('croupier.cage.pending', '[{"number":1},null,{"number":"2","cents":5,"key":"k","sent_ms":0,"cashier":"ann"}]');
    const payments = new Payments(drawer, 'ann');
    expect(payments.of('2')?.key).toBe('k');
    drawer.setItem('croupier.cage.pending', '{broken');
    expect(new Payments(drawer, 'ann').of('2')).toBeUndefined();
  });
});

describe('the list of outstanding vouchers', () => {
  const HOUR = 3_600_000;
  const words = new Words();
  words.keepTimeOf('Asia/Singapore');
  const now = Date.UTC(2024, 4, 31, 4); // noon in Singapore
  const listed = (more: object) => ({ number: '••••1234', cents: 100_000, currency: 'SGD', table: 'T', seat: '1', issued_ms: now - HOUR, expires_ms: now + 720 * HOUR, ...more });
  it('is narrowed by day, amount and end', () => {
    expect(takes('today', listed({}), now, words.isSameDay)).toBe(true);
    expect(takes('today', listed({ issued_ms: now - 11 * HOUR }), now, words.isSameDay)).toBe(true);
    expect(takes('today', listed({ issued_ms: now - 13 * HOUR }), now, words.isSameDay)).toBe(false);
    expect(takes('large', listed({}), now, words.isSameDay)).toBe(false);
    expect(takes('large', listed({ cents: 100_001 }), now, words.isSameDay)).toBe(true);
    expect(isExpiring(listed({ expires_ms: now + 23 * HOUR }), now)).toBe(true);
    expect(isExpiring(listed({ expires_ms: now + 25 * HOUR }), now)).toBe(false);
    expect([now - 1, now, now + 1].map((expires_ms) => isOverdue(listed({ expires_ms }), now))).toEqual([true, true, false]);
  });
  it('tells how old each is', () => {
    expect(ageOf(now - 62 * 60_000, now)).toEqual({ clock: '1:02' });
    expect(ageOf(now - 49 * HOUR, now)).toEqual({ days: 2 });
  });
});
