/** Vouchers that were given at this console and that nobody has taken yet: a number is as good as its money. */
import { Kept } from '../../lib/live/kept';
import type { Keeping } from '../../lib/live/liveOrders';

export interface Untaken {
  number: string;
  seat: string;
  /** Nought where the page was loaded again before anybody said how much it was. */
  cents: number;
  at_ms: number;
  /** The event that the answer rests on. */
  seq: number;
}

export class Tickets {
  /** The oldest first. */
  untaken: readonly Untaken[] = $state.raw([]);

  #kept: Kept;
  /** What seats had when they were to be paid out, by seat. */
  #asked: Readonly<Record<string, number>>;
  #paid: { seq: number; cents: number } | null = null;

  /** They belong to the table and not to a person: whoever relieves the dealer hands them over. */
  constructor(keeping: Keeping | null, table: string) {
    this.#kept = new Kept(keeping, `console.${table}`);
    const kept = this.#kept.get('tickets');
    this.untaken = Array.isArray(kept) ? kept.filter(isUntaken) : [];
    const asked = this.#kept.get('cashing');
    this.#asked = typeof asked === 'object' && asked !== null ? asked as Record<string, number> : {};
  }

  /** A seat is about to be paid out: what it has is kept, because a reload loses the question and not the answer. */
  asked(seat: string, cents: number): void {
    this.#asked = { ...this.#asked, [seat]: cents };
    this.#kept.set('cashing', this.#asked);
  }

  issued(number: string, seat: string, seq: number, at_ms: number): Untaken {
    const known = this.untaken.find((ticket) => ticket.number === number);
    if (known) return known;
    const { [seat]: asked = 0, ...others } = this.#asked;
    this.#asked = others;
    this.#kept.set('cashing', Object.keys(others).length ? others : null);
    const ticket = { number, seat, cents: this.#paid?.seq === seq ? this.#paid.cents : asked, at_ms, seq };
    this.#keep([...this.untaken, ticket]);
    return ticket;
  }

  /** The table says how much a seat was paid; the answer to the console may come before or after that. */
  paid(seq: number, cents: number): void {
    this.#paid = { seq, cents };
    if (this.untaken.some((ticket) => ticket.seq === seq && ticket.cents !== cents)) this.#keep(this.untaken.map((ticket) => (ticket.seq === seq ? { ...ticket, cents } : ticket)));
  }

  taken(number: string): void {
    this.#keep(this.untaken.filter((ticket) => ticket.number !== number));
  }

  #keep(untaken: readonly Untaken[]): void {
    this.untaken = untaken;
    this.#kept.set('tickets', untaken.length ? untaken : null);
  }
}

function isUntaken(kept: unknown): kept is Untaken {
  const ticket = kept as Partial<Untaken> | null;
  return typeof ticket?.number === 'string' && typeof ticket.seat === 'string' && typeof ticket.cents === 'number' && typeof ticket.at_ms === 'number';
}
