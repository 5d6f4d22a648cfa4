import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NoAnswer, Refusal } from '../src/lib/api/client';
import { Words } from '../src/lib/i18n/words.svelte';
import type { Bins, System } from '../src/screens/lab/answers';
import { AGAIN_MS, Asking, REST_MS } from '../src/screens/lab/asking.svelte';
import { distance, fraction, inCurrency, power, share } from '../src/screens/lab/figures';
import { barsOf, binAt, courseOf, plotOf, stepOf, tailsAt, ticksBetween } from '../src/screens/lab/plot';
import * as s from '../src/screens/lab/slip';
import { centsOf, FIRST_TERMS, questionOf, unreadable, wholeOf } from '../src/screens/lab/terms';
import { book } from './fixtures';

const FUSION = book('mbs-fusion');

describe('the slip', () => {
  test('chips add up on a line, come off again, and a line without any is gone', () => {
    const two = s.put(s.put(s.empty, 'red', 500), 'red', 500);
    expect(two.lines).toEqual({ red: 1000 });
    expect(s.take(two, 'red', 500).lines).toEqual({ red: 500 });
    expect(s.take(two, 'red', 2500).lines).toEqual({});
    expect(s.take(two, 'black', 500)).toBe(two);
  });

  test('everything can be undone, one by one', () => {
    const built = s.clear(s.double(s.put(s.put(s.empty, 'red', 500), 'tiers', 100)));
    expect(built.lines).toEqual({});
    expect(s.undo(built).lines).toEqual({ red: 1000, tiers: 200 });
    expect(s.undo(s.undo(built)).lines).toEqual({ red: 500, tiers: 100 });
    expect(s.undo(s.empty)).toBe(s.empty);
    expect(s.clear(s.empty)).toBe(s.empty);
  });

  test('announced bets lie on the felt piece by piece, together with what lies there', () => {
    const parts = FUSION.calls.get('tiers')!.parts;
    const stakes = s.onTheFelt(FUSION, { tiers: 100, [parts[0]!.bet]: 250 });
    expect(Object.keys(stakes)).toHaveLength(parts.length);
    expect(stakes[parts[0]!.bet]).toBe(350);
    expect(s.piecesOf(FUSION, 'tiers')).toBe(6);
    expect(s.piecesOf(FUSION, 'red')).toBe(1);
  });

  test('another layout keeps the bets that it knows, and there is always one to begin with', () => {
    expect(s.carried(book('money-wheel'), { red: 100, 'symbol:1': 50 })).toEqual({ 'symbol:1': 50 });
    expect(s.firstBet(FUSION)).toBe('red');
    expect(book('money-wheel').spots.get(s.firstBet(book('money-wheel')))?.pays).toBe(1);
  });
});

