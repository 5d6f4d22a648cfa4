/** The limits of a table as lines to read: bets that pay alike and have the same limits stand together. */
import { groupsOf } from '../../lib/betting/limitGroups';
import type { Book } from '../../lib/book/book';
import type { Limits, PayLine, Range, SpotView } from '../../lib/live/wire';

export interface LimitLine {
  /** The kinds of bets that the line is about. */
  kinds: string[];
  /** The bets that it is about where it does not stand for whole kinds; symbols, which all are of one kind, always go by name. */
  named: SpotView[];
  pays: number;
  range: Range;
}

export function limitLines(book: Book, limits: Limits): LimitLine[] {
  const lines = new Map<string, LimitLine>();
  for (const kind of new Set(book.view.pay_table.map((line) => line.kind))) {
    const outside = book.view.layout.boxes.some((box) => box.kind === kind);
    for (const { spots, pays, range, isWhole } of groupsOf(book, limits, [kind])) {
      const named = isWhole && kind !== 'symbol' ? [] : spots;
      const key = [named.length > 0, outside ? '' : kind, pays, range.minimum_cents, range.maximum_cents].join(' ');
      const found = lines.get(key);
      if (found) {
        found.kinds.push(kind);
        found.named.push(...named);
      } else lines.set(key, { kinds: [kind], named: [...named], pays, range });
    }
  }
  return [...lines.values()];
}

/** The limits of boxes over all players, whatever they pay; the first stands for every box that is not named. */
export function boxLines(book: Book, limits: Limits): Omit<LimitLine, 'kinds' | 'pays'>[] {
  const kinds = book.view.layout.spots.map(({ kind }) => kind);
  return groupsOf(book, limits, kinds, false).map(({ spots, range, isWhole }) => ({ named: isWhole ? [] : [...spots], range }));
}

/** The most that all seats may have on one bet: by amount, the kinds or bets that it holds for, none where it holds for all. */
export function spotLines(book: Book, limits: Limits): { keys: string[]; cents: number }[] {
  const lines = new Map<number, string[]>();
  for (const [key, cents] of Object.entries(limits.spots)) lines.set(cents, [...(lines.get(cents) ?? []), key]);
  const kinds = new Set(book.view.layout.spots.map(({ kind }) => kind));
  return [...lines].map(([cents, keys]) => ({ keys: [...kinds].every((kind) => keys.includes(kind)) ? [] : keys, cents }));
}

/** The bets that a line of the pay table is about, where it does not stand for its whole kind. */
export function payNamed(book: Book, { kind, pays, covers }: PayLine): SpotView[] {
  const ofKind = book.view.layout.spots.filter((spot) => spot.kind === kind);
  const pockets = (spot: SpotView): number => spot.numbers.reduce((sum, number) => sum + (book.outcomes.get(number)?.pockets ?? 0), 0);
  const [named, others] = [true, false].map((is) => ofKind.filter((spot) => (spot.pays === pays && pockets(spot) === covers) === is)) as [SpotView[], SpotView[]];
  return named.length > others.length ? [] : named;
}
