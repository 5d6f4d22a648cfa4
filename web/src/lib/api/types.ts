/** What the HTTP interface answers, as far as the screens read it; `/api/openapi.json` describes all of it. */
import type { Line, Meters, Outcome } from '../live/wire';

export interface Me {
  /** `staff`, or the kind of the device. */
  kind: string;
  id: string;
  position: string | null;
  duties: string[];
  table: string | null;
  seat: string | null;
  expires_ms: number | null;
  /** The operations that the caller may use. */
  may: string[];
}

export interface SignedIn { token: string; session: string; name: string; position: string; duties: string[]; expires_ms: number; /** The time zone of the house. */ zone: string }

export interface EnrolledDevice { token: string; device: string; kind: string; table: string | null; seat: string | null; replaced: string[] }
/** The layout is that of a terminal's seat. */
export interface CodeForDevice { code: string; kind: string; table: string | null; seat: string | null; layout?: string | null; expires_ms: number }
export interface Device {
  id: string;
  kind: string;
  table: string | null;
  seat: string | null;
  enrolled_ms: number;
  enrolled_by: string;
  address: string;
  revoked_ms: number | null;
  revoked_by: string | null;
  revoked_because: string | null;
}

export interface StaffRow {
  name: string;
  position: string;
  duties: string[];
  added_ms: number;
  password_set_ms: number;
  /** Whether the person has still to change the password they were given. */
  is_one_time: boolean;
  last_sign_in_ms: number | null;
  retired_ms: number | null;
  locked_until_ms: number | null;
}
export interface Users { at_ms: number; staff: StaffRow[] }
export interface OneTimePassword { name: string; password: string }

export type Status = 'outstanding' | 'redeemed' | 'paid' | 'voided' | 'expired';
export interface Voucher {
  number: string;
  cents: number;
  /** That of the table that issued it; empty where nobody can tell. */
  currency: string;
  table: string;
  sequence: number;
  seat: string;
  issued_ms: number;
  expires_ms: number;
  status: Status;
  ended_at: string | null;
  ended_ms: number | null;
  /** Whether its end was recorded by a clock that was ahead, so that a shift manager can take it back. */
  reinstatable: boolean;
}
/** Only the end of its number is told. */
export interface VoucherLine { number: string; cents: number; currency: string; table: string; seat: string; issued_ms: number; expires_ms: number }
/** With the house's time, by which they expire. */
export interface Outstanding { vouchers: VoucherLine[]; totals_cents: Totals; now_ms: number }
/** Amounts by currency: those of different ones are never added up. */
export type Totals = Readonly<Record<string, number>>;
/** A voucher that a seat was given, and what became of it; only the end of its number is told. */
export type SeatVoucher = Omit<Voucher, 'currency' | 'table' | 'sequence' | 'seat' | 'reinstatable'>;
/** Newest first. */
export interface SeatVouchers { vouchers: SeatVoucher[] }
/** What the cage did with a voucher; only the end of its number is told. */
export interface CageAct { day: string; shift: string; time_ms: number; cashier: string; act: 'paid' | 'voided' | 'expired' | 'reinstated'; number: string; currency: string; cents: number; reason: string; sequence: number }
/** The cage's acts of some gaming days, and what was outstanding behind them; of one cashier alone where one is named. */
export interface CageReport { from_day: string | null; to_day: string | null; cashier: string | null; acts: CageAct[]; outstanding_cents: Totals; shift: string | null }
export interface Paid { voucher: Voucher; repeated: boolean }
export interface Ticket { number: string; cents: number; currency: string; figures: string; words: string }
/** A ticket with the lines as they are printed, and its barcode. */
export interface PrintedTicket extends Ticket { lines: string[]; barcode_svg: string }

/** The running totals of a seat; of the whole table where `seat` is null. */
export interface MetersLine { seat: string | null; credits_cents: number; meters: Meters }
export interface MetersView { table: string; at_ms: number; readings: MetersLine[] }

export interface RecalledLine { round: number; opened_ms: number; ended_ms: number; state: 'settled' | 'voided'; result: string | null }
export interface RecalledRounds { table: string; rounds: RecalledLine[] }
/** Credits after the round are those of its end; a later correction has its own. */
/** The layout is null before its bets were settled, and at a table with one. */
export interface RecalledSeat { seat: string; layout?: string | null; credits_before_cents: number; credits_after_cents: number; lines: Line[] }
/** Its kind stands under `type`; which facts it has follows from that. */
export interface RecalledEvent { type: string; [fact: string]: unknown }
export interface RecalledAct {
  at_ms: number;
  event: RecalledEvent;
  what: string | null;
  actor: string | null;
  position: string | null;
  second: string | null;
  /** The seat's credits behind it, where it is a correction that moved them. */
  credits_cents?: number | null;
}
export interface RecalledRound {
  label: string;
  table: string;
  round: number;
  result: string | null;
  notices: { at_ms: number; text: string }[];
  seats: RecalledSeat[];
  /** What moved credits between the round before and this one. */
  between: RecalledAct[];
  /** Among them what moved credits while the round ran because another one was corrected. */
  acts: RecalledAct[];
  /** What else moved credits since the round ended, up to the next one. */
  after: RecalledAct[];
}

