/** How the stack of one bet stands on the felt: where, whether it has won, and where the sum it got is written. */
import type { Book } from '../book/book';
import { chipPlace, isWide } from './chipPlace';
import type { Projection, Spot } from './project';

export interface Badge { badge: 'below' | 'left' | 'right' | 'none'; room: number }

/** As in `Cells`: a label stands aside in boxes narrower than this. */
const NARROW = 160;
const NO_BADGE: Badge = { badge: 'none', room: 0 };

export interface StackPlace { at: Spot; won: boolean }

export function stackPlace(book: Book, felt: Projection, bet: string, winner: string | null): StackPlace {
  const spot = book.spots.get(bet)!;
  const won = winner !== null && spot.numbers.includes(winner);
  return { at: chipPlace(felt, spot, won && spot.place.shape === 'centre'), won };
}

/** Where the sum that a winning stack got stands: beside it where the box has room for it. */
export function badgeOf(book: Book, felt: Projection, bet: string, r: number, sum: string): Badge {
  const place = book.spots.get(bet)!.place;
  const box = felt.extent(place.extent);
  const type = Math.max(12, r * 0.7);
  const wide = (sum.length + 1) * type * 0.64 + type * 0.8;
  if (felt.upright) return NO_BADGE;
  if (place.shape !== 'outside-box' || !isWide(box)) return { badge: 'below', room: 0 };
  if (r * 1.5 + wide < box.width * 0.2) return { badge: 'right', room: 0 };
  // A narrow box has its label on the left of the chip.
  return box.width < NARROW ? { badge: 'below', room: 0 } : { badge: 'left', room: box.width * 0.6 };
}
