/**
 * Payments that were sent and not answered yet. Each has a key of its own that goes with it however often it is sent, so that
 * a lost answer never becomes a second payment. They outlast the page, the session and the window: whoever signs in again
 * finds the key again. The house knows a key together with who sent it, so each is its cashier's.
 */
export interface Pending { number: string; cents: number; key: string; sent_ms: number; cashier: string }

export type Keeping = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'croupier.cage.pending';
const MOST = 100;

export class Payments {
  #keeping: Keeping | null;
  #cashier: string;
  /** What is pending where the browser keeps nothing. */
  #own: Pending[] | null;

  constructor(keeping: Keeping | null, cashier: string) {
    this.#keeping = keeping;
    this.#cashier = cashier;
    this.#own = keeping ? null : [];
  }

  of(number: string): Pending | undefined {
    return this.#all().find((pending) => this.#isMine(pending, number));
  }

  /** The payment of this voucher that somebody else sent from here and never had an answer to. */
  ofAnother(number: string): Pending | undefined {
    return this.#all().find((pending) => pending.number === number && pending.cashier !== this.#cashier);
  }

  /** The payment of a voucher: the one that waits for its answer, or a new one. */
  begin(number: string, cents: number, now_ms: number): Pending {
    const before = this.of(number);
    if (before?.cents === cents) return before;
    const pending = { number, cents, key: newKey(), sent_ms: now_ms, cashier: this.#cashier };
    this.#keep([pending, ...this.#all().filter((other) => !this.#isMine(other, number))].slice(0, MOST));
    return pending;
  }

  /** The house has said what became of it. */
  end(number: string): void {
    this.#keep(this.#all().filter((pending) => !this.#isMine(pending, number)));
  }

  #isMine(pending: Pending, number: string): boolean {
    return pending.number === number && pending.cashier === this.#cashier;
  }

  /** Read anew each time: another window of this browser may have sent one since. */
  #all(): Pending[] {
    return this.#own ?? recalled(this.#keeping);
  }

  #keep(pending: Pending[]): void {
    if (this.#own) this.#own = pending;
    try {
      if (pending.length) this.#keeping?.setItem(KEPT, JSON.stringify(pending));
      else this.#keeping?.removeItem(KEPT);
    } catch {
      // A kiosk may forbid storage; then a key lasts as long as the page.
      this.#own = pending;
    }
  }
}

/** As `crypto.randomUUID` gives it, which is missing where the house is reached without TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function recalled(keeping: Keeping | null): Pending[] {
  try {
    const kept = JSON.parse(keeping?.getItem(KEPT) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter(isPending) : [];
  } catch {
    return [];
  }
}

function isPending(kept: unknown): kept is Pending {
  const pending = kept as Partial<Pending> | null;
  return typeof pending?.number === 'string' && typeof pending.cents === 'number' && typeof pending.key === 'string' && typeof pending.sent_ms === 'number' && typeof pending.cashier === 'string';
}
