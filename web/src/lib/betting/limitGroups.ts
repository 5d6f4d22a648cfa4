/** Limits as they hold for bets: those of one kind stand together, except where a bet has a limit or a pay of its own. */
import type { Book } from '../book/book';
import type { Limits, Range, SpotView } from '../live/wire';
import { rangeOf } from './amounts';

export interface LimitGroup {
  spots: readonly SpotView[];
  pays: number;
  range: Range;
  /** Whether it stands for all of them, or, as the largest, for all that are not named beside it. */
  isWhole: boolean;
}

/** The bets of these kinds by their limits, and by what they pay where that counts; what stands for all comes first. */
export function groupsOf(book: Book, limits: Limits, kinds: readonly string[], byPay = true): LimitGroup[] {
  const groups = new Map<string, { spots: SpotView[]; pays: number; range: Range }>();
  for (const spot of book.named.values()) {
    const range = kinds.includes(spot.kind) ? rangeOf(limits, spot.bet, spot.kind) : undefined;
    if (!range) continue;
    const key = `${byPay ? spot.pays : ''} ${range.minimum_cents} ${range.maximum_cents}`;
    const found = groups.get(key);
    if (found) found.spots.push(spot);
    else groups.set(key, { spots: [spot], pays: spot.pays, range });
  }
  const found = [...groups.values()].map((group, _, all) => ({ ...group, isWhole: all.every((other) => other === group || other.spots.length < group.spots.length) }));
  return [...found.filter(({ isWhole }) => isWhole), ...found.filter(({ isWhole }) => !isWhole)];
}

/** The even chances of a layout, which stand under one name. */
export function evenChances(book: Book): string[] {
  const kinds = [...book.named.values()].filter((spot) => spot.pays === 1 && spot.kind !== 'symbol').map(({ kind }) => kind);
  return kinds.includes('red') ? [...new Set(kinds)] : [];
}

/** What bigger screens say about limits: single numbers, even chances and boxes, or the first kinds where there are none of them. */
export function limitsInShort(book: Book, limits: Limits): { kinds: readonly string[]; groups: readonly LimitGroup[] }[] {
  const known = [['straight'], evenChances(book), ['symbol']].map((kinds) => ({ kinds, groups: groupsOf(book, limits, kinds, false) })).filter(({ groups }) => groups.length > 0);
  if (known.length) return known;
  const kinds = [...new Set([...book.named.values()].map(({ kind }) => kind))];
  return kinds.slice(0, 2).map((kind) => ({ kinds: [kind], groups: groupsOf(book, limits, [kind], false) })).filter(({ groups }) => groups.length > 0);
}
