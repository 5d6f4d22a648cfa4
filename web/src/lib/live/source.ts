/**
 * The seam between screens and what is live. A terminal reads a source and gives it changes; where the facts
 * come from, a table over a WebSocket or a fixture, is no business of a component.
 */
import type { Change, Kind, Slip, Stakes } from '../betting/betting';
import type { Book } from '../book/book';
import type { PrintedTicket, RecalledRound } from '../api/types';
import type { News } from './news';
import type { Line, Outcome, Rejection, SeatView, TableView } from './wire';

/** How the last round ended for this seat. */
export interface RoundEnd {
  round: number;
  /** None where the round is void. */
  result: string | null;
  lines: readonly Line[];
  returned_cents: number;
  reason: string | null;
  clause: string | null;
}

/** A change that the server did not take. */
export interface Refused { name: string; rejection: Rejection }

/**
 * One errand at the cashier: money on its way, or how it ended; the next begins when this one is answered. What is
 * under way and refused is in doubt: nobody can say yet whether it was done, and it is asked for again by itself.
 */
export interface Errand { sheet: 'buyIn' | 'cashOut'; cents: number; isUnderWay: boolean; refused: Rejection | null }

/** Whether something that is asked for is there: it was not answered yet, was read, or could not be read. */
export type Read = 'waiting' | 'read' | 'failed';

/** A voucher that this seat was given; its ticket follows as soon as the floor has drawn it. */
export interface Voucher { number: string; cents: number; ticket: PrintedTicket | null }

export interface SeatSource {
  readonly connected: boolean;
  readonly book: Book | null;
  /** Whether the book could not be read; it is asked for again until it is there. */
  readonly bookFailed: boolean;
  readonly table: TableView | null;
  readonly seat: SeatView | null;
  readonly slip: Slip;
  readonly ended: RoundEnd | null;
  /** What the seat had in the round before, for repeating it. */
  readonly lastStakes: Stakes;
  readonly refused: Refused | null;
  /** What lies in each box over all players, where the table tells. */
  readonly totals: Stakes | null;
  /** The server's time. */
  readonly now_ms: number;
  /** When the visit of this player began. */
  readonly began_ms: number | null;
  change: (change: Change, kind: Kind, name: string) => void;

  /** What has happened to this player's bets beside the ordinary, until it is read. */
  readonly news: readonly News[];
  read: (news: News) => void;

  /** The voucher of the last cash-out, until the player says that the ticket is taken. */
  readonly voucher: Voucher | null;
  /** The money that moves, or how the last errand ended, until another begins. */
  readonly errand: Errand | null;
  /** Buys credits with cash, or with a voucher; whether it was done. One errand at a time: a second one is not sent. */
  buyIn: (cents: number, voucher?: string | null) => Promise<boolean>;
  cashOut: () => Promise<boolean>;
  /** The player starts something else at the cashier, or has the ticket. */
  settleUp: () => void;
  takeTicket: () => void;

  /** Calls an attendant to the seat; the call itself stands in the view of the seat. */
  callAttendant: (reason: string) => Promise<boolean>;
  withdrawCall: () => Promise<boolean>;
  /** Whether a call, or its end, is on its way. */
  readonly calling: boolean;
  /** Why a call was not taken. */
  readonly callRefused: Rejection | null;
  /** Whether the last call was answered, until the player has read it. */
  readonly callAnswered: boolean;
  readAnswer: () => void;

  /** The rounds of this visit, newest first; `lookBack` has them read anew. */
  readonly history: readonly RecalledRound[];
  readonly historyRead: Read;
  lookBack: () => Promise<void>;
  /** All results that the table keeps, newest first; null where they could not be read. */
  results: () => Promise<readonly Outcome[] | null>;
}
