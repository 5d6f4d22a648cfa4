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
}

/** Everything that a person may declare; what the table refuses for good has commands or rules of its own. */
export function tilesOf(book: Book, refusalOf: (action: string) => Rejection | null | undefined): Tile[] {
  const tiles: Tile[] = [];
  for (const irregularity of book.view.irregularities) {
    const isNoSpin = irregularity.cause === 'no-spin';
    const refusal = refusalOf(isNoSpin ? 'call-no-spin' : `declare-irregularity/${irregularity.cause}`);
    if (refusal === undefined || refusal?.code === 'unknown-cause' || refusal?.code === 'not-in-this-game') continue;
    tiles.push({ irregularity, key: isNoSpin ? 'N' : (CAUSE_KEYS[tiles.filter((tile) => tile.key !== 'N').length] ?? ''), refusal });
  }
  return tiles;
}

export function knowsNoSpin(refusalOf: (action: string) => Rejection | null | undefined): boolean {
  const refusal = refusalOf('call-no-spin');
  return refusal !== undefined && refusal?.code !== 'not-in-this-game';
}

export function voidingOf(irregularity: IrregularityView): Voiding {
  const how = irregularity.cause === 'no-spin' ? 'no-spin' : irregularity.cause === NO_OUTCOME ? 'no-outcome' : 'declare';
  return {
    cause: irregularity.cause, title: irregularity.title, clause: irregularity.clause, affects: irregularity.consequence === 'void-affected-rounds', rounds: [], do: how,
  };
}
