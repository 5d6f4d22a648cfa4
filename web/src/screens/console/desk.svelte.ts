/** What a dealer works with: the live table, what may be done there, what was refused, and what is being decided. */
import type { House } from '../../lib/api/house';
import type { Foreseen, ForeseenCorrection, MetersView, RecalledRound, SeatVouchers, SignedIn } from '../../lib/api/types';
import { readLayouts, type Book } from '../../lib/book/book';
import { readUntilFound } from '../../lib/live/bookReading';
import { Live } from '../../lib/live/live.svelte';
import type { Answer, Decide, DeclareIrregularity, Do, Rejection, Second, TableView, Told } from '../../lib/live/wire';
import { declaredOf, stepOf, type Dialog, type Tab, type Voiding } from './deciding';
import { Foresight } from './foresight.svelte';
import { added, entryOf, merged, type Entry } from './logging';
import { Resting } from './resting.svelte';
import { sensorWaits } from './sensor';

export type { Voiding } from './deciding';

/** A second person at the same console makes up for what the first one may not do alone. */
const TAKES_ANOTHER: ReadonlySet<string> = new Set(['second-person', 'not-allowed', 'result-disagrees', 'sensor-failed', 'outcome-disputed', 'no-spin-recorded']);
export const takesAnother = (rejection: Rejection): boolean => TAKES_ANOTHER.has(rejection.code);

/** What is judged by the number that the wheel reports as well, and may take another person for that. */
const JUDGED_BY_WHEEL: ReadonlySet<Do['type']> = new Set<Do['type']>(['enter-result', 'confirm-result', 'correct-result']);
/** What is entered in a row for players: the next stake is typed while the table answers the last one. */
const IN_A_ROW: ReadonlySet<Do['type']> = new Set<Do['type']>(['buy-credits', 'place-bets', 'take-bets']);
/** What nothing else waits for. */
const BESIDE: ReadonlySet<Do['type']> = new Set<Do['type']>(['answer-call', 'call-attendant']);

/** No number of a wheel is as long; what is longer was meant for something else. */
const MOST_DIGITS = 4;
/** Why a number is put right unless somebody says otherwise, as it is recorded; screens say it in their own language. */
export const MISREAD = 'Number misread on entry';
/** So many rounds are looked through after a reload. */
const LOOKS_BACK = 12;

const without = (wins: Readonly<Record<string, number>>, seat: string): Record<string, number> => Object.fromEntries(Object.entries(wins).filter(([each]) => each !== seat));

export class Desk {
  readonly live: Live;
  readonly person: SignedIn;
  /** On the layout that is looked at. */
  book: Book | null = $state.raw(null);
  /** On every layout of the table. */
  books: readonly Book[] = $state.raw([]);
  /** The rules could not be read, and are asked for again. */
  bookUnread = $state(false);
  log: readonly Entry[] = $state.raw([]);
  /** The last round that is over, as it is recorded. */
  ended: RecalledRound | null = $state.raw(null);
  refused: { what: Do['type']; rejection: Rejection } | null = $state.raw(null);
  /** The command that waits for its answer. */
  waiting: Do['type'] | null = $state(null);
  voiding: Voiding | null = $state.raw(null);
  dialog: Dialog | null = $state.raw(null);
  /** A number that is being typed. */
  typed = $state('');
  /** What was typed is on no compartment of this wheel: it stays in sight, and the next digit begins anew. */
  unknown = $state(false);
  /** The result that the wheel shows after an interruption, chosen and not stated yet. */
  stated: string | null = $state(null);
  /** The pad is open although a result is registered: it is to be changed. */
  changing = $state(false);
  /** The next digit names an irregularity. */
  armed = $state(false);
  tab: Tab = $state('seats');
  wheelOrder = $state(false);
  dismissed: ReadonlySet<string> = $state.raw(new Set());
  /** What this person may ask the house for; null where nobody has asked yet. */
  may: ReadonlySet<string> | null = $state.raw(null);
  /** What the wins were that have locked seats, by seat. */
  wins: Readonly<Record<string, number>> = $state.raw({});
  /** Whether the last spin was reported by the wheel; null where nobody has seen one yet. */
  spunByWheel: boolean | null = $state(null);
  readonly resting = new Resting();
  /** What voiding earlier rounds with the running one would do. */
  readonly foresight = new Foresight<Foreseen>(() => this.consequences(declaredOf(this.voiding, this.live.table)));

