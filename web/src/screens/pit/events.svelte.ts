/** A search in the significant events, page by page. */
import type { EventQuery, House } from '../../lib/api/house';
import type { EventPage } from '../../lib/api/types';

export interface Wanted { text: string; table: string; code: string; from: string; until: string; refusals: boolean }

export const EVERYTHING: Wanted = { text: '', table: '', code: '', from: '', until: '', refusals: false };

export class EventSearch {
  wanted: Wanted = $state({ ...EVERYTHING });
  page: EventPage | null = $state.raw(null);
  /** Where each page up to this one begins; the first has no beginning of its own. */
  starts: (string | null)[] = $state([null]);
  /** Why something was not done. */
  refused: unknown = $state.raw(null);
  busy = $state(false);

  #house: House;
  #limit: number;
  #asked = 0;

  constructor(house: House, limit: number) {
    this.#house = house;
    this.#limit = limit;
  }

  get number(): number {
    return this.starts.length;
  }

  /** Looks from the newest one on. */
  search = (): Promise<void> => this.#show([null]);

  /** Looks again, where the newest ones are looked at: something has happened. */
  refresh(): void {
    if (this.number === 1) void this.search();
  }

  older = (): Promise<void> => (this.page?.next ? this.#show([...this.starts, this.page.next]) : Promise.resolve());
  newer = (): Promise<void> => (this.number > 1 ? this.#show(this.starts.slice(0, -1)) : Promise.resolve());

  async #show(starts: (string | null)[]): Promise<void> {
    const asked = this.#asked += 1;
    this.busy = true;
    try {
      const page = await this.#house.events(queryOf(this.wanted, starts.at(-1) ?? null, this.#limit));
      if (asked !== this.#asked) return;
      this.page = page;
      this.starts = starts;
      this.refused = null;
    } catch (error) {
      if (asked === this.#asked) this.refused = error;
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }
}

/** What is asked; a field that is empty asks for nothing. */
export function queryOf(wanted: Wanted, after: string | null, limit: number): EventQuery {
  const query: EventQuery = { limit };
  if (wanted.text.trim()) query.text = wanted.text.trim();
  if (wanted.table) query.table = wanted.table;
  if (wanted.code.trim()) query.code = wanted.code.split(/[\s,]+/).filter(Boolean).join(',');
  if (wanted.from) query.from = wanted.from;
  if (wanted.until) query.until = wanted.until;
  if (wanted.refusals) query.refusals = true;
  if (after !== null) query.after = after;
  return query;
}
