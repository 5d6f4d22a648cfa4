/** News in the player's words: what happened, and what it means for the player's bets. */
import type { Book } from '../../lib/book/book';
import { colourOf, nameOfBet } from '../../lib/i18n/bets';
import { titleText } from '../../lib/i18n/house';
import { inOneLine, noticeAt, readingOf } from '../../lib/i18n/notices';
import type { Key, Words } from '../../lib/i18n/words.svelte';
import type { News, Resettled } from '../../lib/live/news';
import type { Closing } from '../closing';

export interface Told { title: string; text: string; outcome: string }

const CONSEQUENCES = ['none', 'continue', 'void', 'conclude', 'wait'] as const;
const RULINGS = ['void', 'return-bets', 'none'] as const;

export function newsText(words: Words, book: Book, news: News, closing: Closing | null = null): Told {
  const round = news.round === null ? '' : words.number(news.round);
  switch (news.kind) {
    case 'correction': {
      const title = words.t('news.correction', { round });
      const text = news.new === null
        ? words.t('news.correction.void', { old: resultOf(words, book, news.old), reason: titleText(words, news.reason) })
        : words.t('news.correction.to', { old: resultOf(words, book, news.old), new: resultOf(words, book, news.new), reason: titleText(words, news.reason) });
      return { title, text, outcome: correctionOf(words, news) };
    }
    case 'interruption': {
      const consequence = CONSEQUENCES.find((each) => each === news.consequence) ?? 'none';
      return { title: words.t('news.interruption'), text: news.lasted_ms === null ? words.t('news.interruption.unknown') : words.t('news.interruption.lasted', { n: Math.max(1, Math.round(news.lasted_ms / 1000)) }), outcome: words.t(`news.interruption.${consequence}`) };
    }
    case 'decision': {
      const ruling = RULINGS.find((each) => each === news.ruling) ?? 'none';
      const outcome = news.before_cents !== undefined ? correctionOf(words, news) : news.returned_cents ? words.t('void.returned', { amount: words.amount(news.returned_cents) }) : words.t(`news.decision.${ruling}`);
      return { title: words.t('news.decision', { round }), text: titleText(words, news.reason), outcome };
    }
    case 'rejected':
      if (news.cause === 'box-under-minimum') return { title: words.t('news.rejectedAdvised'), text: words.t('news.rejectedAdvised.text', { name: betOf(words, book, news.bet) }), outcome: words.t('void.returned', { amount: words.amount(news.cents) }) };
      return { title: words.t('news.rejected'), text: words.t('news.rejected.text', { name: betOf(words, book, news.bet) }), outcome: words.t('void.returned', { amount: words.amount(news.cents) }) };
    case 'advised':
      return { title: words.t('news.advised'), text: words.t('news.advised.text', { name: betOf(words, book, news.bet), amount: words.amount(news.cents) }), outcome: words.t('news.advised.do') };
    case 'last-round':
      return { title: words.t('news.lastRound'), text: inOneLine(readingOf(words, noticeAt(null, book, 'last-round'))), outcome: closing ? words.t(`news.lastRound.${closing}`) : '' };
    case 'paid':
      return { title: words.t('news.paid'), text: words.t('news.paid.text', { amount: words.amount(news.cents) }), outcome: words.t('news.paid.do') };
    case 'by-hand':
      return news.how === 'collected'
        ? { title: words.t('news.collected', { round }), text: words.t('news.collected.text', { amount: words.amount(news.cents) }), outcome: words.t('news.collected.do') }
        : { title: words.t('news.byHand', { round }), text: words.t('news.byHand.text', { amount: words.amount(news.cents) }), outcome: words.t('news.paid.do') };
    case 'limits':
      return { title: words.t('news.limits'), text: titleText(words, news.reason), outcome: words.t('news.limits.text') };
  }
}

/** What a correction means for the player's credits; news that a browser kept from before may not say what they moved by. */
function correctionOf(words: Words, { before_cents = null, after_cents = 0, carried_cents = 0, moved_cents, given_up_cents = 0 }: Partial<Resettled>): string {
  if (before_cents === null) return words.t('news.correction.noBets');
  const more = after_cents - before_cents + given_up_cents;
  const moved = moved_cents ?? more;
  const carriedBefore = carried_cents - (more - moved);
  const repaid = Math.max(0, -carriedBefore) - Math.max(0, -carried_cents);
  const said = [words.t(creditsKey(moved, after_cents === before_cents), { amount: words.amount(Math.abs(moved)), after: words.amount(after_cents) })];
  const add = (key: Key, cents: number): number => said.push(words.t(key, { amount: words.amount(Math.abs(cents)) }));
  if (given_up_cents) add(given_up_cents < 0 ? 'news.correction.hadKept' : 'news.correction.keeps', given_up_cents);
  if (repaid > 0) add('news.correction.repaid', repaid);
  if (carried_cents) add(carried_cents < 0 ? 'news.correction.carried' : 'correction.byHand', carried_cents);
  return said.join(' ');
}

function creditsKey(moved: number, isSame: boolean): Key {
  if (moved) return moved > 0 ? 'news.correction.more' : 'news.correction.less';
  return isSame ? 'news.correction.same' : 'news.correction.stays';
}

function resultOf(words: Words, book: Book, result: string | null): string {
  return result === null ? words.t('voidRound') : `${book.outcomes.get(result)?.label ?? result} ${colourOf(words, book, result)}`.trim();
}

function betOf(words: Words, book: Book, bet: string): string {
  const spot = book.spots.get(bet);
  return spot ? nameOfBet(words, spot) : bet;
}
