/** The slip of the lab: bets and announced bets in the order in which they were made, with undo. */
import { partsOf, type Book } from '../../lib/book/book';

/** Cents by bet or announced bet; for an announced bet, on each of its pieces. */
export type Lines = Readonly<Record<string, number>>;

export interface LabSlip { lines: Lines; before: readonly Lines[] }

const MOST_BEFORE = 100;

export const empty: LabSlip = { lines: {}, before: [] };

/** A chip more on a bet, or on every piece of an announced bet. */
export const put = (slip: LabSlip, name: string, cents: number): LabSlip => set(slip, name, (slip.lines[name] ?? 0) + cents);

/** A chip less; the line goes where nothing is left. */
export const take = (slip: LabSlip, name: string, cents: number): LabSlip => set(slip, name, (slip.lines[name] ?? 0) - cents);

/** A line with another stake; none where it is nothing. */
export function set(slip: LabSlip, name: string, cents: number): LabSlip {
  if ((slip.lines[name] ?? 0) === Math.max(0, cents)) return slip;
  const lines: Record<string, number> = { ...slip.lines };
  if (cents > 0) lines[name] = cents;
  else delete lines[name];
  return changed(slip, lines);
}

export const clear = (slip: LabSlip): LabSlip => (Object.keys(slip.lines).length ? changed(slip, {}) : slip);

export function double(slip: LabSlip): LabSlip {
  const lines = Object.fromEntries(Object.entries(slip.lines).map(([name, cents]) => [name, 2 * cents]));
  return Object.keys(lines).length ? changed(slip, lines) : slip;
}

export function undo(slip: LabSlip): LabSlip {
  const last = slip.before.at(-1);
  return last ? { lines: last, before: slip.before.slice(0, -1) } : slip;
}

/** What lies on each ordinary bet: announced bets are spread over their pieces. */
export function onTheFelt(book: Book, lines: Lines): Record<string, number> {
  const stakes: Record<string, number> = {};
  for (const [name, cents] of Object.entries(lines)) {
    for (const part of partsOf(book, name)) stakes[part.bet] = (stakes[part.bet] ?? 0) + part.pieces * cents;
  }
  return stakes;
}

/** How many stakes a line puts down. */
export const piecesOf = (book: Book, name: string): number => book.calls.get(name)?.pieces ?? 1;

/** The lines that another layout or terminal knows too. */
export function carried(book: Book, lines: Lines): Lines {
  return Object.fromEntries(Object.entries(lines).filter(([name]) => book.spots.has(name) || book.calls.has(name)));
}

/** A first bet to look at: one that pays one to one, else the first there is. */
export function firstBet(book: Book): string {
  const spots = book.view.layout.spots;
  return (book.spots.get('red') ?? spots.find((spot) => spot.pays === 1) ?? spots[0])?.bet ?? '';
}

function changed(slip: LabSlip, lines: Lines): LabSlip {
  return { lines, before: [...slip.before, slip.lines].slice(-MOST_BEFORE) };
}
