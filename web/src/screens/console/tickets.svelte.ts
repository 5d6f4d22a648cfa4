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

/** A cash-out that was asked for; once answered, it is none any more. */
export interface Cashing { seat: string; cents: number; at_ms: number; session: string }

export class Tickets {
  /** The oldest first. */
  untaken: readonly Untaken[] = $state.raw([]);
  /** Cash-outs whose answer nobody waits for any more: the session was over before it came. */
  unanswered: readonly Cashing[] = $state.raw([]);

  #kept: Kept;
  #session: string;
  #asked: readonly Cashing[] = [];
  /** The seats whose answer this page waits for. */
  #waiting = new Set<string>();
  #paid: { seq: number; cents: number } | null = null;

  /** They belong to the table and not to a person: whoever relieves the dealer hands them over. */
  constructor(keeping: Keeping | null, table: string, session = '') {
    this.#kept = new Kept(keeping, `console.${table}`);
    this.#session = session;
    this.read();
  }

  /** Takes what is kept: at the beginning, and where another window of this browser has changed it. */
  read = (): void => {
    this.untaken = listOf(this.#kept.get('tickets')).filter(isUntaken);
    this.#asked = listOf(this.#kept.get('cashing')).filter(isCashing);
    this.#showUnanswered();
  };

  /** A seat is about to be paid out: what it has is kept, because a reload or another session has lost the question. */
  asked(seat: string, cents: number, at_ms = 0): void {
    this.#waiting.add(seat);
    this.#keepAsked([...this.#asked.filter((each) => !this.#isMine(each, seat)), { seat, cents, at_ms, session: this.#session }]);
  }

  /** The answer has come; or nobody can say whether it was done, and people have to find out. */
  answered(seat: string, isKnown = true): void {
    this.#waiting.delete(seat);
    this.#keepAsked(isKnown ? this.#asked.filter((each) => !this.#isMine(each, seat)) : this.#asked);
  }

  /** Somebody has found out what became of it. */
  clearedUp(one: Cashing): void {
    this.#keepAsked(this.#asked.filter((each) => each !== one));
  }

  issued(number: string, seat: string, seq: number, at_ms: number): Untaken {
    const known = this.untaken.find((ticket) => ticket.number === number);
    if (known) return known;
    const asked = this.#asked.find((each) => this.#isMine(each, seat))?.cents ?? 0;
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

  #isMine(one: Cashing, seat: string): boolean {
    return one.seat === seat && one.session === this.#session;
  }

  #keep(untaken: readonly Untaken[]): void {
    this.untaken = untaken;
    this.#kept.set('tickets', untaken.length ? untaken : null);
  }

  #keepAsked(asked: readonly Cashing[]): void {
    this.#asked = asked;
    this.#kept.set('cashing', asked.length ? asked : null);
    this.#showUnanswered();
  }

  #showUnanswered(): void {
    this.unanswered = this.#asked.filter((each) => !(each.session === this.#session && this.#waiting.has(each.seat)));
  }
}

const listOf = (kept: unknown): unknown[] => (Array.isArray(kept) ? kept : []);

function isUntaken(kept: unknown): kept is Untaken {
  const ticket = kept as Partial<Untaken> | null;
  return typeof ticket?.number === 'string' && typeof ticket.seat === 'string' && typeof ticket.cents === 'number' && typeof ticket.at_ms === 'number';
}

function isCashing(kept: unknown): kept is Cashing {
  const asked = kept as Partial<Cashing> | null;
  return typeof asked?.seat === 'string' && typeof asked.cents === 'number' && typeof asked.at_ms === 'number' && typeof asked.session === 'string';
}
