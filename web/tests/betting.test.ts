import { describe, expect, test } from 'vitest';
import {
  begun, clear, creditsLeft, double, EMPTY, move, place, redo, refused, registered, repeat, send, stakesOf,
  takeOff, total, undo, withoutHistory, type Attempt, type Change, type Means, type Slip,
} from '../src/lib/betting/betting';
import { book, limits } from './fixtures';

const BOOK = book('mbs-fusion');
const MEANS: Means = { limits: limits(BOOK.view), credits_cents: 100_000, refuses: true };

function changeOf(attempt: Attempt): Change {
  if ('obstacle' in attempt) throw new Error(`refused: ${attempt.obstacle.reason}`);
  return attempt.change;
}

function reasonOf(attempt: Attempt): string {
  return 'obstacle' in attempt ? attempt.obstacle.reason : 'none';
}

/** Sends a change and lets the server register it. */
function carry(slip: Slip, attempt: Attempt, kind: 'new' | 'undo' | 'redo' = 'new'): Slip {
  const sent = send(slip, changeOf(attempt), kind);
  return registered(sent, sent.onTheWay.at(-1)!.id, stakesOf(sent));
}

const with17 = carry(EMPTY, place(BOOK, EMPTY, MEANS, 'straight:17', 500));

describe('placing', () => {
  test('a chip is on its way until the server has registered it', () => {
    const sent = send(EMPTY, changeOf(place(BOOK, EMPTY, MEANS, 'straight:17', 500)));

    expect(sent.registered).toEqual({});
    expect(stakesOf(sent)).toEqual({ 'straight:17': 500 });
    expect(creditsLeft(sent, 2000)).toBe(1500);
    expect(registered(sent, 1, { 'straight:17': 500 }).onTheWay).toEqual([]);
  });

  test('a second chip adds to the first', () => {
    expect(stakesOf(carry(with17, place(BOOK, with17, MEANS, 'straight:17', 500)))).toEqual({ 'straight:17': 1000 });
  });

  test('an announced bet is asked for by its name and lies on all of its pieces', () => {
    const change = changeOf(place(BOOK, EMPTY, MEANS, 'grand-series', 500));

    expect(change.commands).toEqual([{ type: 'place-bets', stakes: [{ bet: 'grand-series', cents: 500 }] }]);
    expect(change.deltas).toMatchObject({ 'street:0/2/3': 1000, 'split:4/7': 500, 'corner:25/26/28/29': 1000 });
    expect(total(change.deltas)).toBe(4500);
  });

  test.each([
    ['above-maximum', 'straight:17', 25_000],
    ['below-minimum', 'straight:17', 50],
    ['not-enough-credits', 'tiers', 18_000],
    ['nothing-to-do', 'straight:99', 500],
  ])('%s', (reason, bet, chip) => {
    expect(reasonOf(place(BOOK, EMPTY, MEANS, bet, chip))).toBe(reason);
  });

  test('a limit counts what lies there already', () => {
    const full = { ...EMPTY, registered: { 'straight:17': 20_000 } };

    expect(place(BOOK, full, MEANS, 'straight:17', 100)).toEqual({
      obstacle: { reason: 'above-maximum', bet: 'straight:17', facts: { maximum: 20_000, would: 20_100 } },
    });
  });

  test('a game that marks boxes leaves the limits of boxes to the dealer', () => {
    expect(reasonOf(place(BOOK, EMPTY, { ...MEANS, refuses: false }, 'straight:17', 25_000))).toBe('none');
  });

  test('a seat may have a most of its own', () => {
    const means = { ...MEANS, limits: { ...MEANS.limits, seat_cents: 800 } };

    expect(reasonOf(place(BOOK, with17, means, 'red', 500))).toBe('seat-limit');
    expect(reasonOf(place(BOOK, with17, means, 'red', 300))).toBe('none');
  });
});

