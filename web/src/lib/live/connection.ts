/** A line to the floor that comes back by itself, and never loses or doubles a command. */
import { Doubts } from './doubts';
import { isOfItsRound, Orders, type Keeping } from './liveOrders';
import { SENT_AGAIN, VERSION, type Answer, type Asked, type Bye, type Do, type Message, type Order, type Rejection, type Second, type Welcome } from './wire';

export type LineState = 'connecting' | 'live' | 'lost' | 'ended';

export interface Line {
  token: string;
  audience: 'seat' | 'display' | 'console' | 'pit';
  table?: string | null;
  /** Under which id commands are numbered: the device or the session, and the table. */
  sender: string;
  keeping?: Keeping | null;
  address?: string;
  open?: (address: string) => WebSocket;
  /** The round that the screen shows, or last showed. */
  round: () => number | null;
  /** The last event that the screen shows. */
  sequence: () => number;
  onmessage: (message: Message) => void;
  onstate: (state: LineState) => void;
  /**
   * An answer that nobody waits for: the command was given before the page was loaded again, or those who waited
   * were told that nobody could say yet what became of it.
   */
  onorphan?: (what: Do, answer: Answer) => void;
}

/** The floor does not want this client any more, or the client has left. */
export class Ended extends Error {
  readonly code: string;

