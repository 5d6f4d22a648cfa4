/** What is being decided at a console and is not done yet. */
import type { DeclareIrregularity, Do, Rejection, TableView } from '../../lib/live/wire';

/** Something that voids a round, chosen and not done yet: it takes Enter. */
export interface Voiding {
  cause: string; title: string; clause: string | null; do: 'declare' | 'no-spin' | 'no-outcome';
  /** Whether settled rounds may be named, and whether the running one may. */
  affects: boolean; mayRun: boolean;
  /** The rounds that are named: the running one, and settled ones by their numbers. */
  running: boolean; rounds: number[];
}

/** What is decided in a dialog of its own. */
export type Dialog =
  | { kind: 'authorise'; do: Do; round: number | null; why: Rejection }
  | { kind: 'correct'; round: number; result: string; to?: string } | { kind: 'dispute'; round: number } | { kind: 'interruption' } | { kind: 'decide' } | { kind: 'resume' } | { kind: 'keys' } | { kind: 'table' }
  | { kind: 'recall'; round: number } | { kind: 'seat'; seat: string } | { kind: 'books'; seat: string; of: 'meters' | 'vouchers' };

export type Tab = 'seats' | 'irregularities' | 'notices' | 'log';

/** The step that a table is at: what is begun in one is not meant for another. */
export const stepOf = (table: TableView): string => `${table.round_number} ${table.round?.phase ?? ''} ${table.awaits_outcome}`;

/** What is declared with a void: exactly the rounds that are named; without settled ones the running one is meant. */
export function declaredOf(voiding: Voiding | null, table: TableView | null): DeclareIrregularity {
  const { cause = '', rounds = [] } = voiding ?? {};
  const running = table?.round && voiding?.running ? [table.round.number] : [];
  return { type: 'declare-irregularity', cause, ...(rounds.length ? { rounds: [...rounds, ...running] } : {}) };
}
