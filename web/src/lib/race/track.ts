/** A racetrack: a stadium with the pockets at equal length along its middle line, and areas inside for series. */
import type { Arc } from '../live/wire';

export type Vertex = [number, number];

export interface Track {
  upright: boolean;
  /** The length of one pocket along the track, and how deep it is. */
  step: number;
  depth: number;
  /** The outline of the pocket at a place in the wheel's order, and its middle. */
  pocket: (place: number) => { outline: Vertex[]; middle: Vertex };
  /** The outline of the area that ends at these pockets. */
  area: (arcs: readonly Arc[]) => Vertex[];
  /** The whole inside. */
  inside: Vertex[];
}

const GAP = 3;

/** A track of so many pockets; the first `leading` ones, the zeros, stand around the right end or the top. */
export function track(width: number, height: number, pockets: number, leading: number): Track {
  const upright = height > width;
  const [long, short] = upright ? [height, width] : [width, height];
  const depth = Math.min(short * 0.27, upright ? 50 : 66);
  const radius = Math.max(1, (short - depth) / 2 - 2);
  const half = Math.max(0, (long - depth) / 2 - 2 - radius);
  const quarter = (Math.PI * radius) / 2;
  const around = 4 * half + 4 * quarter;
  const step = around / pockets;
  // One pocket on from the middle: so the lines between the series stand nearly upright.
  const begin = step - (leading * step) / 2;
  // Upright the stadium is almost round; there the areas at both ends bulge inwards to stay large enough.
  const bulge = upright ? 52 : 0;

  /** A point at a length along the middle line, so far outwards of it. */
  const at = (length: number, out: number): Vertex => {
    const { x, y, nx, ny } = along(((length % around) + around) % around, half, radius, quarter);
    const [px, py] = [x + nx * out, y + ny * out];
    return upright ? [width / 2 + py, height / 2 - px] : [width / 2 + px, height / 2 + py];
  };
  const line = (from: number, to: number, out: number, parts: number): Vertex[] =>
    Array.from({ length: parts + 1 }, (_, i) => at(from + ((to - from) * i) / parts, out));
  const inner = -depth / 2 - GAP;

  const arcLine = ([first, last]: Arc): Vertex[] => {
    const count = ((last - first + pockets) % pockets) + 1;
    return line(begin + first * step, begin + (first + count) * step, inner, Math.max(6, count * 3));
  };
  const bow = (a: Vertex, b: Vertex): Vertex[] => {
    const [mx, my] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const far = Math.hypot(width / 2 - mx, height / 2 - my);
    const share = far ? Math.min(bulge, far * 0.5) / far : 0;
    const [qx, qy] = [mx + (width / 2 - mx) * share, my + (height / 2 - my) * share];
    return Array.from({ length: 15 }, (_, i) => {
      const k = (i + 1) / 16;
      const mix = (from: number, over: number, to: number): number => (1 - k) ** 2 * from + 2 * k * (1 - k) * over + k * k * to;
      return [mix(a[0], qx, b[0]), mix(a[1], qy, b[1])];
    });
  };

  return {
    upright, step, depth,
    inside: line(0, around, inner, 160),
    pocket: (place) => {
      const from = begin + place * step;
      const outline = [...line(from, from + step, depth / 2, 10), ...line(from, from + step, -depth / 2, 10).reverse()];
      return { outline, middle: at(from + step / 2, 0) };
    },
    area: (arcs) => {
      const lines = arcs.map(arcLine);
      return lines.flatMap((vertices, i) => {
        const next = lines[(i + 1) % lines.length]!;
        return [...vertices, ...bow(vertices.at(-1)!, next[0]!)];
      });
    },
  };
}

export function pathOf(vertices: readonly Vertex[]): string {
  return `M${vertices.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

/** Where a name stands inside an area. */
export function centroid(vertices: readonly Vertex[]): Vertex {
  let [area, cx, cy] = [0, 0, 0];
  vertices.forEach(([x0, y0], i) => {
    const [x1, y1] = vertices[(i + 1) % vertices.length]!;
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    cx += (x0 + x1) * cross;
    cy += (y0 + y1) * cross;
  });
  return area ? [cx / (3 * area), cy / (3 * area)] : (vertices[0] ?? [0, 0]);
}

/** From where to where an area goes at a height. */
function spanAt(vertices: readonly Vertex[], y: number): [number, number] {
  const crossings: number[] = [];
  vertices.forEach(([x0, y0], i) => {
    const [x1, y1] = vertices[(i + 1) % vertices.length]!;
    if ((y0 <= y) !== (y1 <= y)) crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
  });
  return crossings.length ? [Math.min(...crossings), Math.max(...crossings)] : [0, 0];
}

/** The room for lines of text between two heights of an area: how wide they may be, and where their middle is. */
export function roomBetween(vertices: readonly Vertex[], top: number, bottom: number): { x: number; width: number } {
  const spans = Array.from({ length: 7 }, (_, i) => spanAt(vertices, top + ((bottom - top) * i) / 6));
  const [left, right] = [Math.max(...spans.map((span) => span[0])), Math.min(...spans.map((span) => span[1]))];
  return { x: (left + right) / 2, width: Math.max(0, right - left) };
}

function along(length: number, half: number, radius: number, quarter: number): { x: number; y: number; nx: number; ny: number } {
  const arc = (cx: number, angle: number) => {
    const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
    return { x: cx + radius * nx, y: radius * ny, nx, ny };
  };
  let s = length;
  if (s < quarter) return arc(half, s / radius);
  s -= quarter;
  if (s < 2 * half) return { x: half - s, y: radius, nx: 0, ny: 1 };
  s -= 2 * half;
  if (s < 2 * quarter) return arc(-half, Math.PI / 2 + s / radius);
  s -= 2 * quarter;
  if (s < 2 * half) return { x: -half + s, y: -radius, nx: 0, ny: -1 };
  return arc(half, -Math.PI / 2 + (s - 2 * half) / radius);
}
