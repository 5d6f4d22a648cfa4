import { describe, expect, test } from 'vitest';
import { lettering, wrapped } from '../src/lib/race/lettering';
import { centroid, roomBetween, track, type Vertex } from '../src/lib/race/track';
import { book, ROULETTES } from './fixtures';

const SIZES: [number, number][] = [[1108, 230], [724, 174], [358, 380]];

function area(vertices: readonly Vertex[]): number {
  return Math.abs(vertices.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = vertices[(i + 1) % vertices.length]!;
    return sum + x * nextY - nextX * y;
  }, 0)) / 2;
}

describe.each(SIZES)('a track of %i by %i', (width, height) => {
  test.each(ROULETTES)('has every pocket and every series of %s inside, each large enough to touch', (name) => {
    const { wheel, layout } = book(name).view;
    const shape = track(width, height, wheel.order.length, 1);
    for (const place of wheel.order.keys()) {
      const { outline, middle: [x, y] } = shape.pocket(place);
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(height);
      expect(area(outline)).toBeGreaterThan(24 * 24);
    }
    const areas = layout.racetrack!.sectors.map((sector) => shape.area(sector.arcs));
    for (const each of areas) expect(area(each)).toBeGreaterThan(44 * 44);
    // The series share the inside without overlapping: together they are no larger than it.
    expect(areas.reduce((sum, each) => sum + area(each), 0)).toBeLessThanOrEqual(area(shape.inside) * 1.01);
  });
});

test('a name stands in the middle of its area, and there is a width to fit it into', () => {
  const square: Vertex[] = [[0, 0], [10, 0], [10, 4], [0, 4]];
  expect(centroid(square)).toEqual([5, 2]);
  expect(roomBetween(square, 1, 3)).toEqual({ x: 5, width: 10 });
  expect(roomBetween(square, 7, 9).width).toBe(0);
  // Where it becomes narrow the lines have less room, and another middle.
  const narrows: Vertex[] = [[0, 0], [10, 0], [10, 4], [6, 4]];
  expect(roomBetween(narrows, 0.001, 3.999).width).toBeLessThan(roomBetween(narrows, 0.001, 1).width);
  expect(roomBetween(narrows, 0.001, 3.999).x).toBeGreaterThan(7);
});

// The smallest is the lab's on a screen 1600 wide, where the last series is hardly wider than its name.
describe.each([...SIZES, [478, 184], [500, 162]] as [number, number][])('the names on a track of %i by %i', (width, height) => {
  test.each(ROULETTES)('stand whole inside the series of %s', (name) => {
    const { wheel, layout } = book(name).view;
    const shape = track(width, height, wheel.order.length, 1);
    for (const sector of layout.racetrack!.sectors.filter(({ arcs }) => arcs.length)) {
      const outline = shape.area(sector.arcs);
      const { lines } = lettering(outline, book(name).calls.get(sector.call)!.label, '9 pieces', Math.min(20, height * 0.085));
      for (const { text, x, y, type } of lines) {
        const room = roomBetween(outline, y - type * 0.4, y + type * 0.4);
        const half = (text.length * 0.6 * type) / 2;
        expect([text, x - half >= room.x - room.width / 2, x + half <= room.x + room.width / 2]).toEqual([text, true, true]);
        expect(type).toBeGreaterThan(9);
      }
    }
  });
});

test('a sentence inside the track breaks into lines that fit', () => {
  const narrow: Vertex[] = [[0, 0], [120, 0], [120, 200], [0, 200]];
  const lines = wrapped(narrow, 'Touch a number for it and its neighbours', 14);
  expect(lines.map(({ text }) => text)).toEqual(['Touch a', 'number for it', 'and its', 'neighbours']);
  expect(lines.map(({ y }) => y).reduce((sum, y) => sum + y, 0) / lines.length).toBeCloseTo(100);
  expect(wrapped([[0, 0], [600, 0], [600, 100], [0, 100]], 'Touch a number', 18).map(({ text }) => text)).toEqual(['Touch a number']);
  expect(wrapped(narrow, '点选号码即投该号及其邻号', 14).map(({ text }) => text)).toEqual(['点选号码即投该', '号及其邻号']);
});
