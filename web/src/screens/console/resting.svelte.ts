/** The pause behind every step of the table: a second tap is meant for the action that was there, never for the next one. */
import type { TableView } from '../../lib/live/wire';

/** Longer than the second half of a double tap, shorter than anybody takes to look at the table. */
export const PAUSE_MS = 500;

export class Resting {
  /** Whether the next action has just become another one. */
  now = $state(false);

  #step: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The table is at this step now; the first one that is seen was nobody's doing. */
  at(table: TableView): void {
    const { round, round_number, awaits_outcome, open, halted } = table;
    const step = JSON.stringify([round_number, round?.phase, round?.result, round?.spin?.pocket, awaits_outcome, open, halted]);
    if (this.#step !== null && this.#step !== step) this.#begin();
    this.#step = step;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.now = false;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.now = true;
    this.#timer = setTimeout(() => { this.now = false; }, PAUSE_MS);
  }
}
