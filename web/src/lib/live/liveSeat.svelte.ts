/** A seat at a live table: what the terminal shows and does, over the line to the floor. */
import type { Change, Kind, Slip, Stakes } from '../betting/betting';
import { EMPTY } from '../betting/betting';
import { Client, path, Refusal } from '../api/client';
import type { EnrolledDevice, PrintedTicket, RecalledRound } from '../api/types';
import { indexBook, type Book } from '../book/book';
import { readUntilFound } from './bookReading';
import { isInDoubt } from './connection';
import { Live } from './live.svelte';
import { endedBy, endRecalled, stakesBy, stakesOfLines } from './liveEnd';
import { Kept } from './kept';
import { Orders, type Keeping } from './liveOrders';
import { LiveSlip } from './liveSlip';
import { newsAfter, paidOut, readNews, without, type News } from './news';
import type { Errand, Read, Refused, RoundEnd, SeatSource, Voucher } from './source';
import type { Answer, BookView, Do, Outcome, Rejection, SeatView, TableView, Told } from './wire';

/** Why the house has no ticket any more; after any other answer the number may still be as good as the money. */
const TICKET_OVER: ReadonlySet<string> = new Set(['voucher-redeemed', 'voucher-paid', 'voucher-voided', 'voucher-expired', 'voucher-unknown']);

export class LiveSeat implements SeatSource {
  readonly live: Live;
  book: Book | null = $state.raw(null);
  bookFailed = $state(false);
  slip: Slip = $state.raw(EMPTY);
  ended: RoundEnd | null = $state.raw(null);
  lastStakes: Stakes = $state.raw({});
  refused: Refused | null = $state.raw(null);
  began_ms: number | null = $state(null);

  voucher: Voucher | null = $state.raw(null);
  errand: Errand | null = $state.raw(null);
  callRefused: Rejection | null = $state.raw(null);
  calling = $state(false);
  callAnswered = $state(false);
  news: readonly News[] = $state.raw([]);
  history: readonly RecalledRound[] = $state.raw([]);
  historyRead: Read = $state('waiting');

  #device: EnrolledDevice;
  #kept: Kept;
  #client: Client;
  #slip = new LiveSlip();
  #bookOf = '';
  #round = -1;
  /** The round that the stakes to repeat are of. */
  #stakedIn = -1;
  #visit: number | null = null;
  #lookedBack = 0;
  #isLeft = false;

  constructor(device: EnrolledDevice, keeping: Keeping | null, line: { open?: (address: string) => WebSocket } = {}) {
    this.#device = device;
    this.#kept = new Kept(keeping, device.device);
    this.#client = new Client(() => device.token);
    const sender = `${device.device}.${device.table}`;
    // What was on its way when the page was loaded again is so still.
    this.errand = new Orders(keeping, sender).toSend(null).map(({ do: what }) => errandOf(what, 0)).find((errand) => errand !== null) ?? null;
    this.live = new Live({
      ...line,
      token: device.token,
      audience: 'seat',
      table: device.table,
      sender,
      keeping,
      ontold: (told) => this.#told(told),
      onsnapshot: () => this.#shown(),
      onorphan: (what, answer) => this.#orphan(what, answer),
    });
  }

  get connected(): boolean { return this.live.connected; }
  get table(): TableView | null { return this.live.table; }
  get seat(): SeatView | null { return this.live.seat; }
  get totals(): Stakes | null { return this.seat?.boxes_cents ?? null; }
  get now_ms(): number { return this.live.now_ms; }

  start(): void { this.live.start(); }

  stop(): void {
    this.#isLeft = true;
    this.live.stop();
  }

  change = (change: Change, kind: Kind, name: string): void => {
    const seat = this.seat;
    if (!seat || !this.connected) return;
    this.refused = null;
    const id = this.#slip.send(change, kind);
    this.#showSlip();
    void this.#sendAll(id, change, seat.seat, name);
  };

  read = (news: News): void => this.#keepNews(without(this.news, news));

  /** Another errand at the cashier begins; one that is under way goes on, and what was said of it so far has been read. */
  settleUp = (): void => {
    if (!this.errand?.isUnderWay) this.errand = null;
    else if (this.errand.refused) this.errand = { ...this.errand, refused: null };
  };

  takeTicket = (): void => {
    this.voucher = null;
    this.#kept.set('voucher', null);
  };

  lookBack = (): Promise<void> => this.#readHistory();

  results = async (): Promise<readonly Outcome[] | null> => {
    const table = this.table?.table ?? '';
    const statistics = await this.#client.get<{ outcomes: Outcome[] }>(path`/api/tables/${table}/statistics`).catch(() => null);
    return statistics?.outcomes ?? null;
  };

  buyIn = (cents: number, voucher: string | null = null): Promise<boolean> => this.#move({ type: 'buy-credits', seat: this.#seatId(), cents, voucher });

