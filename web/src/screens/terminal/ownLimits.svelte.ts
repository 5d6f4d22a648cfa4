/**
 * What the player has set for this visit: when to be reminded of the time, and how much may be lost. It holds at
 * this screen, is kept over a reload, and ends with the visit: the next player begins without it.
 */
import type { SeatSource } from '../../lib/live/source';
import type { SeatView } from '../../lib/live/wire';

export const REMINDERS = [15, 30, 60, 120] as const;
const MINUTE = 60_000;

interface Chosen { visit: number; reminder_ms: number | null; loss_cents: number | null; reminded: number }

type Visited = Pick<SeatSource, 'table' | 'seat' | 'began_ms' | 'now_ms'>;

/** What may still be staked so that the visit cannot lose more than the limit, even if every stake is lost. */
export function roomWithin(limit_cents: number, { visit_in_cents, visit_out_cents }: Pick<SeatView, 'visit_in_cents' | 'visit_out_cents'>, credits_cents: number): number {
  return Math.max(0, limit_cents - (visit_in_cents - visit_out_cents - credits_cents));
}

export class OwnLimits {
  #source: () => Visited;
  #set: Chosen = $state.raw({ visit: -1, reminder_ms: null, loss_cents: null, reminded: 0 });
  #isOf = $derived(this.#set.visit === this.#visit());

  constructor(source: () => Visited) {
    this.#source = source;
  }

  get reminder_ms(): number | null { return this.#isOf ? this.#set.reminder_ms : null; }
  get loss_cents(): number | null { return this.#isOf ? this.#set.loss_cents : null; }

  /** How often the reminder has come due in this visit. */
  get #due(): number {
    const { began_ms, now_ms } = this.#source();
    return this.reminder_ms === null || began_ms === null ? 0 : Math.floor((now_ms - began_ms) / this.reminder_ms);
  }

  /** Whether the player is to be reminded now. */
  get isDue(): boolean {
    return this.#isOf && this.#due > this.#set.reminded;
  }

  /** The seat is known: what was set in this visit counts again. */
  recall(): void {
    const visit = this.#visit();
    if (visit === null || this.#isOf) return;
    const kept = read(this.#key());
    this.#set = kept?.visit === visit ? kept : { visit, reminder_ms: null, loss_cents: null, reminded: 0 };
  }

  setReminder = (minutes: number | null): void => {
    this.#keep({ reminder_ms: minutes === null ? null : minutes * MINUTE });
    // What has passed is no reason to be reminded at once.
    this.#keep({ reminded: this.#due });
  };

  setLoss = (cents: number | null): void => this.#keep({ loss_cents: cents });
  goOn = (): void => this.#keep({ reminded: this.#due });

  #keep(change: Partial<Chosen>): void {
    const visit = this.#visit();
    if (visit === null) return;
    this.recall();
    this.#set = { ...this.#set, ...change, visit };
    try {
      localStorage.setItem(this.#key(), JSON.stringify(this.#set));
    } catch {
      // A kiosk may forbid storage; then it holds as long as the page.
    }
  }

  #visit(): number | null {
    return this.#source().seat?.visit ?? null;
  }

  #key(): string {
    const { table, seat } = this.#source();
    return `croupier.own.${table?.table}.${seat?.seat}`;
  }
}

function read(key: string): Chosen | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Chosen> | null;
    const amount = (value: unknown): number | null => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null);
    if (typeof kept?.visit !== 'number') return null;
    return { visit: kept.visit, reminder_ms: amount(kept.reminder_ms), loss_cents: amount(kept.loss_cents), reminded: amount(kept.reminded) ?? 0 };
  } catch {
    return null;
  }
}
