/** What a correction, a decision or a void would do to each seat. The table works it out, and it alone; here it is asked, and asked again. */
import type { Foreseen, ForeseenCorrection } from '../../lib/api/types';
import type { Decide, DeclareIrregularity, Do } from '../../lib/live/wire';
import { Reading } from '../../lib/staff/reading.svelte';

/** At a busy table something happens all the time: it is asked again no more often than this. */
export const PACE_MS = 300;

export class Foresight<T extends Foreseen | ForeseenCorrection> {
  readonly reading = new Reading<T>();
  /** What stands in sight is compared with what would happen now. */
  checking = $state(false);
  /** What stood in sight when it was to be signed was not so any more. */
  changed = $state(false);
  #question: () => Promise<T>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(question: () => Promise<T>) {
    this.#question = question;
  }

  /** Asks; what was found before is no more so. */
  look(): Promise<void> {
    this.reading.found = this.reading.failed = null;
    this.changed = false;
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
    const isSo = seen !== null && seen === consequences(this.reading.found);
    this.changed = !isSo && this.reading.found !== null;
    return isSo;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #ask(): Promise<void> {
    return this.reading.ask(this.#question);
  }
}

/** What is signed: what each seat gets, falls short of and is owed. Credits, and stakes of the round that runs, move with every bet. */
function consequences(found: Foreseen | ForeseenCorrection | null): string | null {
  if (!found) return null;
  if ('result' in found) return JSON.stringify([found.registered, found.result, found.seats.map((seat) => [seat.seat, seat.before_cents, seat.due_cents, seat.shortfall_cents, seat.unclaimed_cents, seat.written_off_cents, seat.has_left])]);
  const seats = found.seats.map((seat) => [seat.seat, seat.difference_cents - seat.returned_cents, seat.shortfall_cents, seat.unclaimed_cents, seat.has_left] as const);
  return JSON.stringify([found.rounds, seats.filter(([, ...sums]) => sums.some(Boolean))]);
}

/** What changes settled rounds, or gives bets back, in a way that only the table can work out. */
export function isForeseen(what: Do): what is Decide | DeclareIrregularity {
  return what.type === 'decide' ? what.ruling !== 'none' : what.type === 'declare-irregularity' && !!what.rounds?.length;
}
