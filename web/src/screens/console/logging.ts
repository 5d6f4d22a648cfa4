/** What has happened at the table, as lines that a dealer can read at a glance. */
import type { Book } from '../../lib/book/book';
import { reasonOfCall } from '../../lib/i18n/calls';
import { nameOfBox, WHOLE_TABLE } from './excess';
import type { Key, Words } from '../../lib/i18n/words.svelte';
import type { RecalledAct } from '../../lib/api/types';
import type { TableEvent, Told } from '../../lib/live/wire';
import { reasonOf, titleOf } from './reasons';

/** One thing that happened; whoever was behind it is a person, a device, or the table itself. */
export interface Entry { at_ms: number; who: string | null; event: TableEvent }

export interface LogLine { at_ms: number; who: string; text: string; clause: string | null; marked: boolean }

/** What every seat does in every round stands in the panels of the seats. */
const QUIET: ReadonlySet<string> = new Set(['bets-changed', 'seat-settled', 'seat-returned', 'table-created', 'spin-committed', 'commitment-opened', 'closing-warned']);
const MARKED: ReadonlySet<string> = new Set([
  'round-voided', 'result-corrected', 'table-interrupted', 'table-halted', 'box-marked', 'bets-rejected', 'shortfall-raised', 'carried-netted', 'carried-settled', 'decision-recorded',
  'spin-reported-late', 'result-upheld',
]);
const MOST = 80;

export function entryOf(told: Told): Entry {
  return { at_ms: told.at_ms, who: told.actor ?? null, event: told.event };
}

/** What is recalled, in the order in which it happened: a later correction stands among what was after the round. */
export function entriesOf(acts: readonly RecalledAct[]): Entry[] {
  return acts.map(recalledEntry).sort((one, other) => one.at_ms - other.at_ms);
}

function recalledEntry({ at_ms, actor, event }: RecalledAct): Entry {
  return { at_ms, who: actor, event: event as unknown as TableEvent };
}

/** The log after a look into the record: what it says, and what was told since it was asked. */
export function merged(acts: readonly RecalledAct[], told: readonly Entry[]): Entry[] {
  const recalled = acts.map(recalledEntry);
  const known = new Set(recalled.map(({ at_ms, event }) => `${at_ms} ${event.type}`));
  return [...recalled, ...told.filter(({ at_ms, event }) => !known.has(`${at_ms} ${event.type}`))].slice(-MOST);
}

export function added(log: readonly Entry[], entry: Entry): Entry[] {
  return [...log, entry].slice(-MOST);
}

/** The last event of a kind in a round. */
export function lastOf<T extends TableEvent['type']>(log: readonly Entry[], round: number, type: T): (Entry & { event: Extract<TableEvent, { type: T }> }) | undefined {
  return log.findLast((entry): entry is Entry & { event: Extract<TableEvent, { type: T }> } => entry.event.type === type && 'round' in entry.event && entry.event.round === round);
}

/** The lines of the log, newest first. */
export function linesOf(words: Words, book: Book, log: readonly Entry[]): LogLine[] {
  return log.filter(({ event }) => !QUIET.has(event.type)).map(({ at_ms, who, event }) => ({
    at_ms, who: whoOf(words, who, event), text: textOf(words, book, event), clause: clauseOf(event), marked: MARKED.has(event.type),
  })).reverse();
}

export function whoOf(words: Words, who: string | null, event?: TableEvent): string {
  if (event?.type === 'bets-closed' && event.closed_by === 'interruption') return words.t('by.interruption');
  if (event?.type === 'bets-closed' && event.closed_by !== 'dealer') return words.t(event.closed_by === 'timer' ? 'by.timer' : 'by.wheel');
  if (event && 'said_by' in event && event.said_by === 'wheel') return words.t('by.wheel');
  const [machine, rest] = (who ?? 'system').split('/');
  if (machine === 'system' || who === 'table') return words.t('by.table');
  return machine === 'wheel' && rest !== undefined ? words.t('by.wheel') : (who ?? '');
}

function clauseOf(event: TableEvent): string | null {
  if (event.type === 'command-refused') return event.rejection.clause;
  return 'clause' in event ? event.clause : null;
}

