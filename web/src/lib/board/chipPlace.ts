/** Where the chips of a bet are drawn: at its place, but never over the number or the label they lie on. */
import type { SpotView } from '../live/wire';
import type { Area, Projection, Spot } from './project';

export const chipRadius = (felt: Projection): number => Math.max(12, Math.min(23, felt.least * 0.215));
export const numberSize = (felt: Projection): number => Math.min(felt.least * (felt.upright ? 0.5 : 0.38), 40);

export function chipPlace(felt: Projection, spot: SpotView, isWinner: boolean): Spot {
  const at = felt.point(spot.place.at);
  const area = felt.extent(spot.place.extent);
  if (spot.place.shape === 'outside-box') return felt.upright ? below(at, area) : beside(at, area, sink(felt, spot, area));
  if (spot.place.shape !== 'centre') return at;
  if (felt.upright) return { x: area.x + area.width - felt.cell.width * 0.26, y: at.y };
  return isWinner ? { x: area.x + area.width * 0.34, y: area.y + area.height * 0.66 } : at;
}

/** Where the number of a cell stands, and how large: aside where a chip lies on it. */
export function numberPlace(felt: Projection, area: Area, aside: boolean, isWinner: boolean): Spot & { size: number } {
  const size = numberSize(felt);
  const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
  if (felt.upright) return { x: area.x + felt.cell.width * (isWinner ? 0.32 : 0.24), y: middle.y, size };
  if (!aside) return { ...middle, size };
  if (isWinner) return { x: area.x + area.width * 0.34, y: area.y + area.height * 0.25, size: size * 0.86 };
  return { x: area.x + size * 0.52, y: area.y + size * 0.5, size: size * 0.6 };
}

/** Whether a label and a chip have room beside each other. */
export const isWide = (area: Area): boolean => area.width > area.height * 1.5;

/** A box under the outside line keeps its chips low, clear of those on the line. */
function sink(felt: Projection, spot: SpotView, area: Area): number {
  return spot.place.extent[3] === 0 ? Math.max(0, area.height / 2 - chipRadius(felt) - 4) : 0;
}

function beside(at: Spot, area: Area, down: number): Spot {
  return isWide(area) ? { x: at.x + area.width * 0.3, y: at.y + down } : { x: at.x, y: at.y + area.height * 0.2 };
}

function below(at: Spot, area: Area): Spot {
  if (isWide(area)) return { x: at.x + area.width * 0.3, y: at.y };
  return { x: at.x, y: at.y + area.height * (area.height > area.width * 2 ? 0.34 : 0.2) };
}