describe('taking off and moving', () => {
  test('one chip comes off', () => {
    const twice = carry(with17, place(BOOK, with17, MEANS, 'straight:17', 500));

    expect(stakesOf(carry(twice, takeOff(BOOK, twice, MEANS, 'straight:17', 500)))).toEqual({ 'straight:17': 500 });
  });

  test('what would be left under the minimum comes off as well', () => {
    const means = { ...MEANS, limits: limits(BOOK.view, 300) };

    expect(changeOf(takeOff(BOOK, with17, means, 'straight:17', 300)).deltas).toEqual({ 'straight:17': -500 });
  });

  test('nothing comes off where nothing lies', () => {
    expect(reasonOf(takeOff(BOOK, with17, MEANS, 'red', 500))).toBe('nothing-there');
    expect(reasonOf(move(BOOK, with17, MEANS, 'red', 'black'))).toBe('nothing-there');
  });

  test('a stake moves as a whole and costs nothing', () => {
    const poor = { ...MEANS, credits_cents: 0 };
    const change = changeOf(move(BOOK, with17, poor, 'straight:17', 'split:17/20'));

    expect(change.commands).toEqual([{ type: 'move-bet', source: 'straight:17', destination: 'split:17/20', cents: 500 }]);
    expect(stakesOf(send(with17, change))).toEqual({ 'split:17/20': 500 });
  });

  test('one chip comes off each piece of an announced bet, as far as there is one', () => {
    const twice = carry(with17, place(BOOK, with17, MEANS, 'tiers', 500));
    const all = carry(twice, place(BOOK, twice, MEANS, 'tiers', 500));
    expect(stakesOf(carry(all, takeOff(BOOK, all, MEANS, 'tiers', 500)))).toEqual(stakesOf(twice));

    const [piece = ''] = BOOK.calls.get('tiers')!.parts.map(({ bet }) => bet);
    const one = { ...EMPTY, registered: { [piece]: 500, red: 500 } };
    expect(changeOf(takeOff(BOOK, one, MEANS, 'tiers', 500)).commands).toEqual([{ type: 'take-bets', stakes: [{ bet: piece, cents: 500 }] }]);
    expect(takeOff(BOOK, with17, MEANS, 'tiers', 500)).toEqual({ obstacle: { reason: 'nothing-there', bet: 'tiers', facts: {} } });
  });

  test('an announced bet is moved in its pieces', () => {
    expect(reasonOf(move(BOOK, with17, MEANS, 'straight:17', 'tiers'))).toBe('in-pieces');
    expect(reasonOf(move(BOOK, with17, MEANS, 'tiers', 'red'))).toBe('in-pieces');
  });

  test('everything is cleared by one command', () => {
    const change = changeOf(clear(with17));

    expect(change.commands).toEqual([{ type: 'clear-bets' }]);
    expect(stakesOf(send(with17, change))).toEqual({});
    expect(reasonOf(clear(EMPTY))).toBe('nothing-to-do');
  });
});

describe('repeat and double', () => {
  test('the stakes of the last round are placed again', () => {
    const last = { 'straight:17': 500, red: 1000 };

    expect(stakesOf(carry(EMPTY, repeat(BOOK, EMPTY, MEANS, last)))).toEqual(last);
    expect(reasonOf(repeat(BOOK, EMPTY, MEANS, {}))).toBe('nothing-to-do');
  });

  test('doubling places what lies there once more, or nothing', () => {
    expect(stakesOf(carry(with17, double(BOOK, with17, MEANS)))).toEqual({ 'straight:17': 1000 });
    expect(reasonOf(double(BOOK, with17, { ...MEANS, credits_cents: 499 }))).toBe('not-enough-credits');
  });
});

