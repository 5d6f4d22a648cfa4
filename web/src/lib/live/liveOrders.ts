/**
 * Commands that wait for their answer, each under the sender's own growing number. They are kept where a reload
 * finds them again, so that a command is sent under its number until it is answered, and never under two.
 */
import { OF_ITS_ROUND, type Do, type Order, type Second } from './wire';

/** Where outstanding commands are kept: the browser's own storage, as far as it allows it. */
export type Keeping = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A command with the round that it is meant for: the last one that the screen knew of when it was given. */
export interface Waiting {
  number: number;
  do: Do;
  round: number | null;
}

interface Kept { last: number; waiting: Waiting[] }

/**
 * What is meant for the round it was given in, and for no other: a bet that did not arrive in time was never
 * registered, and nobody wants it in the next round. Money, seats and the table's own state go on regardless.
 * Where the line holds such a command up, the table refuses it by the round that is sent with it.
 */
export const isOfItsRound = ({ type }: Do): boolean => OF_ITS_ROUND.has(type);

/** Where numbers come from; tests count from one instead. */
export const clock = { now: () => Date.now() };

export class Orders {
  #last = 0;
  /** The highest number that the table has answered, as it said at the last welcome. */
  #answered = 0;
  #waiting = new Map<number, Waiting>();
  /** Passwords are in memory alone. */
  #seconds = new Map<number, Second>();
  #keeping: Keeping | null;
  #key: string;

  constructor(keeping: Keeping | null, sender: string) {
    this.#keeping = keeping;
    this.#key = `croupier.orders.${sender}`;
    const kept = this.#recall();
    this.#last = kept.last;
    for (const waiting of kept.waiting) this.#waiting.set(waiting.number, waiting);
  }

  get any(): boolean {
    return this.#waiting.size > 0;
  }

  /** The table has answered up to this number: the next command takes a higher one. */
  answeredTo(number: number): void {
    this.#answered = number;
    this.#last = Math.max(this.#last, number);
  }

  /** Gives a command its number and keeps it. */
  add(what: Do, second: Second | null, round: number | null): Order {
    // Another page of the same sender may have gone on since. A number from the clock is new even where all that
    // was kept is lost, and the numbers of all senders lie side by side in the journal.
    this.#last = Math.max(this.#last + 1, this.#recall().last + 1, clock.now());
    return this.#put({ number: this.#last, do: what, round }, second);
  }

  /** The number turned out to be taken by another page of the same sender; the command gets a further one. */
  renumber(number: number, by: number): Order | undefined {
    const waiting = this.#waiting.get(number);
    if (!waiting) return undefined;
    const second = this.#seconds.get(number) ?? null;
    this.remove(number);
    this.#last = Math.max(this.#last, number) + by;
    return this.#put({ ...waiting, number: this.#last }, second);
  }

  get(number: number): Waiting | undefined {
    return this.#waiting.get(number);
  }

  remove(number: number): void {
    this.#seconds.delete(number);
    if (this.#waiting.delete(number)) this.#keep();
  }

  /** Everything that waits, in the order in which it was given; the table itself sees which round it was meant for. */
  all(): Order[] {
    return this.#sorted().map((waiting) => this.#order(waiting));
  }

  /** What is to be sent again in this round, in the order in which it was given. */
  toSend(round: number | null): Order[] {
    return this.#sorted().filter((waiting) => !this.#isOvertaken(waiting, round)).map((waiting) => this.#order(waiting));
  }

  /** What the table has left behind while the line was down. */
  overtaken(round: number | null): number[] {
    return this.#sorted().filter((waiting) => this.#isOvertaken(waiting, round)).map((waiting) => waiting.number);
  }

  /** What the table has answered already is asked for again whatever the round: nothing is done twice. */
  #isOvertaken({ number, do: what, round: given }: Waiting, round: number | null): boolean {
    return number > this.#answered && isOfItsRound(what) && given !== round;
  }

  #sorted(): Waiting[] {
    return [...this.#waiting.values()].sort((a, b) => a.number - b.number);
  }

  #put(waiting: Waiting, second: Second | null): Order {
    this.#waiting.set(waiting.number, waiting);
    if (second) this.#seconds.set(waiting.number, second);
    this.#keep();
    return this.#order(waiting);
  }

  #order({ number, do: what, round }: Waiting): Order {
    return { type: 'command', number, do: what, second: this.#seconds.get(number) ?? null, ...(isOfItsRound(what) && { round }) };
  }

  #keep(): void {
    const waiting = this.#sorted().filter(({ number }) => !this.#seconds.has(number));
    try {
      this.#keeping?.setItem(this.#key, JSON.stringify({ last: this.#last, waiting } satisfies Kept));
    } catch {
      // A kiosk may forbid storage; then commands are remembered as long as the page is there.
    }
  }

  #recall(): Kept {
    try {
      const kept = JSON.parse(this.#keeping?.getItem(this.#key) ?? 'null') as Kept | null;
      if (kept && typeof kept.last === 'number' && Array.isArray(kept.waiting)) return kept;
    } catch {
      // What cannot be read was not written by this page.
    }
    return { last: 0, waiting: [] };
  }
}
