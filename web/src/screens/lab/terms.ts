/** What somebody types, read as amounts and numbers; nothing is guessed. */
import type { SessionQuestion, System } from './answers';
import type { Lines } from './slip';

/** Cents of an amount such as `12`, `12.5` or `1,200.00`; nothing where it is none. */
export function centsOf(text: string): number | null {
  const plain = ungrouped(text);
  if (plain === null || !/^\d{1,9}(\.\d{1,2})?$/.test(plain)) return null;
  const [whole = '0', part = ''] = plain.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** A whole number such as `1000` or `1,000`; nothing where it is none. */
export function wholeOf(text: string): number | null {
  const plain = ungrouped(text);
  return plain !== null && /^\d{1,12}$/.test(plain) ? Number(plain) : null;
}

/** Commas stand between thousands only: `1,5` is neither fifteen nor one and a half. */
function ungrouped(text: string): string | null {
  const [whole = '', ...others] = text.trim().split('.');
  if (whole.includes(',') && !/^\d{1,3}(,\d{3})+$/.test(whole)) return null;
  return [whole.replaceAll(',', ''), ...others].join('.');
}

/** Everything about a session as it is typed. */
export interface Terms {
  system: string;
  settings: Record<string, string>;
  unit: string;
  bankroll: string;
  goal: string;
  stop: string;
  rounds: string;
  maximum: string;
  beyond: string;
  simulate: boolean;
  seed: number;
}

export const FIRST_TERMS: Terms = {
  system: 'martingale', settings: {}, unit: '10', bankroll: '1000', goal: '1500', stop: '', rounds: '500', maximum: '', beyond: 'stop', simulate: true, seed: 1,
};
export const SESSIONS = 10_000;

/** Which field cannot be read. */
export type Field = 'unit' | 'bankroll' | 'goal' | 'stop' | 'rounds' | 'maximum';

const MAY_BE_EMPTY: readonly Field[] = ['goal', 'stop', 'maximum'];

/** The fields that hold neither a number nor, where that is allowed, nothing. */
export function unreadable(terms: Terms, own_bets: boolean): Field[] {
  const fields: Field[] = ['bankroll', 'goal', 'stop', 'rounds', 'maximum'];
  if (own_bets) fields.push('unit');
  return fields.filter((field) => {
    const text = terms[field];
    if (text.trim() === '') return !MAY_BE_EMPTY.includes(field);
    return (field === 'rounds' ? wholeOf(text) : centsOf(text)) === null;
  });
}

/** The question to the house; nothing where a field cannot be read, or there is no bet to play the system on. */
export function questionOf(book: string, layout: string, lines: Lines, terms: Terms, systems: readonly System[]): SessionQuestion | null {
  const system = systems.find((each) => each.name === terms.system);
  if (!system || unreadable(terms, system.own_bets).length) return null;
  if (!system.own_bets && !Object.keys(lines).length) return null;
  const known = new Set(system.parameters.map((parameter) => parameter.name));
  const settings = Object.entries(terms.settings).map(([name, text]) => [name, text.trim()] as const).filter(([name, text]) => known.has(name) && text !== '');
  return {
    book, layout, system: system.name,
    settings: Object.fromEntries(settings),
    stakes: system.own_bets ? {} : { ...lines },
    unit_cents: centsOf(terms.unit) ?? 100,
    bankroll_cents: centsOf(terms.bankroll) ?? 0,
    goal_cents: centsOf(terms.goal),
    stop_cents: centsOf(terms.stop),
    rounds: wholeOf(terms.rounds) ?? 0,
    maximum_cents: centsOf(terms.maximum),
    beyond: terms.beyond,
    simulate: terms.simulate ? { sessions: SESSIONS, seed: terms.seed } : null,
  };
}
