/** Everything that the pit shows: the tables as they stand, today's figures, and since when something is wrong. */
import { SvelteMap } from 'svelte/reactivity';
import { Client } from '../../lib/api/client';
import { House } from '../../lib/api/house';
import type { Report, ReportRow, SignificantEvent, SignedIn } from '../../lib/api/types';
import { indexBook, type Book } from '../../lib/book/book';
import { Live } from '../../lib/live/live.svelte';
import type { Told } from '../../lib/live/wire';
import { alarmsOfFloor, decisionsOf, type Alarm } from './alarms';
import { gamingDay } from './gamingDay';

/** What changes the figures of a table. */
const MOVES_MONEY = new Set(['round-opened', 'round-settled', 'round-voided', 'result-corrected', 'credits-bought', 'credits-paid-out']);
/** What is worth a new look at the list of significant events. */
const QUIET = new Set(['bets-changed', 'seat-settled', 'round-opened', 'closing-warned', 'bets-closed', 'spin-started', 'spin-finished', 'result-entered', 'result-confirmed', 'round-settled', 'spin-committed', 'commitment-opened', 'credits-bought']);
const SETTLING_MS = 1_500;
const REFRESH_MS = 60_000;

export class PitRoom {
  readonly live: Live;
  readonly house: House;
  readonly books = new SvelteMap<string, Book>();
  /** Today's figures by table. */
  today: Report | null = $state.raw(null);
  /** Grows with every round that ends, by table. */
  ended = new SvelteMap<string, number>();
  /** Grows with every event that may be significant. */
  happened = $state(0);
  /** What the journal says of each alarm. */
  told = new SvelteMap<string, SignificantEvent>();

  lines = $derived.by(() => Object.values(this.live.pit));
  alarms = $derived(alarmsOfFloor(this.lines));
  decisions = $derived(decisionsOf(this.lines));
  figures = $derived(new Map<string, ReportRow>((this.today?.rows ?? []).map((row) => [row.table ?? '', row])));

  #asked = new Set<string>();
  #figuresDue: ReturnType<typeof setTimeout> | undefined;
  #refresh: ReturnType<typeof setInterval> | undefined;

  constructor(signed: SignedIn) {
    this.house = new House(new Client(() => signed.token));
    this.live = new Live({
      token: signed.token, audience: 'pit', sender: `${signed.session}/pit`,
      ontold: (told) => this.#happened(told), onsnapshot: () => this.#dueFigures(0),
    });
  }

  start(): void {
    this.live.start();
    this.#refresh = setInterval(() => this.#dueFigures(0), REFRESH_MS);
  }

  stop(): void {
    clearInterval(this.#refresh);
    clearTimeout(this.#figuresDue);
    this.live.stop();
  }

  /** The book of a table; asked for once. */
  bookOf(book: string, layout: string): Book | undefined {
    const name = `${book}/${layout}`;
    if (!this.#asked.has(name)) {
      this.#asked.add(name);
      this.house.book(book, layout).then((view) => this.books.set(name, indexBook(view))).catch(() => this.#asked.delete(name));
    }
    return this.books.get(name);
  }

  /** Looks up when an alarm began, and what the journal says of it. */
  async lookUp(alarms: readonly Alarm[]): Promise<void> {
    for (const alarm of alarms) {
      if (this.#asked.has(alarm.id)) continue;
      this.#asked.add(alarm.id);
      try {
        const { events } = await this.house.events({ table: alarm.table, code: alarm.code, limit: 1, ...(alarm.seat !== null && { seat: alarm.seat }) });
        if (events[0]) this.told.set(alarm.id, events[0]);
      } catch {
        this.#asked.delete(alarm.id);
      }
    }
    for (const id of [...this.told.keys()]) {
      if (alarms.some((alarm) => alarm.id === id)) continue;
      this.told.delete(id);
      this.#asked.delete(id);
    }
  }

  #happened(told: Told): void {
    if (MOVES_MONEY.has(told.event.type)) this.#dueFigures(SETTLING_MS);
    if (!QUIET.has(told.event.type)) this.happened += 1;
    if (['round-settled', 'round-voided', 'result-corrected'].includes(told.event.type)) {
      this.ended.set(told.name, (this.ended.get(told.name) ?? 0) + 1);
    }
  }

  /** Asks for today's figures soon; what happens until then is part of them. */
  #dueFigures(wait_ms: number): void {
    this.#figuresDue ??= setTimeout(() => void this.#askFigures(), wait_ms);
  }

  async #askFigures(): Promise<void> {
    try {
      const day = this.today ? this.#day(this.today) : null;
      const report = await this.house.report({ by: 'table', ...(day !== null && { from: day, to: day }) });
      // Zone and shifts come with the first report; it is asked for again with the day that follows from them.
      const isToday = report.from_day === this.#day(report);
      this.today = report;
      this.#figuresDue = undefined;
      if (!isToday) this.#dueFigures(0);
    } catch {
      // The line to the floor says that it is lost; with it come new figures.
      this.#figuresDue = undefined;
    }
  }

  #day(report: Report): string {
    return gamingDay(this.live.now_ms, report.zone, report.shifts[0] ?? '00:00');
  }
}