/** An event in a few words; one that has none of its own goes by its name. */
export function textOf(words: Words, book: Book, event: TableEvent): string {
  const facts: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(event)) {
    if (typeof value === 'number') facts[name] = name.endsWith('_cents') || name === 'cents' ? words.amount(value) : words.number(value);
    else if (typeof value === 'string') facts[name] = value;
  }
  if ('result' in event && event.result !== null) facts['result'] = book.outcomes.get(event.result)?.label ?? event.result;
  if ('bet' in event) {
    facts['bet'] = nameOfBox(words, book, event.bet);
  }
  switch (event.type) {
    case 'box-marked':
      facts['excess'] = words.whole(event.total_cents - event.maximum_cents);
      if (event.bet === WHOLE_TABLE) return words.t('log.box-marked-table', facts);
      break;
    case 'bets-rejected':
      if (event.cause === 'box-under-minimum') return words.t('log.bets-rejected-advised', facts);
      break;
    case 'round-settled':
      if (event.excess_clause) return words.t('log.round-settled-excess', facts);
      break;
    case 'round-voided':
      facts['reason'] = titleOf(words, book, { cause: event.cause, title: event.reason });
      if (event.against_sensor) return words.t('log.round-voided-against', facts);
      break;
    case 'result-entered':
      if (event.sensor === 'contradicted') return words.t('log.result-entered-against', facts);
      if (event.sensor === 'failed') return words.t('log.result-entered-without', facts);
      break;
    case 'result-confirmed':
      if (event.against_sensor) return words.t('log.result-confirmed-against', facts);
      break;
    case 'table-interrupted':
      if (event.declared) return words.t(event.spun ? 'log.table-interrupted-spun' : 'log.table-interrupted-declared', { reason: event.declared });
      break;
    case 'spin-reported-late': {
      const label = (id: string | null): string => (id === null ? words.t('voidRound') : (book.outcomes.get(id)?.label ?? id));
      const cause = book.view.irregularities.find((each) => each.cause === event.irregularity);
      const found = cause ? titleOf(words, book, cause) : event.pocket === null ? '–' : label(event.pocket);
      return words.t(event.disagrees ? 'log.spin-reported-late-against' : 'log.spin-reported-late', { ...facts, found, registered: label(event.registered) });
    }
    case 'result-upheld':
      facts['result'] = event.result === null ? words.t('voidRound') : (facts['result'] ?? '');
      break;
    case 'result-corrected':
      if (event.new === null) return words.t('log.round-voided', facts);
      facts['new'] = book.outcomes.get(event.new)?.label ?? event.new;
      facts['old'] = event.old === null ? '–' : (book.outcomes.get(event.old)?.label ?? event.old);
      break;
    case 'command-refused':
      facts['reason'] = reasonOf(words, event.rejection, book);
      break;
    case 'seat-locked':
      if (event.reason === 'attendant-pay') return words.t('log.seat-locked-pay', facts);
      break;
    case 'attendant-called':
      facts['reason'] = reasonOfCall(words, event.reason);
      break;
    case 'call-ended':
      if (event.how === 'withdrawn') return words.t('log.call-withdrawn', facts);
      break;
    case 'carried-settled':
      facts['how'] = words.own(`carried.${event.how}`) ?? event.how;
      break;
    case 'outcome-stated':
      if (event.result === null) return words.t('log.outcome-none', facts);
      if (event.sensed && event.sensed !== event.result) return words.t('log.outcome-stated-against', { ...facts, sensed: book.outcomes.get(event.sensed)?.label ?? event.sensed });
      if (event.spun) return words.t('log.outcome-stated-spun', facts);
      break;
    case 'wheel-reported':
      if (event.fault === null) return words.t('log.wheel-well', facts);
      facts['fault'] = words.own(`fault.${event.fault}`) ?? event.fault;
      break;
    case 'spin-finished':
      if (event.pocket !== null) return words.t('log.spin-finished-in', { ...facts, pocket: book.outcomes.get(event.pocket)?.label ?? event.pocket });
      break;
  }
  return words.own(`log.${event.type}` satisfies string as Key, facts) ?? event.type.replaceAll('-', ' ');
}
