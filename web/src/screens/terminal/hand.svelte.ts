/**
 * What the player's hand is doing: the chosen chip, what a touch means, what is pointed at, what was refused.
 * It turns touches into changes for the source and never touches the table by itself.
 */
import { untrack } from 'svelte';
import {
  clear, creditsLeft, double, move, place, redo, repeat, stakesOf, takeOff, undo, type Attempt, type Kind, type Means, type Obstacle,
} from '../../lib/betting/betting';
import { CHIPS } from '../../lib/betting/amounts';
import { forgotten, keyOf, readFavourites, saved, type Favourite } from '../../lib/betting/favourites';
import type { Bounds, Pointing } from '../../lib/board/pointing';
import type { Book } from '../../lib/book/book';
import type { SeatSource } from '../../lib/live/source';
import type { Action, Mode } from './Actions.svelte';
import { roomWithin } from './ownLimits.svelte';

/** What a phone shows of the table: it has room for one of them. */
export const TABS = ['board', 'race', 'wheel'] as const;
export type Tab = (typeof TABS)[number];

/** Why a touch led to nothing, and what the player pointed at. */
export interface Complaint { name: string; obstacle: Obstacle | 'closed'; anchor: Bounds | null }

export class Hand {
  chip: number = $state(CHIPS[1]);
  mode: Mode = $state('place');
  /** The bet that is about to be moved. */
  moving: string | null = $state(null);
  reach = $state(2);
  /** What is looked at between spins. */
  tab: Tab = $state('board');
  pointing: Pointing | null = $state.raw(null);
  complaint: Complaint | null = $state.raw(null);
  favourites: readonly Favourite[] = $state.raw([]);

  #source: () => SeatSource;
  #open: () => boolean;
  #lossLimit: () => number | null;

  constructor(source: () => SeatSource, open: () => boolean, lossLimit: () => number | null) {
    this.#source = source;
    this.#open = open;
    this.#lossLimit = lossLimit;
  }

  /** A book has come, or another one: reach and favourites are its own. Whatever else changes later does not count. */
  take = (book: Book): void => untrack(() => {
    const reaches = book.view.layout.racetrack?.neighbours?.reaches ?? [];
    const held = readHeld(recall(handOf(book)));
    this.reach = reaches.find((each) => each === held.reach) ?? reaches[Math.min(1, reaches.length - 1)] ?? 1;
    this.chip = CHIPS.find((each) => each === held.chip) ?? this.chip;
    this.tab = TABS.find((each) => each === held.tab && (each !== 'race' || book.view.layout.racetrack)) ?? 'board';
    this.favourites = readFavourites(recall(keyOf(book)), book);
  });

  point = (pointing: Pointing | null): void => {
    this.pointing = pointing;
    if (pointing) this.complaint = null;
  };

  /** A touch on a bet, or on an announced bet. */
  touch = (name: string): void => {
    const { book, slip } = this.#source();
    if (!book) return;
    if (!this.#open()) {
      this.#complain(name, 'closed');
      return;
    }
    const means = this.#means();
    if (this.mode === 'takeOff') {
      this.#try(takeOff(book, slip, means, name, this.chip), 'new', name);
    } else if (this.mode === 'move') {
      this.#move(book, name);
    } else {
      this.#try(place(book, slip, means, name, this.chip), 'new', name);
    }
  };

