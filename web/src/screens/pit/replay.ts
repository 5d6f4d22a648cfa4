/** A round that is over, as it stood after each of its acts; made from the record alone. */
import type { RecalledAct, RecalledRound } from '../../lib/api/types';

export type Phase = 'betting' | 'closed' | 'spinning' | 'settled' | 'void';

export interface SeatThen {
  seat: string;
  /** None at a table with one. */
  layout?: string | null;
  /** Stakes by bet. */
  stakes: Record<string, number>;
  staked_cents: number;
  /** What came back; none before the round ended for the seat. */
  returned_cents: number | null;
  credits_cents: number;
}

export interface Moment {
  at_ms: number;
  phase: Phase | null;
  notice: string;
  seats: SeatThen[];
  total_cents: number;
  bets: number;
  ball: string | null;
  wheel: string | null;
  revolutions: number | null;
  pocket: string | null;
  /** Entered or confirmed. */
  result: string | null;
}

export interface Stretch { phase: Phase; from_ms: number; until_ms: number }

interface Change { bet: string; cents: number }

/** How the round stood after the act at this place. */
export function momentOf(round: RecalledRound, place: number): Moment {
  const seats = new Map(round.seats.map((seat): [string, SeatThen] => [
    seat.seat, { seat: seat.seat, layout: seat.layout ?? null, stakes: {}, staked_cents: 0, returned_cents: null, credits_cents: seat.credits_before_cents },
  ]));
  const moment: Moment = {
    at_ms: round.acts[0]?.at_ms ?? 0, phase: null, notice: '', seats: [], total_cents: 0, bets: 0,
    ball: null, wheel: null, revolutions: null, pocket: null, result: null,
  };
  // Credits are those before a seat's first bet: what was bought until then is part of them.
  const began = new Set<string>();
  for (const act of round.acts.slice(0, place + 1)) follow(moment, seats, began, round.round, act);
  moment.seats = [...seats.values()];
  moment.total_cents = moment.seats.reduce((sum, seat) => sum + seat.staked_cents, 0);
  moment.bets = moment.seats.reduce((sum, seat) => sum + Object.keys(seat.stakes).length, 0);
  return moment;
}

function follow(moment: Moment, seats: Map<string, SeatThen>, began: Set<string>, round: number, { at_ms, event, credits_cents }: RecalledAct): void {
  moment.at_ms = at_ms;
  if (typeof event['notice'] === 'string') moment.notice = event['notice'];
  moment.phase = phaseAfter(event) ?? moment.phase;
  const seat = typeof event['seat'] === 'string' ? seats.get(event['seat']) : undefined;
  const cents = Number(event['cents'] ?? 0);
  switch (event.type) {
    case 'bets-changed':
      if (seat) for (const change of event['changes'] as Change[]) put(seat, change.bet, change.cents);
      if (seat) began.add(seat.seat);
      break;
    case 'bets-rejected':
      if (seat) put(seat, String(event['bet']), -cents);
      break;
    case 'credits-bought':
      if (seat && began.has(seat.seat)) seat.credits_cents += cents;
      break;
    case 'credits-paid-out':
      if (seat && began.has(seat.seat)) seat.credits_cents -= cents;
      break;
    case 'seat-settled':
      if (seat) end(seat, Number(event['returned_cents']));
      break;
    case 'seat-returned':
      if (!seat) break;
      if (event['void']) end(seat, cents);
      // Some bets went back by a decision while the round ran: they are no more in play.
      else for (const change of event['bets'] as Change[]) put(seat, change.bet, change.cents);
      break;
    case 'seat-corrected':
      // Another round may have been corrected meanwhile; where the player has left, no credits moved.
      if (seat && began.has(seat.seat)) seat.credits_cents = credits_cents ?? seat.credits_cents;
      if (seat && event['round'] === round) seat.returned_cents = Number(event['returned_cents']);
      break;
    case 'spin-started':
      moment.ball = text(event['ball']);
      moment.wheel = text(event['wheel']);
      break;
    case 'spin-finished':
      moment.pocket = text(event['pocket']);
      moment.revolutions = typeof event['revolutions'] === 'number' ? event['revolutions'] : null;
      break;
    case 'result-entered':
    case 'result-confirmed':
    case 'outcome-stated':
      moment.result = text(event['result']);
      break;
    case 'result-corrected':
      moment.result = text(event['new']);
      break;
    case 'round-voided':
      moment.result = null;
      break;
  }
}

function put(seat: SeatThen, bet: string, cents: number): void {
  const now = (seat.stakes[bet] ?? 0) + cents;
  if (now > 0) seat.stakes[bet] = now;
  else delete seat.stakes[bet];
  seat.staked_cents += cents;
  seat.credits_cents -= cents;
}

function end(seat: SeatThen, returned_cents: number): void {
  seat.returned_cents = (seat.returned_cents ?? 0) + returned_cents;
  seat.credits_cents += returned_cents;
}

function phaseAfter(event: RecalledAct['event']): Phase | undefined {
  switch (event.type) {
    case 'round-opened': return 'betting';
    case 'bets-closed': return 'closed';
    case 'spin-started': return 'spinning';
    case 'result-confirmed':
    case 'round-settled': return 'settled';
    case 'round-voided': return 'void';
    // A settled round that is voided later is corrected to no result.
    case 'result-corrected': return event['new'] === null ? 'void' : undefined;
    default: return undefined;
  }
}

const text = (fact: unknown): string | null => (typeof fact === 'string' ? fact : null);

/** The phases one after the other, each until the next one began. */
export function stretchesOf(round: RecalledRound): Stretch[] {
  const last_ms = round.acts.at(-1)?.at_ms ?? 0;
  const begins = round.acts.flatMap(({ at_ms, event }) => {
    const phase = phaseAfter(event);
    return phase ? [{ phase, at_ms }] : [];
  }).filter(({ phase }, place, all) => all[place - 1]?.phase !== phase);
  return begins.map(({ phase, at_ms }, place) => ({ phase, from_ms: at_ms, until_ms: begins[place + 1]?.at_ms ?? last_ms }));
}

/** How much was put on or taken off at each moment, for the bars of the timeline. */
export function stakedAt(round: RecalledRound): { at_ms: number; cents: number }[] {
  return round.acts.flatMap(({ at_ms, event }) => event.type !== 'bets-changed' ? [] : [{
    at_ms, cents: (event['changes'] as Change[]).reduce((sum, { cents }) => sum + Math.abs(cents), 0),
  }]);
}

/** The longest pause while a round is played again; nobody wants to wait as long as the table did. */
const LONGEST_MS = 2_000;

/** How long to wait after an act until the next one, at so many times the speed it had. */
export function pauseAfter(round: RecalledRound, place: number, speed: number): number {
  const [now, next] = [round.acts[place], round.acts[place + 1]];
  return now && next ? Math.min(LONGEST_MS, Math.max(0, next.at_ms - now.at_ms) / speed) : 0;
}
