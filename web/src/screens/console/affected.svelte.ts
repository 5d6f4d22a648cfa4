/** Settled rounds that an irregularity affected as well: what is on record about them is read before they are voided. */
import type { RecalledRound } from '../../lib/api/types';
import type { SeatLine } from '../../lib/live/wire';

export class Affected {
  /** One of them could not be read. */
  failed = $state(false);

  #found: ReadonlyMap<number, RecalledRound> = $state.raw(new Map());
  #recall: (round: number) => Promise<RecalledRound>;

  constructor(recall: (round: number) => Promise<RecalledRound>) {
    this.#recall = recall;
  }

  /** Reads a round; what was read of it before is not what counts. */
  read = async (round: number): Promise<void> => {
    this.failed = false;
    this.#found = new Map([...this.#found].filter(([number]) => number !== round));
    const found = await this.#recall(round).catch(() => null);
    if (found) this.#found = new Map(this.#found).set(round, found);
    else this.failed = true;
  };

  /** What these rounds were; null until all of them are read. */
  of(rounds: readonly number[]): RecalledRound[] | null {
    const found = rounds.flatMap((round) => this.#found.get(round) ?? []);
    return found.length === rounds.length ? found : null;
  }
}

/** What a void does to the credits of a seat, and how much of it they cannot bear. */
export interface Change { seat: string; cents: number; shortfall_cents: number }

/** The stakes of the running round come back first; then what each settled round paid is taken and its stakes given. The table does it, and it alone. */
export function changesOf(lines: readonly SeatLine[], rounds: readonly RecalledRound[]): Change[] {
  const seats = new Map(lines.map((line) => [line.seat, { cents: line.staked_cents, credits: line.credits_cents + line.staked_cents, shortfall_cents: 0 }]));
  for (const { seats: recalled } of rounds) {
    for (const { seat, lines: bets } of recalled) {
      const at = seats.get(seat) ?? { cents: 0, credits: 0, shortfall_cents: 0 };
      const difference = bets.reduce((sum, bet) => sum + bet.stake_cents - bet.returned_cents, 0);
      at.cents += difference;
      at.shortfall_cents += Math.max(0, -(at.credits + difference));
      at.credits = Math.max(0, at.credits + difference);
      seats.set(seat, at);
    }
  }
  return [...seats].map(([seat, { cents, shortfall_cents }]) => ({ seat, cents, shortfall_cents }))
    .filter((change) => change.cents !== 0 || change.shortfall_cents > 0)
    .sort((a, b) => a.seat.localeCompare(b.seat, undefined, { numeric: true }));
}
