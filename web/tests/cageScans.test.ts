import { describe, expect, it, vi } from 'vitest';
import { NoAnswer, Refusal } from '../src/lib/api/client';
import type { Paid, PrintedTicket, Voucher } from '../src/lib/api/types';
import { CageDesk } from '../src/screens/cage/desk.svelte';

const [FIRST, SECOND] = ['123456789012345672', '987654321098765435'];
const voucher = (number: string, more: Partial<Voucher> = {}): Voucher => ({
  number, cents: number === FIRST ? 50_000 : 5_000, currency: 'SGD', table: 'T1', sequence: 9, seat: '3', issued_ms: 0, expires_ms: 1, status: 'outstanding', ended_at: null, ended_ms: null, reinstatable: false, ...more,
});
const paid = (number: string, repeated = false): Paid => ({ voucher: voucher(number, { status: 'paid', ended_at: 'cage', ended_ms: 5 }), repeated });
const refused = (code: string): Refusal => new Refusal(404, { code, sentence: code });

/** A house that answers when the test says so, in any order. */
function house() {
  const waiting: { what: string; resolve: (found: never) => void; reject: (error: Error) => void }[] = [];
  const asked = (what: string) => new Promise<never>((resolve, reject) => { waiting.push({ what, resolve, reject }); });
  const settled = async (): Promise<void> => { for (let turn = 0; turn < 5; turn += 1) await Promise.resolve(); };
  const next = (what: string) => waiting.splice(waiting.findIndex((each) => each.what === what), 1)[0]!;
  return {
    voucher: vi.fn((number: string): Promise<Voucher> => asked(`voucher ${number}`)),
    pay: vi.fn((number: string, _cents: number, _key: string): Promise<Paid> => asked(`pay ${number}`)),
    voidVoucher: vi.fn((number: string): Promise<Voucher> => asked(`void ${number}`)),
    reinstateVoucher: vi.fn((number: string): Promise<Voucher> => asked(`reinstate ${number}`)),
    ticket: vi.fn((number: string): Promise<PrintedTicket> => asked(`ticket ${number}`)),
    outstanding: vi.fn(async () => ({ vouchers: [], totals_cents: {}, now_ms: 0 })),
    answer: async (what: string, found: unknown): Promise<void> => { next(what).resolve(found as never); await settled(); },
    fail: async (what: string, error: Error): Promise<void> => { next(what).reject(error); await settled(); },
  };
}

describe('a second scan', () => {
  it('counts, and the answer to the first one comes too late, whichever comes first', async () => {
    for (const order of [[FIRST, SECOND], [SECOND, FIRST]]) {
      const asked = house();
      const desk = new CageDesk(asked, null);
      void desk.find(FIRST);
      void desk.find(SECOND);
      expect(asked.voucher.mock.calls).toEqual([[FIRST], [SECOND]]);
      expect(desk).toMatchObject({ number: SECOND, looking: true, payable: false });
      for (const number of order) await asked.answer(`voucher ${number}`, voucher(number));
      expect(desk).toMatchObject({ number: SECOND, voucher: { number: SECOND }, verdict: 'payable', payable: true, looking: false });
      expect(asked.ticket.mock.calls).toEqual([[SECOND]]);
      void desk.pay(desk.voucher!.cents);
      expect(asked.pay.mock.calls.map(([number]) => number)).toEqual([SECOND]);
    }
  });
  it('is still waited for when the first one is refused or lost', async () => {
    for (const error of [refused('voucher-unknown'), refused('voucher-malformed'), refused('not-allowed'), new NoAnswer()]) {
      const asked = house();
      const desk = new CageDesk(asked, null);
      void desk.find(FIRST);
      void desk.find(SECOND);
      await asked.fail(`voucher ${FIRST}`, error);
      expect(desk).toMatchObject({ number: SECOND, verdict: null, refused: null, looking: true, payable: false });
      await asked.answer(`voucher ${SECOND}`, voucher(SECOND));
      expect(desk).toMatchObject({ verdict: 'payable', payable: true });
    }
  });
  it('of the same number is one voucher', async () => {
    const asked = house();
    const desk = new CageDesk(asked, null);
    void desk.find(FIRST);
    void desk.find(FIRST);
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    expect(desk).toMatchObject({ verdict: null, looking: true });
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    expect(desk).toMatchObject({ verdict: 'payable', looking: false });
  });
});

