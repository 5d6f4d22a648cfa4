/** Everything that the pit shows: the tables as they stand, today's figures, and since when something is wrong. */
import { SvelteMap } from 'svelte/reactivity';
import { Client } from '../../lib/api/client';
import { House } from '../../lib/api/house';
import type { Report, ReportRow, SignedIn } from '../../lib/api/types';
import { readLayouts, type Book } from '../../lib/book/book';
import { Live } from '../../lib/live/live.svelte';
import type { TableView, Told } from '../../lib/live/wire';
import { isAttended } from '../../lib/staff/attended';
import { alarmsOfFloor, type Alarm } from './alarms';
import { decisionsOf, oldestFirst, type Decision } from './decisions';
import { gamingDay } from './gamingDay';

/** What changes the figures of a table. */
const MOVES_MONEY = new Set(['round-opened', 'round-settled', 'round-voided', 'result-corrected', 'credits-bought', 'credits-paid-out']);
/** What is worth a new look at the list of significant events. */
const QUIET = new Set(['bets-changed', 'seat-settled', 'round-opened', 'closing-warned', 'bets-closed', 'spin-started', 'spin-finished', 'result-entered', 'result-confirmed', 'round-settled', 'spin-committed', 'commitment-opened', 'credits-bought', 'attendant-called', 'call-ended']);
const SETTLING_MS = 1_500;
const REFRESH_MS = 60_000;

/** Something that is wrong or waits, and where the journal has what it began with. */
type Begun = Pick<Alarm | Decision, 'id' | 'table' | 'code' | 'seat' | 'round' | 'facts'> & Pick<Alarm, 'since_ms'>;
/** When it began, and what the journal says of it. */
interface Beginning { time_ms: number; what: string }

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
  /** What the journal says of each alarm and of each decision that waits, by its id. */
  told = new SvelteMap<string, Beginning>();

  lines = $derived.by(() => Object.values(this.live.pit));
  alarms = $derived(alarmsOfFloor(this.lines));
  decisions = $derived(oldestFirst(this.lines.flatMap(decisionsOf), (decision) => this.beganAt(decision)));
  figures = $derived(new Map<string, ReportRow>((this.today?.rows ?? []).map((row) => [row.table ?? '', row])));

  #asked = new Set<string>();
  /** What was looked up, or is being looked up. */
  #begun = new Set<string>();
  #figuresDue: ReturnType<typeof setTimeout> | undefined;
  #refresh: ReturnType<typeof setInterval> | undefined;

  constructor(signed: SignedIn) {
    this.house = new House(new Client(() => signed.token, undefined, undefined, isAttended));
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

  /** The book of a table on its first layout, which names the bets of the others too; asked for once. */
  bookOf({ book, layouts }: Pick<TableView, 'book' | 'layouts'>): Book | undefined {
    const name = `${book}/${layouts.join()}`;
    if (!this.#asked.has(name)) {
      this.#asked.add(name);
      readLayouts(layouts, (layout) => this.house.book(book, layout)).then(([first]) => { if (first) this.books.set(name, first); }).catch(() => this.#asked.delete(name));
    }
    return this.books.get(name);
  }

  /** When something began; the table itself says so, or the journal, once it has been asked. */
  beganAt({ id, since_ms }: Pick<Begun, 'id' | 'since_ms'>): number | undefined {
    return since_ms ?? this.told.get(id)?.time_ms;
  }

  /** Looks up when each of these began, and what the journal says of it; what is over is forgotten. */
  async lookUp(begun: readonly Begun[]): Promise<void> {
    for (const id of [...this.#begun]) {
      if (begun.some((each) => each.id === id)) continue;
      this.told.delete(id);
      this.#begun.delete(id);
    }
    for (const each of begun) {
      if (each.since_ms !== undefined || this.#begun.has(each.id)) continue;
      this.#begun.add(each.id);
      try {
        const beginning = await this.#beginningOf(each);
        if (beginning && this.#begun.has(each.id)) this.told.set(each.id, beginning);
      } catch {
        this.#begun.delete(each.id);
      }
    }
  }

  /** A significant event is searched for; what belongs to a round's own course stands in the round. */
  async #beginningOf({ table, code, seat, round, facts }: Begun): Promise<Beginning | undefined> {
    if (round !== null) {
      const { acts, after } = await this.house.round(table, round);
      const all = [...acts, ...after];
      const act = all.findLast(({ event }) => event.type === code && event['bet'] === facts['bet'])
        // A result that was registered against the sensor is in dispute from its confirmation on.
        ?? (code === 'spin-reported-late' ? all.findLast(({ event }) => event.type === 'result-confirmed') : undefined);
      return act && { time_ms: act.at_ms, what: act.what ?? '' };
    }
    const { events } = await this.house.events({ table, code, limit: 1, ...(seat !== null && { seat }) });
    return events[0];
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
    return gamingDay(this.live.now_ms, report.zone, report.shifts);
  }
}
