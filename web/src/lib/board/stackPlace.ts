/** How the stack of one bet stands on the felt: where, whether it has won, and where the sum it got is written. */
import type { Book } from '../book/book';
import { badgeType, badgeWidth } from '../chips/PaidBadge.svelte';
import { chipPlace, isWide } from './chipPlace';
import type { Area, Projection, Spot } from './project';

/** As in `Cells`: a label stands aside in boxes narrower than this. */
const NARROW = 160;
/** With so many winning stacks on and around the number, what they got is written away from it. */
const CROWD = 3;

export interface StackPlace { at: Spot; won: boolean }
export interface Badge { bet: string; sum: string; at: Spot }

export function stackPlace(book: Book, felt: Projection, bet: string, winner: string | null): StackPlace {
  const spot = book.spots.get(bet)!;
  const won = winner !== null && spot.numbers.includes(winner);
  return { at: chipPlace(felt, spot, won && spot.place.shape === 'centre'), won };
}

const isInside = (book: Book, bet: string): boolean => book.spots.get(bet)?.place.shape !== 'outside-box';

/** Whether winning chips lie on the lines around the number, and so in part over it. */
export function isCovered(book: Book, bets: readonly string[]): boolean {
  return bets.some((bet) => isInside(book, bet) && book.spots.get(bet)?.place.shape !== 'centre');
}

/** Where the sums that winning stacks got stand: below them or beside them, and never over the chips of a crowd around the number. */
export function badgesOf(book: Book, felt: Projection, bets: readonly string[], winner: string, r: number, write: (bet: string) => string): Badge[] {
  const cell = book.view.layout.cells.find(({ number }) => number === winner);
  const crowd = cell && bets.filter((bet) => isInside(book, bet)).length >= CROWD ? felt.area(cell.rect) : null;
  return bets.map((bet) => {
    const sum = write(bet);
    const { at } = stackPlace(book, felt, bet, winner);
    const off = crowd && isInside(book, bet) ? awayFrom(crowd, book, bet, at, r, sum) : beside(book, felt, bet, r, sum);
    return { bet, sum, at: { x: at.x + off.x, y: at.y + off.y } };
  });
}

/** Beside the stack where the box has room for it. */
function beside(book: Book, felt: Projection, bet: string, r: number, sum: string): Spot {
  const place = book.spots.get(bet)!.place;
  const box = felt.extent(place.extent);
  const type = badgeType(r);
  const wide = badgeWidth(sum, type);
  const below = { x: 0, y: r + type * 0.8 };
  if (place.shape !== 'outside-box' || !isWide(box)) return below;
  if (r * 1.5 + wide < box.width * 0.2) return { x: r * 1.5 + wide / 2, y: 0 };
  // A narrow box has its label on the left of the chip.
  return box.width < NARROW ? below : { x: -box.width * 0.6, y: 0 };
}

/** Stacks at the sides of the number have it outside of them, those above it above and those below it below. */
function awayFrom(cell: Area, book: Book, bet: string, at: Spot, r: number, sum: string): Spot {
  const type = badgeType(r);
  const wide = badgeWidth(sum, type);
  if (book.spots.get(bet)!.place.shape === 'centre') return { x: Math.min(r * 0.3 + wide / 2, cell.x + cell.width + r - wide / 2 - at.x), y: r * 0.75 };
  const [dx, dy] = [at.x - (cell.x + cell.width / 2), at.y - (cell.y + cell.height / 2)];
  if (Math.abs(dx) > cell.width / 4) return { x: Math.sign(dx) * (r * 1.3 + wide / 2), y: 0 };
  return { x: 0, y: Math.sign(dy) * (r + type * 0.8) };
}