describe('what is typed', () => {
  test.each([['12', 1200], ['12.5', 1250], ['1,200.00', 120_000], [' 0.05 ', 5]] as const)('%s is an amount', (text, cents) => {
    expect(centsOf(text)).toBe(cents);
  });

  test.each(['', 'x', '-5', '1.234', '1e3', '.5', '12345678901'])('%j is none', (text) => {
    expect(centsOf(text)).toBeNull();
  });

  test('rounds are whole', () => {
    expect([wholeOf('1,000'), wholeOf('1000.5'), wholeOf('')]).toEqual([1000, null, null]);
    expect([wholeOf('1,0'), centsOf('1,5'), centsOf('12,50.00')]).toEqual([null, null, null]);
  });

  const systems: System[] = [
    { name: 'martingale', title: '', summary: '', own_bets: false, parameters: [{ name: 'most', meaning: '', default: null }] },
    { name: 'james-bond', title: '', summary: '', own_bets: true, parameters: [] },
  ];

  test('the question holds what was typed, and only what the system knows', () => {
    const terms = { ...FIRST_TERMS, settings: { most: ' 8 ', line: '1,2', other: '' }, stop: '', maximum: '50' };
    expect(questionOf('mbs-roulette', 'main', { red: 500 }, terms, systems)).toEqual({
      book: 'mbs-roulette', layout: 'main', system: 'martingale', settings: { most: '8' }, stakes: { red: 500 }, unit_cents: 1000,
      bankroll_cents: 100_000, goal_cents: 150_000, stop_cents: null, rounds: 500, maximum_cents: 5000, beyond: 'stop', simulate: { sessions: 10_000, seed: 1 },
    });
  });

  test('a system with bets of its own takes none from the slip', () => {
    const bond = questionOf('mbs-roulette', 'main', {}, { ...FIRST_TERMS, system: 'james-bond', unit: '2' }, systems);
    expect([bond?.stakes, bond?.unit_cents]).toEqual([{}, 200]);
    expect(questionOf('mbs-roulette', 'main', {}, FIRST_TERMS, systems)).toBeNull();
  });

  test('what cannot be read is named and not asked', () => {
    const terms = { ...FIRST_TERMS, bankroll: '', goal: '', stop: 'none', rounds: '1.5' };
    expect(unreadable(terms, false)).toEqual(['bankroll', 'stop', 'rounds']);
    expect(unreadable({ ...FIRST_TERMS, unit: 'x' }, false)).toEqual([]);
    expect(unreadable({ ...FIRST_TERMS, unit: 'x' }, true)).toEqual(['unit']);
    expect(questionOf('mbs-roulette', 'main', { red: 500 }, terms, systems)).toBeNull();
  });
});

describe('asking', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const refusal = (code: string): Refusal => new Refusal(code === 'lab-warming' ? 503 : 422, { code, sentence: `${code}.` });

  test('only the last question is put, once the hand rests', async () => {
    const put = vi.fn((question: number) => Promise.resolve(question * 2));
    const asking = new Asking<number, number>(put);
    asking.ask(1);
    asking.ask(2);
    expect([asking.busy, put.mock.calls.length]).toEqual([true, 0]);
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(put.mock.calls).toEqual([[2]]);
    expect([asking.busy, asking.answer]).toEqual([false, 4]);
    asking.ask(2);
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(put).toHaveBeenCalledTimes(1);
  });

  test('an answer that comes after another question was put does not count', async () => {
    const answers: ((value: number) => void)[] = [];
    const asking = new Asking<number, number>(() => new Promise((resolve) => { answers.push(resolve); }));
    asking.ask(1);
    await vi.advanceTimersByTimeAsync(REST_MS);
    asking.ask(2);
    await vi.advanceTimersByTimeAsync(REST_MS);
    answers[1]!(20);
    answers[0]!(10);
    await vi.advanceTimersByTimeAsync(0);
    expect([asking.answer, asking.answered, asking.busy]).toEqual([20, 2, false]);
  });

  test('where the lab is getting ready, it is asked again by itself', async () => {
    const put = vi.fn<(question: number) => Promise<number>>().mockRejectedValueOnce(refusal('lab-warming')).mockResolvedValueOnce(7);
    const asking = new Asking<number, number>(put);
    asking.ask(1);
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect([asking.warming, asking.busy, asking.trouble]).toEqual([true, true, null]);
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect([asking.warming, asking.busy, asking.answer]).toEqual([false, false, 7]);
  });

  test('a refusal is told with its sentence; without an answer one may ask again', async () => {
    const put = vi.fn<(question: number) => Promise<number>>().mockRejectedValueOnce(refusal('rounds-out-of-range')).mockRejectedValueOnce(new NoAnswer()).mockResolvedValueOnce(3);
    const asking = new Asking<number, number>(put);
    asking.ask(1);
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(asking.trouble).toEqual({ code: 'rounds-out-of-range', sentence: 'rounds-out-of-range.' });
    asking.ask(2);
    expect(asking.trouble).toBeNull();
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(asking.trouble?.code).toBe('no-answer');
    asking.again();
    await vi.advanceTimersByTimeAsync(0);
    expect([asking.answer, asking.trouble]).toEqual([3, null]);
  });

  test('nothing to ask is no answer', async () => {
    const asking = new Asking<number, number>((question) => Promise.resolve(question));
    asking.ask(1);
    await vi.advanceTimersByTimeAsync(REST_MS);
    asking.ask(null);
    expect([asking.answer, asking.answered, asking.busy]).toEqual([null, null, false]);
  });
});

