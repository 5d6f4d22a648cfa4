/** A seat at a live table: what the terminal shows and does, over the line to the floor. */
import type { Change, Kind, Slip, Stakes } from '../betting/betting';
import { EMPTY } from '../betting/betting';
import { Client, path, Refusal } from '../api/client';
import type { EnrolledDevice, PrintedTicket, RecalledRound } from '../api/types';
import { indexBook, type Book } from '../book/book';
import { Live } from './live.svelte';
import { endedBy, endRecalled, stakesBy, stakesOfLines } from './liveEnd';
import { Kept } from './kept';
import type { Keeping } from './liveOrders';
import { LiveSlip } from './liveSlip';
import { newsAfter, paidOut, readNews, without, type News } from './news';
import type { Refused, RoundEnd, SeatSource, Voucher } from './source';
import type { Answer, BookView, Do, Outcome, Rejection, SeatView, TableView, Told } from './wire';

export class LiveSeat implements SeatSource {
  readonly live: Live;
  book: Book | null = $state.raw(null);
  slip: Slip = $state.raw(EMPTY);
  ended: RoundEnd | null = $state.raw(null);
  lastStakes: Stakes = $state.raw({});
  refused: Refused | null = $state.raw(null);
  began_ms: number | null = $state(null);

  voucher: Voucher | null = $state.raw(null);
  cashRefused: Rejection | null = $state.raw(null);
  callRefused: Rejection | null = $state.raw(null);
  callAnswered = $state(false);
  news: readonly News[] = $state.raw([]);
  history: readonly RecalledRound[] = $state.raw([]);

  #device: EnrolledDevice;
  #kept: Kept;
  #client: Client;
  #slip = new LiveSlip();
  #bookOf = '';
  #round = -1;
  #visit: number | null = null;

  constructor(device: EnrolledDevice, keeping: Keeping | null, line: { open?: (address: string) => WebSocket } = {}) {
    this.#device = device;
    this.#kept = new Kept(keeping, device.device);
    this.#client = new Client(() => device.token);
    this.live = new Live({
      ...line,
      token: device.token,
      audience: 'seat',
      table: device.table,
      sender: `${device.device}.${device.table}`,
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
  stop(): void { this.live.stop(); }

  change = (change: Change, kind: Kind, name: string): void => {
    const seat = this.seat;
    if (!seat || !this.connected) return;
    this.refused = null;
    const id = this.#slip.send(change, kind);
    this.#showSlip();
    void this.#sendAll(id, change, seat.seat, name);
  };

  read = (news: News): void => this.#keepNews(without(this.news, news));

  /** Another errand at the cashier begins. */
  settleUp = (): void => { this.cashRefused = null; };

  takeTicket = (): void => {
    this.voucher = null;
    this.#kept.set('voucher', null);
  };

  lookBack = (): Promise<void> => this.#readHistory();

  results = async (): Promise<readonly Outcome[]> => {
    const table = this.table?.table ?? '';
    const statistics = await this.#client.get<{ outcomes: Outcome[] }>(path`/api/tables/${table}/statistics`).catch(() => null);
    return statistics?.outcomes ?? this.table?.outcomes ?? [];
  };

  buyIn = (cents: number, voucher: string | null = null): Promise<boolean> => this.#move({ type: 'buy-credits', seat: this.#seatId(), cents, voucher });

  cashOut = (): Promise<boolean> => this.#move({ type: 'cash-out', seat: this.#seatId() });

  callAttendant = (reason: string): Promise<boolean> => this.#call({ type: 'call-attendant', seat: this.#seatId(), reason });

  withdrawCall = (): Promise<boolean> => this.#call({ type: 'answer-call', seat: this.#seatId() });

  readAnswer = (): void => { this.callAnswered = false; };

  async #call(what: Do): Promise<boolean> {
    this.callRefused = null;
    if (!this.connected) return false;
    const answer = await this.live.send(what).catch(() => null);
    this.callRefused = answer?.refused ?? null;
    return answer !== null && !answer.refused;
  }

  #seatId(): string {
    return this.seat?.seat ?? this.#device.seat ?? '';
  }

  /** The commands of one change, in order; the first one that is refused ends it. */
  async #sendAll(id: number, change: Change, seat: string, name: string): Promise<void> {
    for (const command of change.commands) {
      const answer = await this.live.send({ ...command, seat } as Do).catch(() => null);
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
    this.cashRefused = null;
    const before = this.seat?.credits_cents ?? 0;
    const answer = await this.live.send(what).catch(() => null);
    if (answer === null) return false;
    this.cashRefused = answer.refused ?? null;
    if (answer.voucher) void this.#showTicket(answer.voucher, before);
    return !answer.refused;
  }

  #orphan(what: Do, answer: Answer): void {
    if (answer.refused) {
      this.refused = { name: '', rejection: answer.refused };
    } else if (what.type === 'cash-out' && answer.voucher) {
      // The page was loaded again before the ticket was seen; its amount stands on the ticket itself.
      void this.#showTicket(answer.voucher, 0);
    }
  }

