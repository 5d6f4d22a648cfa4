/** Names of bets and boxes: the book's own words, or those of the chosen language where it has its own. */
import type { BoxView, CellView, SpotView } from '../live/wire';
import type { Book } from '../book/book';
import type { Words } from './words.svelte';

const INSIDE = new Set(['straight', 'split', 'street', 'corner', 'six-line', 'top-line']);

export function nameOfBet(words: Words, spot: SpotView): string {
  const kind = words.own(`bet.${spot.kind}`);
  if (kind === undefined) return spot.name;
  if (INSIDE.has(spot.kind)) return `${kind} ${spot.numbers.join('/')}`;
  const [, which] = spot.bet.split(':');
  return which === undefined ? kind : spot.kind === 'symbol' ? spot.name : `${kind} ${which}`;
}

/** Several bets: those of one kind stand together and have their kind's name once, for example "Straight Up 0, 00, 000". */
export function nameOfBets(words: Words, book: Book, spots: readonly SpotView[]): string {
  const told = spots.map((spot) => {
    const kind = `${nameOfKind(words, book, spot.kind)} `;
    const name = nameOfBet(words, spot);
    return INSIDE.has(spot.kind) && name.startsWith(kind) ? { kind, which: name.slice(kind.length) } : { kind: '', which: name };
  });
  return words.list(told.map(({ kind, which }, place) => (kind && kind === told[place - 1]?.kind ? which : kind + which)));
}

export function nameOfKind(words: Words, book: Book, kind: string): string {
  return words.own(`bet.${kind}`) ?? book.view.kind_names[kind] ?? kind;
}

export function labelOfBox(words: Words, box: BoxView): string {
  return words.own(`box.${box.bet}`) ?? box.label;
}

export function labelOfCall(words: Words, name: string, label: string): string {
  const [kind = name, choice] = name.split(':');
  const own = words.own(`call.${kind}`);
  return own === undefined ? label : choice === undefined ? own : `${own} ${choice}`;
}

/** What a number is beside its colour, for example "Odd · 1-18 · 2nd 12": the boxes that it wins on. */
export function traitsOf(words: Words, book: Book, number: string): string {
  const colour = book.outcomes.get(number)?.colour;
  return book.view.layout.boxes
    .filter((box) => box.kind !== colour && box.kind !== 'column' && box.kind !== 'symbol')
    .filter((box) => book.spots.get(box.bet)?.numbers.includes(number))
    .map((box) => labelOfBox(words, box))
    .reverse()
    .join(' · ');
}

export function colourOf(words: Words, book: Book, number: string): string {
  const colour = book.outcomes.get(number)?.colour;
  return colour === 'red' ? words.t('colour.red') : colour === 'black' ? words.t('colour.black') : colour === 'green' ? words.t('colour.green') : '';
}

/** A number cell as a screen reader says it. */
export function spokenCell(words: Words, book: Book, cell: CellView): string {
  return `${cell.number} ${colourOf(words, book, cell.number)}`.trim();
}