  constructor(code: string, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

interface Promised { resolve: (answer: Answer) => void; reject: (ended: Ended) => void }

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const BEAT_MS = 10_000;
/** Three beats that did not come: whatever the browser believes, nobody is there. */
export const SILENT_MS = 3 * BEAT_MS;
const MOST_RENUMBERINGS = 16;

export class Connection {
  state: LineState = 'connecting';
  welcome: Welcome | null = null;
  ended: Ended | null = null;

  #line: Line;
  #orders: Orders;
  #promised = new Map<number, Promised>();
  #renumbered = new Map<number, number>();
  /** Commands of which nobody could say yet whether they were carried out. */
  #doubts = new Doubts(() => this.#sendAll());
  #early: (() => void)[] = [];
  #socket: WebSocket | null = null;
  #pause_ms = SHORTEST_PAUSE_MS;
  /** By a clock that nobody sets. */
  #heard_ms = 0;
  /** What this socket has said so far: who we are, and what there is to show. */
  #welcomed = false;
  #shown = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(line: Line) {
    this.#line = line;
    this.#orders = new Orders(line.keeping ?? null, line.sender);
  }

  start(): void {
    this.#watch = setInterval(() => this.#listen(), BEAT_MS / 4);
    globalThis.addEventListener?.('online', this.#hurry);
    this.#connect();
  }

  /** Gives a command, for the round that the screen shows or for an earlier one; the answer comes once it is on the disk. */
  send(what: Do, second: Second | null = null, round: number | null = this.#line.round()): Promise<Answer> {
    if (this.ended) return Promise.reject(this.ended);
    // Which number is free is known from the first welcome on.
    if (!this.welcome) return new Promise((resolve, reject) => { this.#early.push(() => this.send(what, second, round ?? this.#line.round()).then(resolve, reject)); });
    const order = this.#inDoubt(what) ?? this.#orders.add(what, second, round);
    const answer = new Promise<Answer>((resolve, reject) => this.#promised.set(order.number, { resolve, reject }));
    // What is given behind a command in doubt is not to be carried out before it.
    if (this.state === 'live' && !this.#doubts.any) this.#write(order);
    return answer;
  }

  /** What is given once more while nobody can say whether it was done is the same command, and not a second one. */
  #inDoubt(what: Do): Order | undefined {
    const order = this.#orders.all().find(({ number, do: given }) => this.#doubts.isTold(number) && JSON.stringify(given) === JSON.stringify(what));
    if (order) this.#doubts.renew(order.number);
    return order;
  }

  /** Asks for everything anew. */
  resync(): void {
    if (this.state === 'live') this.#write({ type: 'resync' });
  }

  /** Leaves. */
  close(): void {
    this.#end(new Ended('closed', 'This screen has left.'));
  }

  #connect(): void {
    if (this.ended) return;
    clearTimeout(this.#timer);
    const socket = (this.#line.open ?? ((address) => new WebSocket(address)))(this.#line.address ?? addressHere());
    this.#socket = socket;
    this.#heard_ms = performance.now();
    this.#welcomed = this.#shown = false;
    socket.onopen = () => this.#hello();
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.#socket) return;
      this.#heard_ms = performance.now();
      this.#take(JSON.parse(event.data) as Message);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost(this.#welcomed ? SHORTEST_PAUSE_MS : null);
    };
  }

  #hello(): void {
    const { token, audience, table } = this.#line;
    const seq = this.#line.sequence();
    // Commands that wait are judged by the round of the table now, which a snapshot tells at once.
    const resume = this.welcome && seq && !this.#orders.any ? { epoch: this.welcome.epoch, seq } : null;
    this.#write({ type: 'hello', version: VERSION, token, audience, table: table ?? null, resume });
  }

  #take(message: Message): void {
    switch (message.type) {
      case 'welcome':
        this.welcome = message;
        this.#orders.answeredTo(message.last_number);
        for (const send of this.#early.splice(0)) send();
        this.#line.onmessage(message);
        this.#welcomed = true;
        this.#shown ||= message.resumed;
        this.#readyOnce();
        return;
      case 'snapshot':
        this.#line.onmessage(message);
        this.#shown = true;
        this.#readyOnce();
        return;
      case 'answer':
        this.#line.onmessage(message);
        this.#answered(message);
        return;
      case 'problem':
        // A command that the floor cannot read gets no other answer, and is not sent again.
        if (message.number != null) this.#answered({ type: 'answer', number: message.number, seq: 0, refused: { code: message.code, sentence: message.sentence, facts: {}, clause: null } });
        break;
      case 'beat':
        this.#write({ type: 'alive', at_ms: message.at_ms });
        break;
      case 'bye':
        this.#bye(message);
        break;
    }
    this.#line.onmessage(message);
  }

  /** Once everything is there, in whichever order it came, what waits is sent; what was left behind is told so. */
  #readyOnce(): void {
    if (this.state === 'live' || !this.#welcomed || !this.#shown) return;
    this.#pause_ms = SHORTEST_PAUSE_MS;
    this.#become('live');
    const round = this.#line.round();
    for (const number of this.#orders.overtaken(round)) {
      this.#answered({ type: 'answer', number, seq: 0, refused: OVERTAKEN });
    }
    for (const order of this.#orders.toSend(round)) this.#write(order);
  }

  #answered(answer: Answer): void {
    const waiting = this.#orders.get(answer.number);
    if (answer.refused?.code === 'number-reused' && this.#sentAgain(answer.number)) return;
    if (waiting && isInDoubt(answer.refused)) {
      const isTime = this.#doubts.add(answer.number);
      // Money, seats and the table's own state are asked for until somebody can say, a bet as long as it makes sense.
      if (!isOfItsRound(waiting.do)) {
        if (isTime) this.#tell(answer, waiting.do);
        return;
      }
      if (!isTime) return;
    }
    this.#orders.remove(answer.number);
    this.#renumbered.delete(answer.number);
    this.#tell(answer, waiting?.do);
    this.#doubts.remove(answer.number);
  }

  #tell(answer: Answer, what: Do | undefined): void {
    const promised = this.#promised.get(answer.number);
    this.#promised.delete(answer.number);
    if (promised) promised.resolve(answer);
    else if (what) this.#line.onorphan?.(what, answer);
  }

  #sendAll(): void {
    if (this.state === 'live') for (const order of this.#orders.all()) this.#write(order);
  }

  /** Two pages of one sender count apart: what was carried out under this number was another command. */
  #sentAgain(number: number): boolean {
    const times = this.#renumbered.get(number) ?? 0;
    const order = times < MOST_RENUMBERINGS ? this.#orders.renumber(number, 2 ** times) : undefined;
    if (!order) return false;
    const promised = this.#promised.get(number);
    this.#promised.delete(number);
    this.#renumbered.delete(number);
    if (promised) this.#promised.set(order.number, promised);
    this.#renumbered.set(order.number, times + 1);
    this.#write(order);
    this.#doubts.remove(number);
    return true;
  }

  #bye(bye: Bye): void {
    if (bye.again_seconds === null) this.#end(new Ended(bye.code, bye.sentence));
    else this.#lost(1000 * bye.again_seconds);
  }

  #lost(pause_ms: number | null): void {
    this.#drop();
    if (this.ended) return;
    this.#become(this.welcome ? 'lost' : 'connecting');
    this.#pause_ms = pause_ms ?? this.#pause_ms;
    clearTimeout(this.#timer);
    // Terminals that were cut off together do not come back in the same instant.
    this.#timer = setTimeout(() => this.#connect(), this.#pause_ms * (0.75 + 0.5 * Math.random()));
    this.#pause_ms = Math.min(2 * Math.max(this.#pause_ms, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  }

  #listen(): void {
    if (this.#socket && performance.now() - this.#heard_ms > SILENT_MS) this.#lost(SHORTEST_PAUSE_MS);
  }

  #hurry = (): void => {
    if (!this.ended && !this.#socket) this.#connect();
  };

  #end(ended: Ended): void {
    if (this.ended) return;
    this.ended = ended;
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#doubts.stop();
    globalThis.removeEventListener?.('online', this.#hurry);
    this.#drop();
    for (const send of this.#early.splice(0)) send();
    for (const { reject } of this.#promised.values()) reject(ended);
    this.#promised.clear();
    this.#become('ended');
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #write(asked: Asked | Order): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(asked));
  }

  #become(state: LineState): void {
    if (this.state === state) return;
    this.state = state;
    this.#line.onstate(state);
  }
}

/** Whether a refusal leaves open what became of the command. */
export const isInDoubt = (refused: Rejection | null | undefined): boolean => refused != null && SENT_AGAIN.has(refused.code);

/** What a command gets that belonged to a round which is over. */
export const OVERTAKEN = {
  code: 'overtaken',
  sentence: 'The round went on while there was no connection. What the screen shows is what counts.',
  facts: {},
  clause: null,
};

function addressHere(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}
