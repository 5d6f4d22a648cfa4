/**
 * How far the results of a wheel lie from chance, as a chart shows it. The judgement is the house's own watch, which weighs
 * all evidence; the band only tells which outcomes to look at: a fair wheel has any outcome outside of it in one of a
 * hundred looks, whatever the number of outcomes.
 */
import type { WatchedWheel } from '../api/types';
import { bandOf } from './probability';

export interface Deviation {
  id: string;
  count: number;
  expected: number;
  /** How far the count lies from the expected one, in standard deviations. */
  sigma: number;
  outside: boolean;
}

export interface Bias {
  deviations: Deviation[];
  /** How many standard deviations the band is wide to each side. */
  band: number;
  verdict: 'too-few' | 'within' | 'raised';
}

/** One look in so many may find an outcome of a fair wheel outside of the band. */
const LEVEL = 0.01;
/** Below so many expected results for an outcome, a standard deviation says nothing. */
export const FEWEST_EXPECTED = 5;

export function biasOf(wheel: WatchedWheel): Bias {
  const band = bandOf(LEVEL, wheel.outcomes.length);
  const isEnough = wheel.outcomes.every(({ expected }) => expected >= FEWEST_EXPECTED);
  const deviations = wheel.outcomes.map(({ outcome, count, expected }): Deviation => {
    const deviation = Math.sqrt(expected * (1 - expected / wheel.spins));
    const sigma = deviation > 0 ? (count - expected) / deviation : 0;
    return { id: outcome, count, expected, sigma, outside: isEnough && Math.abs(sigma) > band };
  });
  return { deviations, band, verdict: wheel.raised_ms !== null ? 'raised' : isEnough ? 'within' : 'too-few' };
}
