import { describe, expect, test } from 'vitest';
import { angleOf, idle, landing, nextOf, POCKET, resting, RIM, spinning, type Pose } from '../src/lib/wheel/motion';
import { book } from './fixtures';

const modulo = (degrees: number): number => ((degrees % 360) + 360) % 360;
const START: Pose = { rotor: 33, ball: 200, radius: RIM };

describe.each(['ball', 'clapper'] as const)('a wheel with a %s', (kind) => {
  test.each([0, 97.3, 351])('comes to rest with the pocket at %d degrees on top', (angle) => {
    const end = landing(START, angle, kind)(1);

    expect(end).toEqual(resting(angle));
    expect(modulo(end.rotor + angle)).toBeCloseTo(0);
    expect([end.ball, end.radius]).toEqual([angle, POCKET]);
  });

  test('begins where the spin was and never jumps', () => {
    const path = landing(START, 97.3, kind);
    const poses = Array.from({ length: 2001 }, (_, i) => path(i / 2000));

    expect(poses[0]!.rotor).toBeCloseTo(START.rotor);
    expect(modulo(poses[0]!.ball)).toBeCloseTo(START.ball);
    expect(poses[0]!.radius).toBe(RIM);
    poses.slice(1).forEach((pose, i) => {
      const step = (a: number, b: number): number => Math.abs(modulo(a - b + 180) - 180);
      expect(step(pose.rotor, poses[i]!.rotor)).toBeLessThan(5);
      expect(step(pose.ball, poses[i]!.ball)).toBeLessThan(8);
    });
  });
});

test('a wheel with symbols turns at least four times, one with a ball at least once and a half', () => {
  const turned = (kind: 'ball' | 'clapper'): number => landing(START, 10, kind)(0.999999).rotor - START.rotor;
  expect(turned('clapper')).toBeGreaterThanOrEqual(4 * 360);
  expect(turned('ball')).toBeGreaterThanOrEqual(1.5 * 360);
});

test('while idle the ball stays in its pocket; in a spin it runs at the rim against the wheel', () => {
  const rest = resting(40);
  expect(idle(rest, 1)).toEqual({ rotor: modulo(rest.rotor + 9), ball: 40, radius: POCKET });
  const spun = spinning(rest, 0.1, 'ball');
  expect(spun.radius).toBe(RIM);
  expect(spun.rotor - rest.rotor).toBeCloseTo(4.5);
  expect(spun.ball).toBeCloseTo(modulo(40 - 33));
});

test('of many segments with one symbol the next one is taken, and it has that symbol', () => {
  const order = book('money-wheel').view.wheel.order;
  const place = nextOf(order, '1', START, 'clapper');
  expect(order[place]).toBe('1');
  const wait = (at: number): number => modulo(-angleOf(at, order.length) - START.rotor);
  order.forEach((id, at) => { if (id === '1') expect(wait(place)).toBeLessThanOrEqual(wait(at)); });
});