describe('undo and redo', () => {
  test('each step is taken back and taken again', () => {
    let slip = carry(with17, place(BOOK, with17, MEANS, 'tiers', 500));
    slip = carry(slip, move(BOOK, slip, MEANS, 'straight:17', 'red'));
    const whole = stakesOf(slip);

    slip = carry(slip, undo(BOOK, slip, MEANS), 'undo');
    slip = carry(slip, undo(BOOK, slip, MEANS), 'undo');
    expect(stakesOf(slip)).toEqual({ 'straight:17': 500 });
    slip = carry(slip, undo(BOOK, slip, MEANS), 'undo');
    expect(stakesOf(slip)).toEqual({});
    expect(reasonOf(undo(BOOK, slip, MEANS))).toBe('nothing-to-do');

    for (let i = 0; i < 3; i += 1) slip = carry(slip, redo(BOOK, slip, MEANS), 'redo');
    expect(stakesOf(slip)).toEqual(whole);
    expect(reasonOf(redo(BOOK, slip, MEANS))).toBe('nothing-to-do');
  });

  test('a move is undone by moving back, and clearing by placing everything again', () => {
    const moved = carry(with17, move(BOOK, with17, MEANS, 'straight:17', 'red'));
    expect(changeOf(undo(BOOK, moved, MEANS)).commands).toEqual([{ type: 'move-bet', source: 'red', destination: 'straight:17', cents: 500 }]);

    const empty = carry(with17, clear(with17));
    expect(changeOf(undo(BOOK, empty, MEANS)).commands).toEqual([{ type: 'place-bets', stakes: [{ bet: 'straight:17', cents: 500 }] }]);
    expect(changeOf(undo(BOOK, with17, MEANS)).commands).toEqual([{ type: 'clear-bets' }]);
  });

  test('something new cannot be followed by what was undone before', () => {
    let slip = carry(with17, undo(BOOK, with17, MEANS), 'undo');
    slip = carry(slip, place(BOOK, slip, MEANS, 'red', 500));

    expect(reasonOf(redo(BOOK, slip, MEANS))).toBe('nothing-to-do');
  });
});

describe('refusals', () => {
  test('the chips go back, and there is nothing to undo', () => {
    const sent = send(EMPTY, changeOf(place(BOOK, EMPTY, MEANS, 'red', 500)));
    const back = refused(sent, 1);

    expect(stakesOf(back)).toEqual({});
    expect(reasonOf(undo(BOOK, back, MEANS))).toBe('nothing-to-do');
  });

  test('other bets on their way are not touched', () => {
    const first = send(EMPTY, changeOf(place(BOOK, EMPTY, MEANS, 'red', 500)));
    const both = send(first, changeOf(place(BOOK, first, MEANS, 'black', 500)));

    expect(stakesOf(refused(both, 1))).toEqual({ black: 500 });
    expect(refused(both, 9)).toBe(both);
  });

  test('a refused undo can be tried again, and so can a refused redo', () => {
    const undone = send(with17, changeOf(undo(BOOK, with17, MEANS)), 'undo');
    const back = refused(undone, undone.onTheWay[0]!.id);
    expect(stakesOf(back)).toEqual({ 'straight:17': 500 });
    expect(back.done).toEqual(with17.done);
    expect(back.undone).toEqual([]);

    const gone = carry(with17, undo(BOOK, with17, MEANS), 'undo');
    const again = send(gone, changeOf(redo(BOOK, gone, MEANS)), 'redo');
    expect(refused(again, again.onTheWay[0]!.id)).toMatchObject({ done: gone.done, undone: gone.undone });
  });
});

test('closed bets stand and cannot be undone; a new round begins with what the server says', () => {
  expect(reasonOf(undo(BOOK, withoutHistory(with17), MEANS))).toBe('nothing-to-do');
  expect(stakesOf(withoutHistory(with17))).toEqual({ 'straight:17': 500 });
  expect(begun(with17, { red: 100 })).toEqual({ ...EMPTY, registered: { red: 100 }, nextId: with17.nextId });
});

test('undoing takes off what was placed and nothing else that costs as much', () => {
  const both = carry(with17, place(BOOK, with17, MEANS, 'red', 500));
  const rejected = { ...both, registered: { 'straight:17': 500 } };

  expect(undo(BOOK, rejected, MEANS)).toEqual({ obstacle: { reason: 'nothing-there', bet: 'red', facts: {} } });
  const other = { ...with17, registered: { red: 500 } };
  expect(undo(BOOK, other, { ...MEANS, refuses: false })).toMatchObject({ obstacle: { reason: 'nothing-there' } });
  const more = { ...with17, registered: { 'straight:17': 1000 } };
  expect(changeOf(undo(BOOK, more, MEANS)).commands).toEqual([{ type: 'take-bets', stakes: [{ bet: 'straight:17', cents: 500 }] }]);
});

test('what is refused after the history was dropped does not bring it back', () => {
  const undone = send(with17, changeOf(undo(BOOK, with17, MEANS)), 'undo');

  expect(refused(withoutHistory(undone), undone.onTheWay[0]!.id)).toMatchObject({ done: [], undone: [], onTheWay: [] });
});
