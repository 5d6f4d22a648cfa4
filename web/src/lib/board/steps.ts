/** Keyboard: from one bet to the next in the direction of an arrow key. */
import type { Place } from './hit';

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/** The nearest bet that way; the same one where there is none, nothing where the key is no arrow. */
export function step(places: readonly Place[], from: Place, key: string): Place | undefined {
  const direction = DIRECTIONS[key];
  if (!direction) return undefined;
  let best = from;
  let least = Infinity;
  for (const place of places) {
    const [dx, dy] = [place.at.x - from.at.x, place.at.y - from.at.y];
    const forward = dx * direction[0] + dy * direction[1];
    if (forward <= 1) continue;
    // A step to the side counts threefold, so that an arrow follows its row as long as the row goes on.
    const cost = forward + 3 * (Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]));
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}