  #house: House;
  #table: string;
  #bookOf = '';
  #turn = 0;
  #stopped = false;
  /** Commands that others do not wait for, under way. */
  #beside = new Set<string>();
  /** The round and its phase that the page was told last. */
  #step = '';

  /** Commands are kept as long as the session. */
  constructor(house: House, person: SignedIn, table: string, keeping: Storage | null) {
    this.#house = house;
    this.#table = table;
    this.person = person;
    this.live = new Live({
      token: person.token,
      audience: 'console',
      table,
      sender: `${person.session}.${table}`,
      keeping,
      ontold: (told) => this.#told(told),
      onsnapshot: () => this.#shown(),
      onorphan: (what, answer) => {
        if (answer.refused || this.refused?.what === what.type) this.refused = answer.refused ? { what: what.type, rejection: answer.refused } : null;
      },
    });
  }

  start(): void {
    this.live.start();
  }
  stop(): void {
    this.#stopped = true;
    this.resting.end();
    this.foresight.stop();
    this.live.stop();
  }

  /** Why something cannot be done now; null where it can, undefined where nobody has said. */
  refusalOf = (action: string): Rejection | null | undefined => this.live.console?.actions.find((each) => each.action === action)?.refusal;

  /** Whether another person may be asked for with the answer that is awaited: what is typed meanwhile is meant for that. */
  get mayAskAnother(): boolean {
    if (this.waiting === null || IN_A_ROW.has(this.waiting)) return false;
    const refusal = this.refusalOf(this.waiting);
    return JUDGED_BY_WHEEL.has(this.waiting) || !this.live.judged || (!!refusal && takesAnother(refusal));
  }

  /** Whether the number of this round may be typed although the table has not said yet that the ball rolls. */
  get typesAhead(): boolean { return this.waiting === 'start-spin' && this.live.table?.round?.phase === 'closed'; }

  /** Whether the sensor sees the ball roll, so that nobody enters a number. */
  get waitsForSensor(): boolean { return sensorWaits(this.live.table, this.live.judged ? this.refusalOf('enter-result') : undefined); }

  /** Gives a command, one at a time: what is pressed twice is done once. */
  perform = (what: Do, second: Second | null = null, round = this.live.round): Promise<Answer | null> => {
    if (BESIDE.has(what.type)) return this.#aside(what);
    return this.waiting === null ? this.send(what, second, round) : Promise.resolve(null);
  };

  /** Gives a command that nothing waits for, and that waits for nothing; once, however often it is pressed. */
  async #aside(what: Do): Promise<Answer | null> {
    const key = JSON.stringify(what);
    if (!this.live.connected || this.#beside.has(key)) return null;
    this.#beside.add(key);
    const answer = await this.live.send(what).catch(() => null);
    this.#beside.delete(key);
    if (answer?.refused) this.refused = { what: what.type, rejection: answer.refused };
    return answer;
  }