describe('figures', () => {
  const words = new Words();

  test('a rare chance is a power of ten, never nothing', () => {
    expect([share(words, 1 / 37), share(words, 1.589e-25), share(words, 0), share(words, 1e-9)]).toEqual(['2.70%', '1.59 · 10⁻²⁵', '0.00%', '10⁻⁹']);
    expect(power(1e-40)).toBe('10⁻⁴⁰');
  });

  test('fractions of cents are fractions of the currency', () => {
    expect([inCurrency('-1000/37'), inCurrency('200/1'), inCurrency('0/1')]).toEqual(['-10/37', '2/1', '0/1']);
    expect([fraction('-10/37'), fraction('2/1')]).toEqual(['−10/37', '2']);
    expect(fraction(`1/${'9'.repeat(40)}`)).toHaveLength(24);
  });

  test('a distance has its sign', () => {
    expect([distance(0.334), distance(-1.2)]).toEqual(['+0.33', '−1.20']);
  });
});

describe('the drawing', () => {
  const frame = { left: 50, right: 450, top: 0, bottom: 100 };
  const bins: Bins = { from_cents: [-200, 0, 200], to_cents: [-200, 0, 200], chances: [0.25, 0.5, 0.25] };

  test('ticks are round and lie between the ends', () => {
    expect(ticksBetween(-130, 270, 4)).toEqual([-100, 0, 100, 200]);
    expect(ticksBetween(0, 0.026, 3)).toEqual([0, 0.01, 0.02]);
  });

  test('amounts run from left to right, chances from the bottom up', () => {
    const plot = plotOf(bins, frame, false);
    expect([plot.x(-300), plot.x(0), plot.x(300)]).toEqual([50, 250, 450]);
    expect(plot.y(0)).toBe(100);
    expect(plot.y(0.5)).toBeLessThan(plot.y(0.25));
    expect(stepOf(bins)).toBe(200);
  });

  test('on a logarithmic axis a power of ten is always as high', () => {
    const plot = plotOf({ ...bins, chances: [1e-30, 0.9, 1e-3] }, frame, true);
    expect(plot.y(1e-10) - plot.y(1e-9)).toBeCloseTo(plot.y(1e-20) - plot.y(1e-19));
    expect(plot.y(1e-50)).toBe(100);
    expect(plot.chances.every((chance) => Number.isInteger(Math.round(Math.log10(chance) * 1e6) / 1e6))).toBe(true);
  });

  test('what is lost and what is won are drawn apart, and what cannot happen is not drawn', () => {
    const plot = plotOf(bins, frame, false);
    const count = (path: string): number => path.split('M').length - 1;
    expect(count(barsOf(bins, plot, frame, (from) => from < 0))).toBe(1);
    expect(count(barsOf(bins, plot, frame, () => true))).toBe(3);
    expect(count(barsOf({ ...bins, chances: [0, 1, 0] }, plot, frame, () => true))).toBe(1);
  });

  test('a place is read with both tails, its own bin in each', () => {
    expect([binAt(bins, -999), binAt(bins, -1), binAt(bins, 0), binAt(bins, 999)]).toEqual([0, 0, 1, 2]);
    expect(tailsAt(bins, 1)).toEqual({ atMost: 0.75, atLeast: 0.75 });
  });

  test('a single result has room', () => {
    const one: Bins = { from_cents: [0], to_cents: [0], chances: [1] };
    const plot = plotOf(one, frame, false);
    expect(plot.x(0)).toBe(250);
    expect(barsOf(one, plot, frame, () => true)).toContain('M');
  });

  test('a course goes from everybody to nobody', () => {
    expect(courseOf({ rounds: [0, 10], chances: [1, 0] }, frame)).toBe('M50.00 0.00L450.00 100.00');
  });
});
