/**
 * The house's time, as its messages tell it, and between them by a clock that nobody sets: that of the machine may be
 * wrong, and may be put right while the page is open.
 */

/** The delay of a message makes the house's clock look slow: of the last few, the one that says the latest is right. */
const SAMPLES = 5;

export class HouseClock {
  #offsets: number[] = [];

  /** Whether the house has told its time. */
  get isSet(): boolean {
    return this.#offsets.length > 0;
  }

  /** The machine's own time as long as the house has told none. */
  get now_ms(): number {
    return this.isSet ? Math.round(performance.now() + Math.max(...this.#offsets)) : Date.now();
  }

  /** The house tells its time. */
  set(house_ms: number): void {
    this.#offsets = [house_ms - performance.now(), ...this.#offsets].slice(0, SAMPLES);
  }

  /** Another server is heard, whose clock may be another. */
  reset(): void {
    this.#offsets = [];
  }
}
