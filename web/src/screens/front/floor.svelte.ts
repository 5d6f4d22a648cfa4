/** What the front page knows: the demonstration floor where it is one, its tables, and the one that is tried. */
import { Client, Refusal } from '../../lib/api/client';
import { House } from '../../lib/api/house';
import type { DemonstrationFloor } from '../../lib/api/types';
import { indexBook, type Book } from '../../lib/book/book';
import type { TableView } from '../../lib/live/wire';
import { StaffSession } from '../../lib/staff/session.svelte';
import { half, type Taken } from './guide';

const LOOK_MS = 1000;

export class FrontFloor {
  /** None while it is not known, and where this is no demonstration floor. */
  demonstration: DemonstrationFloor | null = $state.raw(null);
  known = $state(false);
  tables: TableView[] = $state.raw([]);
  /** The table that is tried. */
  table: string | null = $state(null);
  book: Book | null = $state.raw(null);
  taken: Taken = $state({ console: false, seat: false });
  busy = $state(false);
  /** Why something was not done. */
  refused: unknown = $state.raw(null);
  /** An address that the browser did not open by itself. */
  blocked: string | null = $state(null);

  /** Whether players sit at terminals there; where not, the dealer enters their stakes. */
  hasTerminals = $derived(this.demonstration?.tables.find((each) => each.table === this.table)?.has_terminals ?? true);
  view = $derived(this.tables.find((each) => each.table === this.table) ?? null);

  #house = new House(new Client());
  #session = new StaffSession();
  #look: ReturnType<typeof setInterval> | undefined;

  start(): void {
    void this.#begin();
    this.#look = setInterval(() => void this.#refresh(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#look);
  }

  async choose(table: string): Promise<void> {
    this.table = table;
    this.taken = { console: false, seat: false };
    this.book = null;
    const view = this.tables.find((each) => each.table === table);
    if (!view) return;
    const book = await this.#house.book(view.book, view.layouts[0] ?? '', table).catch(() => null);
    if (book && this.table === table) this.book = indexBook(book);
  }

  /** Takes the dealer's place at the table, in a window on the left. */
  takeConsole = (): Promise<void> => this.#during(async () => {
    if (await this.#signIn('dealer')) this.taken.console = this.#open(`/console#table=${encodeURIComponent(this.table ?? '')}`, 'left');
  });

  /** Sits down at a free seat of the table with a layout, in a window on the right. */
  takeSeat = (layout: string): Promise<void> => this.#during(async () => {
    const { code } = await this.#house.takeSeat(this.table ?? '', layout);
    this.taken.seat = this.#open(`/terminal#code=${encodeURIComponent(code)}`, 'right');
  });

  /** Opens a screen of the staff, with somebody signed in who may use it. */
  visit = (screen: string, person: string): Promise<void> => this.#during(async () => {
    if (await this.#signIn(person)) this.#open(`/${screen}`, null);
  });

  async #begin(): Promise<void> {
    try {
      this.demonstration = await this.#house.demonstration();
    } catch (error) {
      if (!(error instanceof Refusal)) this.refused = error;
    }
    await this.#refresh();
    this.known = true;
    const first = this.demonstration?.tables.find((table) => table.has_terminals) ?? this.demonstration?.tables[0];
    if (first && this.table === null) await this.choose(first.table);
  }

  async #refresh(): Promise<void> {
    try {
      this.tables = await this.#house.tables();
      this.refused = null;
    } catch (error) {
      this.refused = error;
    }
  }

  /** A window that is opened from here takes over who is signed in. */
  async #signIn(person: string): Promise<boolean> {
    if (this.#session.person?.name === person) return true;
    const done = await this.#session.signIn(person, this.demonstration?.password ?? '');
    if (!done && this.#session.refused) this.refused = new Refusal(401, this.#session.refused);
    return done;
  }

  #open(address: string, side: 'left' | 'right' | null): boolean {
    const opened = window.open(address, '_blank', side ? half(side, screen) : '');
    this.blocked = opened ? null : address;
    return opened !== null;
  }

  async #during(act: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.refused = this.blocked = null;
    try {
      await act();
    } catch (error) {
      this.refused = error;
    } finally {
      this.busy = false;
    }
  }
}
