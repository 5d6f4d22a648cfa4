/**
 * Payments that were sent and not answered yet. Each has a key of its own that goes with it however often it is sent, so that
 * a lost answer never becomes a second payment; a page that is loaded again finds the key again.
 */
export interface Pending { number: string; cents: number; key: string; sent_ms: number }

export type Keeping = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'croupier.cage.pending';
const MOST = 20;

export class Payments {
  #keeping: Keeping | null;
  #pending: Pending[];

  constructor(keeping: Keeping | null) {
    this.#keeping = keeping;
    this.#pending = recalled(keeping);
  }

  of(number: string): Pending | undefined {
    return this.#pending.find((pending) => pending.number === number);
  }

  /** The payment of a voucher: the one that waits for its answer, or a new one. */
  begin(number: string, cents: number, now_ms: number): Pending {
    const before = this.of(number);
    if (before?.cents === cents) return before;
    const pending = { number, cents, key: newKey(), sent_ms: now_ms };
    this.#keep([pending, ...this.#pending.filter((other) => other.number !== number)].slice(0, MOST));
    return pending;
  }

  /** The house has answered. */
  end(number: string): void {
    this.#keep(this.#pending.filter((pending) => pending.number !== number));
  }

  #keep(pending: Pending[]): void {
    this.#pending = pending;
    try {
      if (pending.length) this.#keeping?.setItem(KEPT, JSON.stringify(pending));
      else this.#keeping?.removeItem(KEPT);
    } catch {
      // A kiosk may forbid storage; then a key lasts as long as the page.
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
  return typeof pending?.number === 'string' && typeof pending.cents === 'number' && typeof pending.key === 'string' && typeof pending.sent_ms === 'number';
}
