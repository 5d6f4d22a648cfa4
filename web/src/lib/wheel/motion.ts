/**
 * How a wheel moves. Angles are degrees, clockwise, 0 on top. The ball's angle is kept relative to the rotor,
 * so that it ends exactly in its pocket however the rotor turns.
 */
export interface Pose { rotor: number; ball: number; radius: number }

export type WheelKind = 'ball' | 'clapper';

/** The kind of a wheel, as the book says it. */
export const kindOf = (wheel: { kind: string }): WheelKind => (wheel.kind === 'clapper' ? 'clapper' : 'ball');

/** Where the ball runs, and where it lies in a pocket. */
export const RIM = 181;
export const POCKET = 106;

/** Degrees a second. */
const IDLE = 9;
/** How long a wheel takes for a turn while nothing is played. */
export const ROUND_MS = 360_000 / IDLE;
const SPINNING: Record<WheelKind, { rotor: number; ball: number }> = { ball: { rotor: 45, ball: -330 }, clapper: { rotor: 150, ball: 0 } };
/** At least so many turns until a wheel comes to rest. */
const TURNS: Record<WheelKind, number> = { ball: 1.5, clapper: 4 };
const BALL_TURNS = 6;
/** The part of the landing after which the ball leaves the rim. */
const DROP = 0.58;

/** The angle of a place in the wheel's order. */
export const angleOf = (place: number, pockets: number): number => (360 * place) / pockets;

const easeOut = (x: number): number => 1 - (1 - x) ** 3;
const positive = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** At rest: the pocket on top, the ball in it. */
export function resting(angle: number): Pose {
  return { rotor: positive(-angle), ball: angle, radius: POCKET };
}

export function idle(pose: Pose, seconds: number): Pose {
  return { ...pose, rotor: positive(pose.rotor + IDLE * seconds), radius: POCKET };
}

export function spinning(pose: Pose, seconds: number, kind: WheelKind): Pose {
  const speed = SPINNING[kind];
  return { rotor: positive(pose.rotor + speed.rotor * seconds), ball: positive(pose.ball + speed.ball * seconds), radius: RIM };
}

/** From a spin to rest with a pocket on top; `x` runs from 0 to 1, and at 1 it is exactly `resting(angle)`. */
export function landing(from: Pose, angle: number, kind: WheelKind): (x: number) => Pose {
  const least = from.rotor + 360 * TURNS[kind];
  const rotorTo = least + positive(-angle - least);
  const ballBack = 360 * BALL_TURNS + positive(from.ball - angle);
  return (x) => {
    if (x >= 1) return resting(angle);
    const fall = Math.max(0, (x - DROP) / (1 - DROP));
    const bounce = fall > 0 ? Math.abs(Math.sin(fall * Math.PI * 3.5)) * 16 * (1 - fall) ** 1.5 : 0;
    const left = (1 - easeOut(Math.min(1, x / 0.94))) ** 1.05;
    return {
      rotor: from.rotor + (rotorTo - from.rotor) * easeOut(x),
      ball: angle + ballBack * left,
      radius: RIM - (RIM - POCKET) * easeOut(fall) + bounce,
    };
  };
}

/** Of several segments with the same symbol, the one that reaches the top first after the turns it takes. */
export function nextOf(order: readonly string[], outcome: string, from: Pose, kind: WheelKind): number {
  const least = from.rotor + 360 * TURNS[kind];
  let best = order.indexOf(outcome);
  let wait = Infinity;
  order.forEach((id, place) => {
    const until = positive(-angleOf(place, order.length) - least);
    if (id === outcome && until < wait) [best, wait] = [place, until];
  });
  return best;
}