  /** Where there is nothing to take off or to move any more, touches place chips again. */
  rest(): void {
    if (!this.#holdsSome()) this.mode = 'place';
    if (this.mode !== 'move' || !stakesOf(this.#source().slip)[this.moving ?? '']) this.moving = null;
  }

  choose = (chip: number): void => {
    this.chip = chip;
    this.mode = 'place';
    this.moving = null;
    this.#hold();
  };

  /** So many neighbours on either side from now on. */
  reachTo = (reach: number): void => {
    this.reach = reach;
    this.#hold();
  };

  show = (tab: Tab): void => untrack(() => {
    this.tab = tab;
    this.#hold();
  });

  act = (action: Action): void => {
    const { book, slip, lastStakes } = this.#source();
    if (!book) return;
    const means = this.#means();
    switch (action) {
      case 'takeOff':
      case 'move':
        this.mode = this.mode === action ? 'place' : action;
        this.moving = null;
        break;
      case 'undo': this.#try(undo(book, slip, means), 'undo', ''); break;
      case 'redo': this.#try(redo(book, slip, means), 'redo', ''); break;
      case 'clear': this.#try(clear(slip), 'new', ''); break;
      case 'double': this.#try(double(book, slip, means), 'new', ''); break;
      case 'repeat': this.#try(repeat(book, slip, means, lastStakes), 'new', ''); break;
      case 'favourites': break;
    }
  };

  placeFavourite = (favourite: Favourite): void => {
    const { book, slip } = this.#source();
    if (book) this.#try(repeat(book, slip, this.#means(), favourite.stakes), 'new', '');
  };

  save = (name: string): void => this.#keep(saved(this.favourites, name, stakesOf(this.#source().slip)));
  forget = (name: string): void => this.#keep(forgotten(this.favourites, name));

  can(): Record<Action, boolean> {
    const { slip, lastStakes } = this.#source();
    const open = this.#open();
    const some = this.#holdsSome();
    return {
      takeOff: some, move: some, clear: some, double: some,
      undo: open && slip.done.length > 0,
      redo: open && slip.undone.length > 0,
      repeat: open && Object.keys(lastStakes).length > 0,
      favourites: open,
    };
  }

  #holdsSome(): boolean {
    return this.#open() && Object.keys(stakesOf(this.#source().slip)).length > 0;
  }

  #move(book: Book, name: string): void {
    if (this.moving === null) {
      if (book.calls.has(name)) this.#complain(name, { reason: 'in-pieces', bet: name, facts: {} });
      else if (stakesOf(this.#source().slip)[name]) this.moving = name;
      else this.#complain(name, { reason: 'nothing-there', bet: name, facts: {} });
      return;
    }
    const source = this.moving;
    this.moving = null;
    if (source !== name) this.#try(move(book, this.#source().slip, this.#means(), source, name), 'new', name);
    this.mode = 'place';
  }

  #means(): Means {
    const { book, table, seat, slip } = this.#source();
    const left_cents = creditsLeft(slip, seat?.credits_cents ?? 0);
    const limit_cents = this.#lossLimit();
    return {
      limits: table?.limits ?? { bets: {}, spots: {}, seat_cents: null, table_cents: null, exposure_cents: null },
      credits_cents: left_cents,
      own: limit_cents === null || !seat ? null : { limit_cents, room_cents: roomWithin(limit_cents, seat, left_cents) },
      refuses: !book?.view.marks_boxes,
    };
  }

  #try(attempt: Attempt, kind: Kind, name: string): void {
    if ('obstacle' in attempt) {
      this.#complain(attempt.obstacle.bet ?? name, attempt.obstacle);
      return;
    }
    this.complaint = null;
    this.#source().change(attempt.change, kind, name);
  }

  #complain(name: string, obstacle: Complaint['obstacle']): void {
    this.complaint = { name, obstacle, anchor: this.pointing?.anchor ?? null };
  }

  #hold(): void {
    const { book } = this.#source();
    if (book) remember(handOf(book), JSON.stringify({ chip: this.chip, reach: this.reach, tab: this.tab }));
  }

  #keep(favourites: readonly Favourite[]): void {
    this.favourites = favourites;
    const { book } = this.#source();
    if (book) remember(keyOf(book), JSON.stringify(favourites));
  }
}

const handOf = (book: Book): string => `croupier.hand.${book.view.id}.${book.view.layout.id}`;

/** What the player held before the page was loaded again. */
function readHeld(text: string | null): { chip?: unknown; reach?: unknown; tab?: unknown } {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as { chip?: unknown; reach?: unknown; tab?: unknown };
  } catch {
    return {};
  }
}

// A kiosk may forbid storage; then favourites last as long as the page.
function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // The favourites are there all the same.
  }
}
