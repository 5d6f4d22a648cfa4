import { render } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { beforeAll, describe, expect, test } from 'vitest';
import { EMPTY } from '../src/lib/betting/betting';
import type { Book } from '../src/lib/book/book';
import { inOneLine, noticeAt, readingOf, readingOfRecord } from '../src/lib/i18n/notices';
import { Words } from '../src/lib/i18n/words.svelte';
import type { RoundView, ShownNotice } from '../src/lib/live/wire';
import { toldBeside } from '../src/screens/display/board';
import { stageOf } from '../src/screens/stage';
import StageBar from '../src/screens/terminal/StageBar.svelte';
import { book } from './fixtures';
import { round, seat, table } from './liveViews';
import Worded from './Worded.svelte';

const [english, chinese] = [new Words(), new Words()];
beforeAll(() => chinese.choose('zh'));

/** By book: the words of open bets, of closed ones and of the result, the result, and the same in Chinese. */
const APPROVED = [
  ['mbs-fusion', 'Place your bets, please', 'No more bets', '17 wins', '17', '开出 17'],
  ['rws-00-a', 'Place your bets', 'No More Bets', '00 wins', '00', '开出 00'],
  ['rws-000', 'Place your bets', 'No More Bets', '000 wins', '000', '开出 000'],
  ['money-wheel', 'Place your Bets, please', 'No more Bets', 'SGD 20 wins', '20', '开出 SGD 20'],
] as const;

/** A notice of a book as a table says it. */
function said(of: Book, step: string, facts: Readonly<Record<string, string>> = {}): ShownNotice {
  const { text, clause } = of.view.notices[step]!;
  return { step, clause, text: text.replace(/\{(\w+)\}/g, (blank, name: string) => facts[name] ?? blank) };
}

describe('a notice', () => {
  test.each(APPROVED)('of %s that rests on a clause stands in the words of the book, with a translation beside it', (name, open, closed) => {
    const of = book(name);
    for (const [step, text, own] of [['open', open, '请下注'], ['closed', closed, '停止下注']] as const) {
      expect(readingOf(english, noticeAt(null, of, step))).toEqual({ text, lang: undefined, beside: '' });
      expect(readingOf(chinese, noticeAt(null, of, step))).toEqual({ text, lang: 'en', beside: own });
    }
  });
  test('whose words are ours may stand in the language alone', () => {
    const of = book('mbs-fusion');
    expect(of.view.notices['settled']?.clause).toBeNull();
    expect(readingOf(chinese, said(of, 'settled'))).toEqual({ text: '投注已结算', lang: undefined, beside: '' });
    expect(readingOf(english, said(of, 'settled'))).toEqual({ text: 'Bets are settled', lang: undefined, beside: '' });
  });
  test('has the clause that the book gives for its words, in every book', () => {
    for (const name of APPROVED.map(([each]) => each)) {
      for (const { source, clause } of Object.values(book(name).view.notices)) expect(clause).toBe(source.startsWith('assumption:') ? null : source);
    }
  });
  test('with facts is as the table has said it', () => {
    const of = book('rws-000');
    const facts = { round: '12', reason: 'Ball left the wheel' };
    const text = 'Round 12 is void: Ball left the wheel. All bets are returned';
    expect(noticeAt(null, of, 'void')).toBeNull();
    expect(readingOf(chinese, said(of, 'void', facts))).toEqual({ text, lang: 'en', beside: '第 12 局作废：球飞出轮盘。投注全部退还' });
    expect(noticeAt({ notices: [said(of, 'void', facts)] }, of, 'void')?.text).toBe(text);
  });
  test('of an own book that no language knows goes by its step beside its own words', () => {
    const notice = { step: 'open', text: 'Faites vos jeux', clause: 'own:3.1' };
    expect(readingOf(chinese, notice)).toEqual({ text: 'Faites vos jeux', lang: 'en', beside: '请下注' });
    expect(readingOf(chinese, { ...notice, clause: null })).toEqual({ text: '请下注', lang: undefined, beside: '' });
    expect(readingOf(english, notice).text).toBe('Faites vos jeux');
  });
  test('of an earlier round is in the words of the time', () => {
    expect(inOneLine(readingOfRecord(chinese, 'No more bets'))).toBe('No more bets · 停止下注');
    expect(inOneLine(readingOfRecord(english, 'No more bets'))).toBe('No more bets');
  });
  test('that is not there says nothing', () => {
    expect(readingOf(chinese, null)).toEqual({ text: '', lang: undefined, beside: '' });
    expect(noticeAt(null, null, 'open')).toBeNull();
  });
});

