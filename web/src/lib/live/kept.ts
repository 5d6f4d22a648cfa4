/** What a terminal keeps in the browser so that a reload finds it again, each under a name of its device. */
import type { Keeping } from './liveOrders';

export class Kept {
  #keeping: Keeping | null;
  #device: string;

  constructor(keeping: Keeping | null, device: string) {
    this.#keeping = keeping;
    this.#device = device;
  }

  /** What was kept; null where there is nothing, or nothing that can be read. */
  get(what: string): unknown {
    try {
      return JSON.parse(this.#keeping?.getItem(this.#key(what)) ?? 'null');
    } catch {
      return null;
    }
  }

  /** Keeps something, or forgets it where it is null. A kiosk may forbid storage; then it lasts as long as the page. */
  set(what: string, value: unknown): void {
    try {
      if (value === null) this.#keeping?.removeItem(this.#key(what));
      else this.#keeping?.setItem(this.#key(what), JSON.stringify(value));
    } catch {
      // The page knows it all the same.
    }
  }

  #key(what: string): string {
    return `croupier.${what}.${this.#device}`;
  }
}
