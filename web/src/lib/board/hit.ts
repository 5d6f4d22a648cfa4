/**
 * Which bet a touch means: the nearest one.
 *
 * Every bet owns a core of the felt: the middle of a number or a box, the middle stretch of a line, the point
 * of a crossing. A touch belongs to the core that is nearest, so the felt is divided without gaps, lines and
 * crossings get a band as wide as a finger where there is room, and no layout needs rules of its own.
 */
import type { SpotView } from '../live/wire';
import type { Area, Projection, Spot } from './project';

export interface Place { spot: SpotView; at: Spot; core: Area; extent: Area }

/** Half of what a finger covers, in pixels; cores keep that far apart from each other where there is room. */
const FINGER = 44;
/** How much of a cell's side, or of a line's length, a core gives up at each end at most. */
const SHARE = 0.4;

export function placesOf(spots: readonly SpotView[], felt: Projection): Place[] {
  return spots.map((spot) => {
    const extent = felt.extent(spot.place.extent);
    return { spot, at: felt.point(spot.place.at), extent, core: inset(extent) };
  });
}

/** The bet that a touch means; none where it is further off than half a cell from everything. */
export function hitAt(places: readonly Place[], felt: Projection, x: number, y: number): Place | undefined {
  let best: Place | undefined;
  let nearest = Infinity;
  for (const place of places) {
    const distance = distanceTo(place.core, x, y);
    if (distance < nearest) [best, nearest] = [place, distance];
  }
  if (!best) return undefined;
  const off = distanceTo(best.extent, x, y);
  return off <= Math.max(FINGER / 2, felt.least / 2) ? best : undefined;
}

export function distanceTo(area: Area, x: number, y: number): number {
  const dx = Math.max(area.x - x, 0, x - area.x - area.width);
  const dy = Math.max(area.y - y, 0, y - area.y - area.height);
  return Math.hypot(dx, dy);
}

function inset({ x, y, width, height }: Area): Area {
  const [dx, dy] = [Math.min(FINGER, width * SHARE), Math.min(FINGER, height * SHARE)];
  return { x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy };
}
