import { fireEvent, render, screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { expect, test, vi } from 'vitest';
import { reasonOfCall, REASONS, waited } from '../src/lib/i18n/calls';
import { Words } from '../src/lib/i18n/words.svelte';
import type { SeatLine } from '../src/lib/live/wire';
import Attendant from '../src/screens/terminal/Attendant.svelte';
import { intentOf } from '../src/screens/console/keys';
import { linesOf } from '../src/screens/console/logging';
import { callsOf, noticesOf } from '../src/screens/console/notices';
import { book } from './fixtures';
import { consoleView, refusal, seat as seatView, table } from './liveViews';
import Worded from './Worded.svelte';

const seat = (id: string, call: SeatLine['call']): SeatLine => ({
  seat: id, kind: 'rapid-fusion', layout: 'main', in_use: true, connected: true, lost: false, lock: null, call, credits_cents: 0, staked_cents: 0, bets: 0, last_win_cents: 0, stakes: {},
});
const CALLS = consoleView({ seats: [seat('1', { reason: 'help', since_ms: 9000 }), seat('2', null), seat('3', { reason: 'payout', since_ms: 4000 })] });
const seen = { table: table(), console: CALLS, refused: null, dismissed: new Set<string>(), wins: {} };

test('a wait is minutes and seconds, and hours where there are any', () => {
  expect([waited(1000, 1000), waited(1000, 66_999), waited(0, 3_661_000), waited(5000, 0)]).toEqual(['0:00', '1:05', '1:01:01', '0:00']);
});

test('every reason has words, and one that is new goes by its code', async () => {
  const words = new Words();
  expect(REASONS.map((reason) => reasonOfCall(words, reason))).toEqual(['Help', 'Buy credits', 'Pay out', 'Trouble with the terminal']);
  expect(reasonOfCall(words, 'tea')).toBe('tea');
  await words.choose('zh');
  expect(reasonOfCall(words, 'payout')).toBe('人工兑现');
});

test('a console lists who waits longest first, and answers with one touch', () => {
  expect(callsOf(CALLS).map((each) => each.seat)).toEqual(['3', '1']);
  expect(callsOf(null)).toEqual([]);
  expect(noticesOf(seen).map(({ id, button, does }) => [id, button, does])).toEqual([
    ['call 3 4000', 'con.answered', { kind: 'answer', do: { type: 'answer-call', seat: '3' } }],
    ['call 1 9000', 'con.answered', { kind: 'answer', do: { type: 'answer-call', seat: '1' } }],
  ]);
  expect(intentOf('a', { types: true, armed: true, rejects: true, advises: true, moves: true })).toEqual({ kind: 'answer' });
});

test('the log says who called for what, and how the call ended', () => {
  const entry = (event: Parameters<typeof linesOf>[2][number]['event']) => ({ at_ms: 0, who: 'dee', event });
  const lines = linesOf(new Words(), book('mbs-fusion'), [
    entry({ type: 'attendant-called', seat: '4', reason: 'buy-in', since_ms: 0 }),
    entry({ type: 'call-ended', seat: '4', how: 'answered', since_ms: 0 }),
    entry({ type: 'call-ended', seat: '4', how: 'withdrawn', since_ms: 0 }),
  ]);
  expect(lines.map(({ text }) => text)).toEqual(['Call of seat 4 withdrawn', 'Call of seat 4 answered', 'Seat 4 calls an attendant: Buy credits']);
});

function show(source: Record<string, unknown>): void {
  const props = { source: { connected: true, seat: seatView(), now_ms: 70_000, callAnswered: false, callRefused: null, ...source } };
  render(Worded, { props: { part: Attendant as unknown as Component<Record<string, unknown>>, props } });
}

test('one touch calls for one reason', async () => {
  const callAttendant = vi.fn(() => Promise.resolve(true));
  show({ callAttendant });
  await fireEvent.click(screen.getByRole('button', { name: 'Pay out' }));
  expect(callAttendant.mock.calls).toEqual([['payout']]);
});

test('an open call is in sight with its time and can be withdrawn', async () => {
  const withdrawCall = vi.fn(() => Promise.resolve(true));
  show({ withdrawCall, seat: seatView({}, { call: { reason: 'payout', since_ms: 5000 } }) });
  expect(screen.getByTestId('call').textContent).toBe('Pay out · waiting 1:05');
  expect(screen.queryByRole('button', { name: 'Help' })).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'Withdraw the call' }));
  expect(withdrawCall).toHaveBeenCalledOnce();
});

test('an answer, a refusal and a lost line are told', () => {
  show({ callAnswered: true, callRefused: refusal('attendant-called') });
  expect(screen.getByRole('status').textContent).toContain('Your call has been answered');
  expect(screen.getByRole('alert').textContent).toContain('Not attendant-called.');
});

test('without a line nothing can be called for, nor withdrawn', () => {
  show({ connected: false });
  for (const button of screen.getAllByRole('button')) expect((button as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getByRole('alert').textContent).toContain('Please turn to the staff');
});