/** What a correction would do to one seat. */
export interface ForeseenSeat {
  seat: string;
  before_cents: number;
  due_cents: number;
  difference_cents: number;
  credits_after_cents: number;
  /** What could not be taken back in all. */
  shortfall_cents: number;
  /** What is owed in all to a player who has left. */
  unclaimed_cents: number;
  /** What of it covers what other rounds of the visit are short of, or the other way round. */
  netted_cents?: number;
  /** What was written off before, and is kept beside what came back. */
  written_off_cents: number;
  has_left: boolean;
}
export interface ForeseenCorrection { round: number; registered: string; result: string; seats: ForeseenSeat[]; house_before_cents: number; house_after_cents: number }

/** What a decision, or voiding rounds, would do to one seat, over all rounds concerned. */
export interface ForeseenCredits {
  seat: string;
  before_cents: number;
  after_cents: number;
  difference_cents: number;
  /** What of the difference are stakes of the round that runs. */
  returned_cents: number;
  shortfall_cents: number;
  unclaimed_cents: number;
  /** What gains of one round have covered of the shortfalls of another. */
  netted_cents?: number;
  /** Whether whoever had bets in one of the rounds has left. */
  has_left: boolean;
}
/** A settled round that would have another result, or none. */
export interface ForeseenRound { round: number; registered: string; result: string | null; house_before_cents: number; house_after_cents: number }
export interface Foreseen { rounds: ForeseenRound[]; seats: ForeseenCredits[] }

export interface ReportRow {
  table: string | null;
  dealer: string | null;
  day: string | null;
  shift: string | null;
  hour: string | null;
  /** Of all its amounts; empty where nobody can tell. */
  currency: string;
  drop_cents: number;
  cash_in_cents: number;
  vouchers_in_cents: number;
  vouchers_out_cents: number;
  attendant_pays_cents: number;
  shortfall_in_cents: number;
  written_off_cents: number;
  unclaimed_out_cents: number;
  turnover_cents: number;
  returned_cents: number;
  wins_cents: number;
  win_cents: number;
  hold_percent: string | null;
  hold_of_turnover_percent: string | null;
  rounds: number;
  rounds_an_hour: string | null;
  open_seconds: string;
  games_played: number;
  games_voided: number;
  average_bet_cents: number | null;
  voids: number;
  corrections: number;
  refusals: number;
  refusals_by_code: Record<string, number>;
  voids_by_cause: Record<string, VoidsOf>;
}
/** How often a cause voided a round, by what the wheel did then; and how many the sensor contradicted. */
export interface VoidsOf { not_spun: number; rolling: number; at_rest: number; settled: number; against_sensor: number }
export interface Ruling {
  table: string;
  sequence: number;
  time_ms: number;
  day: string;
  shift: string;
  dealer: string;
  round: number;
  kind: string;
  old: string | null;
  new: string | null;
  cause: string;
  reason: string;
  clause: string;
  actor: string;
  second: string | null;
  win_change_cents: number;
  returned_cents: number;
  /** What a correction had left open and was paid, collected or written off. */
  carried_cents: number;
  /** What the wheel did when the round was void; null of one that was settled. */
  wheel: string | null;
  against_sensor: boolean;
}
export interface Report {
  by: string[];
  zone: string;
  shifts: string[];
  from_day: string | null;
  to_day: string | null;
  rows: ReportRow[];
  /** One for each currency. */
  totals: ReportRow[];
  rulings: Ruling[];
}

export interface SignificantEvent {
  time_ms: number;
  table: string;
  sequence: number;
  event: string;
  round: number | null;
  seat: string | null;
  actor: string;
  position: string;
  second: string | null;
  clause: string | null;
  what: string;
}
export interface EventPage { events: SignificantEvent[]; next: string | null }

/** A wheel as the house's watch sees it. */
export interface WatchedWheel {
  wheel: string;
  book: string;
  tables: string[];
  spins: number;
  voided: number;
  disagreed: number;
  /** One fair wheel in so many ever raises the alarm. */
  one_in: number;
  /** The evidence against chance now; the alarm is raised at `log10_needed`, and stays. */
  log10_e: number;
  log10_needed: number;
  raised_round: number | null;
  raised_ms: number | null;
  p_value: number | null;
  /** In the wheel's order. */
  outcomes: { outcome: string; count: number; expected: number }[];
}

export interface Statistics {
  table: string;
  rounds: number;
  voids: number;
  outcomes: Outcome[];
  frequencies: Record<string, number>;
  colours: Record<string, number>;
}

export interface DemonstrationPerson { name: string; position: string; duties: string[] }
export interface DemonstrationTable {
  table: string;
  book: string;
  title: string;
  operator: string;
  layouts: string[];
  round_number: number;
  open: boolean;
  /** Whether players sit at terminals; where not, the dealer enters their stakes. */
  has_terminals: boolean;
  /** By layout. */
  free_seats: Record<string, number>;
}
export interface DemonstrationFloor { name: string; password: string; people: DemonstrationPerson[]; tables: DemonstrationTable[] }