  #told(told: Told): void {
    const { event, seat } = told;
    const news = newsAfter(this.news, told);
    if (news !== this.news) this.#keepNews(news);
    if (event.type === 'attendant-called') this.callAnswered = false;
    else if (event.type === 'call-ended') this.callAnswered = event.how === 'answered';
    this.ended = endedBy(this.ended, event);
    this.lastStakes = stakesBy(event) ?? this.lastStakes;
    if (event.type === 'round-opened') {
      this.#begin(event.round);
    } else if (event.type === 'bets-closed') {
      this.#slip.close();
    } else if (event.type === 'bets-changed' && event.placed_by === 'player') {
      this.#slip.seen(this.#stakes());
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
    else this.#slip.settle(this.#stakes(), this.live.sequence);
    this.#showSlip();
    this.#noteVisit();
    void this.#readBook(table);
    void this.#readHistory();
  }

  #stakes(): Stakes {
    return this.seat?.stakes ?? {};
  }

  async #readBook(table: TableView): Promise<void> {
    const wanted = `${table.book} ${table.layout} ${this.seat?.kind}`;
    if (wanted === this.#bookOf) return;
    const view = await this.#client.get<BookView>(path`/api/books/${table.book}/view`, { layout: table.layout, terminal: this.seat?.kind }).catch(() => null);
    if (!view) return;
    this.#bookOf = wanted;
    this.book = indexBook(view);
  }

  /** What is over is not told again after a reload: it is looked up. */
  async #readHistory(): Promise<void> {
    const history = await this.#client.get<{ rounds: RecalledRound[] }>('/api/seat/history').catch(() => null);
    if (!history) return;
    this.history = history.rounds;
    const last = history.rounds.find(({ seats }) => seats.some(({ lines }) => lines.length > 0));
    if (last && !Object.keys(this.lastStakes).length) this.lastStakes = stakesOfLines(last.seats[0]?.lines ?? []);
    const newest = history.rounds[0];
    if (!this.ended && newest && newest.round === this.table?.round_number) this.ended = endRecalled(newest);
  }

  /** A ticket is kept until the player has it: its number is as good as the money. */
  async #showTicket(number: string, cents: number): Promise<void> {
    this.voucher = { number, cents, ticket: null };
    this.#kept.set('voucher', number);
    try {
      const ticket = await this.#client.get<PrintedTicket>(path`/api/vouchers/${number}/ticket`);
      if (this.voucher?.number === number) this.voucher = { number, cents: ticket.cents, ticket };
    } catch (error) {
      // Redeemed or paid elsewhere it is no ticket any more; where nobody answers, the number still is one.
      if (error instanceof Refusal && !cents) this.takeTicket();
    }
  }

  #keepNews(news: readonly News[]): void {
    this.news = news;
    this.#kept.set('news', news.length ? { visit: this.seat?.visit ?? 0, news } : null);
  }

  /** What the page knew before it was loaded again; what was told to an earlier player is nobody's business. */
  #remember(visit: number): void {
    const kept = this.#kept.get('news') as { visit?: number; news?: unknown } | null;
    this.news = kept?.visit === visit ? readNews(kept.news) : [];
    const number = this.#kept.get('voucher');
    if (typeof number === 'string') void this.#showTicket(number, 0);
  }

  #endVisit(): void {
    this.began_ms = null;
    this.lastStakes = {};
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
