/** Limits while they are being changed: what is in force, what was typed over it, and what is wrong with that. */
import { nameOfBet, nameOfKind } from '../../lib/i18n/bets';
import type { Key, Words } from '../../lib/i18n/words.svelte';
import type { Book } from '../../lib/book/book';
import type { Limits, TableView } from '../../lib/live/wire';

/** What was typed, by the id of its cell; everything else follows the table. */
export type Edits = Readonly<Record<string, string>>;

export interface Cell {
  id: string;
  text: string;
  /** In force now; none where there is no such limit. */
  was_cents: number | null;
  cents: number | null;
  isChanged: boolean;
  fault: Key | null;
}
export interface Row {
  /** A kind of bets, or one bet that differs from its kind. */
  bet: string;
  /** None where only the sum over all seats is limited. */
  minimum: Cell | null;
  maximum: Cell | null;
  spot: Cell;
}
export interface Draft {
  rows: Row[];
  seat: Cell;
  table: Cell;
  exposure: Cell;
  changes: number;
  faults: number;
  /** The limits as they would be; to be sent only where there is no fault. */
  limits: Limits;
}

export interface Amounts {
  read: (typed: string) => number | null;
  write: (cents: number) => string;
}

export function draftOf(limits: Limits, edits: Edits, amounts: Amounts): Draft {
  const cells: Cell[] = [];
  const cell = (id: string, was_cents: number | null, isOptional: boolean): Cell => {
    const written = was_cents === null ? '' : amounts.write(was_cents);
    const text = edits[id] ?? written;
    // What stands there unchanged is right as it is, with whatever cents it has.
    const cents = text.trim() === written ? was_cents : amounts.read(text);
    const isMissing = cents === null && !(isOptional && text.trim() === '');
    const isWrong = isMissing || (cents !== null && cents < 1);
    const hasCents = cents !== null && cents !== was_cents && cents % 100 !== 0;
    const fault = isWrong ? (isOptional ? 'limits.fault.optional' : 'limits.fault.amount') : hasCents ? 'limits.fault.cents' : null;
    const made: Cell = { id, text, was_cents, cents, isChanged: cents !== was_cents || isWrong, fault };
    cells.push(made);
    return made;
  };
  const rows = [...new Set([...Object.keys(limits.bets), ...Object.keys(limits.spots)])].map((bet): Row => {
    const range = limits.bets[bet];
    const row = {
      bet,
      minimum: range ? cell(`minimum/${bet}`, range.minimum_cents, false) : null,
      maximum: range ? cell(`maximum/${bet}`, range.maximum_cents, false) : null,
      spot: cell(`spot/${bet}`, limits.spots[bet] ?? null, true),
    };
    const [minimum, maximum] = [row.minimum?.cents ?? null, row.maximum?.cents ?? null];
    if (row.maximum && row.maximum.fault === null && minimum !== null && maximum !== null && maximum < minimum) row.maximum.fault = 'limits.fault.order';
    return row;
  });
  const draft = {
    rows,
    seat: cell('seat', limits.seat_cents, true),
    table: cell('table', limits.table_cents, true),
    exposure: cell('exposure', limits.exposure_cents, true),
  };
  return {
    ...draft,
    changes: cells.filter(({ isChanged }) => isChanged).length,
    faults: cells.filter(({ fault }) => fault !== null).length,
    limits: limitsOf(draft),
  };
}

function limitsOf({ rows, seat, table, exposure }: Pick<Draft, 'rows' | 'seat' | 'table' | 'exposure'>): Limits {
  return {
    bets: Object.fromEntries(rows.flatMap(({ bet, minimum, maximum }) => minimum && maximum
      ? [[bet, { minimum_cents: minimum.cents ?? 0, maximum_cents: maximum.cents ?? 0 }]] : [])),
    spots: Object.fromEntries(rows.flatMap(({ bet, spot }) => (spot.cents === null ? [] : [[bet, spot.cents]]))),
    seat_cents: seat.cents,
    table_cents: table.cents,
    exposure_cents: exposure.cents,
  };
}

/** Which limits there are to set: where boxes are marked, those of a seat, a spot and of exposure are never applied, so that they can only be taken away. */
export function offeredIn({ rows, seat, exposure }: Pick<Draft, 'rows' | 'seat' | 'exposure'>, marksBoxes: boolean): { spot: boolean; seat: boolean; exposure: boolean } {
  const isOffered = (...cells: Cell[]): boolean => !marksBoxes || cells.some(({ was_cents }) => was_cents !== null);
  return { spot: isOffered(...rows.map(({ spot }) => spot)), seat: isOffered(seat), exposure: isOffered(exposure) };
}

/** Limits in the order of the book's pay table, as players read them; what it does not name comes last. */
export function inOrder(limits: Limits, book: Book | undefined): Limits {
  const kinds = book?.view.pay_table.map(({ kind }) => kind) ?? [];
  const placeOf = (bet: string): number => {
    const place = kinds.indexOf(book?.named.get(bet)?.kind ?? bet);
    return place === -1 ? kinds.length : place;
  };
  return { ...limits, bets: Object.fromEntries(Object.entries(limits.bets).toSorted(([a], [b]) => placeOf(a) - placeOf(b))) };
}

/** Why limits cannot be changed now, whoever asks; null where they can. The table itself judges in any case. */
export function notNow(view: Pick<TableView, 'round' | 'halted' | 'awaits_outcome'>): Key | null {
  if (view.halted) return 'limits.halted';
  if (view.awaits_outcome) return 'limits.awaits';
  return view.round === null ? null : 'limits.running';
}

/** From the lowest to the highest. */
const POSITIONS = ['dealer', 'pit-supervisor', 'pit-manager', 'shift-manager'];

/** From which position on somebody has to stand beside whoever asks; null where the book takes one person, who may. */
export function secondFor(book: Book | undefined, position: string, asked = 'change-limits'): string | null {
  const authority = book?.view.authority.find(({ action }) => action === asked);
  if (!authority) return 'dealer';
  if (POSITIONS.indexOf(position) < POSITIONS.indexOf(authority.position)) return authority.position;
  return authority.people === 2 ? 'dealer' : null;
}

/** What a limit is for: a family of bets, or one bet. */
export function nameOfLimit(words: Words, book: Book | undefined, bet: string): string {
  const spot = book?.named.get(bet);
  return spot ? nameOfBet(words, spot) : book ? nameOfKind(words, book, bet) : bet;
}
