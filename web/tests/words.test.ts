import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES, Words, type Messages } from '../src/lib/i18n/words.svelte';
import { readAmount, readWholeAmount } from '../src/lib/i18n/readAmount';
import { nameOfBet, nameOfBets, traitsOf } from '../src/lib/i18n/bets';
import { columnsOf } from '../src/lib/i18n/columns';
import { book } from './fixtures';

const read = (language: string): Messages => JSON.parse(readFileSync(`messages/${language}.json`, 'utf8')) as Messages;
const others = readdirSync('messages').filter((file) => file.endsWith('.json')).map((file) => file.replace('.json', '')).filter((code) => code !== 'en');
/** Words that stand in the book in English, and that a language may give its own. */
const OF_THE_BOOK = /^(bet|box|call|notice|irregularity|fault)\./;
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

test('lists have something between their words', async () => {
  const words = new Words();
  expect(words.list(['Column', 'dozen', 'red'])).toBe('Column, dozen, red');
  await words.choose('zh');
  expect(words.list(['列注', '打注', '红'])).toBe('列注、打注、红');
});

test('amounts have two decimals, comparisons only those they need, chips are short', () => {
  const words = new Words();
  expect([words.amount(124_000), words.amount(-3500)]).toEqual(['1,240.00', '−35.00']);
  expect([words.whole(200_000), words.whole(250)]).toEqual(['2,000', '2.50']);
  expect([words.short(500), words.short(150), words.short(125_000)]).toEqual(['5', '1.5', '1.3k']);
  expect([words.brief(-12_599_874), words.brief(126_540), words.brief(50)]).toEqual(['−12.6M', '127K', '50']);
  expect([words.duration(2_520_000), words.percent(1 / 37)]).toEqual(['0:42', '2.70%']);
  expect([99_990, 1_250_000, 99_990_000, 140_000_000, 209_000_000].map(words.short)).toEqual(['999.9', '12.5k', '999.9k', '1.4M', '2.1M']);
});

test('times are those of the house, whatever this machine is set to', () => {
  const words = new Words();
  const at = Date.UTC(2024, 4, 31, 17, 5, 9);
  words.keepTimeOf('Asia/Singapore');
  expect([words.time(at), words.day(at), words.weekday(at), words.moment(at)]).toEqual(['01:05:09', '1 Jun', 'Sat, 1 Jun', '1 Jun 2024 01:05:09']);
  expect([words.isSameDay(at, at - 2 * 3_600_000), words.isSameDay(at, at + 22 * 3_600_000)]).toEqual([false, true]);
  words.keepTimeOf('America/New_York');
  expect([words.time(at), words.day(at)]).toEqual(['13:05:09', '31 May']);
});

test('a time that clocks show twice says which of the two it is, and no other one does', () => {
  const words = new Words();
  const shown = (zone: string, ...at: string[]): string[] => {
    words.keepTimeOf(zone);
    return at.map((each) => words.time(Date.parse(each)));
  };
  expect(shown('Europe/Berlin', '2026-10-24T23:59:59Z', '2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'))
    .toEqual(['01:59:59', '02:30:00 GMT+2', '02:30:00 GMT+1', '03:00:00']);
  expect(shown('Europe/London', '2026-10-25T00:30Z', '2026-10-25T01:30Z')).toEqual(['01:30:00 GMT+1', '01:30:00 GMT+0']);
  expect(shown('America/New_York', '2026-11-01T05:30Z', '2026-11-01T06:30Z')).toEqual(['01:30:00 GMT-4', '01:30:00 GMT-5']);
  expect(shown('Africa/Cairo', '2026-10-29T20:30Z', '2026-10-29T21:30Z', '2026-10-29T22:00Z')).toEqual(['23:30:00 GMT+3', '23:30:00 GMT+2', '00:00:00']);
  expect(shown('Australia/Lord_Howe', '2026-04-04T14:29Z', '2026-04-04T14:30Z', '2026-04-04T15:00Z', '2026-04-04T15:30Z'))
    .toEqual(['01:29:00', '01:30:00 GMT+11', '01:30:00 GMT+10:30', '02:00:00']);
  expect(shown('Asia/Singapore', '2026-10-25T00:30Z', '2026-12-31T16:00Z')).toEqual(['08:30:00', '00:00:00']);
  // Where they are set forward no time comes twice, and a clock shows what it shows.
  expect(shown('Europe/Berlin', '2026-03-29T00:59Z', '2026-03-29T01:00Z')).toEqual(['01:59:00', '03:00:00']);
  expect(words.clock(Date.parse('2026-10-25T00:30Z'))).toBe('02:30:00');
});

