import type { Limits, Range } from '../live/wire';

/** What players put down, in cents. A table may offer fewer. */
export const CHIPS = [100, 500, 1000, 2500, 10000, 50000, 100000] as const;

/** The largest chip that an amount contains; the smallest one where it contains none. */
export function largestChip(cents: number, chips: readonly number[] = CHIPS): number {
  return chips.findLast((chip) => chip <= cents) ?? chips[0] ?? 100;
}

/** The chips that an amount is made of, largest first; at most so many of them. */
export function stackOf(cents: number, most: number, chips: readonly number[] = CHIPS): number[] {
  const stack: number[] = [];
  let left = cents;
  while (left > 0 && stack.length < most) {
    const chip = largestChip(left, chips);
    stack.push(chip);
    left -= chip;
  }
  return stack;
}

/** The limits of one bet. */
export function rangeOf(limits: Limits, bet: string, kind: string): Range | undefined {
  return limits.bets[bet] ?? limits.bets[kind];
}
