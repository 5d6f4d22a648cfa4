import { expect, test } from 'vitest';
import type { Line, SeatLine } from '../src/lib/live/wire';
import { goesBack, smallFor, smallOf } from '../src/screens/console/excess';
import { lockOf, noticesOf } from '../src/screens/console/notices';
import { backBySeat, betsLeft, stakesOfActs } from '../src/screens/console/settling';
import { consoleView, refusal, round, table } from './liveViews';

const line = (bet: string, stake_cents: number, returned_cents: number, counted_cents = stake_cents): Line => ({ bet, stake_cents, counted_cents, won: returned_cents > 0, returned_cents, clause: null });
const seat = (more: Partial<SeatLine>): SeatLine => ({
  seat: '1', kind: 'rapid-fusion', layout: 'main', in_use: true, connected: true, lost: false, lock: null, call: null, credits_cents: 0, staked_cents: 0, bets: 0, last_win_cents: 0, stakes: {}, ...more,
});
const recalled = (id: string, lines: Line[]) => ({ seat: id, credits_before_cents: 0, credits_after_cents: 0, lines });

test('what went back of a void round is its stakes, by a decision before or with the round, whether it was settled or not', () => {
  const back = (id: string, cents: number, whole: boolean) => ({ at_ms: 0, what: null, actor: null, position: null, second: null, event: { type: 'seat-returned', seat: id, cents, void: whole } });
  const ended = { label: '', table: 'R1', round: 1, notices: [], between: [], after: [], acts: [back('1', 10_000, false)] };
  const returned = { ...ended, seats: [recalled('10', [line('red', 700, 700, 0)]), recalled('1', [line('even', 5000, 5000, 0)])] };
  expect(backBySeat({ ...returned, result: null })).toEqual([['1', 15_000], ['10', 700]]);
  expect(backBySeat({ ...returned, result: '1' })).toEqual([['1', 5000], ['10', 700]]);
  const atOnce = { ...ended, result: null, seats: [recalled('1', [])], acts: [...ended.acts, back('1', 5000, true)] };
  expect(backBySeat(atOnce)).toEqual([['1', 15_000]]);
});

test('stakes of a running round follow from what was done in it', () => {
  const acts = [
    { event: { type: 'bets-changed', seat: '1', changes: [{ bet: 'red', cents: 700 }, { bet: 'odd', cents: 300 }] } },
    { event: { type: 'bets-changed', seat: '1', changes: [{ bet: 'odd', cents: -300 }] } },
    { event: { type: 'bets-rejected', seat: '1', bet: 'red', cents: 200 } },
  ];
  expect(stakesOfActs(acts)).toEqual(new Map([['1', new Map([['red', 500]])]]));
});

test('what has to be looked at comes in the order of its urgency, and what was seen is gone', () => {
  const view = consoleView({
    wheel_fault: 'restarted',
    seats: [seat({ seat: '1', lost: true, bets: 2 }), seat({ seat: '2', lock: 'win', last_win_cents: 9000 })],
  });
  const seen = { table: table(), console: view, refused: { what: 'open-round', rejection: refusal('round-running') }, dismissed: new Set<string>(), wins: {} };
  const notices = noticesOf(seen);
  expect(notices.map((notice) => notice.title)).toEqual(['con.notice.refused', 'con.notice.locked', 'con.notice.fault', 'con.notice.lost']);
  expect(noticesOf({ ...seen, dismissed: new Set([notices[2]!.id]) }).map((notice) => notice.title)).not.toContain('con.notice.fault');
});

test('boxes over and under their limits are noticed while something can be done about them', () => {
  const boxes = [
    { bet: 'symbol:10', total_cents: 1300, minimum_cents: 100, maximum_cents: 1000, excess_cents: 300, latest: [{ seat: '1', bet: 'symbol:10', cents: 300 }], small: [] },
    { bet: 'symbol:1', total_cents: 550, minimum_cents: 100, maximum_cents: 1000, excess_cents: 0, latest: [], small: [{ seat: '2', cents: 30, advised: true }, { seat: '1', cents: 20, advised: false }] },
  ];
  const view = consoleView({ stakes: { total_cents: 1850, spots: {}, house_cents: {}, exposure_cents: null, boxes } });
  const open = noticesOf({ table: table(), console: view, refused: null, dismissed: new Set(), wins: {} });
  expect(open.map((notice) => [notice.title, notice.text])).toEqual([['con.notice.over', 'con.notice.over.reject'], ['con.notice.advised', 'con.notice.advised.text'], ['con.notice.under', 'con.notice.under.text']]);
  expect(open[1]).toMatchObject({ passes: false, does: { kind: 'do', do: { type: 'reject-advised', seat: '2', bet: 'symbol:1' } } });
  expect(open[2]).toMatchObject({ passes: false, does: { kind: 'do', do: { type: 'advise-minimum', seat: '1', bet: 'symbol:1' } } });

  const closed = noticesOf({ table: table({ round: round(7, { phase: 'closed' }) }), console: view, refused: null, dismissed: new Set(), wins: {} });
  expect(closed.map((notice) => notice.text)).toEqual(['con.notice.over.apportion']);
});

