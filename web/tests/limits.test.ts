import { describe, expect, it } from 'vitest';
import { readAmount } from '../src/lib/i18n/readAmount';
import { Words } from '../src/lib/i18n/words.svelte';
import type { Limits } from '../src/lib/live/wire';
import { draftOf, inOrder, nameOfLimit, notNow, offeredIn, secondFor, type Edits } from '../src/screens/pit/limits';
import { book } from './fixtures';

const words = new Words();
const LIMITS: Limits = {
  bets: { straight: { minimum_cents: 500, maximum_cents: 20_000 }, 'straight:0': { minimum_cents: 250, maximum_cents: 10_000 } },
  spots: { straight: 100_000, split: 50_000 }, seat_cents: 500_000, table_cents: null, exposure_cents: null,
};
const draft = (edits: Edits = {}) => draftOf(LIMITS, edits, { read: (typed) => readAmount(typed, 'en-SG'), write: words.whole });

describe('limits that are being changed', () => {
  it('are offered where they are applied; where boxes are marked, only to be taken away', () => {
    const empty: Limits = { ...LIMITS, spots: {}, seat_cents: null };
    const bare = draftOf(empty, { seat: '5' }, { read: (typed) => readAmount(typed, 'en-SG'), write: words.whole });
    expect(offeredIn(bare, false)).toEqual({ spot: true, seat: true, exposure: true });
    expect(offeredIn(bare, true)).toEqual({ spot: false, seat: false, exposure: false });
    expect(offeredIn(draft(), true)).toEqual({ spot: true, seat: true, exposure: false });
  });
  it('begin as they are in force, cents included, and are sent as they came', () => {
    const { rows, changes, faults, limits } = draft();
    expect(rows.map(({ bet, minimum, maximum, spot }) => [bet, minimum?.text, maximum?.text, spot.text])).toEqual([
      ['straight', '5', '200', '1,000'], ['straight:0', '2.50', '100', ''], ['split', undefined, undefined, '500'],
    ]);
    expect([changes, faults]).toEqual([0, 0]);
    expect(limits).toEqual(LIMITS);
  });
  it('take what is typed, and leave out what is emptied', () => {
    const { changes, faults, limits } = draft({ 'minimum/straight': '10', 'maximum/straight': '1,000', 'spot/straight': ' ', 'spot/straight:0': '300', table: '20,000' });
    expect([changes, faults]).toEqual([5, 0]);
    expect(limits).toEqual({
      bets: { straight: { minimum_cents: 1_000, maximum_cents: 100_000 }, 'straight:0': { minimum_cents: 250, maximum_cents: 10_000 } },
      spots: { 'straight:0': 30_000, split: 50_000 }, seat_cents: 500_000, table_cents: 2_000_000, exposure_cents: null,
    });
  });
  it('are read as the same screen writes amounts, with cents that are none', () => {
    const { changes, faults, limits } = draft({ 'minimum/straight': '5.00', 'maximum/straight': '999,999.00', table: '20,000.00' });
    expect([changes, faults]).toEqual([2, 0]);
    expect([limits.bets['straight'], limits.table_cents]).toEqual([{ minimum_cents: 500, maximum_cents: 99_999_900 }, 2_000_000]);
  });
  it('are not changed where the same is typed again', () => {
    expect(draft({ 'minimum/straight': '5', 'minimum/straight:0': ' 2.50 ', 'spot/straight': '1000' }).changes).toBe(0);
  });
  it.each([
    [{ 'minimum/straight': '' }, 'minimum', 'limits.fault.amount'],
    [{ 'minimum/straight': '0' }, 'minimum', 'limits.fault.amount'],
    [{ 'minimum/straight': '7.50' }, 'minimum', 'limits.fault.cents'],
    [{ 'spot/straight': '300.5' }, 'spot', 'limits.fault.cents'],
    [{ 'maximum/straight': '4' }, 'maximum', 'limits.fault.order'],
    [{ 'minimum/straight': '201' }, 'maximum', 'limits.fault.order'],
    [{ 'spot/straight': '0' }, 'spot', 'limits.fault.optional'],
    [{ 'spot/straight': 'much' }, 'spot', 'limits.fault.optional'],
  ] as const)('are checked as they are typed: %j', (edits, part, fault) => {
    const { rows, faults, changes } = draft(edits);
    expect(rows[0]?.[part]?.fault).toBe(fault);
    expect([faults, changes]).toEqual([1, 1]);
  });
  it('follow the table where somebody else has changed what was not typed over', () => {
    const edits = { 'minimum/straight': '10' };
    const meanwhile = { ...LIMITS, seat_cents: 900_000 };
    expect(draftOf(meanwhile, edits, { read: (typed) => readAmount(typed, 'en-SG'), write: words.whole }).limits.seat_cents).toBe(900_000);
  });
  it('stand in the order of the pay table, one bet behind its kind', () => {
    const range = { minimum_cents: 500, maximum_cents: 20_000 };
    const limits = { ...LIMITS, bets: { red: range, split: range, straight: range, 'straight:0': range } };
    expect(Object.keys(inOrder(limits, book('mbs-fusion')).bets)).toEqual(['straight', 'straight:0', 'split', 'red']);
    expect(inOrder(limits, undefined)).toEqual(limits);
  });
  it('have to wait for the end of a round, and for whatever else the table waits for', () => {
    const idle = { round: null, halted: false, awaits_outcome: false };
    expect(notNow(idle)).toBeNull();
    expect(notNow({ ...idle, round: { number: 7, phase: 'betting', opened_ms: 0, closes_ms: null, warned: false, spin: null, result: null, sensor: null } })).toBe('limits.running');
    expect(notNow({ ...idle, halted: true })).toBe('limits.halted');
    expect(notNow({ ...idle, awaits_outcome: true })).toBe('limits.awaits');
  });
  it('take whom the book asks for', () => {
    const asks = (position: string, people: number) => {
      const mbs = book('mbs-fusion');
      return { ...mbs, view: { ...mbs.view, authority: [{ action: 'change-limits', position, people }] } };
    };
    expect([secondFor(book('mbs-fusion'), 'pit-manager'), secondFor(book('mbs-fusion'), 'pit-supervisor')]).toEqual(['dealer', 'pit-manager']);
    expect([secondFor(asks('pit-manager', 1), 'shift-manager'), secondFor(asks('pit-manager', 1), 'pit-supervisor')]).toEqual([null, 'pit-manager']);
    expect(secondFor(undefined, 'shift-manager')).toBe('dealer');
  });
  it('are named by the family of bets, or by the one bet', () => {
    expect([nameOfLimit(words, book('mbs-fusion'), 'straight'), nameOfLimit(words, book('mbs-fusion'), 'straight:0')]).toEqual(['Straight Up', 'Straight Up 0']);
    expect(nameOfLimit(words, undefined, 'straight')).toBe('straight');
  });
});
