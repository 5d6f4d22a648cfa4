/** Where things lie in a chart. */

export interface Scale {
  /** Round values, from the lowest to the highest; the axis is labelled with them. */
  ticks: number[];
  /** The place of a value, from 0 at the highest tick to 1 at the lowest. */
  place: (value: number) => number;
}

const STEPS = [1, 2, 5, 10];

/** An axis that holds all values and zero, with about so many ticks at round values. */
export function scaleOf(values: readonly number[], about = 5): Scale {
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const raw = (highest - lowest || 1) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (STEPS.find((each) => each * power >= raw) ?? 10);
  const first = Math.floor(lowest / step);
  const last = Math.max(first + 1, Math.ceil(highest / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
  const top = last * step;
  const span = top - first * step;
  return { ticks, place: (value) => (top - value) / span };
}
