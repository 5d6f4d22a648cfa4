/**
 * The seam between screens and what is live. A terminal reads a source and gives it changes; where the facts
 * come from, a table over a WebSocket or a fixture, is no business of a component.
 */
import type { Change, Kind, Slip, Stakes } from '../betting/betting';
import type { Book } from '../book/book';
import type { Line, Rejection, SeatView, TableView } from './wire';

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

export type Request = 'history' | 'buy-in' | 'cash-out' | 'attendant';

export interface SeatSource {
  readonly connected: boolean;
  readonly book: Book | null;
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
  request: (request: Request) => void;
}
