/** That a table closes soon, for everybody in front of it: derived from how the table stands, whoever heard it announced. */
import type { Book } from '../lib/book/book';
import { citedForPlayers } from '../lib/i18n/citing';
import { inOneLine, noticeAt, readingOf } from '../lib/i18n/notices';
import type { Words } from '../lib/i18n/words.svelte';
import type { TableView } from '../lib/live/wire';

/** The last round comes next, it runs, or it has been played. */
export type Closing = 'next' | 'now' | 'played';

/** Where the table stands before it closes; null while that is not announced. A void round gives its place back. */
export function closingOf(table: Pick<TableView, 'open' | 'rounds_left' | 'round'> | null): Closing | null {
  if (!table?.open || table.rounds_left === null) return null;
  if (table.rounds_left > 0) return 'next';
  return table.round ? 'now' : 'played';
}

/** What stands on the screens until the table is closed; in the last round that is what the book says of it. */
export function closingText(words: Words, book: Book | null, closing: Closing): string {
  const said = closing === 'now' ? noticeAt(null, book, 'last-round') : null;
  return said ? inOneLine(readingOf(words, said)) : words.t(`closing.${closing}`);
}

/** The clause that has players told, where the game has one. */
export const closingClause = (book: Book | null): string | null => citedForPlayers(book?.view.notices['last-round']?.source);
