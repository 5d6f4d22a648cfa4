/** Sentences of the table in the language of the screen, where it has them; the table's own words where not. */
import { refusalText, titleText } from '../../lib/i18n/house';
import type { Words } from '../../lib/i18n/words.svelte';
import type { Book } from '../../lib/book/book';
import type { IrregularityView, Rejection } from '../../lib/live/wire';
import { colourOf, nameOfBet } from '../../lib/i18n/bets';

/** Why something was not done; a bet goes by its name and never by its id, where the book is there to say it. */
export function reasonOf(words: Words, rejection: Rejection, book: Book | null = null): string {
  const bet = rejection.facts['bet'];
  const spot = typeof bet === 'string' ? book?.named.get(bet) : undefined;
  if (!spot) return refusalText(words, rejection);
  const name = nameOfBet(words, spot);
  // The table's own sentence may put the id into quotes.
  const sentence = rejection.sentence.replaceAll(`'${spot.bet}'`, name).replaceAll(spot.bet, name);
  return refusalText(words, { ...rejection, sentence, facts: { ...rejection.facts, bet: name } });
}

/** The same in two or three words, for where there is room for no more. */
export function shortReasonOf(words: Words, rejection: Rejection): string {
  return words.own(`why.${rejection.code}`) ?? reasonOf(words, rejection);
}

export function positionOf(words: Words, position: string): string {
  return words.own(`position.${position}`) ?? position.replaceAll('-', ' ');
}

/** The games whose irregularities the screens have words of their own for; every other book has only its own. */
const WORDED: ReadonlySet<string> = new Set(['mbs-roulette', 'rws-roulette-00', 'rws-roulette-000', 'rws-money-wheel']);

export function titleOf(words: Words, book: Book, { cause, title }: Pick<IrregularityView, 'cause' | 'title'>): string {
  return (WORDED.has(book.view.id) ? words.own(`irregularity.${cause}`) : undefined) ?? titleText(words, title);
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
