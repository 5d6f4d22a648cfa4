/** A seat that lives in the browser: it answers like a table would, so that the screens can be looked at. */
import { begun, EMPTY, registered, send, stakesOf, total, type Change, type Kind, type Slip, type Stakes } from '../lib/betting/betting';
import { indexBook, type Book } from '../lib/book/book';
import type { BookView } from '../lib/live/wire';
import type { News } from '../lib/live/news';
import type { Errand, Read, Refused, RoundEnd, SeatSource, Voucher } from '../lib/live/source';
import type { RecalledRound } from '../lib/api/types';
import type { Limits, Outcome, SeatView, ShownNotice, TableView } from '../lib/live/wire';

const START_MS = Date.UTC(2026, 0, 5, 13, 4, 36);
const ROULETTE_LIMITS: Record<string, [number, number]> = {
  straight: [100, 20000], split: [100, 40000], street: [100, 60000], corner: [100, 80000], 'top-line': [100, 120000], 'six-line': [100, 120000],
  column: [500, 200000], dozen: [500, 200000], low: [500, 500000], high: [500, 500000], odd: [500, 500000], even: [500, 500000], red: [500, 500000], black: [500, 500000],
  symbol: [500, 100000],
};

type Phase = 'betting' | 'closed' | 'spinning' | 'resulted';
export type Scene = 'betting' | 'closing' | 'closed' | 'spinning' | 'win' | 'void' | 'disconnected' | 'locked' | 'empty' | 'crowded';

export class FixtureSeat implements SeatSource {
  connected = $state(true);
  book: Book;
  bookFailed = false;
  table: TableView = $state.raw()!;
  seat: SeatView = $state.raw()!;
  slip: Slip = $state.raw(EMPTY);
  ended: RoundEnd | null = $state.raw(null);
  lastStakes: Stakes = {};
  refused: Refused | null = $state.raw(null);
  totals: Stakes | null = null;
  now_ms = $state(START_MS);
  began_ms = START_MS - 42 * 60_000;

  constructor(view: BookView, scene: Scene, result: string | null) {
    this.book = indexBook(view);
    const kinds = [...new Set(view.layout.spots.map((spot) => spot.kind))];
    const limits: Limits = {
      bets: Object.fromEntries(kinds.map((kind) => { const [minimum_cents, maximum_cents] = ROULETTE_LIMITS[kind] ?? [100, 10000]; return [kind, { minimum_cents, maximum_cents }]; })),
      spots: {}, seat_cents: null, table_cents: null, exposure_cents: null,
    };
    const stakes = scene === 'empty' || scene === 'void' ? {} : scene === 'crowded' ? crowd(this.book) : sample(this.book);
    const credits = scene === 'empty' ? 0 : 124_000;
    this.lastStakes = sample(this.book);
    this.slip = begun(EMPTY, stakes);
    if (this.book.view.marks_boxes) this.totals = Object.fromEntries(view.layout.spots.map((spot, i) => [spot.bet, (stakes[spot.bet] ?? 0) + 9000 * i + 5000]));
    this.seat = {
      seat: '4', boxes_cents: this.totals, kind: view.terminal ?? 'place', layout: view.layout.id, in_use: true, visit: 3, lost: false, lock: scene === 'locked' ? 'Cash-out above the voucher limit' : null, call: null,
      credits_cents: credits, staked_cents: total(stakes), stakes, last_round: 48_212, last_win_cents: 18_000, visit_in_cents: 127_500 + total(stakes), visit_out_cents: 0, visit_turnover_cents: 400_000,
    };
    const outcomes = past(view, 200);
    this.table = {
      table: 'RT-07', book: view.id, layouts: [view.layout.id], open: true, halted: false, awaits_outcome: false, wheel_fault: false, rounds_left: null,
      round_number: 48_213, round: null, notice: '', clause: null, limits, cash_limit_cents: null, betting_seconds: 30, warning_seconds: 5, outcomes, notices: [],
    };
    const seconds = scene === 'closing' ? 4 : 18;
    if (scene === 'win') this.settle(result ?? (view.wheel.kind === 'ball' ? '17' : (view.wheel.outcomes[4]?.id ?? '')));
    else if (scene === 'void') this.cancel();
    else this.phase(scene === 'closed' || scene === 'spinning' ? scene : 'betting', seconds);
    this.connected = scene !== 'disconnected';
    if (scene === 'betting' && view.wheel.kind === 'ball') this.slip = send(this.slip, { deltas: { 'split:17/20': 500 }, commands: [] });
  }

  phase(phase: Phase, seconds = 30): void {
    const notice = { betting: 'open', closed: 'closed', spinning: 'spinning', resulted: 'spinning' }[phase];
    this.table = {
      ...this.table, notice: this.book.view.notices[notice]?.text ?? '', notices: [],
      round: { number: this.table.round_number, phase, opened_ms: this.now_ms, closes_ms: phase === 'betting' ? this.now_ms + seconds * 1000 : null, warned: false, spin: null, result: null, sensor: null },
    };
  }

