/** What one screen is shown of the floor, kept up to date: the views of the server, its clock, and the line. */
import { Connection, type Ended, type Line, type LineState } from './connection';
import { HouseClock } from './houseClock';
import type { Answer, ConsoleView, Do, Message, Overview, PitLine, SeatView, Second, TableView, Told, Welcome } from './wire';

export type Listening = Pick<Line, 'token' | 'audience' | 'table' | 'sender' | 'keeping' | 'open' | 'address'> & {
  ontold?: (told: Told) => void;
  onsnapshot?: () => void;
  onorphan?: (what: Do, answer: Answer) => void;
};

const TICK_MS = 250;

export class Live {
  state: LineState = $state('connecting');
  ended: Ended | null = $state.raw(null);
  welcome: Welcome | null = $state.raw(null);
  table: TableView | null = $state.raw(null);
  seat: SeatView | null = $state.raw(null);
  console: ConsoleView | null = $state.raw(null);
  pit: Readonly<Record<string, PitLine>> = $state.raw({});
  /** Whether there was anything to show yet: before that nothing is known, also not that nothing is wrong. */
  shownOnce = $state(false);
  /** From when that is what is shown, where the line is lost: when the floor was last heard, by its clock. */
  asOf_ms: number | null = $state(null);
  /** The server's time, told anew four times a second. */
  now_ms = $state(Date.now());
  sequence = 0;
  /** The last event that the console is shown with: an overview comes later than the answers to commands. */
  shown = 0;
  /** Whether what can be done was judged after the last thing that happened: consoles hear of it a moment later. */
  judged = $state(false);

  #connection: Connection;
  #listening: Listening;
  #house = new HouseClock();
  #heard_ms = 0;
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(listening: Listening) {
    this.#listening = listening;
    const { ontold: _told, onsnapshot: _snapshot, ...line } = listening;
    this.#connection = new Connection({
      ...line,
      round: () => this.round,
      sequence: () => this.sequence,
      onmessage: (message) => this.#take(message),
      onstate: (state) => {
        this.state = state;
        this.asOf_ms = this.shownOnce && state !== 'live' ? this.#heard_ms : null;
        this.ended = this.#connection.ended;
      },
    });
  }

  get connected(): boolean {
    return this.state === 'live';
  }

  /** The last round that the screen knows of. */
  get round(): number | null {
    return this.table?.round_number ?? null;
  }

  start(): void {
    this.#clock = setInterval(() => this.#tick(), TICK_MS);
    this.#connection.start();
  }

  stop(): void {
    clearInterval(this.#clock);
    this.#connection.close();
  }

  /** Gives a command, for the round in sight or for the one it was begun in; rejects with `Ended` where the line is over. */
  send(what: Do, second: Second | null = null, round = this.round): Promise<Answer> {
    return this.#connection.send(what, second, round);
  }

  #take(message: Message): void {
    this.#heard_ms = this.#house.now_ms;
    switch (message.type) {
      case 'welcome':
        this.welcome = message;
        this.#house.reset();
        this.#set(message.server_ms);
        break;
      case 'beat':
        this.#set(message.at_ms);
        break;
      case 'snapshot':
        this.sequence = message.seq;
        this.table = message.table ?? null;
        this.seat = message.seat ?? null;
        this.console = message.console ?? null;
        this.shown = message.seq;
        this.judged = true;
        this.shownOnce = true;
        if (message.pit) this.pit = byTable({}, message.pit);
        this.#listening.onsnapshot?.();
        break;
      case 'event':
        this.sequence = Math.max(this.sequence, message.seq);
        if (message.table) {
          this.table = message.table;
          this.judged = false;
        }
        if (message.seat) this.seat = message.seat;
        this.#listening.ontold?.(message);
        break;
      case 'overview':
        if (this.console) this.console = overviewed(this.console, message);
        this.shown = message.seq;
        if (message.seq >= this.sequence) this.judged = true;
        break;
      case 'boxes':
        if (this.seat) this.seat = { ...this.seat, boxes_cents: message.boxes_cents };
        break;
      case 'pit':
        this.pit = byTable(this.pit, message.lines);
        break;
    }
  }

  #set(server_ms: number): void {
    this.#house.set(server_ms);
    this.#tick();
  }

  #tick(): void {
    this.now_ms = this.#house.now_ms;
  }
}

/** The console after some news: seats that did not change are not part of it. */
export function overviewed(console: ConsoleView, news: Overview): ConsoleView {
  const seats = new Map(console.seats.map((line) => [line.seat, line]));
  for (const line of news.seats ?? []) seats.set(line.seat, line);
  return {
    halted_reason: news.halted_reason ?? null,
    wheel_fault: news.wheel_fault ?? null,
    disputes: news.disputes ?? [],
    stakes: news.stakes ?? null,
    seats: [...seats.values()],
    people: news.people ?? [],
    actions: news.actions ?? console.actions,
  };
}

function byTable(pit: Readonly<Record<string, PitLine>>, lines: readonly PitLine[]): Readonly<Record<string, PitLine>> {
  return { ...pit, ...Object.fromEntries(lines.map((line) => [line.view.table, line])) };
}
