import { describe, expect, it } from 'vitest';
import type { RoundView, TableView } from '../src/lib/live/wire';
import { announcedOf, clipped, extremes, lastResult, widthOf } from '../src/screens/display/board';
import { half, stepOf } from '../src/screens/front/guide';

const view = (more: Partial<TableView> = {}): TableView => ({
  table: 'T1', book: 'b', layouts: ['main'], open: true, halted: false, awaits_outcome: false, wheel_fault: false, rounds_left: null,
  round_number: 7, round: null, notice: '', clause: null, limits: { bets: {}, spots: {}, seat_cents: null, table_cents: null, exposure_cents: null },
  cash_limit_cents: null, betting_seconds: 20, warning_seconds: 5, outcomes: [], notices: [], ...more,
});
const round = (more: Partial<RoundView> = {}): RoundView => ({ number: 7, phase: 'betting', opened_ms: 0, closes_ms: 20_000, warned: false, spin: null, result: null, sensor: null, ...more });

describe('what a display announces', () => {
  it('follows a round', () => {
    expect(announcedOf(view({ round: round() }), true, 5000)).toMatchObject({ look: 'open', seconds: 15, left: 0.75 });
    expect(announcedOf(view({ round: round() }), true, 15_500)).toMatchObject({ look: 'warning', seconds: 5, step: 'warning' });
    expect(announcedOf(view({ round: round({ phase: 'closed' }) }), true, 0)).toMatchObject({ look: 'closed', step: 'closed', seconds: null });
    expect(announcedOf(view({ round: round({ phase: 'spinning' }) }), true, 0)).toMatchObject({ step: 'closed', icon: 'ball' });
    // A result that is entered and not confirmed is no result yet.
    expect(announcedOf(view({ round: round({ phase: 'resulted', result: '5' }) }), true, 0)).toMatchObject({ look: 'closed' });
    expect(announcedOf(view({ outcomes: [{ round: 7, result: '5' }] }), true, 0)).toMatchObject({ look: 'won', step: 'result' });
    expect(announcedOf(view({ outcomes: [{ round: 7, result: null }] }), true, 0)).toMatchObject({ look: 'void', step: 'void' });
  });
  it('says between rounds what was said since the last one was settled', () => {
    const over = view({ outcomes: [{ round: 7, result: '5' }], notice: 'Bets are settled' });
    expect(announcedOf(over, true, 0, 'Bets are settled')).toMatchObject({ look: 'won', step: 'result' });
    const corrected = view({ outcomes: [{ round: 7, result: '8' }], notice: 'Round 7: the result is corrected to 8' });
    expect(announcedOf(corrected, true, 0, 'Bets are settled')).toMatchObject({ look: 'told', own: null });
    // A server that was started again has nothing to say, and a book that is not there yet no words to compare.
    expect(announcedOf({ ...over, notice: '' }, true, 0, 'Bets are settled')).toMatchObject({ look: 'won' });
    expect(announcedOf(corrected, true, 0, null)).toMatchObject({ look: 'won' });
    expect(announcedOf(view({ outcomes: [{ round: 7, result: '5' }], notice: 'Round 7 is settled' }), true, 0, 'Round {round} is settled')).toMatchObject({ look: 'won' });
  });
  it('never counts from more than the table gives', () => {
    expect(announcedOf(view({ round: round() }), true, -600)).toMatchObject({ seconds: 20, left: 1 });
  });
  it('never shows an old countdown as a live one', () => {
    expect(announcedOf(view({ round: round() }), false, 5000)).toMatchObject({ look: 'away', seconds: null, own: 'noConnection' });
    expect(announcedOf(view({ halted: true, round: round() }), true, 5000)).toMatchObject({ look: 'void', seconds: null });
  });
  it('has no clock where only the dealer closes', () => {
    expect(announcedOf(view({ betting_seconds: null, round: round({ closes_ms: null }) }), true, 0)).toMatchObject({ look: 'open', seconds: null });
  });
});

describe('statistics', () => {
  it('leave void rounds out of the last result', () => {
    expect(lastResult(view({ outcomes: [{ round: 7, result: null }, { round: 6, result: '5' }] }))).toEqual({ round: 6, result: '5' });
    expect(lastResult(view())).toBeUndefined();
  });
  it('name what came most and least often, each once', () => {
    const { often, rarely } = extremes({ a: 4, b: 1, c: 9, d: 0 }, ['a', 'b', 'a', 'c', 'd'], 3);
    expect(often).toEqual([{ id: 'c', count: 9 }, { id: 'a', count: 4 }]);
    expect(rarely).toEqual([{ id: 'd', count: 0 }, { id: 'b', count: 1 }]);
    expect(extremes({ a: 1 }, ['a', 'b', 'c', 'd'], 3).often).toEqual([{ id: 'a', count: 1 }]);
  });
});

describe('the guide of the front page', () => {
  const both = { console: true, seat: true };
  it('waits until both places are taken', () => {
    expect(stepOf(null, both)).toBe('places');
    expect(stepOf(view({ round: round() }), { console: true, seat: false })).toBe('places');
  });
  it('is where the table is', () => {
    expect(stepOf(view(), both)).toBe('open');
    expect(stepOf(view({ round: round() }), both)).toBe('bet');
    expect(stepOf(view({ round: round({ phase: 'closed' }) }), both)).toBe('spin');
    expect(stepOf(view({ round: round({ phase: 'resulted', result: '5' }) }), both)).toBe('result');
    expect(stepOf(view({ outcomes: [{ round: 7, result: '5' }] }), both)).toBe('settled');
  });
  it('puts two windows side by side', () => {
    expect(half('left', { availWidth: 1921, availHeight: 1000 })).toBe('popup,width=960,height=1000,left=0,top=0');
    expect(half('right', { availWidth: 1921, availHeight: 1000 })).toContain('left=960');
  });
});

describe('what does not fit', () => {
  const VOID = 'Round {round} is void: {reason}. All bets are returned';
  it('is cut where somebody wrote it, and not where the house speaks', () => {
    const notice = (reason: string): string => VOID.replace('{round}', '12').replace('{reason}', reason);
    expect(clipped(notice('Ball left the wheel'), ['No more bets', VOID])).toBe(notice('Ball left the wheel'));
    const cut = clipped(notice('a.b '.repeat(80)), ['No more bets', VOID]);
    expect(cut).toMatch(/^Round 12 is void: a\.b .*…\. All bets are returned$/);
    expect(cut.length).toBeLessThanOrEqual(215);
    expect(cut.length).toBeGreaterThan(205);
  });
  it('has smaller type: two letters may be as wide as three figures', () => {
    expect(['7', '17', '000', '×M', 'RWS', 'gold'].map(widthOf)).toEqual([1, 2, 3, 3, 3, 4]);
  });
});
