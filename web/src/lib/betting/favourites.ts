/** Bets that a player has saved under a name; kept by layout, because another layout has other bets. */
import type { Book } from '../book/book';
import type { Stakes } from './betting';

export interface Favourite { name: string; stakes: Stakes }

const MOST = 12;
const LONGEST = 24;

/** The favourites with one more, or with this name's replaced; the newest first. */
export function saved(favourites: readonly Favourite[], name: string, stakes: Stakes): Favourite[] {
  const called = name.trim().slice(0, LONGEST);
  const bets = Object.fromEntries(Object.entries(stakes).filter(([, cents]) => cents > 0));
  if (!called || !Object.keys(bets).length) return [...favourites];
  return [{ name: called, stakes: bets }, ...favourites.filter((each) => each.name !== called)].slice(0, MOST);
}

export function forgotten(favourites: readonly Favourite[], name: string): Favourite[] {
  return favourites.filter((each) => each.name !== name);
}

/** What a browser has kept, without what is damaged or not a bet on this layout. */
export function readFavourites(text: string | null, book: Book): Favourite[] {
  if (text === null) return [];
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found.filter((each): each is Favourite => isFavourite(each, book)).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function keyOf(book: Book): string {
  return `croupier.favourites.${book.view.id}.${book.view.layout.id}`;
}

function isFavourite(value: unknown, book: Book): boolean {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('stakes' in value)) return false;
  const { name, stakes } = value;
  if (typeof name !== 'string' || !name || typeof stakes !== 'object' || stakes === null) return false;
  const entries = Object.entries(stakes);
  return entries.length > 0 && entries.every(([bet, cents]) => book.spots.has(bet) && Number.isSafeInteger(cents) && cents > 0);
}
