import { cleanup, render, screen, within } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { House } from '../src/lib/api/house';
import { indexBook, type Book } from '../src/lib/book/book';
import { Words } from '../src/lib/i18n/words.svelte';
import type { ConsoleView, SeatLine } from '../src/lib/live/wire';
import MoneyBoard from '../src/lib/money/MoneyBoard.svelte';
import Console from '../src/screens/console/Console.svelte';
import { Desk } from '../src/screens/console/desk.svelte';
import { titleOf } from '../src/screens/console/reasons';
import SymbolPad from '../src/screens/console/SymbolPad.svelte';
import { book, limits } from './fixtures';
import { consoleView, table } from './liveViews';
import Worded from './Worded.svelte';

const PERSON = { token: 't', session: 's', name: 'dee', position: 'dealer', duties: [], expires_ms: 0, zone: 'UTC' };
const seat = (name: string, kind: string, stakes: Record<string, number> = {}): SeatLine => {
  const staked_cents = Object.values(stakes).reduce((a, b) => a + b, 0);
  return { seat: name, kind, layout: 'main', in_use: true, connected: true, lost: false, lock: null, call: null, credits_cents: 5000, staked_cents, bets: Object.keys(stakes).length, last_win_cents: 0, stakes };
};
const show = <P extends Record<string, unknown>>(part: Component<P>, props: NoInfer<P>): HTMLElement =>
  render(Worded, { props: { part: part as unknown as Component<Record<string, unknown>>, props } }).container;

/** A console at a table of this book, with open bets. */
function consoleAt(shown: Book, view: Partial<ConsoleView>): Desk {
  const desk = new Desk({} as House, PERSON, 'R1', null);
  desk.book = shown;
  desk.live.state = 'live';
  desk.live.table = table({ limits: limits(shown.view) });
  desk.live.console = consoleView(view);
  show(Console as unknown as Component<Record<string, unknown>>, { desk, onleave: vi.fn(), ontheme: vi.fn() });
  return desk;
}

/** A wheel with a symbol that no box is for, and with a box for two symbols. */
function uneven(): Book {
  const { view } = book('own-money-wheel');
  const { boxes, spots } = view.layout;
  const [joker, crown, ...others] = boxes;
  const numbers = [...spots.find(({ bet }) => bet === joker!.bet)!.numbers, ...spots.find(({ bet }) => bet === crown!.bet)!.numbers];
  return indexBook({
    ...view,
    layout: {
      ...view.layout,
      boxes: [{ ...joker!, label: 'Any picture' }, ...others.slice(1)],
      spots: spots.map((spot) => (spot.bet === joker!.bet ? { ...spot, numbers } : spot)),
    },
  });
}
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('everything that a wheel can show is on the pad, once, whatever the boxes are for', () => {
  const shown = uneven();
  const pad = show(SymbolPad, { book: shown, onpick: vi.fn() });
  const numbers = [...pad.querySelectorAll<HTMLElement>('[data-number]')].map((each) => each.dataset['number']);
  expect(numbers.slice(0, 2)).toEqual(['joker', 'crown']);
  expect([...numbers].sort()).toEqual(shown.view.wheel.outcomes.map(({ id }) => id).sort());
});

test('a box for several symbols goes by its own name, and by the result that costs most', () => {
  const stakes = { total_cents: 1500, spots: { 'symbol:joker': 1500 }, house_cents: { joker: -60_000, crown: -90_000 }, exposure_cents: null, boxes: [] };
  consoleAt(uneven(), { stakes, seats: [seat('1', 'place', { 'symbol:joker': 1500 })] });
  const grid = screen.getByRole('region', { name: 'Stakes by place and box' });
  expect(within(grid).getByRole('button', { name: 'Place 1, Any picture: 15' })).toBeTruthy();
  expect(within(grid).getAllByRole('columnheader')[1]!.textContent).toContain('Any picture');
  expect(grid.querySelector('tfoot td')!.textContent).toBe('−900');
});

test('a box of a terminal says on how many segments it wins', () => {
  const shown = uneven();
  const board = show(MoneyBoard, { book: shown, limits: limits(shown.view), stakes: {}, open: true, onplace: vi.fn() });
  const pockets = ['joker', 'crown'].reduce((sum, id) => sum + shown.outcomes.get(id)!.pockets, 0);
  const box = board.querySelector('[data-bet="symbol:joker"]')!;
  expect(box.textContent).toContain('Any picture');
  expect(box.querySelector('small')!.textContent).toMatch(new RegExp(`^${pockets} `));
});

test('where boxes refuse what is over their limit, stakes are entered and seen as where they mark it', () => {
  const stakes = { total_cents: 1500, spots: { 'symbol:joker': 1500 }, house_cents: {}, exposure_cents: null, boxes: [] };
  consoleAt(book('own-money-wheel'), { stakes, seats: [seat('1', 'place', { 'symbol:joker': 1500 })] });
  expect(screen.getByRole('button', { name: 'Place 1, Joker: 15' })).toBeTruthy();
  expect(screen.getByText('Box limits').parentElement!.textContent).toContain('1 – 200');
  expect(screen.queryByRole('region', { name: 'Outside the limits' })).toBeNull();
  expect(document.querySelector('.stake .acts')).not.toBeNull();
});

test('a table of terminals shows what lies on its layout, also where boxes are marked', () => {
  const shown = indexBook({ ...book('mbs-fusion').view, marks_boxes: true });
  const boxes = [{ bet: 'straight:7', total_cents: 3000, minimum_cents: 100, maximum_cents: 2000, excess_cents: 1000, latest: [{ seat: '1', bet: 'straight:7', cents: 1000 }], small: [] }];
  consoleAt(shown, { stakes: { total_cents: 3000, spots: { 'straight:7': 3000 }, house_cents: {}, exposure_cents: null, boxes }, seats: [seat('1', 'rapid-fusion')] });
  expect(screen.getByTestId('total').textContent).toBe('30.00');
  expect(screen.getByRole('button', { name: /^Reject 10/ })).toBeTruthy();
  expect(document.querySelector('.stake')).toBeNull();
});

test('an irregularity of an own book goes by the book, and one of a game that the screens know by their words', () => {
  const words = new Words();
  const title = 'The croupier sneezed into the wheel';
  expect(titleOf(words, book('mbs-fusion'), { cause: 'ball-broken', title })).toBe('Ball breaks');
  expect(titleOf(words, book('own-french'), { cause: 'ball-broken', title })).toBe(title);
});
