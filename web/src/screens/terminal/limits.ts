/** The limits of a table as lines to read: bets that pay alike and have the same limits stand together. */
import { rangeOf } from '../../lib/betting/amounts';
import type { Book } from '../../lib/book/book';
import type { Limits, Range } from '../../lib/live/wire';

export interface LimitLine {
  /** The kinds of bets that the line is about. */
  kinds: string[];
  /** Symbols go by their own names, because they all are of one kind. */
  symbols: string[];
  pays: number;
  range: Range;
}

export function limitLines(book: Book, limits: Limits): LimitLine[] {
  const lines = new Map<string, LimitLine>();
  for (const line of book.view.pay_table) {
    const range = rangeOf(limits, line.kind, line.kind);
    if (!range) continue;
    const outside = book.view.layout.boxes.some((box) => box.kind === line.kind);
    const key = outside ? `${line.pays} ${range.minimum_cents} ${range.maximum_cents}` : `${line.kind} ${line.pays}`;
    const found = lines.get(key);
    const symbols = line.kind === 'symbol' ? [line.name] : [];
    if (!found) lines.set(key, { kinds: [line.kind], symbols, pays: line.pays, range });
    else {
      if (!found.kinds.includes(line.kind)) found.kinds.push(line.kind);
      found.symbols.push(...symbols);
    }
  }
  return [...lines.values()];
}
