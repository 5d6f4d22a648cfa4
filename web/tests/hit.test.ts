import { describe, expect, test } from 'vitest';
import { hitAt, placesOf } from '../src/lib/board/hit';
import { inset, project, type Projection } from '../src/lib/board/project';
import { step } from '../src/lib/board/steps';
import { book, ROULETTES } from './fixtures';

/** The felt of a terminal at each size that the screens are made for. */
const SIZES: [string, number, number, boolean][] = [
  ['1920x1080', 1476, 452, false],
  ['1280x800', 994, 334, false],
  ['390x844', 372, 510, true],
];

const CASES = ROULETTES.flatMap((name) => SIZES.map((size) => [name, ...size] as const));

/** How many pixels of the felt belong to each bet. */
function zones(felt: Projection, name: string, grain = 4): Map<string, number> {
  const places = placesOf(book(name).view.layout.spots, felt);
  const pixels = new Map<string, number>();
  for (let x = 0; x < felt.width; x += grain) {
    for (let y = 0; y < felt.height; y += grain) {
      const bet = hitAt(places, felt, x, y)?.spot.bet;
      if (bet) pixels.set(bet, (pixels.get(bet) ?? 0) + grain * grain);
    }
  }
  return pixels;
}

describe.each(CASES)('%s at %s', (name, _size, width, height, upright) => {
  const layout = book(name).view.layout;
  const felt = project(layout, width, height, upright);
  const places = placesOf(layout.spots, felt);

  test('every bet is hit at its own place', () => {
    for (const place of places) expect(hitAt(places, felt, place.at.x, place.at.y)?.spot.bet).toBe(place.spot.bet);
  });

  test('a finger that misses by a few pixels still means the same bet', () => {
    for (const place of places) {
      for (const [dx, dy] of [[3, 0], [-3, 0], [0, 3], [0, -3]] as const) {
        expect(hitAt(places, felt, place.at.x + dx, place.at.y + dy)?.spot.bet).toBe(place.spot.bet);
      }
    }
  });

  test('the whole felt fits and stays inside', () => {
    for (const each of [...layout.cells, ...layout.boxes]) {
      const area = felt.area(each.rect);
      expect(area.x).toBeGreaterThanOrEqual(0);
      expect(area.y).toBeGreaterThanOrEqual(0);
      expect(area.x + area.width).toBeLessThanOrEqual(width + 0.01);
      expect(area.y + area.height).toBeLessThanOrEqual(height + 0.01);
    }
  });

  test('arrow keys reach every bet from the first', () => {
    const reached = new Set([places[0]!]);
    for (const from of reached) {
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) reached.add(step(places, from, key)!);
    }
    expect(reached.size).toBe(places.length);
  });
});

test.each(ROULETTES)('on a terminal no bet of %s has less room than a fingertip can aim at', (name) => {
  const felt = project(book(name).view.layout, 1476, 452, false);
  const pixels = zones(felt, name);
  expect(pixels.size).toBe(book(name).view.layout.spots.length);
  expect(Math.min(...pixels.values())).toBeGreaterThan(500);
});

test('a touch far from the felt means nothing', () => {
  const layout = book('mbs-fusion').view.layout;
  const felt = project(layout, 1476, 900, false);
  expect(hitAt(placesOf(layout.spots, felt), felt, 700, 4)).toBeUndefined();
});

test('a key that is no arrow moves nowhere', () => {
  const layout = book('mbs-fusion').view.layout;
  const places = placesOf(layout.spots, project(layout, 1476, 452, false));
  expect(step(places, places[0]!, 'Tab')).toBeUndefined();
});

test('a felt without room has nothing of a negative size', () => {
  const { layout } = book('mbs-fusion').view;
  for (const upright of [true, false]) {
    const felt = project(layout, 640, 0, upright);
    for (const { rect } of [...layout.cells, ...layout.boxes]) {
      const { width, height } = inset(felt.area(rect), 2);
      expect(Math.min(width, height)).toBe(0);
    }
  }
  expect(inset({ x: 10, y: 20, width: 30, height: 40 }, 2)).toEqual({ x: 12, y: 22, width: 26, height: 36 });
});
