import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import Board from '../src/lib/board/Board.svelte';
import { hitAt, placesOf } from '../src/lib/board/hit';
import { project } from '../src/lib/board/project';
import { chipRadius } from '../src/lib/board/chipPlace';
import { badgesOf, isCovered } from '../src/lib/board/stackPlace';
import type { Book } from '../src/lib/book/book';
import Bars from '../src/lib/charts/Bars.svelte';
import ChipRack from '../src/lib/chips/ChipRack.svelte';
import { badgeType, badgeWidth } from '../src/lib/chips/PaidBadge.svelte';
import type { Line } from '../src/lib/live/wire';
import MoneyBoard from '../src/lib/money/MoneyBoard.svelte';
import Announce from '../src/lib/race/Announce.svelte';
import Racetrack from '../src/lib/race/Racetrack.svelte';
import Countdown from '../src/lib/stage/Countdown.svelte';
import Results from '../src/lib/stage/Results.svelte';
import WinBanner from '../src/lib/stage/WinBanner.svelte';
import WheelView from '../src/lib/wheel/WheelView.svelte';
import { book, limits } from './fixtures';
import Staked from './Staked.svelte';
import Worded from './Worded.svelte';

const [WIDTH, HEIGHT] = [1476, 452];

// The tests have a document and no layout: every element is as large as the felt of a terminal.
beforeAll(() => {
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => WIDTH });
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => HEIGHT });
  Object.assign(SVGElement.prototype, { setPointerCapture: () => undefined });
});

function show<P extends Record<string, unknown>>(part: Component<P>, props: NoInfer<P>): HTMLElement {
  return render(Worded, { props: { part: part as unknown as Component<Record<string, unknown>>, props } }).container;
}

const BOOK = book('mbs-fusion');
const boardProps = { book: BOOK, limits: limits(BOOK.view), stakes: { red: 1000 }, chip: 500, open: true, onpoint: vi.fn(), onplace: vi.fn() };

