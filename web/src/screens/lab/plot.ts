/** Where a distribution lies in its drawing. */
import type { Bins } from './answers';

export interface Frame { left: number; right: number; top: number; bottom: number }

export interface Plot {
  /** The place of an amount. */
  x: (cents: number) => number;
  /** The place of a chance. */
  y: (chance: number) => number;
  /** Round amounts along the axis. */
  amounts: number[];
  /** Round chances up the axis. */
  chances: number[];
}

/** Chances under this one are not drawn on a logarithmic axis. */
const LEAST = 1e-40;
const STEPS = [1, 2, 2.5, 5, 10];

/** Round numbers between two ends, about so many. */
export function ticksBetween(low: number, high: number, about: number): number[] {
  const raw = (high - low || 1) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (STEPS.find((each) => each * power >= raw * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

export function plotOf(bins: Bins, frame: Frame, log: boolean): Plot {
  const low = bins.from_cents[0] ?? 0;
  const high = bins.to_cents.at(-1) ?? 0;
  // A single result is a bar of its own, so every bin has room on both sides.
  const half = stepOf(bins) / 2;
  const [from, to] = [low - half, high + half];
  const x = (cents: number): number => frame.left + ((frame.right - frame.left) * (cents - from)) / (to - from || 1);
  const highest = Math.max(...bins.chances, LEAST);
  const height = frame.bottom - frame.top;
  const wide = frame.right - frame.left;
  const amounts = ticksBetween(from, to, Math.max(2, Math.floor(wide / 95)));
  if (!log) {
    const chances = ticksBetween(0, highest, Math.max(2, Math.floor(height / 46)));
    return { x, amounts, chances, y: (chance) => frame.bottom - (height * chance) / (highest * 1.04) };
  }
  const least = Math.max(LEAST, Math.min(...bins.chances.filter((chance) => chance > 0)));
  const top = Math.ceil(Math.log10(highest));
  const bottom = Math.min(top - 1, Math.floor(Math.log10(least)));
  const every = Math.max(1, Math.ceil((top - bottom) / Math.max(2, Math.floor(height / 34))));
  const powers = Array.from({ length: Math.floor((top - bottom) / every) + 1 }, (_, place) => top - place * every);
  const y = (chance: number): number => frame.bottom - (height * Math.max(0, Math.log10(Math.max(chance, 1e-300)) - bottom)) / (top - bottom);
  return { x, y, amounts, chances: powers.map((power) => 10 ** power) };
}

/** How far the beginnings of two bins lie apart. */
export function stepOf(bins: Bins): number {
  const [first, second] = bins.from_cents;
  if (first === undefined) return 1;
  return second === undefined ? Math.max(1, (bins.to_cents[0] ?? first) - first) : second - first;
}

/** The outline of all bars that pass, each standing on the axis. */
export function barsOf(bins: Bins, plot: Plot, frame: Frame, passes: (from: number, to: number) => boolean): string {
  const step = stepOf(bins);
  const parts: string[] = [];
  bins.chances.forEach((chance, place) => {
    const [from, to] = [bins.from_cents[place]!, bins.to_cents[place]!];
    const y = plot.y(chance);
    if (chance <= 0 || y >= frame.bottom || !passes(from, to)) return;
    const middle = (from + to) / 2;
    const [left, right] = [plot.x(middle - step / 2), plot.x(middle + step / 2)];
    // Bars touch where they are many; where they are few, they stand apart.
    const gap = right - left > 6 ? 1 : 0;
    const width = Math.max(1, Math.min(right - left - gap, 60));
    const start = (left + right - width) / 2;
    parts.push(`M${start.toFixed(2)} ${frame.bottom.toFixed(2)}V${y.toFixed(2)}h${width.toFixed(2)}V${frame.bottom.toFixed(2)}z`);
  });
  return parts.join('');
}

/** The bin that holds an amount, or the nearest one. */
export function binAt(bins: Bins, cents: number): number {
  let [low, high] = [0, bins.from_cents.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bins.from_cents[middle]! <= cents) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The chance of a bin or a worse one, and of a bin or a better one. */
export function tailsAt(bins: Bins, place: number): { atMost: number; atLeast: number } {
  const sum = (chances: number[]): number => chances.reduce((all, chance) => all + chance, 0);
  return { atMost: sum(bins.chances.slice(0, place + 1)), atLeast: sum(bins.chances.slice(place)) };
}

/** A curve of chances from 1 down to 0 over rounds. */
export function courseOf(course: { rounds: number[]; chances: number[] }, frame: Frame): string {
  const last = course.rounds.at(-1) || 1;
  return course.rounds
    .map((round, place) => `${place ? 'L' : 'M'}${(frame.left + ((frame.right - frame.left) * round) / last).toFixed(2)} ${(frame.bottom - (frame.bottom - frame.top) * (course.chances[place] ?? 0)).toFixed(2)}`)
    .join('');
}
