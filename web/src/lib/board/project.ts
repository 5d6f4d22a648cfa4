/**
 * From units of the felt to pixels of a screen. A landscape board has the zeros on the left and the outside
 * boxes below; an upright one, for a phone, the zeros on top and the outside boxes on the left.
 */
import type { Extent, LayoutView, Point, Rect } from '../live/wire';

export interface Area { x: number; y: number; width: number; height: number }
export interface Spot { x: number; y: number }

export interface Projection {
  upright: boolean;
  width: number;
  height: number;
  /** A place in halves of a unit. */
  point: (at: Point) => Spot;
  /** A rectangle in whole units. */
  area: (rect: Rect) => Area;
  /** A part of the felt in halves of a unit; a line has no width or no height. */
  extent: (extent: Extent) => Area;
  /** The most frequent number cell: what type and chips are measured by. */
  cell: Area;
  least: number;
}

/** A rectangle with so much less on every side; where there is no room, it has no width or no height. */
export function inset({ x, y, width, height }: Area, by: number): Area {
  return { x: x + by, y: y + by, width: Math.max(0, width - 2 * by), height: Math.max(0, height - 2 * by) };
}

/** How deep boxes outside the numbers are drawn, compared with numbers. */
const OUTSIDE = { landscape: { across: 0.66, along: 0.92 }, upright: { across: 0.55, along: 0.95 } } as const;
/** Cells may be that much higher than wide before the felt keeps room above and below instead. */
const STRETCH = 1.35;

export function project(layout: LayoutView, width: number, height: number, upright: boolean): Projection {
  const rects = [...layout.cells, ...layout.boxes].map((each) => each.rect);
  const numbers = layout.cells.length ? layout.cells.map((cell) => cell.rect) : rects;
  const outside = layout.cells.length ? OUTSIDE[upright ? 'upright' : 'landscape'] : { across: 1, along: 1 };
  const along = axis(rects, numbers, 0, outside.along);
  const across = axis(rects, numbers, 1, outside.across);
  const pad = upright ? 7 : Math.max(14, width * 0.013);
  const [long, short] = upright ? [height, width] : [width, height];
  const unit = Math.max(0, long - 2 * pad) / along.length;
  const room = Math.max(0, short - 2 * pad) / across.length;
  const breadth = upright ? room : Math.min(room, unit * STRETCH);
  const slack = (short - 2 * pad - breadth * across.length) / 2;

  const at = (alongUnits: number, acrossUnits: number): Spot => {
    const far = pad + along.at(alongUnits) * unit;
    return upright
      ? { x: pad + slack + across.at(acrossUnits) * breadth, y: far }
      : { x: far, y: pad + slack + (across.length - across.at(acrossUnits)) * breadth };
  };
  const between = (a: Spot, b: Spot): Area => ({
    x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y),
  });
  const area = ([a, c, aTo, cTo]: Rect): Area => between(at(a, c), at(aTo, cTo));
  const cell = area(usual(numbers));
  return {
    upright, width, height, area, cell,
    least: Math.min(cell.width, cell.height),
    point: ([a, c]) => at(a / 2, c / 2),
    extent: ([a, c, aTo, cTo]) => between(at(a / 2, c / 2), at(aTo / 2, cTo / 2)),
  };
}

/** One axis of the felt: what lies beyond the numbers is drawn less deep. */
function axis(all: Rect[], numbers: Rect[], low: 0 | 1, beyond: number): { length: number; at: (units: number) => number } {
  const high = (low + 2) as 2 | 3;
  const [from, to] = [Math.min(...all.map((r) => r[low])), Math.max(...all.map((r) => r[high]))];
  const [first, last] = [Math.min(...numbers.map((r) => r[low])), Math.max(...numbers.map((r) => r[high]))];
  const at = (units: number): number =>
    (Math.min(units, first) - from) * beyond
    + Math.max(0, Math.min(units, last) - first)
    + Math.max(0, units - last) * beyond;
  return { length: at(to) || 1, at };
}

/** The rectangle whose size most numbers have. */
function usual(rects: Rect[]): Rect {
  const counts = new Map<string, { rect: Rect; count: number }>();
  for (const rect of rects) {
    const key = `${rect[2] - rect[0]}x${rect[3] - rect[1]}`;
    const found = counts.get(key);
    if (found) found.count += 1; else counts.set(key, { rect, count: 1 });
  }
  return [...counts.values()].reduce((most, each) => (each.count > most.count ? each : most), { rect: [0, 0, 1, 1] as Rect, count: 0 }).rect;
}