  #said(step: string, facts: Readonly<Record<string, string>>): ShownNotice[] {
    const { text, clause } = this.book.view.notices[step]!;
    return [{ step, clause, text: text.replace(/\{(\w+)\}/g, (blank, name: string) => facts[name] ?? blank) }];
  }

  settle(result: string): void {
    const lines = Object.entries(stakesOf(this.slip)).map(([bet, stake_cents]) => {
      const spot = this.book.spots.get(bet)!;
      const won = spot.numbers.includes(result);
      return { bet, stake_cents, counted_cents: stake_cents, won, returned_cents: won ? stake_cents * (spot.pays + 1) : 0, clause: null };
    });
    const returned_cents = lines.reduce((sum, line) => sum + line.returned_cents, 0);
    this.ended = { round: this.table.round_number, result, lines, returned_cents, reason: null, clause: null };
    this.seat = { ...this.seat, credits_cents: this.seat.credits_cents + returned_cents, last_win_cents: returned_cents, staked_cents: 0, stakes: {} };
    this.slip = begun(this.slip, {});
    const label = this.book.outcomes.get(result)?.label ?? result;
    this.table = { ...this.table, round: null, notices: this.#said('result', { result: label }), outcomes: [{ round: this.table.round_number, result }, ...this.table.outcomes] };
  }

  cancel(): void {
    const reason = this.book.view.wheel.kind === 'ball' ? 'The ball left the wheel before it came to rest' : 'The clapper did not stop clearly inside one segment';
    this.ended = { round: this.table.round_number, result: null, lines: [], returned_cents: 4500, reason: `${reason}.`, clause: this.book.view.notices['void']!.source };
    this.table = { ...this.table, round: null, notices: this.#said('void', { round: '48213', reason }), outcomes: [{ round: this.table.round_number, result: null }, ...this.table.outcomes] };
  }

  change = (change: Change, kind: Kind): void => {
    this.slip = send(this.slip, change, kind);
    const id = this.slip.nextId - 1;
    setTimeout(() => {
      const sent = this.slip.onTheWay.find((each) => each.id === id);
      if (!sent) return;
      const stakes = stakesOf({ ...this.slip, onTheWay: [sent] });
      this.seat = { ...this.seat, stakes, staked_cents: total(stakes), credits_cents: this.seat.credits_cents - total(sent.deltas) };
      this.slip = registered(this.slip, id, stakes);
    }, 450);
  };

  news: readonly News[] = $state.raw([]);
  read = (read: News): void => { this.news = this.news.filter((each) => each !== read); };
  voucher: Voucher | null = $state.raw(null);
  errand: Errand | null = $state.raw(null);
  buyIn = (cents: number): Promise<boolean> => {
    this.seat = { ...this.seat, credits_cents: this.seat.credits_cents + cents, visit_in_cents: this.seat.visit_in_cents + cents };
    this.errand = { sheet: 'buyIn', cents, isUnderWay: false, refused: null };
    return Promise.resolve(true);
  };
  cashOut = (): Promise<boolean> => {
    this.voucher = { number: '123456789012345678', cents: this.seat.credits_cents, ticket: null };
    this.seat = { ...this.seat, credits_cents: 0 };
    return Promise.resolve(true);
  };
  settleUp = (): void => { this.errand = null; };
  callRefused = null;
  calling = false;
  callAnswered = $state(false);
  callAttendant = (reason: string): Promise<boolean> => {
    this.seat = { ...this.seat, call: { reason, since_ms: this.now_ms } };
    return Promise.resolve(true);
  };
  withdrawCall = (): Promise<boolean> => {
    this.seat = { ...this.seat, call: null };
    return Promise.resolve(true);
  };
  readAnswer = (): void => { this.callAnswered = false; };
  takeTicket = (): void => { this.voucher = null; };
  history: readonly RecalledRound[] = [];
  historyRead: Read = 'read';
  lookBack = (): Promise<void> => Promise.resolve();
  results = (): Promise<readonly Outcome[]> => Promise.resolve(this.table.outcomes);
}

function sample(book: Book): Record<string, number> {
  const wanted: Record<string, number> = book.view.wheel.kind === 'clapper'
    ? Object.fromEntries([[3, 1000], [4, 1500], [6, 2000]].map(([place, cents]) => [book.view.layout.spots[place!]?.bet ?? '', cents!]))
    : { 'straight:17': 500, 'split:17/20': 500, 'corner:25/26/28/29': 500, 'six-line:31/32/33/34/35/36': 500, red: 1000, 'dozen:2': 1000 };
  return Object.fromEntries(Object.entries(wanted).filter(([bet]) => book.spots.has(bet)));
}

/** Something on every bet: three chips and more on each, over 500 altogether on 165 bets. */
function crowd(book: Book): Record<string, number> {
  return Object.fromEntries(book.view.layout.spots.map((spot, i) => [spot.bet, [1600, 3100, 11500, 700, 800][i % 5]!]));
}

function past(view: BookView, rounds: number): Outcome[] {
  let seed = 20230406;
  const random = (): number => { seed = (seed * 1664525 + 1013904223) % 4294967296; return seed / 4294967296; };
  return Array.from({ length: rounds }, (_, i) => ({ round: 48_212 - i, result: i === 6 ? null : (view.wheel.order[Math.floor(random() * view.wheel.order.length)] ?? null) }));
}
