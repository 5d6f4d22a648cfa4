/** What the last results look like; for information only, because earlier results say nothing about the next. */
import type { Book } from '../book/book';
import type { OutcomeView } from '../live/wire';
import type { Outcome } from '../live/wire';

export interface Frequency { outcome: OutcomeView; count: number; expected: number }
export interface Share { bet: string; count: number; share: number }

/** How often each outcome came, in the wheel's order, and how often it would on average. Void rounds do not count. */
export function frequencies(book: Book, outcomes: readonly Outcome[]): Frequency[] {
  const counts = new Map<string, number>();
  for (const { result } of outcomes) if (result !== null) counts.set(result, (counts.get(result) ?? 0) + 1);
  const rounds = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const order = book.view.wheel.kind === 'ball' ? book.view.wheel.order : book.view.wheel.outcomes.map((each) => each.id);
  return order.map((id) => {
    const outcome = book.outcomes.get(id)!;
    return { outcome, count: counts.get(id) ?? 0, expected: (rounds * outcome.pockets) / book.view.wheel.order.length };
  });
}

/** How many of the results would have won on each box that has none of its own colour twice. */
export function shares(book: Book, outcomes: readonly Outcome[], kinds: readonly string[]): Share[] {
  const results = outcomes.flatMap(({ result }) => (result === null ? [] : [result]));
  return book.view.layout.boxes
    .filter((box) => kinds.includes(box.kind))
    .map((box) => {
      const numbers = new Set(book.spots.get(box.bet)?.numbers);
      const count = results.filter((result) => numbers.has(result)).length;
      return { bet: box.bet, count, share: results.length ? count / results.length : 0 };
    });
}
