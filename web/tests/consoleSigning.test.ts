import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Words } from '../src/lib/i18n/words.svelte';
import type { Do } from '../src/lib/live/wire';
import { factsOfCommand, titleOfCommand } from '../src/screens/console/asking';
import { reasonOf } from '../src/screens/console/reasons';
import { book } from './fixtures';
import { consoleView, refusal, round, table } from './liveViews';

/** Every command there is, by the types that the server writes. */
const TYPES = readFileSync('src/lib/live/wire.ts', 'utf8');
const commands = TYPES.slice(TYPES.indexOf('export type Do =')).split(';')[0]!.match(/\b[A-Z]\w+(?=\s*(\||$))/gm)!
  .map((name) => new RegExp(`interface ${name} \\{\\s+type: '([a-z-]+)'`).exec(TYPES)![1]!);
/** A machine reports them, or they are a matter of the floor: the table never asks for a second person. */
const ALONE = new Set(['report-wheel', 'commit-spin', 'open-commitment', 'call-attendant', 'answer-call']);

test.each(['en', 'zh'])('in %s whoever signs as the second person is told what for, whatever the command', async (language) => {
  const words = new Words();
  await words.choose(language);
  expect(commands.length).toBeGreaterThan(30);
  const titles = commands.filter((type) => !ALONE.has(type)).map((type) => titleOfCommand(words, { type } as Do));
  for (const title of titles) expect(title).not.toMatch(/^command\./);
  expect(new Set(titles).size).toBe(titles.length);
});

const SEATS = [{ seat: '4', kind: 'place', layout: 'main', in_use: true, connected: false, lost: false, lock: null, call: null, credits_cents: 123_450, staked_cents: 0, bets: 0, last_win_cents: 0, stakes: {} }];
const at = (name: string) => ({ book: book(name), table: table({ round_number: 12, round: round(12) }), console: consoleView({ seats: SEATS }) });

test.each<[string, Do, string]>([
  ['mbs-fusion', { type: 'cash-out', seat: '4' }, 'Seat 4 · 1,234.50'],
  ['mbs-fusion', { type: 'buy-credits', seat: '4', cents: 100_000 }, 'Seat 4 · 1,000.00'],
  ['mbs-fusion', { type: 'confirm-result', result: '17' }, 'Round 12 · 17 black'],
  ['mbs-fusion', { type: 'state-outcome', result: null }, 'Round 12 · No valid outcome'],
  ['mbs-fusion', { type: 'declare-irregularity', cause: 'ball-broken', rounds: [10, 12] }, 'Ball breaks · Rounds 10, 12'],
  ['mbs-fusion', { type: 'correct-result', round: 11, result: '20', reason: 'Misread' }, 'Round 11 · 20 black · Misread'],
  ['mbs-fusion', { type: 'settle-carried', round: 11, seat: '4', how: 'paid', cents: 3600, reason: 'Receipt 8' }, 'Round 11 · Seat 4 · 36.00 paid by hand · Receipt 8'],
  ['mbs-fusion', { type: 'resume-table', reason: 'Counted again' }, 'Counted again'],
  ['mbs-fusion', { type: 'open-table' }, 'Table R1'],
  ['money-wheel', { type: 'place-bets', seat: '4', stakes: [{ bet: 'symbol:crockfords', cents: 500 }] }, 'Seat 4 · Crockfords 5.00'],
])('%s: the facts of %o stand in one line', (name, what, line) => {
  expect(factsOfCommand(new Words(), at(name), what)).toBe(line);
});

test('a refusal names a bet as the book does, and never by its id', () => {
  const words = new Words();
  const wheel = book('money-wheel');
  const above = { ...refusal('above-maximum'), sentence: 'symbol:crockfords takes at most 500.00.', facts: { bet: 'symbol:crockfords' } };
  expect(reasonOf(words, above, wheel)).toBe('Crockfords takes at most 500.00.');
  expect(reasonOf(words, { ...above, sentence: "There is no box 'symbol:crockfords' here." }, wheel)).toBe('There is no box Crockfords here.');
  expect(reasonOf(words, above)).toBe(above.sentence);
});
