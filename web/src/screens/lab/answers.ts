/** What the house answers from its lab; the fields are those of `/api/docs`. */
export interface Figure { name: string; value: number; exact: string | null }
export interface Pocket { outcome: string; pockets: number; net_cents: number; wins: boolean }
export interface Result { net_cents: number; chance: number; exact: string }
export interface Bins { from_cents: number[]; to_cents: number[]; chances: number[] }
export interface Quantile { chance: number; cents: number }

export interface Rounds {
  rounds: number;
  mean_cents: number;
  mean_exact: string;
  deviation_cents: number;
  ahead: number;
  behind: number;
  quantiles: Quantile[];
  shortfalls: Quantile[];
  middle: Bins;
  whole: Bins;
}

export interface SlipAnswer {
  book: string;
  layout: string;
  stakes_cents: Record<string, number>;
  staked_cents: number;
  odds: Figure[];
  pockets: Pocket[];
  law: Result[];
  after: Rounds;
}

export interface Exact {
  figures: Record<string, number>;
  deviations: Record<string, number>;
  expected_loss_cents: number;
  loss_by_turnover: number;
  quantiles: Quantile[];
  ends: Bins;
  course: { rounds: number[]; chances: number[] };
}

export interface Estimate { name: string; value: number; standard_error: number | null; z: number | null }
export interface Simulated {
  sessions: number;
  seed: number;
  rounds_played: number;
  lowest_cents: number;
  highest_cents: number;
  figures: Estimate[];
  ends: Bins;
}
export interface Unable { code: string; sentence: string }

export interface SessionAnswer {
  book: string;
  layout: string;
  system: string;
  unit_cents: Record<string, number>;
  slips: number;
  bankroll_cents: number;
  exact: Exact | null;
  no_exact: Unable | null;
  simulated: Simulated | null;
  not_simulated: Unable | null;
}

export interface Parameter { name: string; meaning: string; default: string | null }
export interface System { name: string; title: string; summary: string; own_bets: boolean; parameters: Parameter[] }

export interface BookLine { id: string; title: string; operator: string; layouts: string[]; terminals: string[] }

export interface SlipQuestion { book: string; layout: string; stakes: Record<string, number>; rounds: number }
export interface SessionQuestion {
  book: string;
  layout: string;
  system: string;
  settings: Record<string, string>;
  stakes: Record<string, number>;
  unit_cents: number;
  bankroll_cents: number;
  goal_cents: number | null;
  stop_cents: number | null;
  rounds: number;
  maximum_cents: number | null;
  beyond: string;
  simulate: { sessions: number; seed: number } | null;
}
