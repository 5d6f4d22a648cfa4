import { fireEvent, render, screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { RecalledAct, RecalledEvent, RecalledRound } from '../src/lib/api/types';
import { Words } from '../src/lib/i18n/words.svelte';
import type { TableEvent } from '../src/lib/live/wire';
import Carried from '../src/lib/staff/Carried.svelte';
import { leftOpen, waysOf } from '../src/lib/staff/carried';
import { textOf } from '../src/screens/console/logging';
import { book } from './fixtures';
import Worded from './Worded.svelte';

const act = (event: RecalledEvent): RecalledAct => ({ at_ms: 0, event, what: null, actor: null, position: null, second: null });
const corrected = (seat: string, carried_cents: number, round = 3): RecalledAct => act({ type: 'seat-corrected', seat, round, carried_cents });
const ended = (seat: string): RecalledAct => act({ type: 'carried-settled', seat, round: 3, how: 'paid', cents: 1, reason: 'why', clause: '' });
const recalled = (...acts: RecalledAct[]): RecalledRound => ({ label: '', table: 'R1', round: 3, result: '17', notices: [], seats: [], between: [], acts, after: [] });

function show(round: RecalledRound, free = true) {
  const onact = vi.fn();
  render(Worded, { props: { part: Carried as unknown as Component<Record<string, unknown>>, props: { recalled: round, free, onact } } });
  return onact;
}

test('left open is what the last correction of each seat carries and nobody has ended', () => {
  const acts = [corrected('10', -500), corrected('2', 900), corrected('3', 0), corrected('4', 700), ended('4'), corrected('5', 100), ended('5'), corrected('5', -100)];
  expect(leftOpen(recalled(...acts))).toEqual([{ seat: '2', cents: 900 }, { seat: '5', cents: -100 }, { seat: '10', cents: -500 }]);
  expect(leftOpen(recalled(corrected('2', 900), corrected('2', 0)))).toEqual([]);
});

test('what was corrected of another round while this one ran is left open there, and not here', () => {
  expect(leftOpen(recalled(corrected('2', -900, 2)))).toEqual([]);
  expect(leftOpen(recalled(corrected('2', 700), corrected('2', -900, 2)))).toEqual([{ seat: '2', cents: 700 }]);
});

test('unclaimed money is paid alone; a shortfall is collected or written off', () => {
  expect(waysOf({ seat: '1', cents: 5 })).toEqual(['paid']);
  expect(waysOf({ seat: '1', cents: -5 })).toEqual(['collected', 'written-off']);
});

test('a seat’s amount ends whole, with a reason and never without', async () => {
  const onact = show(recalled(corrected('4', 36_000), corrected('2', -2500)));
  expect(screen.queryByRole('textbox')).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'Write off' }));
  const last = screen.getByRole('button', { name: 'Seat 2: 25.00 written off' });
  expect(last).toHaveProperty('disabled', true);
  await fireEvent.input(screen.getByRole('textbox'), { target: { value: ' our own mistake ' } });
  await fireEvent.click(last);
  expect(onact).toHaveBeenCalledExactlyOnceWith({ type: 'settle-carried', round: 3, seat: '2', how: 'written-off', cents: 2500, reason: 'our own mistake' });
  await fireEvent.click(screen.getByRole('button', { name: 'Pay by hand' }));
  expect(screen.getByRole('button', { name: 'Seat 4: 360.00 paid by hand' })).toHaveProperty('disabled', false);
});

test('nothing is asked while something else is under way, and nothing is shown where nothing is open', async () => {
  const onact = show(recalled(corrected('4', 36_000)), false);
  await fireEvent.click(screen.getByRole('button', { name: 'Pay by hand' }));
  await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'receipt 8' } });
  await fireEvent.submit(screen.getByRole('textbox').closest('form')!);
  expect(onact).not.toHaveBeenCalled();
});

test('a round with nothing left open shows nothing of it', () => {
  show(recalled(corrected('4', 0)));
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([['paid', 'Seat 4: 36.00 of round 3 paid by hand'], ['written-off', 'Seat 4: 36.00 of round 3 written off']])('the log says how it ended: %s', (how, text) => {
  const event = { type: 'carried-settled', seat: '4', round: 3, how, cents: 3600, reason: 'why', clause: 'x' } as TableEvent;
  expect(textOf(new Words(), book('mbs-fusion'), event)).toBe(text);
});
