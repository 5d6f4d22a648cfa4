/** What a dealer has to look at, most urgent first; each with what can be done about it. */
import type { AttendantCall, ConsoleView, Do, Rejection, SeatLine, TableView } from '../../lib/live/wire';
import type { Key } from '../../lib/i18n/words.svelte';
import type { IconName } from '../../lib/parts/Icon.svelte';
import { smallOf, WHOLE_TABLE } from './excess';
import { disputeText } from './sensor';

/** By what an excess of the table counts that was not rejected. */
const TABLE_EXCESS = 'assumption:table-excess';

export interface Notice {
  id: string;
  tone: 'warn' | 'info' | 'danger';
  icon: IconName;
  title: Key;
  text: Key | null;
  facts: Record<string, string | number>;
  /** Cents among the facts are shown as money. */
  rejection?: Rejection;
  clause: string | null;
  button: Key;
  /** What the button does; where there is nothing to do, it says that it was seen. */
  does: { kind: 'do'; do: Do } | { kind: 'answer'; do: Do } | { kind: 'seat'; seat: string } | { kind: 'show'; bet: string } | { kind: 'dispute'; round: number } | { kind: 'seen' };
  /** Whether it goes away once it was acted on; what is still so stays in sight. */
  passes: boolean;
}

export interface Seen {
  table: TableView | null;
  console: ConsoleView | null;
  refused: { what: string; rejection: Rejection } | null;
  dismissed: ReadonlySet<string>;
  /** What the wins were that have locked seats. */
  wins: Readonly<Record<string, number>>;
}

/** What a locked seat waits for; where nobody remembers how large the win was, no other sum is given for it. */
export function lockOf(seat: SeatLine, wins: Readonly<Record<string, number>>): { text: Key; cents: number | null } {
  if (seat.lock === 'attendant-pay') return { text: 'con.notice.locked.pay', cents: seat.credits_cents };
  const cents = wins[seat.seat] ?? null;
  return { text: cents === null ? 'con.notice.locked.large' : 'con.notice.locked.win', cents };
}

/** The seats that wait for an attendant, the longest waiting first. */
export function callsOf(console: ConsoleView | null): { seat: string; call: AttendantCall }[] {
  const waiting = (console?.seats ?? []).flatMap(({ seat, call }) => (call ? [{ seat, call }] : []));
  return waiting.sort((a, b) => a.call.since_ms - b.call.since_ms);
}

export function noticesOf({ table, console, refused, dismissed, wins }: Seen): Notice[] {
  const found: Notice[] = [];
  const round = table?.round_number ?? 0;
  if (refused) {
    found.push({ id: `refused ${refused.what} ${refused.rejection.code} ${round}`, tone: 'danger', icon: 'alert', title: 'con.notice.refused', text: null, facts: {}, rejection: refused.rejection, clause: refused.rejection.clause, button: 'con.seen', does: { kind: 'seen' }, passes: true });
  }
  if (!console) return found;
  for (const dispute of console.disputes) {
    const { round: number, registered, sensed } = dispute;
    found.push({ id: `dispute ${number} ${registered} ${sensed}`, tone: 'danger', icon: 'alert', title: 'con.notice.dispute', text: disputeText(dispute), facts: { round: number, registered: registered ?? '', sensed: sensed ?? '' }, clause: null, button: 'con.notice.dispute.do', does: { kind: 'dispute', round: number }, passes: false });
  }
  if (console.halted_reason !== null) found.push({ id: 'halted', tone: 'danger', icon: 'alert', title: 'con.notice.halted', text: null, facts: { reason: console.halted_reason }, clause: null, button: 'con.seen', does: { kind: 'seen' }, passes: true });
  for (const seat of console.seats) {
    if (seat.lock === null) continue;
    const { text, cents } = lockOf(seat, wins);
    found.push({ id: `lock ${seat.seat}`, tone: 'warn', icon: 'lock', title: 'con.notice.locked', text, facts: { seat: seat.seat, ...(cents === null ? {} : { amount: cents }) }, clause: null, button: 'con.clear', does: { kind: 'seat', seat: seat.seat }, passes: false });
  }
  for (const { seat, call } of callsOf(console)) {
    found.push({ id: `call ${seat} ${call.since_ms}`, tone: 'warn', icon: 'bell', title: 'con.notice.call', text: 'con.notice.call.text', facts: { seat, call: call.reason, since_ms: call.since_ms }, clause: null, button: 'con.answered', does: { kind: 'answer', do: { type: 'answer-call', seat } }, passes: false });
  }
  if (console.wheel_fault !== null) found.push({ id: `fault ${console.wheel_fault}`, tone: 'warn', icon: 'alert', title: 'con.notice.fault', text: 'con.notice.fault.text', facts: { fault: console.wheel_fault }, clause: null, button: 'con.seen', does: { kind: 'seen' }, passes: true });
  const open = table?.round?.phase === 'betting';
  for (const box of console.stakes?.boxes ?? []) {
    if (box.excess_cents > 0) {
      const isTable = box.bet === WHOLE_TABLE;
      found.push({ id: `over ${round} ${box.bet} ${box.total_cents}`, tone: 'warn', icon: 'alert', title: isTable ? 'con.notice.overTable' : 'con.notice.over', text: open ? 'con.notice.over.reject' : isTable ? 'con.notice.overTable.whole' : 'con.notice.over.apportion', facts: { bet: box.bet, amount: box.excess_cents }, clause: isTable && !open ? TABLE_EXCESS : null, ...(open ? { button: 'con.show', does: { kind: 'show', bet: box.bet }, passes: false } : { button: 'con.seen', does: { kind: 'seen' }, passes: true }) });
    }
  }
  for (const { bet, seat, minimum_cents, advised } of open ? smallOf(console.stakes?.boxes ?? []) : []) {
    const facts = { bet, seat, amount: minimum_cents };
    if (advised) found.push({ id: `advised ${round} ${bet} ${seat}`, tone: 'info', icon: 'bell', title: 'con.notice.advised', text: 'con.notice.advised.text', facts, clause: null, button: 'con.rejectBet', does: { kind: 'do', do: { type: 'reject-advised', seat, bet } }, passes: false });
    else found.push({ id: `under ${round} ${bet} ${seat}`, tone: 'info', icon: 'bell', title: 'con.notice.under', text: 'con.notice.under.text', facts, clause: null, button: 'con.advise', does: { kind: 'do', do: { type: 'advise-minimum', seat, bet } }, passes: false });
  }
  for (const seat of console.seats) {
    if (seat.lost) found.push({ id: `lost ${round} ${seat.seat}`, tone: 'info', icon: 'off', title: 'con.notice.lost', text: 'con.notice.lost.text', facts: { seat: seat.seat, n: seat.bets }, clause: null, button: 'con.seen', does: { kind: 'seen' }, passes: true });
  }
  if (table && table.rounds_left !== null) found.push({ id: `last ${table.rounds_left}`, tone: 'info', icon: 'bell', title: 'con.notice.last', text: null, facts: { n: table.rounds_left }, clause: null, button: 'con.seen', does: { kind: 'seen' }, passes: true });
  return found.filter((notice) => !dismissed.has(notice.id));
}
