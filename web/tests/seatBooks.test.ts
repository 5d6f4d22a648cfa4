import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { expect, test, vi } from 'vitest';
import { Client, Refusal } from '../src/lib/api/client';
import { House } from '../src/lib/api/house';
import type { MetersView, SeatVoucher, SeatVouchers as Found, Status } from '../src/lib/api/types';
import type { Meters } from '../src/lib/live/wire';
import { groupsOf, readingOf } from '../src/lib/staff/meters';
import { Reading } from '../src/lib/staff/reading.svelte';
import SeatMeters from '../src/lib/staff/SeatMeters.svelte';
import SeatVouchers from '../src/lib/staff/SeatVouchers.svelte';
import OfSeat from '../src/screens/cage/OfSeat.svelte';
import Worded from './Worded.svelte';

const METERS: Meters = {
  cash_in_cents: 123_456_789_012, vouchers_in_cents: 200, shortfall_in_cents: 300, written_off_cents: 350, vouchers_out_cents: 400, attendant_pays_cents: 500, unclaimed_out_cents: 600,
  turnover_cents: 700, wins_cents: 800, returned_cents: 900, games_played: 1000, games_won: 11, voids: 12, corrections: 13,
};
const VIEW: MetersView = {
  table: 'T1', at_ms: 0,
  readings: [{ seat: null, credits_cents: 1, meters: { ...METERS, games_won: 99 } }, { seat: '2', credits_cents: 2, meters: { ...METERS, games_won: 98 } }, { seat: '1', credits_cents: 4242, meters: METERS }],
};
const voucher = (status: Status, more: Partial<SeatVoucher> = {}): SeatVoucher => ({
  number: '**************5672', cents: 21_400, issued_ms: 0, expires_ms: 86_400_000, status, ended_at: null, ended_ms: null, ...more,
});
function show(part: unknown, props: Record<string, unknown>): HTMLElement {
  return render(Worded, { props: { part: part as Component<Record<string, unknown>>, props } }).container;
}
const text = (element: Element): string => (element.textContent ?? '').replace(/\s+/g, ' ').trim();

test('every meter is shown once, money as money and the others as counts', () => {
  const lines = groupsOf(METERS).flatMap(({ lines }) => lines);
  expect(lines.map(({ name }) => name).sort()).toEqual(Object.keys(METERS).sort());
  for (const { name, value, isMoney } of lines) {
    expect(value).toBe(METERS[name]);
    expect(isMoney).toBe(!['games_played', 'games_won', 'voids', 'corrections'].includes(name));
  }
});

test('the reading of a seat is its own, neither the table’s nor a neighbour’s', () => {
  expect(readingOf(VIEW, '1')?.credits_cents).toBe(4242);
  expect(readingOf(VIEW, '9')).toBeNull();
});

test('meters stand there to the cent and to more than ten digits, and are read again on demand', async () => {
  const read = vi.fn(async () => VIEW);
  const shown = show(SeatMeters, { seat: '1', read });
  const meter = (name: string): string => text(shown.querySelector(`[data-meter=${name}]`)!);
  await waitFor(() => expect(meter('cash_in_cents')).toBe('1,234,567,890.12'));
  expect([meter('games_played'), meter('games_won'), meter('credits')]).toEqual(['1,000', '11', '42.42']);
  await fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(read).toHaveBeenCalledTimes(2);
});

test('what cannot be read is said, and no old figures stay', async () => {
  const reading = new Reading<number>();
  await reading.ask(async () => 7);
  expect([reading.found, reading.failed, reading.busy]).toEqual([7, null, false]);
  await reading.ask(() => Promise.reject(new Error('no')));
  expect([reading.found, reading.busy]).toEqual([null, false]);
  expect(reading.failed).toBeInstanceOf(Error);
});

test('an answer to an earlier question comes too late', async () => {
  const reading = new Reading<string>();
  let late = (_: string): void => undefined;
  const first = reading.ask(() => new Promise<string>((resolve) => { late = resolve; }));
  await reading.ask(async () => 'second');
  late('first');
  await first;
  expect(reading.found).toBe('second');
});

