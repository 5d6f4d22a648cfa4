import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES, Words, type Messages } from '../src/lib/i18n/words.svelte';
import { nameOfBet, traitsOf } from '../src/lib/i18n/bets';
import { book } from './fixtures';

const read = (language: string): Messages => JSON.parse(readFileSync(`messages/${language}.json`, 'utf8')) as Messages;
const others = readdirSync('messages').map((file) => file.replace('.json', '')).filter((code) => code !== 'en');
/** Words that stand in the book in English, and that a language may give its own. */
const OF_THE_BOOK = /^(bet|box|call|notice|irregularity|rejection|fault)\./;
const blanks = (message: Messages[string] | undefined): string[] => {
  const forms = typeof message === 'string' ? [message] : Object.values(message ?? {});
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
};

test('there is a language to choose for every file', () => {
  expect(LANGUAGES).toEqual(['en', ...others.sort()]);
});

test.each(others)('%s says everything that English says, with the same facts', (language) => {
  const [english, other] = [read('en'), read(language)];

  expect(Object.keys(other).filter((key) => key in english || !OF_THE_BOOK.test(key)).sort()).toEqual(Object.keys(english).sort());
  for (const key of Object.keys(english)) expect([key, blanks(other[key])]).toEqual([key, blanks(english[key])]);
});

test('plurals follow the language', async () => {
  const words = new Words();
  expect(words.t('closesIn', { n: 1 })).toBe('Bets close in 1 second');
  expect(words.t('closesIn', { n: 18 })).toBe('Bets close in 18 seconds');
  await words.choose('zh');
  expect(words.t('closesIn', { n: 1 })).toBe('1 秒后停止下注');
});

test('amounts have two decimals, comparisons only those they need, chips are short', () => {
  const words = new Words();
  expect([words.amount(124_000), words.amount(-3500)]).toEqual(['1,240.00', '−35.00']);
  expect([words.whole(200_000), words.whole(250)]).toEqual(['2,000', '2.5']);
  expect([words.short(500), words.short(150), words.short(125_000)]).toEqual(['5', '1.5', '1.3k']);
  expect([words.duration(2_520_000), words.percent(1 / 37)]).toEqual(['0:42', '2.70%']);
});

test('an unknown language changes nothing', async () => {
  const words = new Words();
  await words.choose('xx');
  expect([words.language, words.t('credits')]).toEqual(['en', 'Credits']);
});

test('bets have the names of the book, and those of the language where it has its own', async () => {
  const words = new Words();
  const french = book('own-french');
  const spot = french.spots.get('split:17/20')!;
  expect(nameOfBet(words, spot)).toBe('Cheval 17/20');
  expect(traitsOf(words, book('mbs-fusion'), '17')).toBe('Odd · 1-18 · 2nd 12');
  await words.choose('zh');
  expect(nameOfBet(words, spot)).toBe('分注 17/20');
  expect(nameOfBet(words, french.spots.get('dozen:2')!)).toBe('打注 2');
});
