import type { Book } from '../../lib/book/book';
import { labelOfCall, nameOfBet } from '../../lib/i18n/bets';
import { refusalText } from '../../lib/i18n/house';
import type { Words } from '../../lib/i18n/words.svelte';
import type { Rejection } from '../../lib/live/wire';
import type { Complaint } from './hand.svelte';

/** Why something was not placed, as a sentence that says what would be right. */
export function complaintText(words: Words, book: Book, { name, obstacle }: Complaint): string {
  if (obstacle === 'closed') return words.t('refused.closed');
  const bet = obstacle.bet ?? name;
  const [spot, call] = [book.spots.get(bet), book.calls.get(bet)];
  const amounts = Object.fromEntries(Object.entries(obstacle.facts).map(([fact, cents]) => [fact, words.amount(cents)]));
  return words.t(`refused.${obstacle.reason}`, { name: spot ? nameOfBet(words, spot) : call ? labelOfCall(words, bet, call.label) : '', ...amounts });
}

/** Why the table did not do something: in the words of the language where it has them, else in the table's own. */
export function rejectionText(words: Words, rejection: Rejection): string {
  return refusalText(words, rejection);
}
