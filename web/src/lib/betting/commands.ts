import type { ClearBets, MoveBet, PlaceBets, TakeBets } from '../live/wire';

/** The commands that change bets; whoever sends them adds the seat. */
export type BetCommand = WithoutSeat<PlaceBets | TakeBets | MoveBet | ClearBets>;

type WithoutSeat<T> = T extends unknown ? Omit<T, 'seat'> : never;