test('a zone that is none leaves the times of this machine', () => {
  const words = new Words();
  words.keepTimeOf('Moon/Tranquility');
  expect(words.zone).toBeNull();
  words.keepTimeOf('Asia/Singapore');
  words.keepTimeOf(undefined);
  expect(words.zone).toBe('Asia/Singapore');
});

test('whole amounts are read as the language writes them, and nothing is guessed', () => {
  const read = (locale: string, ...typed: string[]) => typed.map((each) => readWholeAmount(each, locale));
  expect(read('en-SG', '5', ' 250 ', '1,000', '12,345,678', '0', '007')).toEqual([500, 25_000, 100_000, 1_234_567_800, 0, 700]);
  expect(read('en-SG', '', '-5', '2.50', '1,00', '1,0000', '12,34', ',100', '1.000', '5 000', 'five', '1e3', '9'.repeat(13))).toEqual(Array(12).fill(null));
  expect(read('de', '1.000', '1,000')).toEqual([100_000, null]);
  expect(read('fr', '1 000', '1\u202f000', '1,000')).toEqual([100_000, 100_000, null]);
});

test('amounts with cents are read as the language writes them, and what has more than cents is none', () => {
  const read = (locale: string, ...typed: string[]) => typed.map((each) => readAmount(each, locale));
  expect(read('en-SG', '1,000', '1,000.50', '12.5', '12.50', '0.05', '7', ' 2.50 ')).toEqual([100_000, 100_050, 1250, 1250, 5, 700, 250]);
  expect(read('en-SG', '12.345', '0.005', '1.000', '12,5', '1,00', '1.2.3', '.5', '5.', '', '-2', '1e3', '2.5x')).toEqual(Array(12).fill(null));
  expect(read('de', '1.000,50', '2,5', '2.5')).toEqual([100_050, 250, null]);
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

test('bets of one kind have its name once', async () => {
  const words = new Words();
  const triple = book('rws-000');
  const named = (...bets: string[]) => nameOfBets(words, triple, bets.map((bet) => triple.spots.get(bet)!));
  expect(named('straight:0', 'straight:00', 'straight:000', 'red', 'black')).toBe('Straight Up 0, 00, 000, Red, Black');
  expect(named('straight:0', 'split:17/20', 'split:1/2', 'straight:00')).toBe('Straight Up 0, Split 17/20, 1/2, Straight Up 00');
  await words.choose('zh');
  expect(named('straight:0', 'straight:00', 'red')).toBe('直注 0、00、红');
});

test('a Chinese character takes the room of two letters', () => {
  expect([columnsOf('Play is over'), columnsOf('投注全部退还'), columnsOf('17 黑')]).toEqual([12, 12, 5]);
});

test('a reason that ends with a full stop brings no second one, and keeps its own where none follows', async () => {
  const words = new Words();
  expect(words.t('news.correction.void', { old: '17', reason: 'It was looked at long enough. ' })).toMatch(/Reason: It was looked at long enough\.$/);
  expect(words.t('con.resume.text', { reason: 'The ball is lost' })).toBe('The table was halted: The ball is lost. Say what was checked.');
  expect(words.t('log.table-halted', { reason: 'The ball is lost.' })).toBe('Halted: The ball is lost.');
  await words.choose('zh');
  expect(words.t('news.correction.void', { old: '17', reason: '看错了。' })).toMatch(/原因：看错了。$/);
});

test('one seat is a seat, and several are seats', () => {
  const words = new Words();
  expect(words.t('con.correct.left', { n: 1, seats: '2' })).toBe('Seat 2: the player who had the bets has left.');
  expect(words.t('con.correct.left', { n: 2, seats: '1, 2' })).toBe('Seats 1, 2: the players who had the bets have left.');
  expect(words.t('con.correct.short', { n: 2, seats: '1, 2' })).toBe('Credits of seats 1, 2 do not suffice.');
});