describe('the bar of a terminal', () => {
  const PHASES = { betting: 'open', closed: 'closed', spinning: 'closed', resulted: 'closed' } as const;

  function shown(words: Words, of: Book, at: RoundView | null, notices: ShownNotice[], result: string | null = null): HTMLElement {
    const source = {
      connected: true, book: of, bookFailed: false, slip: EMPTY, ended: null, now_ms: 0, seat: seat(),
      table: table({ book: of.view.id, round: at, notices, outcomes: result === null ? [] : [{ round: 7, result }] }),
    };
    const props = { source, stage: stageOf(source as never), lines: [], refused: false, hint: null, phone: false };
    const bar = render(Worded, { props: { part: StageBar as unknown as Component<Record<string, unknown>>, props, words } });
    return bar.container.querySelector('h1')!;
  }

  test.each(APPROVED)('of %s has the approved words in sight at every step, in both languages', (name, open, closed, won, result, own) => {
    const of = book(name);
    for (const [phase, step] of Object.entries(PHASES)) {
      for (const words of [english, chinese]) {
        const heading = shown(words, of, round(7, { phase }), [said(of, step)]);
        expect(heading.querySelector('.said')?.textContent).toBe(step === 'open' ? open : closed);
        expect(heading.querySelector('.said')?.getAttribute('lang')).toBe(words === chinese ? 'en' : null);
        expect(heading.querySelector('.beside')?.textContent).toBe(words === english ? undefined : step === 'open' ? '请下注' : '停止下注');
      }
    }
    const notices = [said(of, 'result', { result: of.outcomes.get(result)!.label })];
    expect(shown(english, of, null, notices, result).textContent).toBe(won);
    const heading = shown(chinese, of, null, notices, result);
    expect(heading.querySelector('.said')?.textContent).toBe(won);
    expect(heading.querySelector('.beside')?.textContent).toBe(own);
  });

  test('says in its second line that the ball rolls', () => {
    const of = book('rws-00-a');
    const line = (phase: string): string => shown(english, of, round(7, { phase, spin: { ball: null, wheel: null, finished: false, pocket: null, revolutions: null, sensed: false, sensor_failed: false, on_record: true } }), []).parentElement!.querySelector('p')!.textContent;
    expect(line('spinning')).toMatch(/^The ball is rolling · /);
    // Where the game lets bets be made meanwhile, what is open comes first.
    expect(line('betting')).toMatch(/ · The ball is rolling$/);
  });

  test('knows no reason of a void round behind a start of the server', () => {
    const of = book('rws-000');
    const source = [{ round: 7, result: null }];
    const props = { connected: true, book: of, bookFailed: false, slip: EMPTY, ended: null, now_ms: 0, seat: seat(), table: table({ round: null, outcomes: source }) };
    const bar = render(Worded, { props: { part: StageBar as unknown as Component<Record<string, unknown>>, props: { source: props, stage: stageOf(props as never), lines: [], refused: false, hint: null, phone: false }, words: english } });
    expect(bar.container.querySelector('h1')?.textContent).toBe('This round is void');
  });
});

test('a display says beside the notice of a step what was told since, and nothing that it shows already', () => {
  const of = book('mbs-fusion');
  const decision = said(of, 'decision', { reason: 'a stuck screen' });
  expect(toldBeside(table({ notices: [said(of, 'open'), decision] }), 'open')).toBe(decision);
  expect(toldBeside(table({ notices: [said(of, 'closed'), said(of, 'spinning')] }), 'closed')?.step).toBe('spinning');
  for (const step of ['open', 'warning', 'closed', 'settled']) expect(toldBeside(table({ notices: [said(of, 'open'), said(of, step)] }), 'open')).toBeNull();
  expect(toldBeside(table(), 'open')).toBeNull();
});
