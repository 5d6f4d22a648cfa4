/** Stakes that the dealer enters for players without a terminal: a place, a box, an amount. */
import type { Book } from '../../lib/book/book';
import type { SeatLine } from '../../lib/live/wire';
import type { Desk } from './desk.svelte';

export class Entering {
  seat = $state('');
  bet = $state('');
  /** Whole currency units, as they are typed. */
  typed = $state('');
  /** What was placed last, for taking it back while its round takes bets. */
  #last: { round: number; seat: string; bet: string; cents: number } | null = $state.raw(null);

  #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  get cents(): number {
    return 100 * Number(this.typed || 0);
  }

  get last(): { seat: string; bet: string; cents: number } | null {
    return this.#last?.round === this.#round ? this.#last : null;
  }

  get line(): SeatLine | undefined {
    return this.#desk.live.console?.seats.find((each) => each.seat === this.seat);
  }

  /** What the player has to buy before the stake can lie there: chips on the layout were paid for. */
  get missing_cents(): number {
    return Math.max(0, this.cents - (this.line?.credits_cents ?? 0));
  }

  choose = (seat: string, bet: string): void => {
    if (seat !== this.seat || bet !== this.bet) this.typed = '';
    this.seat = seat;
    this.bet = bet;
  };

  type = (character: string): void => {
    if (this.typed.length < 6) this.typed = `${this.typed}${character}`.replace(/^0+/, '');
  };

  add = (cents: number): void => { this.typed = String((this.cents + cents) / 100); };

  /** The arrows go over the places and the boxes; the first one leads to the first of both. */
  move = (book: Book, along: number, across: number): void => {
    const seats = this.#seats();
    const bets = book.view.layout.boxes.map((box) => box.bet);
    const seat = stepped(seats, this.seat, across);
    const bet = stepped(bets, this.bet, along);
    if (seat !== undefined && bet !== undefined) this.choose(seat, bet);
  };

  /** Sells what is missing, then places. The next stake can be typed meanwhile. */
  place = async (): Promise<void> => {
    const { seat, bet, cents, missing_cents } = this;
    const round = this.#round;
    if (!seat || !bet || cents <= 0) return;
    this.typed = '';
    if (missing_cents) {
      const bought = await this.#desk.send({ type: 'buy-credits', seat, cents: missing_cents });
      if (!bought || bought.refused) return;
    }
    const placed = await this.#desk.send({ type: 'place-bets', seat, stakes: [{ bet, cents }] });
    if (placed && !placed.refused) this.#last = { round, seat, bet, cents };
  };

  undo = async (): Promise<void> => {
    const last = this.last;
    if (!last) return;
    const taken = await this.#desk.send({ type: 'take-bets', seat: last.seat, stakes: [{ bet: last.bet, cents: last.cents }] });
    if (taken && !taken.refused) this.#last = null;
  };

  /** Everything of the chosen place in the chosen box comes off. */
  clear = async (): Promise<void> => {
    const cents = this.line?.stakes[this.bet] ?? 0;
    this.typed = '';
    if (cents > 0) await this.#desk.send({ type: 'take-bets', seat: this.seat, stakes: [{ bet: this.bet, cents }] });
  };

  get #round(): number {
    return this.#desk.live.table?.round?.number ?? 0;
  }

  #seats(): string[] {
    return (this.#desk.live.console?.seats ?? []).filter((seat) => seat.in_use).map((seat) => seat.seat).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  }
}

/** The one so many places further, round and round; the first where none was chosen. */
function stepped(all: readonly string[], from: string, by: number): string | undefined {
  const place = all.indexOf(from);
  return place < 0 ? all[0] : all[(place + by + all.length) % all.length];
}
