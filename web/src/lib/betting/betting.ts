/**
 * What a player does with chips, as pure functions on a slip.
 *
 * The server alone says what is registered. The slip adds what is still on its way, and remembers what the
 * player did so that it can be undone: undoing is a new command like any other.
 */
import type { Book } from '../book/book';
import { partsOf } from '../book/book';
import type { Limits, Stake } from '../live/wire';
import { rangeOf } from './amounts';
import type { BetCommand } from './commands';

/** Cents by bet; a change has negative ones where chips come off. */
export type Stakes = Readonly<Record<string, number>>;

/** Something the player wants: its effect on each bet, and the commands that ask for it. */
export interface Change {
  deltas: Stakes;
  commands: readonly BetCommand[];
}

/** Whether the player did something new, or went back or forth in what was done. */
export type Kind = 'new' | 'undo' | 'redo';

export interface Sent extends Change { id: number; kind: Kind }

export interface Slip {
  registered: Stakes;
  onTheWay: readonly Sent[];
  done: readonly Stakes[];
  undone: readonly Stakes[];
  nextId: number;
}

export const EMPTY: Slip = { registered: {}, onTheWay: [], done: [], undone: [], nextId: 1 };

/** Why something cannot be done, as a key of the messages with its facts. */
export interface Obstacle {
  reason: 'above-maximum' | 'below-minimum' | 'not-enough-credits' | 'seat-limit' | 'loss-limit' | 'nothing-there' | 'in-pieces' | 'nothing-to-do';
  bet?: string;
  facts: Record<string, number>;
}

export type Attempt = { change: Change } | { obstacle: Obstacle };

/** What the player may count on: the limits of the table and the credits that are not on their way already. */
export interface Means {
  limits: Limits;
  credits_cents: number;
  refuses: boolean;
  /** The loss limit that the player has set, and what may still be staked within it. */
  own?: { limit_cents: number; room_cents: number } | null;
}

/** What lies on each bet: registered, and together with what is on its way. */
export function stakesOf(slip: Slip): Stakes {
  return slip.onTheWay.length ? sum(slip.registered, ...slip.onTheWay.map((sent) => sent.deltas)) : slip.registered;
}

export function total(stakes: Stakes): number {
  return Object.values(stakes).reduce((cents, each) => cents + each, 0);
}

/** Whether the same lies on every bet. */
export function isSame(one: Stakes, other: Stakes): boolean {
  return [...Object.keys(one), ...Object.keys(other)].every((bet) => (one[bet] ?? 0) === (other[bet] ?? 0));
}

/** The credits once everything on its way is registered. */
export function creditsLeft(slip: Slip, registered_cents: number): number {
  return registered_cents - slip.onTheWay.reduce((cents, sent) => cents + total(sent.deltas), 0);
}

/** Puts a chip on a bet, or one on every piece of an announced bet. */
export function place(book: Book, slip: Slip, means: Means, name: string, chip: number): Attempt {
  return placeAll(book, slip, means, [{ bet: name, cents: chip }]);
}

/** Places several stakes at once; all of them or none. */
export function placeAll(book: Book, slip: Slip, means: Means, wanted: readonly Stake[]): Attempt {
  const deltas: Record<string, number> = {};
  for (const { bet, cents } of wanted) {
    for (const part of partsOf(book, bet)) deltas[part.bet] = (deltas[part.bet] ?? 0) + part.pieces * cents;
  }
  if (!Object.keys(deltas).length) return nothing();
  return judge(book, slip, means, { deltas, commands: [{ type: 'place-bets', stakes: [...wanted] }] });
}

/**
 * Takes a chip off a bet, or one off every piece of an announced bet as far as there are any; what would be left
 * under the minimum comes off as well.
 */
export function takeOff(book: Book, slip: Slip, means: Means, name: string, chip: number): Attempt {
  const lying = stakesOf(slip);
  const stakes = partsOf(book, name).filter(({ bet }) => (lying[bet] ?? 0) > 0).map(({ bet, pieces }) => {
    const stake = lying[bet] ?? 0;
    const least = rangeOf(means.limits, bet, book.spots.get(bet)?.kind ?? '')?.minimum_cents ?? 0;
    return { bet, cents: stake - pieces * chip < least ? stake : pieces * chip };
  });
  if (!stakes.length) return { obstacle: { reason: 'nothing-there', bet: name, facts: {} } };
  return { change: { deltas: negative(Object.fromEntries(stakes.map(({ bet, cents }) => [bet, cents]))), commands: [{ type: 'take-bets', stakes }] } };
}

/** Moves everything on one bet to another. */
export function move(book: Book, slip: Slip, means: Means, source: string, destination: string): Attempt {
  const announced = [source, destination].find((name) => book.calls.has(name));
  if (announced !== undefined) return { obstacle: { reason: 'in-pieces', bet: announced, facts: {} } };
  const cents = stakesOf(slip)[source] ?? 0;
  if (cents <= 0) return { obstacle: { reason: 'nothing-there', bet: source, facts: {} } };
  if (source === destination) return nothing();
  return judge(book, slip, means, {
    deltas: { [source]: -cents, [destination]: cents },
    commands: [{ type: 'move-bet', source, destination, cents }],
  });
}

export function clear(slip: Slip): Attempt {
  const stakes = stakesOf(slip);
  if (!total(stakes)) return nothing();
  return { change: { deltas: negative(stakes), commands: [{ type: 'clear-bets' }] } };
}

/** The stakes of an earlier round or of a favourite, on top of what lies there. */
export function repeat(book: Book, slip: Slip, means: Means, earlier: Stakes): Attempt {
  return placeAll(book, slip, means, listed(earlier));
}

export function double(book: Book, slip: Slip, means: Means): Attempt {
  return placeAll(book, slip, means, listed(stakesOf(slip)));
}

