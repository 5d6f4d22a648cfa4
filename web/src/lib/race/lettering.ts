/** The name of a series inside its area, with its number of pieces: in lines that fit, or in smaller type. */
import { centroid, roomBetween, type Vertex } from './track';

export interface Line { text: string; x: number; y: number; type: number; small: boolean }

const LEADING = 1.12;
/** The type of the pieces is not smaller than can be read; where they do not fit, the name stands alone. */
const SMALLEST = 12;

/** Roughly how wide bold type runs, in its own size. */
const runs = (text: string): number => [...text].reduce((wide, letter) => wide + (letter > '\u2e80' ? 1.05 : 0.6), 0);

export function lettering(outline: readonly Vertex[], label: string, pieces: string, type: number): { lines: Line[] } {
  const parts = label.split(/ |(?<=-)/);
  const whole = fitted(outline, [label], pieces, type);
  if (parts.length === 1 || whole.type === type) return { lines: whole.lines };
  const split = fitted(outline, parts, pieces, type * 0.86);
  return { lines: split.type > whole.type ? split.lines : whole.lines };
}

/** A sentence in the middle of an area, in as many lines of one type as its width takes. */
export function wrapped(outline: readonly Vertex[], sentence: string, type: number): Line[] {
  const [x, middle] = centroid(outline);
  const { width } = roomBetween(outline, middle - type, middle + type);
  const lines = [''];
  // Between Chinese characters a line may break anywhere.
  for (const part of sentence.match(/[\u2e80-\uffff]|[^\s\u2e80-\uffff]+\s*/g) ?? []) {
    const longer = lines.at(-1) + part;
    if (lines.at(-1) && runs(longer.trimEnd()) * type > width * 0.92) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  const top = middle - ((lines.length - 1) / 2) * type * LEADING;
  return lines.map((text, i) => ({ text: text.trimEnd(), x, y: top + i * type * LEADING, type, small: false }));
}

/** The lines in the middle of the area, as large as it lets them. */
function fitted(outline: readonly Vertex[], names: readonly string[], pieces: string, wanted: number): { lines: Line[]; type: number } {
  const [, middle] = centroid(outline);
  const under = Math.max(SMALLEST, wanted * 0.66);
  const highest = names.length * wanted * LEADING;
  const withPieces = roomBetween(outline, middle - (highest + under) / 2, middle + (highest + under) / 2);
  const says = runs(pieces) * 0.94 * under <= withPieces.width;
  const room = says ? withPieces : roomBetween(outline, middle - highest / 2, middle + highest / 2);
  const type = Math.min(wanted, (room.width * 0.92) / Math.max(...names.map(runs)));
  const top = middle - (names.length * type * LEADING + (says ? under * LEADING : 0)) / 2;
  const lines = names.map((text, i): Line => ({ text, x: room.x, y: top + (i + 0.5) * type * LEADING, type, small: false }));
  if (says) lines.push({ text: pieces, x: room.x, y: top + names.length * type * LEADING + under * 0.62, type: under, small: true });
  return { lines, type };
}
