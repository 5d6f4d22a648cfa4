/** One round that is looked at again: which one, at which act, and whether it runs. */
import type { House } from '../../lib/api/house';
import type { RecalledLine, RecalledRound } from '../../lib/api/types';
import { momentOf, pauseAfter } from './replay';

export const SPEEDS = [1, 4, 16] as const;
const LAST_ROUNDS = 40;

export class Recall {
  table: string | null = $state(null);
  rounds: RecalledLine[] = $state.raw([]);
  round: RecalledRound | null = $state.raw(null);
  place = $state(0);
  playing = $state(false);
  speed: number = $state(SPEEDS[1]);
  /** Why something was not done. */
  refused: unknown = $state.raw(null);

  moment = $derived(this.round ? momentOf(this.round, this.place) : null);

  #house: House;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Which question was the last one: an answer to an earlier one comes too late. */
  #asked = 0;
  /** The round that was asked for last, or is shown. */
  #wanted: number | null = null;

  constructor(house: House) {
    this.#house = house;
  }

  /** Looks at the last round of a table. */
  async openTable(table: string): Promise<void> {
    this.#clear(table);
    await this.listRounds();
    const last = this.rounds[0];
    if (last && this.table === table && !this.round) await this.open(last.round);
  }

  /** Looks at a round of the table. */
  async open(number: number): Promise<void> {
    if (this.table === null || !Number.isInteger(number) || number < 1) return;
    this.pause();
    const asked = this.#asked += 1;
    this.#wanted = number;
    try {
      const round = await this.#house.round(this.table, number);
      if (asked !== this.#asked) return;
      this.round = round;
      this.refused = null;
      this.place = round.acts.length - 1;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.refused = error;
      this.#wanted = this.round?.round ?? null;
    }
  }

  async listRounds(): Promise<void> {
    const { table } = this;
    if (table === null) return;
    try {
      const { rounds } = await this.#house.rounds(table, LAST_ROUNDS);
      if (this.table === table) this.rounds = rounds;
    } catch (error) {
      if (this.table === table) this.refused = error;
    }
  }

  /** The round before or behind the one that was asked for last: keys that are pressed quickly all count. */
  beside(step: -1 | 1): void {
    if (!this.round || this.#wanted === null) return;
    const isOnTheWay = this.#wanted !== this.round.round;
    // Whoever hurries to the newest round stops there.
    if (isOnTheWay && step > 0 && this.#wanted === this.rounds[0]?.round) return;
    void this.open(this.#wanted + step);
  }

  step(by: number): void {
    this.pause();
    this.goTo(this.place + by);
  }

  goTo(place: number): void {
    this.place = Math.min(Math.max(0, place), Math.max(0, (this.round?.acts.length ?? 1) - 1));
  }

  /** Plays from here, or from the beginning where this is the end. */
  toggle(): void {
    if (!this.round) return;
    if (this.playing) return this.pause();
    if (this.place >= this.round.acts.length - 1) this.place = 0;
    this.playing = true;
    this.#wait();
  }

  faster(): void {
    this.speed = SPEEDS[(SPEEDS.findIndex((speed) => speed === this.speed) + 1) % SPEEDS.length] ?? 1;
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (!this.round || this.place >= this.round.acts.length - 1) return this.pause();
    this.#timer = setTimeout(() => {
      this.goTo(this.place + 1);
      this.#wait();
    }, pauseAfter(this.round, this.place, this.speed));
  }

  #clear(table: string): void {
    this.pause();
    this.#asked += 1;
    this.table = table;
    this.rounds = [];
    this.round = null;
    this.#wanted = null;
    this.refused = null;
    this.place = 0;
  }
}
