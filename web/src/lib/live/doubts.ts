/**
 * Commands of which nobody could say yet whether they were carried out. They are sent again under their numbers,
 * with a pause between that doubles each time, and whoever waits is told after a while.
 */
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** How long somebody waits for a definite answer before being told that there is none yet. */
export const PATIENCE_MS = 10_000;

interface Doubt { since_ms: number; isTold: boolean }

export class Doubts {
  #doubts = new Map<number, Doubt>();
  #again: () => void;
  #pause_ms = SHORTEST_PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `again` sends everything that waits. */
  constructor(again: () => void) {
    this.#again = again;
  }

  /** Whether somebody still waits for a definite answer. */
  get any(): boolean {
    return [...this.#doubts.values()].some(({ isTold }) => !isTold);
  }

  /** A command has got no definite answer: whether it is time to say so, which it is once. */
  add(number: number): boolean {
    const doubt = this.#doubts.get(number) ?? { since_ms: performance.now(), isTold: false };
    this.#doubts.set(number, doubt);
    this.#timer ??= setTimeout(() => this.#send(), this.#pause_ms);
    if (doubt.isTold || performance.now() - doubt.since_ms < PATIENCE_MS) return false;
    doubt.isTold = true;
    return true;
  }

  /** Whether nobody waits for this command any more. */
  isTold(number: number): boolean {
    return this.#doubts.get(number)?.isTold === true;
  }

  /** Somebody waits for it again. */
  renew(number: number): void {
    this.#doubts.set(number, { since_ms: performance.now(), isTold: false });
  }

  /** A command has got its answer; with the last one, what was held back goes on its way at once. */
  remove(number: number): void {
    if (!this.#doubts.delete(number) || this.#doubts.size > 0) return;
    this.stop();
    this.#pause_ms = SHORTEST_PAUSE_MS;
    this.#again();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #send(): void {
    this.#timer = undefined;
    this.#pause_ms = Math.min(2 * this.#pause_ms, LONGEST_PAUSE_MS);
    this.#again();
  }
}
