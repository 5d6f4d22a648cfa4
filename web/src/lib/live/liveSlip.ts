/**
 * Which changes of a player are on their way, and which the server has registered. The server's view of the seat
 * is what counts; a change is over when its own events or its answers have come, whichever is first.
 */
import { begun, EMPTY, isSame, refused, registered, send, stakesOf, withoutHistory, type Change, type Kind, type Slip, type Stakes } from '../betting/betting';

interface Flight {
  id: number;
  commands: number;
  /** How many of its commands have been told as events. */
  seen: number;
  /** The last event that its answers rest on, once all have come. */
  answered: number;
  seq: number;
}

export class LiveSlip {
  slip: Slip = EMPTY;
  #flights: Flight[] = [];

  /** Something goes on its way; the answer is the id under which it is known. */
  send(change: Change, kind: Kind): number {
    this.slip = send(this.slip, change, kind);
    const id = this.slip.nextId - 1;
    this.#flights.push({ id, commands: change.commands.length, seen: 0, answered: 0, seq: 0 });
    return id;
  }

  /** The seat's own bets have changed: the earliest of its commands was carried out. */
  seen(stakes: Stakes): void {
    const flight = this.#flights.find((each) => each.seen < each.commands);
    if (flight) flight.seen += 1;
    this.settle(stakes, 0);
  }

  /** A command was answered and carried out. */
  answered(id: number, seq: number, stakes: Stakes, sequence: number): void {
    const flight = this.#flights.find((each) => each.id === id);
    if (!flight) return;
    flight.answered += 1;
    flight.seq = Math.max(flight.seq, seq);
    this.settle(stakes, sequence);
  }

  /** A command was refused: the chips of the whole change go back, as far as they are not registered. */
  refused(id: number, stakes: Stakes): void {
    const flight = this.#flights.find((each) => each.id === id);
    this.#flights = this.#flights.filter((each) => each.id !== id);
    this.slip = refused(this.slip, id);
    // What was done in part can neither be undone as a whole nor done once more.
    if (flight && (flight.seen || flight.answered)) this.forget();
    this.settle(stakes, 0);
  }

  /** The server tells what lies there; `sequence` is the last event that this rests on. */
  settle(stakes: Stakes, sequence: number): void {
    for (const flight of [...this.#flights]) {
      const told = flight.seen === flight.commands;
      const shown = flight.answered === flight.commands && flight.seq <= sequence;
      if (!told && !shown) continue;
      this.#flights = this.#flights.filter((each) => each !== flight);
      this.slip = registered(this.slip, flight.id, stakes);
    }
    // While a change of several commands is half done, what lies there is neither the old nor the new.
    if (!this.#flights.some((flight) => flight.seen > 0)) this.slip = { ...this.slip, registered: stakes };
  }

  /** What was done cannot be undone any more: bets are closed, or the dealer has changed what lies there. */
  forget(): void {
    this.slip = withoutHistory(this.slip);
  }

  /** Everything is shown anew; what somebody else may have changed meanwhile nobody has told. */
  shown(stakes: Stakes, sequence: number): void {
    if (!isSame(stakes, this.slip.registered) && !isSame(stakes, stakesOf(this.slip))) this.forget();
    this.settle(stakes, sequence);
  }

  /** What could be undone before a reload, where it still leads to what lies there. */
  recall(round: number, kept: unknown): void {
    const found = kept as { round?: number; done?: Stakes[]; undone?: Stakes[]; registered?: Stakes } | null;
    if (found?.round !== round || !Array.isArray(found.done) || !Array.isArray(found.undone)) return;
    if (isSame(found.registered ?? {}, this.slip.registered)) this.slip = { ...this.slip, done: found.done, undone: found.undone };
  }

  /** A new round, or a page that was loaded again: only what the server says counts. */
  begin(stakes: Stakes): void {
    this.#flights = [];
    this.slip = begun(this.slip, stakes);
  }
}
