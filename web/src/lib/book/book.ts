import type { BookView, CallView, OutcomeView, SpotView } from '../live/wire';

/** Quick answers about one book; built once for each book that a screen shows. */
export interface Book {
  view: BookView;
  spots: ReadonlyMap<string, SpotView>;
  /** The bets of all layouts of the table, to name what lies at seats with another one. */
  named: ReadonlyMap<string, SpotView>;
  calls: ReadonlyMap<string, CallView>;
  outcomes: ReadonlyMap<string, OutcomeView>;
}

/** A book on one layout; `all` are its views on every layout of the table, where that has several. */
export function indexBook(view: BookView, all: readonly BookView[] = []): Book {
  const spots = view.layout.spots.map((spot) => [spot.bet, spot] as const);
  return {
    view,
    spots: new Map(spots),
    named: new Map([...all.flatMap(({ layout }) => layout.spots.map((spot) => [spot.bet, spot] as const)), ...spots]),
    calls: new Map(view.layout.calls.map((call) => [call.name, call])),
    outcomes: new Map(view.wheel.outcomes.map((outcome) => [outcome.id, outcome])),
  };
}

/** A table's book on each of its layouts, in their order. */
export async function readLayouts(layouts: readonly string[], read: (layout: string) => Promise<BookView>): Promise<Book[]> {
  const views = await Promise.all(layouts.map(read));
  return views.map((view) => indexBook(view, views));
}

/** Every number that one of these bets covers. */
export function covered(book: Book, bets: Iterable<string>): Set<string> {
  const numbers = new Set<string>();
  for (const bet of bets) for (const number of book.spots.get(bet)?.numbers ?? []) numbers.add(number);
  return numbers;
}

/** The bets that an announced bet consists of, or the bet itself. */
export function partsOf(book: Book, name: string): { bet: string; pieces: number }[] {
  return book.calls.get(name)?.parts ?? (book.spots.has(name) ? [{ bet: name, pieces: 1 }] : []);
}

/** The fill of an outcome, as a token: the colour of its number, or one for its symbol. */
export function faceOf(outcome: OutcomeView): string {
  return outcome.colour === 'symbol' ? `var(--symbol-${outcome.tint % 12})` : `var(--number-${outcome.colour})`;
}

/** Whether the layout has boxes and no cells of numbers: what lies there is shown box by box. */
export function hasBoxesOnly(book: Book): boolean {
  return book.view.layout.cells.length === 0;
}

/** The one symbol that a box is for; none where it is for several. */
export function symbolOf(book: Book, spot: SpotView | undefined): OutcomeView | undefined {
  return spot?.numbers.length === 1 ? book.outcomes.get(spot.numbers[0]!) : undefined;
}

/** The colours of everything that a box is for, as one fill. */
export function facesOf(book: Book, spot: SpotView): string {
  const faces = spot.numbers.flatMap((number) => book.outcomes.get(number) ?? []).map(faceOf);
  return faces.length === 1 ? faces[0]! : `linear-gradient(${faces.map((face, i) => `${face} ${(100 * i) / faces.length}% ${(100 * (i + 1)) / faces.length}%`).join(', ')})`;
}

/** In how many pockets of the wheel a bet wins. */
export function pocketsOf(book: Book, spot: SpotView): number {
  return spot.numbers.reduce((sum, number) => sum + (book.outcomes.get(number)?.pockets ?? 0), 0);
}
