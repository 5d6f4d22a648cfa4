import { describe, expect, test } from 'vitest';
import { centroid, track, widthAt, type Vertex } from '../src/lib/race/track';
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
  expect(widthAt(square, 2)).toBe(10);
  expect(widthAt(square, 9)).toBe(0);
});
