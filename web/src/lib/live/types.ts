/**
 * What a screen is told by its table: the counterpart of `croupier.protocol.views`.
 * These types stand here until they are generated from there; nothing else in `lib` knows the wire.
 */

export interface Range { minimum_cents: number; maximum_cents: number }

export interface Limits {
  /** By kind of bet, or by the id of one bet where it differs from its kind. */
  bets: Record<string, Range>;
  spots: Record<string, number>;
  seat_cents: number | null;
  table_cents: number | null;
  exposure_cents: number | null;
}

export interface Outcome { round: number; result: string | null }

export interface SpinView {
  ball: string | null;
  wheel: string | null;
  finished: boolean;
  pocket: string | null;
  revolutions: number | null;
}

export type Phase = 'betting' | 'closed' | 'spinning' | 'resulted';

export interface RoundView {
  number: number;
  phase: Phase;
  opened_ms: number | null;
  closes_ms: number | null;
  warned: boolean;
  spin: SpinView | null;
  result: string | null;
}

export interface TableView {
  table: string;
  book: string;
  layout: string;
  open: boolean;
  halted: boolean;
  awaits_outcome: boolean;
  wheel_fault: boolean;
  rounds_left: number | null;
  round_number: number;
  round: RoundView | null;
  notice: string;
  clause: string | null;
  limits: Limits;
  betting_seconds: number | null;
  warning_seconds: number;
  outcomes: Outcome[];
}

export interface SeatView {
  seat: string;
  kind: string;
  in_use: boolean;
  visit: number;
  lost: boolean;
  lock: string | null;
  credits_cents: number;
  staked_cents: number;
  stakes: Record<string, number>;
  last_round: number | null;
  last_win_cents: number;
  visit_in_cents: number;
  visit_turnover_cents: number;
}

/** How one bet of the seat was settled in the round that has just ended. */
export interface Line {
  bet: string;
  stake_cents: number;
  counted_cents: number;
  won: boolean;
  returned_cents: number;
  clause: string | null;
}

/** Why a command was not carried out. */
export interface Rejection { code: string; sentence: string; facts: Record<string, string | number>; clause: string | null }

/** An amount on a bet, or on each piece of an announced bet. */
export interface Stake { bet: string; cents: number }

/** The commands of a seat that change its bets. */
export type BetCommand =
  | { type: 'place-bets'; stakes: Stake[] }
  | { type: 'take-bets'; stakes: Stake[] }
  | { type: 'move-bet'; source: string; destination: string; cents: number }
  | { type: 'clear-bets' };