describe('Escape', () => {
  it('discards an answer that is still to come', async () => {
    const asked = house();
    const desk = new CageDesk(asked, null);
    void desk.find(FIRST);
    desk.clear();
    expect(desk).toMatchObject({ number: '', busy: false });
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    expect(desk).toMatchObject({ number: '', voucher: null, verdict: null, payable: false });
    await desk.pay(50_000);
    expect(asked.pay).not.toHaveBeenCalled();
  });
  it('and a scan after it leave nothing of the first voucher', async () => {
    const asked = house();
    const desk = new CageDesk(asked, null);
    void desk.find(FIRST);
    desk.clear();
    void desk.find(SECOND);
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    expect(desk).toMatchObject({ number: SECOND, voucher: null, verdict: null, looking: true });
    await asked.answer(`voucher ${SECOND}`, voucher(SECOND));
    expect(desk.voucher?.number).toBe(SECOND);
  });
  it('does not put a payment away before it is answered', async () => {
    const asked = house();
    const desk = new CageDesk(asked, null);
    void desk.find(FIRST);
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    void desk.pay(50_000);
    desk.clear();
    expect(desk).toMatchObject({ number: FIRST, voucher: { number: FIRST }, paying: true });
    await asked.fail(`pay ${FIRST}`, new NoAnswer());
    expect(desk).toMatchObject({ unanswered: true, voucher: { number: FIRST }, payable: true });
    desk.clear();
    expect(desk).toMatchObject({ number: '', voucher: null, unanswered: false });
  });
});

describe('a scan during a payment', () => {
  it('is not looked up and says so; the payment is shown, and the scan counts afterwards', async () => {
    const asked = house();
    const desk = new CageDesk(asked, null);
    void desk.find(FIRST);
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    void desk.pay(50_000);
    await desk.find(SECOND);
    expect(desk).toMatchObject({ missed: SECOND, number: FIRST, paying: true });
    expect(asked.voucher.mock.calls).toEqual([[FIRST]]);
    await asked.answer(`pay ${FIRST}`, paid(FIRST));
    expect(desk).toMatchObject({ verdict: 'paid-now', voucher: { number: FIRST }, missed: SECOND, paid: { count: 1, totals_cents: { SGD: 50_000 } } });
    void desk.find(SECOND);
    expect(desk).toMatchObject({ missed: '', number: SECOND });
    await asked.answer(`voucher ${SECOND}`, voucher(SECOND));
    expect(desk).toMatchObject({ verdict: 'payable', voucher: { number: SECOND } });
  });
  it('never becomes a second payment', async () => {
    const asked = house();
    const desk = new CageDesk(asked, null);
    void desk.find(FIRST);
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    void desk.pay(50_000);
    void desk.find(SECOND);
    void desk.pay(50_000);
    expect(asked.pay).toHaveBeenCalledTimes(1);
  });
});

describe('what was left behind by another scan', () => {
  it('stays pending where an earlier payment was asked for, and is shown when it is looked up again', async () => {
    const kept = new Map<string, string>();
    const drawer = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value), removeItem: (key: string) => void kept.delete(key) };
    const asked = house();
    const desk = new CageDesk(asked, drawer);
    void desk.find(FIRST);
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    void desk.pay(50_000);
    await asked.fail(`pay ${FIRST}`, new NoAnswer());
    void desk.find(FIRST);
    await asked.answer(`voucher ${FIRST}`, paid(FIRST).voucher);
    void desk.find(SECOND);
    await asked.answer(`pay ${FIRST}`, paid(FIRST, true));
    expect(desk).toMatchObject({ number: SECOND, voucher: null, paid: { count: 0, totals_cents: {} } });
    await asked.answer(`voucher ${SECOND}`, voucher(SECOND));

    void desk.find(FIRST);
    await asked.answer(`voucher ${FIRST}`, paid(FIRST).voucher);
    await asked.answer(`pay ${FIRST}`, paid(FIRST, true));
    expect(desk).toMatchObject({ verdict: 'paid-now', repeated: true, paid: { count: 1, totals_cents: { SGD: 50_000 } } });
    expect(new Set(asked.pay.mock.calls.map(([, , key]) => key)).size).toBe(1);
    expect(kept.size).toBe(0);
  });
  it('does not show as void the voucher that is looked at now', async () => {
    const asked = house();
    const desk = new CageDesk(asked, null);
    void desk.find(FIRST);
    await asked.answer(`voucher ${FIRST}`, voucher(FIRST));
    const voiding = desk.void('Damaged');
    void desk.find(SECOND);
    await asked.answer(`voucher ${SECOND}`, voucher(SECOND));
    await asked.answer(`void ${FIRST}`, voucher(FIRST, { status: 'voided' }));
    await voiding;
    expect(desk).toMatchObject({ verdict: 'payable', voucher: { number: SECOND } });
  });
});
