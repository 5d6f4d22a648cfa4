/** What can go wrong at this table, as the book lists it, and what may be declared now. */
import type { Book } from '../../lib/book/book';
import type { IrregularityView, Rejection } from '../../lib/live/wire';
import type { Voiding } from './desk.svelte';

/** Keys of the irregularities in their order; the shift manager's decision has its own. */
export const CAUSE_KEYS = '1234567890-=';
export const NOT_COVERED = 'not-covered';
export const NO_OUTCOME = 'interruption-no-outcome';

export interface Tile {
  irregularity: IrregularityView;
  key: string;
  /** Why it cannot be declared now. */
  refusal: Rejection | null;
  /** Whether settled rounds may be named now, and whether the running one may. */
  affects: boolean;
  mayRun: boolean;
  /** Whether it takes a second person, as where the sensor contradicts it. */
  second: boolean;
}

/** Everything that a person may declare; what the table refuses for good has commands or rules of its own. */
export function tilesOf(book: Book, refusalOf: (action: string) => Rejection | null | undefined): Tile[] {
  const tiles: Tile[] = [];
  for (const irregularity of book.view.irregularities) {
    const isNoSpin = irregularity.cause === 'no-spin';
    const running = refusalOf(isNoSpin ? 'call-no-spin' : `declare-irregularity/${irregularity.cause}`);
    if (running === undefined || running?.code === 'unknown-cause' || running?.code === 'not-in-this-game') continue;
    const affects = !isNoSpin && voidsSettled(book, irregularity) && mayVoidSettled(refusalOf);
    const key = isNoSpin ? 'N' : (CAUSE_KEYS[tiles.filter((tile) => tile.key !== 'N').length] ?? '');
    const second = running?.code === 'second-person' || running?.code === 'not-allowed';
    tiles.push({ irregularity, key, refusal: affects || second ? null : running, affects, mayRun: running === null || second, second });
  }
  return tiles;
}

/** Whether the book lets a cause void settled rounds. */
function voidsSettled(book: Book, { consequence }: IrregularityView): boolean {
  return consequence === 'void-affected-rounds' || (consequence === 'void-round' && book.view.settled === 'void');
}

/** Whether the last settled round may be void now, if a second person signs. */
function mayVoidSettled(refusalOf: (action: string) => Rejection | null | undefined): boolean {
  const refusal = refusalOf('void-settled-rounds');
  return refusal === null || refusal?.code === 'second-person' || refusal?.code === 'not-allowed';
}

export function knowsNoSpin(refusalOf: (action: string) => Rejection | null | undefined): boolean {
  const refusal = refusalOf('call-no-spin');
  return refusal !== undefined && refusal?.code !== 'not-in-this-game';
}

/** What is chosen before anything happens: the running round, if it may be named, and no settled one. */
export function voidingOf({ cause, title, clause }: IrregularityView, { affects, mayRun }: Pick<Tile, 'affects' | 'mayRun'> = { affects: false, mayRun: true }): Voiding {
  const how = cause === 'no-spin' ? 'no-spin' : cause === NO_OUTCOME ? 'no-outcome' : 'declare';
  return { cause, title, clause, affects, mayRun, running: mayRun, rounds: [], do: how };
}
