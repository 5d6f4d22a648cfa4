/** Sentences of the table in the language of the screen, where it has them; the table's own words where not. */
import { refusalText, titleText } from '../../lib/i18n/house';
import type { Words } from '../../lib/i18n/words.svelte';
import type { Book } from '../../lib/book/book';
import type { IrregularityView, Rejection } from '../../lib/live/wire';
import { colourOf } from '../../lib/i18n/bets';

export function reasonOf(words: Words, rejection: Rejection): string {
  return refusalText(words, rejection);
}

/** The same in two or three words, for where there is room for no more. */
export function shortReasonOf(words: Words, rejection: Rejection): string {
  return words.own(`why.${rejection.code}`) ?? reasonOf(words, rejection);
}

export function positionOf(words: Words, position: string): string {
  return words.own(`position.${position}`) ?? position.replaceAll('-', ' ');
}

export function titleOf(words: Words, irregularity: Pick<IrregularityView, 'cause' | 'title'>): string {
  return words.own(`irregularity.${irregularity.cause}`) ?? titleText(words, irregularity.title);
}

export function consequenceOf(words: Words, consequence: string): string {
  return words.own(`consequence.${consequence}`) ?? consequence.replaceAll('-', ' ');
}

/** A result as it is called: "17 black", or the name of a symbol. */
export function calledOf(words: Words, book: Book, result: string): string {
  return `${book.outcomes.get(result)?.label ?? result} ${colourOf(words, book, result).toLocaleLowerCase(words.locale)}`.trim();
}

/** Seconds as minutes and seconds, rounded up so that the clock is at nought when time is over. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