  cashOut = (): Promise<boolean> => this.#move({ type: 'cash-out', seat: this.#seatId() });

  callAttendant = (reason: string): Promise<boolean> => this.#call({ type: 'call-attendant', seat: this.#seatId(), reason });

  withdrawCall = (): Promise<boolean> => this.#call({ type: 'answer-call', seat: this.#seatId() });

  readAnswer = (): void => { this.callAnswered = false; };

  async #call(what: Do): Promise<boolean> {
    this.callRefused = null;
    if (!this.connected || this.calling) return false;
    this.calling = true;
    const answer = await this.live.send(what).catch(() => null);
    this.calling = false;
    this.callRefused = answer?.refused ?? null;
    return answer !== null && !answer.refused;
  }

  #seatId(): string {
    return this.seat?.seat ?? this.#device.seat ?? '';
  }

  /** The commands of one change, in order; the first one that is refused ends it. */
  async #sendAll(id: number, change: Change, seat: string, name: string): Promise<void> {
    // An answer may come when the round is over; what follows is not for the next one either.
    const { round } = this.live;
    for (const command of change.commands) {
      const answer = await this.live.send({ ...command, seat } as Do, null, round).catch(() => null);
      if (answer === null) return;
      if (answer.refused) {
        this.#slip.refused(id, this.#stakes());
        this.refused = { name, rejection: answer.refused };
        break;
      }
      this.#slip.answered(id, answer.seq, this.#stakes(), this.live.sequence);
    }
    this.#showSlip();
  }

  async #move(what: Do): Promise<boolean> {
    const errand = errandOf(what, this.seat?.credits_cents ?? 0);
    if (!errand || this.errand?.isUnderWay) return false;
    this.errand = errand;
    const answer = await this.live.send(what).catch(() => null);
    this.errand = answer && endOf(errand, answer);
    if (answer?.voucher) void this.#showTicket(answer.voucher, errand.cents);
    return answer !== null && !answer.refused;
  }

  #orphan(what: Do, answer: Answer): void {
    const errand = errandOf(what, 0);
    if (errand) this.errand = endOf(this.errand?.sheet === errand.sheet ? this.errand : errand, answer);
    else if (answer.refused) this.refused = { name: '', rejection: answer.refused };
    // Where the page was loaded again before the ticket was seen, its amount stands on the ticket itself.
    if (what.type === 'cash-out' && answer.voucher) void this.#showTicket(answer.voucher, this.errand?.cents ?? 0);
  }

  #told(told: Told): void {
    const { event, seat } = told;
    const news = newsAfter(this.news, told);
    if (news !== this.news) this.#keepNews(news);
    if (event.type === 'attendant-called') this.callAnswered = false;
    else if (event.type === 'call-ended') this.callAnswered = event.how === 'answered';
    this.ended = endedBy(this.ended, event);
    const stakes = stakesBy(event);
    if (stakes) [this.lastStakes, this.#stakedIn] = [stakes, this.#round];
    if (event.type === 'round-opened') {
      this.#begin(event.round);
    } else if (event.type === 'bets-closed') {
      this.#slip.forget();
    } else if (event.type === 'bets-changed' && event.placed_by === 'player') {
      this.#slip.seen(this.#stakes());
    } else if (event.type === 'bets-changed' || event.type === 'bets-rejected' || event.type === 'seat-returned') {
      this.#slip.forget();
      this.#slip.settle(this.#stakes(), this.live.sequence);
    } else if (seat) {
      this.#slip.settle(this.#stakes(), this.live.sequence);
    }
    this.#showSlip();
    this.#noteVisit();
  }

  #begin(round: number): void {
    const isLoad = this.#round === -1;
    this.#round = round;
    this.refused = null;
    this.#slip.begin(this.#stakes());
    if (isLoad && this.table?.round?.phase === 'betting') this.#slip.recall(round, this.#kept.get('slip'));
  }

  /** Shows the slip; what was done in this round can be undone after a reload as well. */
  #showSlip(): void {
    this.slip = this.#slip.slip;
    const { onTheWay, done, undone, registered } = this.slip;
    if (!onTheWay.length) this.#kept.set('slip', done.length || undone.length ? { round: this.#round, done, undone, registered } : null);
  }

  #shown(): void {
    const { table } = this;
    if (!table) return;
    if (table.round_number !== this.#round) this.#begin(table.round_number);
    else this.#slip.shown(this.#stakes(), this.live.sequence);
    this.#showSlip();
    this.#noteVisit();
    void this.#readBook(table);
    void this.#readHistory();
  }

  #stakes(): Stakes {
    return this.seat?.stakes ?? {};
  }

  async #readBook(table: TableView): Promise<void> {
    const layout = this.seat?.layout ?? table.layouts[0] ?? '';
    const wanted = `${table.book} ${layout} ${table.table} ${this.seat?.kind}`;
    if (wanted === this.#bookOf) return;
    this.#bookOf = wanted;
    this.book = null;
    const terminal = this.seat?.kind;
    const view = await readUntilFound(
      () => this.#client.get<BookView>(path`/api/books/${table.book}/view`, { layout, terminal, table: table.table }),
      () => this.#isLeft || this.#bookOf !== wanted,
      () => { this.bookFailed = true; },
    );
    if (!view) return;
    this.bookFailed = false;
    this.book = indexBook(view);
  }

  /** What is over is not told again after a reload: it is looked up. */
  async #readHistory(): Promise<void> {
    const turn = ++this.#lookedBack;
    if (this.historyRead === 'failed') this.historyRead = 'waiting';
    const history = await readUntilFound(
      () => this.#client.get<{ rounds: RecalledRound[] }>('/api/seat/history'),
      () => this.#isLeft || this.#lookedBack !== turn,
      () => { this.historyRead = 'failed'; },
    );
    if (!history) return;
    this.historyRead = 'read';
    this.history = history.rounds;
    const last = history.rounds.find(({ seats }) => seats.some(({ lines }) => lines.length > 0));
    if (last && last.round > this.#stakedIn) [this.lastStakes, this.#stakedIn] = [stakesOfLines(last.seats[0]?.lines ?? []), last.round];
    const newest = history.rounds[0];
    if (newest && newest.round === this.table?.round_number && this.ended?.round !== newest.round) this.ended = endRecalled(newest) ?? this.ended;
  }

  /** A ticket is kept until the player has it: its number is as good as the money. */
  async #showTicket(number: string, cents: number): Promise<void> {
    const shown: Voucher = { number, cents, ticket: null };
    this.voucher = shown;
    this.#kept.set('voucher', { number, cents });
    const isGone = (): boolean => this.#isLeft || this.voucher !== shown;
    const ticket = await readUntilFound(
      () => this.#client.get<PrintedTicket>(path`/api/vouchers/${number}/ticket`).catch((error: unknown) => {
        if (error instanceof Refusal && TICKET_OVER.has(error.code) && !isGone()) this.takeTicket();
        throw error;
      }),
      isGone,
    );
    if (ticket) this.voucher = { number, cents: ticket.cents, ticket };
  }

  #keepNews(news: readonly News[]): void {
    this.news = news;
    this.#kept.set('news', news.length ? { visit: this.seat?.visit ?? 0, news } : null);
  }

  /** What the page knew before it was loaded again; what was told to an earlier player is nobody's business. */
  #remember(visit: number): void {
    const kept = this.#kept.get('news') as { visit?: number; news?: unknown } | null;
    this.news = kept?.visit === visit ? readNews(kept.news) : [];
    const voucher = this.#kept.get('voucher') as { number?: unknown; cents?: unknown } | string | null;
    // Earlier the number alone was kept.
    const { number, cents } = typeof voucher === 'string' ? { number: voucher, cents: 0 } : (voucher ?? {});
    if (typeof number === 'string' && !this.voucher) void this.#showTicket(number, typeof cents === 'number' ? cents : 0);
  }

  #endVisit(): void {
    this.began_ms = null;
    // How a round ended for whoever has left is nobody's business, and nobody's win.
    this.ended = null;
    this.lastStakes = {};
    this.history = [];
    this.historyRead = 'waiting';
    this.#lookedBack += 1;
    this.#keepNews(paidOut(this.news));
  }

  /** A visit begins with the first money, and a reload does not begin it anew. */
  #noteVisit(): void {
    const seat = this.seat;
    if (!seat) return;
    if (this.#visit === null) this.#remember(seat.visit);
    else if (this.#visit !== seat.visit) this.#endVisit();
    this.#visit = seat.visit;
    if (seat.visit_in_cents <= 0 && seat.credits_cents <= 0 && seat.staked_cents <= 0) {
      this.began_ms = null;
      return;
    }
    if (this.began_ms !== null) return;
    const kept = this.#kept.get('visit') as { visit?: number; began_ms?: number } | null;
    if (kept?.visit === seat.visit && typeof kept.began_ms === 'number') {
      this.began_ms = kept.began_ms;
      return;
    }
    this.began_ms = this.now_ms;
    this.#kept.set('visit', { visit: seat.visit, began_ms: this.began_ms });
  }
}

/** The errand that a command is at the cashier; none where it moves no money. All credits are paid at once. */
function errandOf(what: Do, credits_cents: number): Errand | null {
  if (what.type === 'buy-credits') return { sheet: 'buyIn', cents: what.cents, isUnderWay: true, refused: null };
  if (what.type === 'cash-out') return { sheet: 'cashOut', cents: credits_cents, isUnderWay: true, refused: null };
  return null;
}

/** How an errand ended; where nobody can say yet, it is under way still, and goes on by itself. */
const endOf = (errand: Errand, answer: Answer): Errand => ({ ...errand, isUnderWay: isInDoubt(answer.refused), refused: answer.refused ?? null });