  /** Gives a command beside others. Where it takes another person, that is asked for in place. */
  send = async (what: Do, second: Second | null = null, round = this.live.round): Promise<Answer | null> => {
    if (!this.live.connected) return null;
    const turn = ++this.#turn;
    this.waiting = what.type;
    const answer = await this.live.send(what, second, round).catch(() => null);
    if (turn === this.#turn) this.waiting = null;
    // No ball rolls: what was typed for it is no number of this round.
    if (what.type === 'start-spin' && (!answer || answer.refused)) this.#untype();
    if (!answer) return null;
    if (answer.refused && second === null && takesAnother(answer.refused)) {
      this.dialog = { kind: 'authorise', do: what, round, why: answer.refused };
    } else {
      this.refused = answer.refused ? { what: what.type, rejection: answer.refused } : null;
    }
    return answer;
  };

  /** Types a digit of a result. */
  type = (digit: string): void => {
    if (this.unknown) this.typed = '';
    this.unknown = false;
    if (this.typed.length < MOST_DIGITS) this.typed += digit;
  };

  erase = (): void => {
    this.unknown = false;
    this.typed = this.typed.slice(0, -1);
  };

  /** Takes the number that is typed; one that the wheel does not have stays where it is. */
  enter = (): void => {
    if (this.book?.outcomes.has(this.typed)) this.choose(this.typed);
    else this.unknown = this.typed !== '';
  };

  /** The pad was touched, or a number was typed: it is registered, put right, or kept for the recovery's answer. */
  choose = (result: string): void => {
    const { table } = this.live;
    if (!table || !this.book?.outcomes.has(result)) return;
    const round = table.round;
    if (table.awaits_outcome) {
      this.#untype();
      this.voiding = null;
      this.stated = result;
    } else if (this.waiting !== null || !this.live.connected || this.waitsForSensor) {
      // It cannot be registered now: it stays in sight, and Enter takes it once it can.
      [this.typed, this.unknown] = [result, false];
    } else if (round?.phase === 'resulted' && round.result !== null) {
      this.#untype();
      this.changing = false;
      if (result !== round.result) void this.perform({ type: 'correct-result', round: round.number, result, reason: MISREAD });
    } else if (round?.phase === 'spinning') {
      this.#untype();
      void this.perform({ type: 'enter-result', result });
    }
  };

  /** Names a round in which it happened, or takes its name back; the running one by its number as well. */
  affect = (round: number): void => {
    if (!this.voiding) return;
    const { rounds, running } = this.voiding;
    if (round === this.live.table?.round?.number) {
      this.voiding = { ...this.voiding, running: !running };
    } else {
      const isIn = rounds.includes(round);
      this.voiding = { ...this.voiding, rounds: isIn ? rounds.filter((each) => each !== round) : [...rounds, round].sort((a, b) => a - b) };
    }
    if (this.voiding.rounds.length) void this.foresight.look();
  };

  /** Earlier rounds would be void with the running one, and what that does is not known. */
  get unforeseen(): boolean { return !!this.voiding?.rounds.length && this.foresight.reading.found === null; }

  /** Voids the round by what was chosen before, once what it means is in sight. */
  voidIt = async (): Promise<void> => {
    const voiding = this.voiding;
    if (!voiding || this.unforeseen || this.foresight.checking || !(voiding.running || voiding.rounds.length)) return;
    // What is voided is what was seen.
    if (voiding.rounds.length && (!(await this.foresight.sure()) || this.voiding !== voiding)) return;
    const declared = declaredOf(voiding, this.live.table);
    this.voiding = null;
    if (voiding.do === 'no-spin') await this.perform({ type: 'call-no-spin', reason: voiding.title });
    else if (voiding.do === 'no-outcome') await this.perform({ type: 'state-outcome', result: null });
    else await this.perform(declared);
  };

  /** One step back; nothing happens at the table. */
  back = (): void => {
    if (this.dialog) this.dialog = null;
    else if (this.typed) this.#untype();
    else if (this.voiding) this.voiding = null;
    else if (this.stated !== null) this.stated = null;
    else if (this.armed) this.armed = false;
    else if (this.changing) this.changing = false;
    else if (this.live.table?.round?.phase === 'resulted') this.changing = true;
    else this.refused = null;
  };

  /** A round as it is recorded. */
  recall = (round: number): Promise<RecalledRound> => this.#house.round(this.#table, round);

  /** What another result would do to a settled round. */
  foresee = (round: number, result: string): Promise<ForeseenCorrection> => this.#house.correction(this.#table, round, result);

  /** What a decision, or voiding rounds, would do. */
  consequences = (what: Decide | DeclareIrregularity): Promise<Foreseen> => this.#house.foreseen(this.#table, what);

  /** Asked for once, when it first matters. */
  readRights = async (): Promise<void> => {
    if (this.may !== null) return;
    const me = await this.#house.session().catch(() => null);
    if (me) this.may = new Set(me.may);
  };

  meters = (): Promise<MetersView> => this.#house.meters(this.#table);
  vouchersOf = (seat: string): Promise<SeatVouchers> => this.#house.seatVouchers(this.#table, seat);

  dismiss = (notice: string): void => { this.dismissed = new Set([...this.dismissed, notice]); };

  #told(told: Told): void {
    this.log = added(this.log, entryOf(told));
    // The table has gone on: what comes next is another action, and need not wait for the answer to this one.
    if (told.table) {
      this.waiting = null;
      this.#step = stepOf(told.table);
      this.resting.at(told.table);
    }
    const { event } = told;
    switch (event.type) {
      case 'seat-locked':
        if (event.reason === 'win') this.wins = { ...this.wins, [event.seat]: event.cents };
        break;
      case 'seat-unlocked':
        this.wins = without(this.wins, event.seat);
        break;
      case 'spin-started':
        this.spunByWheel = event.said_by === 'wheel';
        break;
      case 'result-entered':
        // Touched twice, it is registered once.
        if (this.typed === event.result) this.#untype();
        break;
      case 'round-opened':
        this.#follow('seats');
        this.ended = null;
        break;
      case 'bets-closed':
        this.#follow('irregularities');
        break;
      case 'round-settled':
      case 'round-voided':
      case 'result-corrected':
        this.#follow('seats');
        void this.#readEnded(event.round);
        break;
      case 'decision-recorded':
        // Bets that go back of a round that is settled leave its result as it is.
        if (event.ruling === 'return-bets') void this.#readEnded(event.round);
        break;
      case 'table-interrupted':
      case 'table-halted':
        this.#follow('log');
        break;
    }
  }

