import { describe, expect, it } from 'vitest';
import { Words } from '../src/lib/i18n/words.svelte';
import { newsAfter, type News } from '../src/lib/live/news';
import type { RoundView } from '../src/lib/live/wire';
import { closingClause, closingOf, closingText } from '../src/screens/closing';
import { announcedOf } from '../src/screens/display/board';
import { stageOf } from '../src/screens/stage';
import { newsText } from '../src/screens/terminal/newsText';
import { EMPTY } from '../src/lib/betting/betting';
import { book, limits } from './fixtures';
import { seat, table } from './liveViews';

const BOOK = book('mbs-fusion');
const words = new Words();
const ROUND: RoundView = { number: 7, phase: 'betting', opened_ms: 0, closes_ms: null, warned: false, spin: null, result: null, sensor: null };
const LAST = 'Last round: the table closes after it';

describe('a table that closes soon', () => {
  it('says so from how it stands, whoever heard it announced', () => {
    expect(closingOf(null)).toBeNull();
    expect(closingOf({ open: true, rounds_left: null, round: null })).toBeNull();
    expect(closingOf({ open: true, rounds_left: 1, round: null })).toBe('next');
    // Announced after bets were closed: the round that runs is not the last one.
    expect(closingOf({ open: true, rounds_left: 1, round: { ...ROUND, phase: 'spinning' } })).toBe('next');
    expect(closingOf({ open: true, rounds_left: 0, round: ROUND })).toBe('now');
    expect(closingOf({ open: true, rounds_left: 0, round: null })).toBe('played');
    expect(closingOf({ open: false, rounds_left: 0, round: null })).toBeNull();
  });

  it('says in its last round what the book says of it', () => {
    expect(closingText(words, BOOK, 'now')).toBe(LAST);
    expect(closingText(words, null, 'now')).toBe('This is the last round');
    expect(closingText(words, BOOK, 'next')).toBe('The next round is the last one');
    expect(closingText(words, BOOK, 'played')).toBe('The last round is over, the table is closing');
  });

  it('cites a clause and no note of how the rules were read', () => {
    const cited = { ...BOOK, view: { ...BOOK.view, notices: { ...BOOK.view.notices, 'last-round': { text: LAST, source: 'own:4.2', clause: 'own:4.2' } } } };
    expect(closingClause(cited)).toBe('own:4.2');
    expect(closingClause(BOOK)).toBeNull();
  });

  it('opens no further round once the last one is played', () => {
    const over = table({ limits: limits(BOOK.view), round: null, round_number: 7, rounds_left: 0 });
    const told = { connected: true, book: BOOK, bookFailed: false, seat: seat(), slip: EMPTY, ended: null, now_ms: 0 };
    expect(stageOf({ ...told, table: { ...over, outcomes: [{ round: 7, result: '17' }] } }).detail).toBe('closing.played');
    expect(stageOf({ ...told, table: { ...over, rounds_left: 1, outcomes: [{ round: 7, result: '17' }] } }).detail).toBe('betweenRounds');
    expect(announcedOf({ ...over, outcomes: [] }, true, 0).own).toBe('closing.played');
  });

  it('is one piece of news, in the words of how it stands now', () => {
    const announced = (seq: number, rounds_left: number, news: readonly News[] = []) =>
      newsAfter(news, { seq, at_ms: 5000, event: { type: 'last-round-announced', rounds_left, notice: LAST } });
    const [card] = announced(1, 0);
    const said = (closing: 'next' | 'now' | 'played') => Object.values(newsText(words, BOOK, card!, closing)).join(' | ');
    expect(said('now')).toBe(`The table closes soon | ${LAST} | This is the last round.`);
    expect(said('next')).toContain('The next round is the last one.');
    expect(said('played')).toContain('The last round has been played.');
    expect(announced(9, 1, announced(1, 0))).toHaveLength(1);
  });
});
