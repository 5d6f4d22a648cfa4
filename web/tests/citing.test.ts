import { cleanup, render } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import { EMPTY } from '../src/lib/betting/betting';
import type { News } from '../src/lib/live/news';
import { stageOf } from '../src/screens/stage';
import NewsCard from '../src/screens/terminal/NewsCard.svelte';
import Veil from '../src/screens/terminal/Veil.svelte';
import { book } from './fixtures';
import { seat, table } from './liveViews';
import Worded from './Worded.svelte';

afterEach(cleanup);

const shown = (part: unknown, props: Record<string, unknown>): string =>
  render(Worded, { props: { part: part as Component<Record<string, unknown>>, props } }).container.textContent ?? '';
const CLAUSES = [['mbs-roulette:5.13.1', true], ['assumption:notice-words', false]] as const;

test.each(CLAUSES)('the card of an interrupted or void round cites %s: %s', (clause, isCited) => {
  const halted = { connected: true, book: book('mbs-fusion'), bookFailed: false, table: table({ halted: true, clause }), seat: seat(), slip: EMPTY, ended: null, now_ms: 0 };
  const over = { ...halted, table: table({ round: null, clause, outcomes: [{ round: 7, result: null }] }) };
  for (const source of [halted, over]) {
    const text = shown(Veil, { source, stage: stageOf(source), ended: null, stake_cents: 0, onopen: () => undefined });
    expect([text.includes('Clause'), text.includes(clause), text.includes('assumption')]).toEqual([isCited, isCited, false]);
    cleanup();
  }
});

test.each(CLAUSES)('news cites %s: %s', (clause, isCited) => {
  const news: News = { seq: 1, at_ms: 0, round: null, clause, kind: 'limits', reason: 'evening' };
  const text = shown(NewsCard, { book: book('mbs-fusion'), news, more: 0, onread: () => undefined });
  expect([text.includes(clause), text.includes('assumption')]).toEqual([isCited, false]);
});
