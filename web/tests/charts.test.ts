import { describe, expect, it } from 'vitest';
import { biasOf } from '../src/lib/charts/bias';
import { bandOf, bothTails } from '../src/lib/charts/probability';
import { scaleOf } from '../src/lib/charts/scale';
import type { WatchedWheel } from '../src/lib/api/types';

describe('an axis', () => {
  it('holds all values and zero between round ticks', () => {
    const { ticks, place } = scaleOf([402, 279, -83, -669]);
    expect(ticks).toEqual([-1000, -500, 0, 500]);
    expect(place(500)).toBe(0);
    expect(place(-1000)).toBe(1);
    expect(place(0)).toBeCloseTo(1 / 3);
  });
  it('is there even where everything is zero', () => {
    const { ticks, place } = scaleOf([0, 0]);
    expect(ticks[0]).toBe(0);
    expect(ticks.length).toBeGreaterThan(1);
    expect(Number.isFinite(place(0))).toBe(true);
  });
  it('begins at zero where nothing is below it', () => {
    expect(scaleOf([12, 47]).ticks).toEqual([0, 10, 20, 30, 40, 50]);
  });
});

describe('the normal distribution', () => {
  it('has the tails that tables print', () => {
    expect(bothTails(0)).toBe(1);
    expect(bothTails(1)).toBeCloseTo(0.317310508, 8);
    expect(bothTails(1.959963985)).toBeCloseTo(0.05, 8);
    expect(bothTails(3)).toBeCloseTo(0.002699796, 8);
  });
  it('has a wider band for more outcomes together', () => {
    expect(bandOf(0.05, 1)).toBeCloseTo(1.959964, 5);
    expect(bandOf(0.01, 39)).toBeCloseTo(3.66, 2);
    expect(bandOf(0.01, 37)).toBeLessThan(bandOf(0.01, 39));
  });
});

describe('the results of a wheel', () => {
  const wheel = (counts: number[], raised_ms: number | null = null): WatchedWheel => {
    const spins = counts.reduce((sum, count) => sum + count, 0);
    return {
      wheel: 'W', book: 'b', tables: ['T'], spins, voided: 0, disagreed: 0, one_in: 1000, log10_e: 0, log10_needed: 3,
      raised_round: raised_ms === null ? null : 9, raised_ms, p_value: 0.5,
      outcomes: counts.map((count, place) => ({ outcome: String(place), count, expected: spins / counts.length })),
    };
  };
  it('lie as far out as their standard deviation says', () => {
    const { deviations } = biasOf(wheel([60, 40]));
    // 100 tosses: a standard deviation of 5.
    expect(deviations.map(({ sigma }) => sigma)).toEqual([2, -2]);
    expect(deviations.some(({ outside }) => outside)).toBe(false);
  });
  it('are marked outside of the band, and judged by the watch alone', () => {
    const bias = biasOf(wheel([70, 30]));
    expect(bias.deviations.map(({ outside }) => outside)).toEqual([true, true]);
    expect(bias.verdict).toBe('within');
    expect(biasOf(wheel([50, 50], 1)).verdict).toBe('raised');
  });
  it('mark nothing while there are too few', () => {
    const bias = biasOf(wheel([8, 0, 0, 0]));
    expect(bias.verdict).toBe('too-few');
    expect(bias.deviations.some(({ outside }) => outside)).toBe(false);
  });
});
