/** The views of books that `scripts/book_fixtures.py` writes before the tests. */
import { readFileSync } from 'node:fs';
import { indexBook, type Book } from '../src/lib/book/book';
import type { BookView } from '../src/lib/live/wire';
import type { Limits } from '../src/lib/live/wire';

export const ROULETTES = ['mbs-select', 'mbs-fusion', 'mbs-alfastreet', 'rws-00-a', 'rws-00-b', 'rws-000', 'own-french'];
export const MONEY_WHEELS = ['money-wheel', 'own-money-wheel'];

export function book(name: string): Book {
  return indexBook(JSON.parse(readFileSync(`fixtures/${name}.json`, 'utf8')) as BookView);
}

export function limits(view: BookView, minimum_cents = 100, maximum_cents = 20_000): Limits {
  const kinds = [...new Set(view.layout.spots.map((spot) => spot.kind))];
  return {
    bets: Object.fromEntries(kinds.map((kind) => [kind, { minimum_cents, maximum_cents }])),
    spots: {}, seat_cents: null, table_cents: null, exposure_cents: null,
  };
}
