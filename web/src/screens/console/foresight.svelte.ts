/** What a correction would do to each seat. The table works it out, and it alone; here it is asked, and asked again. */
import type { ForeseenCorrection } from '../../lib/api/types';
import { Reading } from '../../lib/staff/reading.svelte';

/** At a busy table something happens all the time: it is asked again no more often than this. */
export const PACE_MS = 300;

export class Foresight {
  readonly reading = new Reading<ForeseenCorrection>();
  /** What stands in sight is compared with what would happen now. */
  checking = $state(false);
  #question: () => Promise<ForeseenCorrection>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(question: () => Promise<ForeseenCorrection>) {
    this.#question = question;
  }

  /** Asks; what was found before is no more so. */
  look(): Promise<void> {
    this.reading.found = this.reading.failed = null;
    return this.#ask();
  }

  /** Asks again in a moment, because something has happened; what was found stays in sight until then. */
  soon(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.checking) this.soon();
      else void this.#ask();
    }, PACE_MS);
  }

  /** Whether what is in sight is what would happen now; where it is not, what would is in sight from now on. */
  async sure(): Promise<boolean> {
    const seen = consequences(this.reading.found);
    this.checking = true;
    await this.#ask();
    this.checking = false;
    return seen !== null && seen === consequences(this.reading.found);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #ask(): Promise<void> {
    return this.reading.ask(this.#question);
  }
}

/** What is signed: what each seat gets, falls short of and is owed. Credits move with every bet of the next round. */
function consequences(found: ForeseenCorrection | null): string | null {
  return found && JSON.stringify([found.registered, found.result, found.seats.map((seat) => [seat.seat, seat.before_cents, seat.due_cents, seat.shortfall_cents, seat.unclaimed_cents, seat.written_off_cents, seat.has_left])]);
}