describe('the board', () => {
  test.each(['mbs-fusion', 'rws-00-a', 'rws-00-b', 'rws-000', 'own-french'])('every bet of %s is a button with its name and pay, and is placed by a touch', async (name) => {
    const [shown, onplace] = [book(name), vi.fn()];
    const container = show(Board, { ...boardProps, book: shown, stakes: {}, onplace });
    const spots = shown.view.layout.spots;
    const board = screen.getByRole('group', { name: 'Betting layout' });
    const places = placesOf(spots, project(shown.view.layout, WIDTH, HEIGHT, false));
    expect(container.querySelectorAll('[data-bet]')).toHaveLength(spots.length);
    for (const { spot, at } of places) {
      expect(container.querySelector(`[data-bet="${spot.bet}"]`)?.getAttribute('aria-label')).toBe(`${spot.name}, pays ${spot.pays} to 1`);
      for (const act of [fireEvent.pointerDown, fireEvent.pointerUp]) await act(board, { clientX: at.x, clientY: at.y, button: 0, pointerId: 1 });
    }
    expect(onplace.mock.calls.map(([bet]) => bet as string)).toEqual(spots.map((spot) => spot.bet));
  });

  test('a press that began elsewhere, or was taken away, places nothing', async () => {
    const onplace = vi.fn();
    show(Board, { ...boardProps, onplace });
    const board = screen.getByRole('group', { name: 'Betting layout' });
    const [{ at } = { at: { x: 0, y: 0 } }] = placesOf(BOOK.view.layout.spots, project(BOOK.view.layout, WIDTH, HEIGHT, false));
    const where = { clientX: at.x, clientY: at.y, button: 0 };
    await fireEvent.pointerUp(board, { ...where, pointerId: 1 });
    await fireEvent.pointerDown(board, { ...where, pointerId: 1 });
    await fireEvent.pointerUp(board, { ...where, pointerId: 2 });
    await fireEvent.pointerCancel(board, { ...where, pointerId: 1 });
    await fireEvent.pointerUp(board, { ...where, pointerId: 1 });
    expect(onplace).not.toHaveBeenCalled();
  });

  test('pointing tells which bet a touch would place, once for each bet', async () => {
    const onpoint = vi.fn();
    show(Board, { ...boardProps, onpoint });
    const felt = project(BOOK.view.layout, WIDTH, HEIGHT, false);
    const place = placesOf(BOOK.view.layout.spots, felt).find((each) => each.spot.bet === 'split:17/20')!;
    const board = screen.getByRole('group');
    await fireEvent.pointerMove(board, { clientX: place.at.x, clientY: place.at.y });
    await fireEvent.pointerMove(board, { clientX: place.at.x + 1, clientY: place.at.y });
    expect(onpoint).toHaveBeenCalledOnce();
    expect(onpoint.mock.calls[0]![0]).toMatchObject({ name: 'split:17/20', bets: ['split:17/20'], lens: false });
    await fireEvent.pointerLeave(board);
    expect(onpoint).toHaveBeenLastCalledWith(null);
    expect(hitAt([place], felt, place.at.x + 1, place.at.y)).toBe(place);
  });

  test('what is pointed at lights the numbers that it covers', () => {
    const container = show(Board, { ...boardProps, lit: ['street:0/1/2'] });
    expect([...container.querySelectorAll('[data-lit]')].map((lit) => lit.getAttribute('data-lit'))).toEqual(['0', '1', '2']);
  });

  test('one bet is reached by Tab, arrows go on from there, and Enter places', async () => {
    const onplace = vi.fn();
    const container = show(Board, { ...boardProps, onplace });
    const reached = (): (string | null)[] => [...container.querySelectorAll('[tabindex="0"]')].map((spot) => spot.getAttribute('data-bet'));
    const board = screen.getByRole('group');
    expect(reached()).toEqual(['straight:0']);
    await fireEvent.keyDown(board, { key: 'ArrowRight' });
    expect(reached()).toEqual(['split:0/2']);
    await fireEvent.keyDown(board, { key: 'Enter' });
    await fireEvent.keyDown(board, { key: ' ' });
    expect(onplace.mock.calls).toEqual([['split:0/2'], ['split:0/2']]);
  });

  test('a stack shows its total, says its stake, and is marked while it is on its way', () => {
    const container = show(Board, { ...boardProps, pending: new Set(['red']) });
    expect(container.querySelector('[data-stack="red"] text')?.textContent).toBe('10');
    expect(container.querySelector('[data-stack="red"] .pending')).not.toBeNull();
    expect(container.querySelector('[data-bet="red"]')?.getAttribute('aria-label')).toBe('Red, pays 1 to 1, Your stake 10.00');
  });

  test('a hand goes on pointing when the focus leaves another bet', async () => {
    const onpoint = vi.fn();
    const container = show(Board, { ...boardProps, onpoint });
    const place = placesOf(BOOK.view.layout.spots, project(BOOK.view.layout, WIDTH, HEIGHT, false)).find((each) => each.spot.bet === 'split:17/20')!;
    await fireEvent.pointerMove(screen.getByRole('group'), { clientX: place.at.x, clientY: place.at.y });
    await fireEvent.blur(container.querySelector('[data-bet="red"]')!);
    expect(onpoint).toHaveBeenCalledOnce();
  });

  test('a chip on one bet touches nothing that shows another', async () => {
    const stakes = Object.fromEntries(BOOK.view.layout.spots.map((spot) => [spot.bet, 1600]));
    const { container, component } = render(Staked, { props: { board: boardProps, first: stakes } });
    await tick();
    const changed = new Set<string | null>();
    const watch = new MutationObserver((all) => all.forEach(({ target }) => {
      const element = target instanceof Element ? target : target.parentElement;
      changed.add(element?.closest('[data-stack]')?.getAttribute('data-stack') ?? element?.getAttribute('data-bet') ?? element?.outerHTML ?? null);
    }));
    watch.observe(container, { subtree: true, childList: true, attributes: true, characterData: true });
    component.stake('red', 1700);
    await vi.waitFor(() => expect(changed).toEqual(new Set(['red'])));
    watch.disconnect();
  });

  test('a result is framed with its boxes, and stacks have won or lost', () => {
    const container = show(Board, { ...boardProps, open: false, winner: '17', stakes: { black: 500, red: 500 }, paid: { black: 1000 } });
    expect(container.querySelectorAll('.won.main')).toHaveLength(1);
    expect(container.querySelector('[data-stack="black"] .won')).not.toBeNull();
    expect([...container.querySelectorAll('[data-paid]')].map((badge) => [badge.getAttribute('data-paid'), badge.textContent])).toEqual([['black', '+10']]);
    expect(container.querySelector('[data-stack="red"] .lost')).not.toBeNull();
    expect(container.querySelectorAll('.shade').length + container.querySelectorAll('rect.won').length).toBe(37 + 12);
  });
});