test('a box that is over its limit stays a notice while it can still be rejected', () => {
  const boxes = [{ bet: 'symbol:10', total_cents: 1300, minimum_cents: 100, maximum_cents: 1000, excess_cents: 300, latest: [], small: [] }];
  const view = consoleView({ stakes: { total_cents: 1300, spots: {}, house_cents: {}, exposure_cents: null, boxes } });
  const seen = { console: view, refused: null, dismissed: new Set<string>(), wins: {} };
  expect(noticesOf({ ...seen, table: table() })[0]).toMatchObject({ passes: false, does: { kind: 'show', bet: 'symbol:10' } });
  expect(noticesOf({ ...seen, table: table({ round: round(7, { phase: 'closed' }) }) })[0]).toMatchObject({ passes: true, does: { kind: 'seen' } });
});

test('a table that is over its limit is noticed like a box, and cites after the close how its bets count', () => {
  const boxes = [{ bet: 'table', total_cents: 1800, minimum_cents: 0, maximum_cents: 1500, excess_cents: 300, latest: [{ seat: '1', bet: 'symbol:10', cents: 300 }], small: [] }];
  const view = consoleView({ stakes: { total_cents: 1800, spots: {}, house_cents: {}, exposure_cents: null, boxes } });
  const seen = { console: view, refused: null, dismissed: new Set<string>(), wins: {} };
  expect(noticesOf({ ...seen, table: table() })[0]).toMatchObject({ title: 'con.notice.overTable', text: 'con.notice.over.reject', clause: null, does: { kind: 'show', bet: 'table' } });
  expect(noticesOf({ ...seen, table: table({ round: round(7, { phase: 'closed' }) }) })[0]).toMatchObject({ text: 'con.notice.overTable.whole', clause: 'assumption:table-excess' });
  expect(goesBack(boxes, 'symbol:10', '1')).toEqual({ cents: 300, isLatest: true });
  expect(goesBack(boxes, 'symbol:5', '1')).toBeNull();
});

test('a key for small bets is meant for the one under the arrows, or for the first that is in question', () => {
  const small = smallOf([
    { bet: 'symbol:10', total_cents: 50, minimum_cents: 100, maximum_cents: 1000, excess_cents: 0, latest: [], small: [{ seat: '1', cents: 20, advised: false }, { seat: '2', cents: 30, advised: true }] },
    { bet: 'symbol:5', total_cents: 10, minimum_cents: 100, maximum_cents: 1000, excess_cents: 0, latest: [], small: [{ seat: '2', cents: 10, advised: false }] },
  ]);
  expect(small.map(({ bet, seat: at, advised }) => [bet, at, advised])).toEqual([['symbol:10', '1', false], ['symbol:10', '2', true], ['symbol:5', '2', false]]);
  expect(smallFor(small, false, { seat: '', bet: '' })).toMatchObject({ seat: '1', bet: 'symbol:10' });
  expect(smallFor(small, false, { seat: '2', bet: 'symbol:5' })).toMatchObject({ seat: '2', bet: 'symbol:5' });
  expect(smallFor(small, true, { seat: '2', bet: 'symbol:5' })).toMatchObject({ seat: '2', bet: 'symbol:10' });
  expect(smallFor([], true, { seat: '1', bet: 'symbol:10' })).toBeUndefined();
});

test('a locked seat is said to have won what the table locked it for, and never what came back with the stake', () => {
  const locked = seat({ lock: 'win', last_win_cents: 360_000 });
  expect(lockOf(locked, { 1: 350_000 })).toEqual({ text: 'con.notice.locked.win', cents: 350_000 });
  expect(lockOf(locked, {})).toEqual({ text: 'con.notice.locked.large', cents: null });
  expect(lockOf(seat({ lock: 'attendant-pay', credits_cents: 400_000 }), { 1: 1 })).toEqual({ text: 'con.notice.locked.pay', cents: 400_000 });
});

test('only the bet that came last to a box is the latest; the others go back after it, each with its part', () => {
  const latest = [{ seat: '3', bet: 'symbol:10', cents: 500 }, { seat: '1', bet: 'symbol:10', cents: 200 }, { seat: '3', bet: 'symbol:10', cents: 100 }];
  const boxes = [
    { bet: 'symbol:10', total_cents: 1800, minimum_cents: 100, maximum_cents: 1000, excess_cents: 800, latest, small: [] },
    { bet: 'symbol:1', total_cents: 50, minimum_cents: 100, maximum_cents: 1000, excess_cents: 0, latest: [], small: [] },
  ];
  expect(goesBack(boxes, 'symbol:10', '3')).toEqual({ cents: 600, isLatest: true });
  expect(goesBack(boxes, 'symbol:10', '1')).toEqual({ cents: 200, isLatest: false });
  expect(goesBack(boxes, 'symbol:10', '2')).toBeNull();
  expect(goesBack(boxes, 'symbol:1', '3')).toBeNull();
  expect(goesBack(boxes, 'symbol:5', '3')).toBeNull();
});

test('bets that were given back of a settled round are not offered to be given back again', () => {
  const of = (...lines: Line[]) => betsLeft({ label: '', table: 'R1', round: 1, result: '1', notices: [], between: [], acts: [], after: [], seats: [recalled('1', lines)] });
  expect(of(line('red', 1000, 1000, 0), line('even', 1000, 0), line('odd', 1000, 600, 400))).toEqual([{ seat: '1', bet: 'even', cents: 1000 }, { seat: '1', bet: 'odd', cents: 1000 }]);
  expect(of(line('red', 1000, 1000, 0))).toEqual([]);
});