export function undo(book: Book, slip: Slip, means: Means): Attempt {
  const last = slip.done.at(-1);
  return last ? judge(book, slip, means, asked(slip, negative(last))) : nothing();
}

export function redo(book: Book, slip: Slip, means: Means): Attempt {
  const next = slip.undone.at(-1);
  return next ? judge(book, slip, means, asked(slip, next)) : nothing();
}

/** The slip once a change is on its way; its id is that of the last one in `onTheWay`. */
export function send(slip: Slip, change: Change, kind: Kind = 'new'): Slip {
  const sent: Sent = { ...change, id: slip.nextId, kind };
  const history = {
    new: { done: [...slip.done, change.deltas], undone: [] },
    undo: { done: slip.done.slice(0, -1), undone: [...slip.undone, negative(change.deltas)] },
    redo: { done: [...slip.done, change.deltas], undone: slip.undone.slice(0, -1) },
  }[kind];
  return { ...slip, ...history, onTheWay: [...slip.onTheWay, sent], nextId: slip.nextId + 1 };
}

/** The server has carried it out; `registered` is what lies there now. */
export function registered(slip: Slip, id: number, stakes: Stakes): Slip {
  return { ...slip, registered: stakes, onTheWay: slip.onTheWay.filter((sent) => sent.id !== id) };
}

/** The server has refused it: the chips go back, and the history is as if it had not been tried. */
export function refused(slip: Slip, id: number): Slip {
  const sent = slip.onTheWay.find((each) => each.id === id);
  if (!sent) return slip;
  const onTheWay = slip.onTheWay.filter((each) => each.id !== id);
  const done = slip.done.filter((deltas) => deltas !== sent.deltas);
  if (sent.kind === 'undo') return { ...slip, onTheWay, done: [...done, negative(sent.deltas)], undone: slip.undone.slice(0, -1) };
  if (sent.kind === 'redo') return { ...slip, onTheWay, done, undone: [...slip.undone, sent.deltas] };
  return { ...slip, onTheWay, done };
}

/**
 * Bets are closed, or somebody else has changed what lies there: what the player did before leads nowhere any more
 * and cannot be undone, nor does what is on its way come back into the history if it is refused.
 */
export function withoutHistory(slip: Slip): Slip {
  return { ...slip, done: [], undone: [], onTheWay: slip.onTheWay.map((sent) => ({ ...sent, kind: 'new' })) };
}

/** A new round, or a new connection: only what the server says counts. */
export function begun(slip: Slip, stakes: Stakes): Slip {
  return { ...EMPTY, nextId: slip.nextId, registered: stakes };
}

function judge(book: Book, slip: Slip, means: Means, change: Change): Attempt {
  const before = stakesOf(slip);
  const after = sum(before, change.deltas);
  for (const [bet, delta] of Object.entries(change.deltas)) {
    const range = rangeOf(means.limits, bet, book.spots.get(bet)?.kind ?? '');
    const would = after[bet] ?? 0;
    if (would < 0) return { obstacle: { reason: 'nothing-there', bet, facts: {} } };
    if (!range || !means.refuses || !would) continue;
    if (delta > 0 && would > range.maximum_cents) {
      return { obstacle: { reason: 'above-maximum', bet, facts: { maximum: range.maximum_cents, would } } };
    }
    if (would < range.minimum_cents) {
      return { obstacle: { reason: 'below-minimum', bet, facts: { minimum: range.minimum_cents, would } } };
    }
  }
  const cost = total(change.deltas);
  if (cost > means.credits_cents) {
    return { obstacle: { reason: 'not-enough-credits', facts: { cost, credits: means.credits_cents } } };
  }
  if (means.own && cost > means.own.room_cents) {
    return { obstacle: { reason: 'loss-limit', facts: { limit: means.own.limit_cents, room: means.own.room_cents, cost } } };
  }
  const most = means.limits.seat_cents;
  if (most !== null && cost > 0 && total(after) > most) {
    return { obstacle: { reason: 'seat-limit', facts: { maximum: most, would: total(after) } } };
  }
  return { change };
}

/** The commands that lead to these changes: chips come off first, so that the credits suffice for the rest. */
function asked(slip: Slip, deltas: Stakes): Change {
  const off = listed(negative(deltas));
  const on = listed(deltas);
  const commands: BetCommand[] = [];
  const [from, to] = [off[0], on[0]];
  if (from && to && off.length === 1 && on.length === 1 && from.cents === to.cents) {
    return { deltas, commands: [{ type: 'move-bet', source: from.bet, destination: to.bet, cents: from.cents }] };
  }
  if (off.length) {
    const everything = isSame(stakesOf(slip), Object.fromEntries(off.map(({ bet, cents }) => [bet, cents])));
    commands.push(everything ? { type: 'clear-bets' } : { type: 'take-bets', stakes: off });
  }
  if (on.length) commands.push({ type: 'place-bets', stakes: on });
  return { deltas, commands };
}

function listed(stakes: Stakes): Stake[] {
  return Object.entries(stakes).filter(([, cents]) => cents > 0).map(([bet, cents]) => ({ bet, cents }));
}

function sum(stakes: Stakes, ...changes: Stakes[]): Stakes {
  const all: Record<string, number> = { ...stakes };
  for (const change of changes) {
    for (const [bet, cents] of Object.entries(change)) {
      const now = (all[bet] ?? 0) + cents;
      if (now) all[bet] = now; else delete all[bet];
    }
  }
  return all;
}

function negative(stakes: Stakes): Stakes {
  return Object.fromEntries(Object.entries(stakes).map(([bet, cents]) => [bet, -cents]));
}

function nothing(): Attempt {
  return { obstacle: { reason: 'nothing-to-do', facts: {} } };
}
