/**
 * Whether the results of a wheel are what chance gives. Each outcome is compared with how often it should have come;
 * all of them together are judged by chi-square. The band is set so that a fair wheel has any outcome outside of it in one
 * of a hundred looks, whatever the number of outcomes.
 */
import { bandOf, chiSquareTail } from './probability';

export interface Outcome {
  id: string;
  /** On how many pockets or segments it stands. */
  pockets: number;
}

export interface Deviation {
  id: string;
  count: number;
  expected: number;
  /** How far the count lies from the expected one, in standard deviations. */
  sigma: number;
  outside: boolean;
}

export interface Bias {
  spins: number;
  deviations: Deviation[];
  /** How many standard deviations the band is wide to each side. */
  band: number;
  chiSquare: number;
  /** How often a fair wheel would differ at least as much; none while there are too few spins to say. */
  p: number | null;
  verdict: 'too-few' | 'within' | 'outside';
}

/** One look in so many may call a fair wheel conspicuous. */
export const LEVEL = 0.01;
/** Below so many expected results for an outcome, chi-square says nothing. */
export const FEWEST_EXPECTED = 5;

export function biasOf(outcomes: readonly Outcome[], results: Iterable<string>): Bias {
  const counts = new Map(outcomes.map(({ id }) => [id, 0]));
  let spins = 0;
  for (const result of results) {
    if (!counts.has(result)) continue;
    counts.set(result, counts.get(result)! + 1);
    spins += 1;
  }
  const all = outcomes.reduce((sum, { pockets }) => sum + pockets, 0);
  const band = bandOf(LEVEL, outcomes.length);
  const deviations = outcomes.map(({ id, pockets }): Deviation => {
    const share = pockets / all;
    const expected = spins * share;
    const deviation = Math.sqrt(expected * (1 - share));
    const count = counts.get(id)!;
    const sigma = deviation ? (count - expected) / deviation : 0;
    return { id, count, expected, sigma, outside: Math.abs(sigma) > band };
  });
  const isEnough = spins > 0 && deviations.every(({ expected }) => expected >= FEWEST_EXPECTED);
  const chiSquare = deviations.reduce((sum, { count, expected }) => sum + (expected ? (count - expected) ** 2 / expected : 0), 0);
  const p = isEnough ? chiSquareTail(chiSquare, outcomes.length - 1) : null;
  const isOut = isEnough && (deviations.some(({ outside }) => outside) || p! < LEVEL);
  return { spins, deviations, band, chiSquare, p, verdict: !isEnough ? 'too-few' : isOut ? 'outside' : 'within' };
}