  /** The step has changed: what was begun in the one before is no more. */
  #follow(tab: Tab): void {
    this.tab = tab;
    this.#untype();
    this.voiding = null;
    this.stated = null;
    this.changing = false;
    this.armed = false;
  }

  #untype(): void {
    this.typed = '';
    this.unknown = false;
  }

  #shown(): void {
    const { table } = this.live;
    if (!table) return;
    const tab = table.round && table.round.phase !== 'betting' ? 'irregularities' : 'seats';
    // What was begun before the line broke is meant for the step in which it was begun, and for no other.
    if (stepOf(table) === this.#step) this.tab = tab;
    else this.#follow(tab);
    this.#step = stepOf(table);
    this.resting.at(table);
    void this.#readBook(table);
    void this.#readLog(table.round_number);
    this.wins = {};
    void this.#lookBack(table.round_number);
    if (!table.round) void this.#readEnded(table.round_number);
  }

  async #readBook({ book, layouts, table }: TableView): Promise<void> {
    const wanted = `${book} ${layouts.join()} ${table}`;
    if (wanted === this.#bookOf) return;
    this.#bookOf = wanted;
    const read = (layout: string) => this.#house.book(book, layout, table);
    const books = await readUntilFound(() => readLayouts(layouts, read), () => this.#stopped || this.#bookOf !== wanted, () => { this.bookUnread = true; });
    if (!books) return;
    this.bookUnread = false;
    this.books = books;
    this.book = books[0] ?? null;
  }

  async #readLog(round: number): Promise<void> {
    const told = this.log.length ? this.log : [];
    const recalled = round ? await this.recall(round).catch(() => null) : null;
    if (recalled) this.log = merged(recalled.acts, this.log.slice(told.length));
  }

  /** Reads earlier rounds for what the page was not told: who reports spins here, and which wins have locked seats. */
  async #lookBack(newest: number): Promise<void> {
    for (let round = newest; round > Math.max(0, newest - LOOKS_BACK); round -= 1) {
      const open = (this.live.console?.seats ?? []).some(({ seat, lock }) => lock === 'win' && this.wins[seat] === undefined);
      if (!open && this.spunByWheel !== null) return;
      const recalled = await this.recall(round).catch(() => null);
      if (!recalled) return;
      for (const { event } of [...recalled.acts, ...recalled.after]) {
        if (event.type === 'spin-started') this.spunByWheel ??= event['said_by'] === 'wheel';
        else if (event.type === 'seat-locked' && event['reason'] === 'win') this.wins = { [String(event['seat'])]: Number(event['cents']), ...this.wins };
      }
    }
  }

  /** Looks up the round that has just ended. */
  async #readEnded(round: number): Promise<void> {
    const recalled = round ? await this.recall(round).catch(() => null) : null;
    if (recalled && round === this.live.table?.round_number && !this.live.table.round) this.ended = recalled;
  }
}
