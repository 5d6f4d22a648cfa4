/** Views as a server sends them. */
import type { ConsoleView, Message, RoundView, SeatView, TableEvent, TableView, Told, Welcome } from '../src/lib/live/wire';

const LIMITS = { bets: { straight: { minimum_cents: 100, maximum_cents: 20_000 } }, spots: {}, seat_cents: null, table_cents: null, exposure_cents: null };

export const round = (number: number, more: Partial<RoundView> = {}): RoundView => ({
  number, phase: 'betting', opened_ms: null, closes_ms: null, warned: false, spin: null, result: null, sensor: null, ...more,
});

export const table = (more: Partial<TableView> = {}): TableView => ({
  table: 'R1', book: 'mbs-roulette', layouts: ['main'], open: true, halted: false, awaits_outcome: false, wheel_fault: false, rounds_left: null,
  round_number: 7, round: round(7), notice: 'Place your bets', clause: null, limits: LIMITS, cash_limit_cents: null, betting_seconds: null, warning_seconds: 5, outcomes: [], notices: [], ...more,
});

export const seat = (stakes: Record<string, number> = {}, more: Partial<SeatView> = {}): SeatView => ({
  seat: '1', kind: 'rapid-fusion', layout: 'main', in_use: true, visit: 1, lost: false, lock: null, call: null, credits_cents: 10_000, staked_cents: Object.values(stakes).reduce((a, b) => a + b, 0), stakes, boxes_cents: null,
  last_round: null, last_win_cents: 0, visit_in_cents: 10_000, visit_out_cents: 0, visit_turnover_cents: 0, ...more,
});

export const consoleView = (more: Partial<ConsoleView> = {}): ConsoleView => ({
  halted_reason: null, wheel_fault: null, disputes: [], stakes: null, seats: [], people: [], actions: [], ...more,
});

export const welcome = (more: Partial<Welcome> = {}): Welcome => ({
  type: 'welcome', version: 1, epoch: 'one', server_ms: 0, audience: 'seat', table: 'R1', seat: '1', who: 'device-1', position: 'player', last_number: 0, resumed: false, demonstration: false, zone: 'UTC', ...more,
});

export const snapshot = (seq: number, more: { table?: TableView; seat?: SeatView; console?: ConsoleView } = {}): Message => ({ type: 'snapshot', seq, table: table(), seat: seat(), ...more });

export const told = (seq: number, event: TableEvent, more: Partial<Told> = {}): Told => ({ type: 'event', seq, at_ms: 0, name: 'R1', event, ...more });

export const refusal = (code: string) => ({ code, sentence: `Not ${code}.`, facts: {}, clause: null });