test('a voucher has four digits, a state, and where and when it ended', () => {
  const shown = show(SeatVouchers, { vouchers: [
    voucher('outstanding'), voucher('redeemed', { ended_at: 'T2', ended_ms: 1000, number: '1' }), voucher('paid', { ended_at: 'cage', ended_ms: 1000, number: '2' }),
    voucher('voided', { ended_at: 'cage', ended_ms: 1000, number: '3' }), voucher('expired', { number: '4' }),
  ] });
  const rows = [...shown.querySelectorAll('tbody tr')].map(text);
  expect(rows.map((row) => /outstanding|used at a table|paid|void|expired/.exec(row)?.[0])).toEqual(['outstanding', 'used at a table', 'paid', 'void', 'expired']);
  expect(rows[0]).toContain('•••• 5672');
  expect(rows[0]).toContain('until');
  expect(rows[1]).toContain('T2, ');
  expect(rows[2]).toContain('The cage, ');
  expect(rows[4]).toContain('until');
  expect(rows[0]).toContain('214.00');
});

test('a seat without vouchers has a sentence', () => {
  expect(text(show(SeatVouchers, { vouchers: [] }))).toBe('No voucher was issued at this seat.');
});

function sheet(more: Record<string, unknown> = {}) {
  const seatVouchers = vi.fn(async (_table: string, _seat: string): Promise<Found> => ({ vouchers: [voucher('paid', { ended_at: 'cage', ended_ms: 1 })] }));
  const props = { house: { tables: async () => [{ table: 'T10' }, { table: 'T2' }], seatVouchers }, table: '', seat: '', onscan: vi.fn(), onclose: vi.fn(), ...more };
  show(OfSeat, props);
  return { seatVouchers, onscan: props.onscan, seat: screen.getByLabelText('Seat'), table: screen.getByLabelText('Table') };
}

test('the cage names a table and a seat, in the order of people', async () => {
  const { seatVouchers, seat, table } = sheet();
  await waitFor(() => expect([...table.querySelectorAll('option')].map(text)).toEqual(['T2', 'T10']));
  expect(seatVouchers).not.toHaveBeenCalled();
  await fireEvent.input(seat, { target: { value: ' 3 ' } });
  await fireEvent.submit(seat.closest('form')!);
  expect(seatVouchers.mock.calls).toEqual([['T2', '3']]);
  expect(await screen.findByRole('heading', { name: 'T2 · Seat 3' })).toBeTruthy();
});

test('the seat of a voucher that is looked at is listed at once', async () => {
  const { seatVouchers } = sheet({ table: 'T10', seat: '5' });
  expect(await screen.findByRole('heading', { name: 'T10 · Seat 5' })).toBeTruthy();
  expect(seatVouchers.mock.calls).toEqual([['T10', '5']]);
});

test('a ticket that is scanned into the field is looked up and is no seat', async () => {
  const { seatVouchers, onscan, seat } = sheet({ table: 'T2' });
  await fireEvent.input(seat, { target: { value: '123456789012345672' } });
  await fireEvent.submit(seat.closest('form')!);
  expect(onscan.mock.calls).toEqual([['123456789012345672']]);
  expect(seatVouchers).not.toHaveBeenCalled();
});

test('a refusal is said in the sheet', async () => {
  sheet({ table: 'T2', seat: '1', house: { tables: async () => [], seatVouchers: () => Promise.reject(new Refusal(403, { code: 'not-allowed', sentence: 'This takes somebody else.' })) } });
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This takes somebody else.'));
});

test('the house is asked at the address of the seat', async () => {
  const asked: string[] = [];
  const house = new House(new Client(() => 'token', async (address) => { asked.push(address); return new Response('{}'); }));
  await house.meters('T/1');
  await house.seatVouchers('T1', 'a b');
  expect(asked).toEqual(['/api/tables/T%2F1/meters', '/api/tables/T1/seats/a%20b/vouchers']);
});
