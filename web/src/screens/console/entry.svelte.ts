/** Stakes that the dealer enters for players without a terminal: a place, a box, an amount. */
import type { Book } from '../../lib/book/book';
import { OVERTAKEN } from '../../lib/live/connection';
import type { Do, SeatLine } from '../../lib/live/wire';
import type { Desk } from './desk.svelte';

/** The longest amount that is taken; a longer one is a slip of the hand, and is said to be one. */
const MOST_DIGITS = 6;
/** So many are kept in sight, so that nothing is cut off to an amount that could be meant. */
const KEPT_DIGITS = 8;

interface Stake { round: number; seat: string; bet: string; cents: number }

export class Entering {
  seat = $state('');
  bet = $state('');
  /** Whole currency units, as they are typed. */
  typed = $state('');
  /** What was placed last, for taking it back while its round takes bets. */
  #last: Stake | null = $state.raw(null);
  /** Stakes that were entered and are not placed yet, in their order. */
  #entered: readonly Stake[] = $state.raw([]);
  /** What was done to the credits of a place since the console was last shown. */
  #since: readonly { seat: string; seq: number; cents: number }[] = $state.raw([]);

  #desk: Desk;
  /** The last of what is done for each place: one after the other, since each rests on the credits that the one before leaves. */
  #turns = new Map<string, Promise<void>>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  get cents(): number {
    return 100 * Number(this.typed || 0);
  }

  get tooLong(): boolean {
    return this.cents >= 100 * 10 ** MOST_DIGITS;
  }

  /** Whether what is typed can be placed. */
  get ready(): boolean {
    return this.seat !== '' && this.bet !== '' && this.cents > 0 && !this.tooLong;
  }

  get last(): Stake | null {
    return this.#last?.round === this.#round ? this.#last : null;
  }

  get line(): SeatLine | undefined {
    return this.#desk.live.console?.seats.find((each) => each.seat === this.seat);
  }

  /** What the player has to buy before the stake can lie there: chips on the layout were paid for. */
  get missing_cents(): number {
    const before = this.#entered.filter(({ seat }) => seat === this.seat);
    const left = before.reduce((credits, stake) => Math.max(0, credits - stake.cents), this.#creditsOf(this.seat));
    return Math.max(0, this.cents - left);
  }

  /** An amount that was typed before any place was chosen is meant for the first one. */
  choose = (seat: string, bet: string): void => {
    if (this.seat && (seat !== this.seat || bet !== this.bet)) this.typed = '';
    this.seat = seat;
    this.bet = bet;
  };

  type = (character: string): void => {
    if (this.typed.length < KEPT_DIGITS) this.typed = `${this.typed}${character}`.replace(/^0+/, '');
  };

  add = (cents: number): void => { this.typed = String((this.cents + cents) / 100); };

  /** Bets are closed, or another round has begun: an amount that was typed and not entered is not meant for it, and is said not to lie there. */
  leave = (): void => {
    const { typed, cents } = this;
    if (!typed) return;
    this.typed = '';
    this.#desk.refused = { what: 'place-bets', rejection: { code: 'not-placed', sentence: `${typed} was not placed: bets are closed.`, facts: { cents }, clause: null } };
  };

  /** The arrows go over the places and the boxes; the first one leads to the first of both. */
  move = (book: Book, along: number, across: number): void => {
    const seats = this.#seats();
    const bets = book.view.layout.boxes.map((box) => box.bet);
    const seat = stepped(seats, this.seat, across);
    const bet = stepped(bets, this.bet, along);
    if (seat !== undefined && bet !== undefined) this.choose(seat, bet);
  };

  /** Sells what is missing when its turn comes, then places. The next stake can be typed meanwhile. */
  place = async (): Promise<void> => {
    if (!this.ready) return;
    const stake = { round: this.#round, seat: this.seat, bet: this.bet, cents: this.cents };
    this.typed = '';
    this.#entered = [...this.#entered, stake];
    await this.#inTurn(stake.seat, async () => {
      await this.#sellAndPlace(stake);
      this.#entered = this.#entered.filter((each) => each !== stake);
    });
  };

  /** Pressed twice, it takes one stake back; what the table refuses to give back can be tried again. */
  undo = async (): Promise<void> => {
    const last = this.last;
    if (!last) return;
    this.#last = null;
    await this.#inTurn(last.seat, async () => { if (!await this.#take(last)) this.#last ??= last; });
  };

  /** Everything of the chosen place in the chosen box comes off. */
  clear = async (): Promise<void> => {
    const { seat, bet } = this;
    const cents = this.line?.stakes[bet] ?? 0;
    this.typed = '';
    const round = this.#round;
    if (cents > 0) await this.#inTurn(seat, async () => { await this.#take({ round, seat, bet, cents }); });
  };

  async #sellAndPlace(stake: Stake): Promise<void> {
    const { round, seat, bet, cents } = stake;
    if (round !== this.#round) {
      // It waited for an answer that came when its round was over.
      this.#desk.refused = { what: 'place-bets', rejection: OVERTAKEN };
      return;
    }
    const missing_cents = Math.max(0, cents - this.#creditsOf(seat));
    if (missing_cents && !await this.#send({ type: 'buy-credits', seat, cents: missing_cents }, round, seat, missing_cents)) return;
    if (await this.#send({ type: 'place-bets', seat, stakes: [{ bet, cents }] }, round, seat, -cents)) this.#last = stake;
  }

  #take({ round, seat, bet, cents }: Stake): Promise<boolean> {
    return this.#send({ type: 'take-bets', seat, stakes: [{ bet, cents }] }, round, seat, cents);
  }

  /** Whether it was done; what it did to the credits counts until the console is shown with it. */
  async #send(what: Do, round: number, seat: string, cents: number): Promise<boolean> {
    const answer = await this.#desk.send(what, null, round);
    if (!answer || answer.refused) return false;
    this.#since = [...this.#since.filter(({ seq }) => seq > this.#desk.live.shown), { seat, seq: answer.seq, cents }];
    return true;
  }

  #creditsOf(seat: string): number {
    const { live } = this.#desk;
    const credits = live.console?.seats.find((each) => each.seat === seat)?.credits_cents ?? 0;
    return this.#since.reduce((sum, done) => (done.seat === seat && done.seq > live.shown ? sum + done.cents : sum), credits);
  }

  #inTurn(seat: string, act: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(seat) ?? Promise.resolve()).then(act);
    this.#turns.set(seat, turn);
    return turn;
  }

  get #round(): number {
    return this.#desk.live.table?.round?.number ?? 0;
  }

  #seats(): string[] {
    return (this.#desk.live.console?.seats ?? []).filter((seat) => seat.in_use && seat.kind === 'place').map((seat) => seat.seat).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  }
}

/** The one so many places further, round and round; the first where none was chosen. */
function stepped(all: readonly string[], from: string, by: number): string | undefined {
  const place = all.indexOf(from);
  return place < 0 ? all[0] : all[(place + by + all.length) % all.length];
}