describe('the racetrack', () => {
  test('each pocket is for its neighbours, with the reach that was chosen', async () => {
    const onplace = vi.fn();
    const container = show(Racetrack, { book: BOOK, reach: 3, onpoint: vi.fn(), onplace });
    const pockets = [...container.querySelectorAll('[data-pocket]')];
    expect(pockets.map((pocket) => pocket.getAttribute('data-pocket'))).toEqual(BOOK.view.wheel.order);
    await fireEvent.click(container.querySelector('[data-pocket="17"]')!);
    expect(onplace).toHaveBeenCalledWith('neighbours:17+3');
  });

  test('an outcome that the wheel has in several places stands in each of them', () => {
    const order = [...BOOK.view.wheel.order, '17', '0'];
    const container = show(Racetrack, { book: { ...BOOK, view: { ...BOOK.view, wheel: { ...BOOK.view.wheel, order } } }, reach: 3, winner: '17', onpoint: vi.fn(), onplace: vi.fn() });
    expect([...container.querySelectorAll('[data-pocket]')].map((pocket) => pocket.getAttribute('data-pocket'))).toEqual(order);
    expect(container.querySelectorAll('.outline')).toHaveLength(2);
  });

  test.each([
    ['mbs-fusion', ['Tiers', 'Orphelins', 'Zero Spiel', 'Grand Series']],
    ['mbs-alfastreet', ['Small Series', 'Orphans', '0 Spiel', 'Big Series']],
    ['rws-000', ['Tiers', 'Orphelins', '0-Spiel', 'Grand Series']],
    ['rws-00-b', []],
  ])('%s has its series under its own names', async (name, labels) => {
    const onplace = vi.fn();
    const container = show(Racetrack, { book: book(name), reach: 2, onpoint: vi.fn(), onplace });
    const sectors = [...container.querySelectorAll('[data-call]')];
    expect(sectors.map((sector) => sector.getAttribute('aria-label')?.replace(/ \d+ pieces$/, ''))).toEqual(labels);
    for (const sector of sectors) await fireEvent.keyDown(sector, { key: 'Enter' });
    expect(onplace.mock.calls.map(([call]) => call as string)).toEqual(sectors.map((sector) => sector.getAttribute('data-call')));
  });

  test('reaches and finales are those of the terminal', async () => {
    const [onreach, onplace] = [vi.fn(), vi.fn()];
    show(Announce, { book: BOOK, reach: 2, onreach, onpoint: vi.fn(), onplace });
    await fireEvent.click(screen.getByRole('button', { name: 'Neighbours, 3 each side' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Finales 7' }));
    expect([onreach.mock.calls, onplace.mock.calls]).toEqual([[[3]], [['finales:7']]]);
  });

  test('a terminal without finales shows none', () => {
    show(Announce, { book: book('mbs-alfastreet'), reach: 2, onreach: vi.fn(), onpoint: vi.fn(), onplace: vi.fn() });
    expect(screen.queryByRole('button', { name: /Finales/ })).toBeNull();
    expect(screen.getAllByRole('button')).toHaveLength(4);
  });
});

test('the boxes of a wheel with symbols are placed by a touch and say how full they are', async () => {
  const [money, onplace] = [book('money-wheel'), vi.fn()];
  show(MoneyBoard, { book: money, limits: limits(money.view), stakes: { 'symbol:5': 500 }, totals: { 'symbol:5': 12_000 }, open: true, onplace });
  const boxes = screen.getAllByRole('button');
  for (const box of boxes) await fireEvent.click(box);
  expect(onplace.mock.calls.map(([bet]) => bet as string)).toEqual(money.view.layout.spots.map((spot) => spot.bet));
  expect(boxes[4]!.textContent).toMatch(/5 to 1\s*8 of 52 segments.*Your stake 5.00.*Box 120 of 200/s);
  expect(boxes[3]!.textContent).toContain('Box 0 of 200');
});

test('a box that holds more than its limit says by how much, and between rounds it says its limits', () => {
  const money = book('money-wheel');
  const given = { book: money, limits: limits(money.view), stakes: {}, open: true, onplace: vi.fn() };
  show(MoneyBoard, { ...given, totals: { 'symbol:5': 25_000 } });
  expect(screen.getAllByRole('button')[4]!.textContent).toContain('50 over');
  cleanup();
  show(MoneyBoard, { ...given, totals: null });
  expect(screen.getAllByRole('button')[4]!.textContent).toContain('Box 1 – 200');
});

test('a chip that the credits do not cover cannot be chosen', async () => {
  const onchoose = vi.fn();
  show(ChipRack, { chosen: 500, credits_cents: 1000, onchoose });
  expect(screen.getByRole('button', { name: 'Chip 5' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Chip 25' }).disabled).toBe(true);
  await fireEvent.click(screen.getByRole('button', { name: 'Chip 10' }));
  expect(onchoose).toHaveBeenCalledWith(1000);
});

test('the countdown says the seconds, and an icon stands where no clock runs', () => {
  show(Countdown, { seconds: 18, total: 30 });
  expect(screen.getByRole('timer', { name: '18 seconds left' }).textContent.trim()).toBe('18');
});

test('last results say number and colour, and void rounds say so', () => {
  show(Results, { book: BOOK, outcomes: [{ round: 3, result: '17' }, { round: 2, result: null }, { round: 1, result: '0' }] });
  expect(screen.getAllByRole('img').map((token) => token.getAttribute('aria-label'))).toEqual(['17 Black', 'Void', '0 Zero']);
});

test('a wheel at rest says what it shows', () => {
  show(WheelView, { book: BOOK, spins: false, result: '17' });
  expect(screen.getByRole('img', { name: 'Wheel, 17 Black' })).toBeTruthy();
});

describe('a number that wins with everything around it', () => {
  const around = (book: Book): string[] => book.view.layout.spots.filter(({ numbers, place }) => numbers.includes('17') && place.shape !== 'outside-box').map(({ bet }) => bet);
  test('stands above the chips, and the sums stand apart', () => {
    const felt = project(BOOK.view.layout, 974, 330, false);
    const bets = around(BOOK);
    expect(bets).toHaveLength(12);
    expect(isCovered(BOOK, bets)).toBe(true);
    for (const sum of ['+45', '+222.2k']) {
      const type = badgeType(chipRadius(felt));
      const [wide, high] = [badgeWidth(sum, type), type * 1.44];
      const badges = badgesOf(BOOK, felt, bets, '17', chipRadius(felt), () => sum);
      const over = badges.flatMap((one, place) => badges.slice(place + 1).filter((other) => Math.abs(one.at.x - other.at.x) < wide && Math.abs(one.at.y - other.at.y) < high).map((other) => [one.bet, other.bet]));
      expect(over).toEqual([]);
    }
  });
  test('is not lifted where chips lie on it alone', () => {
    expect(isCovered(BOOK, ['straight:17', 'red', 'dozen:2'])).toBe(false);
  });
  test('says how many more lines have won', () => {
    const line = (bet: string, returned_cents: number): Line => ({ bet, stake_cents: 500, returned_cents, won: true }) as Line;
    const lines = around(BOOK).map((bet, place) => line(bet, 9000 - 100 * place));
    const told = (of: Line[]): string[] => [...show(WinBanner, { book: BOOK, lines: of }).querySelectorAll('li')].map((item) => item.textContent ?? '');
    expect(told(lines.slice(0, 3))).toHaveLength(3);
    cleanup();
    expect(told(lines.slice(0, 4)).at(-1)).toBe('and 2 more175.00');
    cleanup();
    expect(told(lines).at(-1)).toBe('and 10 more835.00');
  });
});

test('figures of a chart that have no room are written in short, or not at all', () => {
  const bars = (n: number) => Array.from({ length: n }, (_, place) => ({ id: `T${place}`, label: `T${place}`, value: -12_599_874, text: '−12,599,874', brief: '−12.6M' }));
  const tick = (value: number): string => `${value.toLocaleString('en')} dollars of the house`;
  const brief = (value: number): string => `${value / 1e6}M`;
  const values = (n: number): (string | null)[] => {
    const container = show(Bars, { bars: bars(n), title: 'Win', tick, brief });
    expect([...container.querySelectorAll('.tick')].map(({ textContent }) => textContent)).toContain('-10M');
    return [...new Set([...container.querySelectorAll('.value')].map(({ textContent }) => textContent))];
  };
  expect(values(3)).toEqual(['−12,599,874']);
  cleanup();
  expect(values(16)).toEqual(['−12.6M']);
  cleanup();
  expect(values(40)).toEqual([]);
});

test('the largest loss stands above the name of its bar', () => {
  const container = show(Bars, { bars: [{ id: 'T1', label: 'T1', value: -500, text: '−500', brief: '−500' }, { id: 'T2', label: 'T2', value: 100, text: '100', brief: '100' }], title: 'Win', tick: String, brief: String });
  const heights = (of: string): number[] => [...container.querySelectorAll(of)].map((text) => Number(text.getAttribute('y')));
  expect(Math.max(...heights('.value'))).toBeLessThan(Math.min(...heights('.label')) - 14);
});
