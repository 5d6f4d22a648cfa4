/** What is outside the limits of the betting boxes and of the table: what would go back, and bets that are too small. */
import type { Book } from '../../lib/book/book';
import { nameOfBet } from '../../lib/i18n/bets';
import type { Words } from '../../lib/i18n/words.svelte';
import type { Box } from '../../lib/live/wire';

/** What stands for the whole table where a box is named. */
export const WHOLE_TABLE = 'table';

export function nameOfBox(words: Words, book: Book, bet: string): string {
  const spot = book.named.get(bet);
  return spot ? nameOfBet(words, spot) : bet === WHOLE_TABLE ? words.t('con.wholeTable') : bet;
}

/** What a seat would get back of a box, for the box or for the table: how much, and whether its bet is the latest; null where nothing would. */
export function goesBack(boxes: readonly Box[], bet: string, seat: string): { cents: number; isLatest: boolean } | null {
  const isOwn = (part: Box['latest'][number]): boolean => part.seat === seat && part.bet === bet;
  const found = [bet, WHOLE_TABLE].flatMap((name) => {
    const latest = boxes.find((box) => box.bet === name)?.latest ?? [];
    const cents = latest.filter(isOwn).reduce((sum, part) => sum + part.cents, 0);
    return cents ? [{ cents, isLatest: latest[0] !== undefined && isOwn(latest[0]) }] : [];
  });
  return found.sort((a, b) => b.cents - a.cents)[0] ?? null;
}

/** A bet under the minimum of its box. */
export interface Small { bet: string; seat: string; cents: number; minimum_cents: number; advised: boolean }

export function smallOf(boxes: readonly Box[]): Small[] {
  return boxes.flatMap(({ bet, minimum_cents, small }) => small.map((each) => ({ bet, minimum_cents, ...each })));
}

/** The small bet that a key is meant for: the one under the arrows, or else the first that is in question. */
export function smallFor(small: readonly Small[], advised: boolean, chosen: { seat: string; bet: string }): Small | undefined {
  const asked = small.filter((each) => each.advised === advised);
  return asked.find((each) => each.seat === chosen.seat && each.bet === chosen.bet) ?? asked[0];
}
