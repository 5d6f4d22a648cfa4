import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecalledAct, RecalledRound, Report, ReportRow, Ruling } from '../src/lib/api/types';
import type { PitLine, RoundView, TableView } from '../src/lib/live/wire';
import { alarmsOf, alarmsOfFloor, shownFacts } from '../src/screens/pit/alarms';
import { decisionsOf, oldestFirst } from '../src/screens/pit/decisions';
import { EVERYTHING, queryOf } from '../src/screens/pit/events.svelte';
import { gamingDay } from '../src/screens/pit/gamingDay';
import { Keys } from '../src/screens/pit/keys';
import { phaseOf } from '../src/screens/pit/phase';
import { momentOf, pauseAfter, stakedAt, stretchesOf } from '../src/screens/pit/replay';
import { countOf, kindOf, measureOf, moneyOf, nameOf, shownMeasure } from '../src/screens/pit/reporting';
import { Words } from '../src/lib/i18n/words.svelte';
import { book } from './fixtures';

const view = (more: Partial<TableView> = {}): TableView => ({
  table: 'T1', book: 'b', layouts: ['main'], open: true, halted: false, awaits_outcome: false, wheel_fault: false, rounds_left: null,
  round_number: 7, round: null, notice: '', clause: null, limits: { bets: {}, spots: {}, seat_cents: null, table_cents: null, exposure_cents: null },
  cash_limit_cents: null, betting_seconds: 20, warning_seconds: 5, outcomes: [], notices: [], ...more,
});
const round = (more: Partial<RoundView> = {}): RoundView => ({ number: 7, phase: 'betting', opened_ms: 0, closes_ms: 20_000, warned: false, spin: null, result: null, sensor: null, ...more });
const line = (more: Partial<PitLine> = {}): PitLine => ({
  view: view(), halted_reason: null, wheel_fault: null, disputes: [], total_cents: 0, worst_cents: 0, seats_in_use: 1, seats_connected: 1, locked: [], lost: [], calls: [], boxes: [], suspect: null,
  meters: {} as PitLine['meters'], ...more,
});

/** When gaming days begin around changes of clocks; the tests of reports read the same list. */
const BEGINNINGS = JSON.parse(readFileSync('../tests/floor/gaming_days.json', 'utf8')) as { zone: string; shifts: string[]; begins: Record<string, string> }[];

describe('alarms', () => {
  it('are none at a table where all is well', () => {
    expect(alarmsOf(line())).toEqual([]);
    expect(decisionsOf(line())).toEqual([]);
  });
  it('name each seat, and keep their id as long as it is the same thing', () => {
    const found = alarmsOf(line({ locked: ['3', '8'], lost: ['4'] }));
    expect(found.map(({ id, weight }) => [id, weight])).toEqual([['T1/seat-locked/3', 'look'], ['T1/seat-locked/8', 'look'], ['T1/seat-lost/4', 'know']]);
  });
  it('name each seat that calls an attendant, with its reason and its time', () => {
    const calls = [{ seat: '8', reason: 'payout', since_ms: 5000 }, { seat: '3', reason: 'help', since_ms: 7000 }];
    const found = alarmsOf(line({ calls, locked: ['3'], lost: ['4'] }));
    expect(found.map(({ id, weight, since_ms }) => [id, weight, since_ms])).toEqual([
      ['T1/seat-locked/3', 'look', undefined], ['T1/attendant-called/8', 'look', 5000], ['T1/attendant-called/3', 'look', 7000], ['T1/seat-lost/4', 'know', undefined],
    ]);
    expect(shownFacts(new Words(), undefined, found[1]!.facts)).toEqual({ table: 'T1', seat: '8', reason: 'Pay out' });
    expect(decisionsOf(line({ calls }))).toEqual([]);
  });
  it('come with what stops play first, whatever the table', () => {
    const lost = line({ lost: ['1'] });
    const halted = line({ view: view({ table: 'T2', halted: true }), halted_reason: 'power' });
    const faulty = line({ view: view({ table: 'T3' }), wheel_fault: 'no-ball', suspect: 'W3' });
    expect(alarmsOfFloor([lost, halted, faulty]).map(({ code }) => code)).toEqual(['table-halted', 'wheel-reported', 'wheel-suspected', 'seat-lost']);
  });
  it('say in words what is wrong with a wheel, and name what they have no word for', () => {
    const [alarm] = alarmsOf(line({ wheel_fault: 'line-lost' }));
    expect(shownFacts(new Words(), undefined, alarm!.facts)).toEqual({ table: 'T1', reason: 'no signal' });
    const [unknown] = alarmsOf(line({ wheel_fault: 'no-ball' }));
    expect(shownFacts(new Words(), undefined, unknown!.facts)).toEqual({ table: 'T1', reason: 'no-ball' });
  });
  it('wait for a decision where an outcome, a halt or a confirmation waits for somebody', () => {
    const waiting = line({ view: view({ awaits_outcome: true, round: round({ phase: 'resulted', result: '5' }) }) });
    expect(decisionsOf(waiting).map(({ id }) => id)).toEqual(['T1/table-interrupted']);
    const entered = line({ view: view({ round: round({ phase: 'resulted', result: '5' }) }) });
    expect(decisionsOf(entered)).toMatchObject([{ id: 'T1/result-entered/7', text: 'decision.confirm.text', facts: { result: '5' } }]);
    expect(decisionsOf(line({ halted_reason: 'power' })).map(({ id }) => id)).toEqual(['T1/table-halted']);
  });
  it('wait for a second person where the sensor saw another result', () => {
    const spin = { ball: null, wheel: null, finished: true, pocket: '6', revolutions: null, sensed: true, sensor_failed: false, on_record: true };
    const entered = line({ view: view({ round: round({ phase: 'resulted', result: '5', spin }) }) });
    expect(decisionsOf(entered)).toMatchObject([{ text: 'decision.confirm.disagrees', facts: { result: '5', sensed: '6' } }]);
  });
  it('wait for somebody to release each seat that is locked, under the id of the alarm', () => {
    const locked = line({ locked: ['3', '8'] });
    expect(decisionsOf(locked).map(({ id }) => id)).toEqual(alarmsOf(locked).map(({ id }) => id));
  });
  it('are listed with what has waited longest first, and what began at an unknown time last', () => {
    const found = decisionsOf(line({ halted_reason: 'power', locked: ['3', '8', '9'] }));
    const began = new Map([['T1/table-halted', 300], ['T1/seat-locked/8', 100], ['T1/seat-locked/9', 200]]);
    expect(oldestFirst(found, ({ id }) => began.get(id)).map(({ id }) => id)).toEqual(['T1/seat-locked/8', 'T1/seat-locked/9', 'T1/table-halted', 'T1/seat-locked/3']);
  });
  it('name boxes that hold more than their maximum, each by itself', () => {
    const over = (bet: string, excess_cents: number) => ({ bet, total_cents: 10_000 + excess_cents, minimum_cents: 500, maximum_cents: 10_000, excess_cents, latest: [], small: [] });
    const found = alarmsOf(line({ boxes: [over('symbol:5', 2_500), over('symbol:10', 100)] }));
    expect(found.map(({ id, weight, round: number }) => [id, weight, number])).toEqual([['T1/box-marked/symbol:5', 'look', 7], ['T1/box-marked/symbol:10', 'look', 7]]);
    expect(shownFacts(new Words(), book('money-wheel'), found[0]!.facts)).toEqual({ table: 'T1', bet: 'SGD 5', excess: '25.00', maximum: '100.00' });
  });
});

describe('the phase of a table', () => {
  it('counts the betting time down and stops at zero', () => {
    expect(phaseOf(view({ round: round() }), 5_000, false)).toMatchObject({ word: 'phase.betting', left: 0.75, seconds: 15 });
    expect(phaseOf(view({ round: round() }), 25_000, false)).toMatchObject({ left: 0, seconds: 0 });
  });
  it('says halted before anything else, and void where the last round is', () => {
    expect(phaseOf(view({ halted: true, round: round() }), 0, false).word).toBe('phase.halted');
    expect(phaseOf(view({ outcomes: [{ round: 7, result: null }] }), 0, false).word).toBe('phase.void');
    expect(phaseOf(view({ outcomes: [{ round: 6, result: null }] }), 0, false).word).toBe('phase.settled');
    expect(phaseOf(view({ round: round({ phase: 'spinning' }) }), 0, true).word).toBe('phase.turning');
  });
});

describe('a gaming day', () => {
  it('begins with the first shift by the clocks of the house', () => {
    // 2023-11-14 22:13:20 UTC is 06:13 in Singapore on the 15th.
    expect(gamingDay(1_700_000_000_000, 'Asia/Singapore', ['06:00'])).toBe('2023-11-15');
    expect(gamingDay(1_700_000_000_000, 'Asia/Singapore', ['06:30'])).toBe('2023-11-14');
    expect(gamingDay(1_700_000_000_000, 'UTC', ['06:00'])).toBe('2023-11-14');
  });
  it('goes back over the end of a month', () => {
    expect(gamingDay(Date.UTC(2024, 2, 1, 3), 'UTC', ['06:00'])).toBe('2024-02-29');
  });
  it('begins once where clocks are set back', () => {
    // New York shows 01:30 at 05:30 UTC and again at 06:30.
    const days = ['05:29', '05:30', '06:00', '06:29', '07:00'].map((time) => gamingDay(Date.parse(`2024-11-03T${time}Z`), 'America/New_York', ['01:30']));
    expect(days).toEqual(['2024-11-02', '2024-11-03', '2024-11-03', '2024-11-03', '2024-11-03']);
  });
  it('begins as in reports where clocks are set forward over its first shift', () => {
    // Berlin shows 03:00 right behind 01:59, at 01:00 UTC.
    const days = (shifts: string[]): string[] => ['00:59', '01:00', '01:09', '01:10', '01:29', '01:30'].map((time) => gamingDay(Date.parse(`2024-03-31T${time}Z`), 'Europe/Berlin', shifts).slice(8));
    expect(days(['02:30', '14:00'])).toEqual(['30', '30', '30', '30', '30', '31']);
    expect(days(['02:30', '03:10'])).toEqual(['30', '30', '30', '31', '31', '31']);
    expect(days(['03:00', '11:00', '02:30'])).toEqual(['30', '31', '31', '31', '31', '31']);
  });
  it.each(BEGINNINGS)('begins as in reports around the edges of clocks: $zone $shifts', ({ zone, shifts, begins }) => {
    const days = Object.entries(begins);
    for (const [place, [day, moment]] of days.entries()) {
      const [before] = days[place - 1] ?? [];
      expect(gamingDay(Date.parse(moment), zone, shifts)).toBe(day);
      if (before) expect(gamingDay(Date.parse(moment) - 1, zone, shifts)).toBe(before);
    }
  });
});

describe('keys', () => {
  it('choose a table by one digit or two', () => {
    const keys = new Keys(() => 12);
    expect(keys.press('1', 0)).toEqual({ act: 'table', number: 1 });
    expect(keys.press('2', 300)).toEqual({ act: 'table', number: 12 });
    expect(keys.press('3', 400)).toEqual({ act: 'table', number: 3 });
    expect(keys.press('1', 5000)).toEqual({ act: 'table', number: 1 });
    expect(keys.press('1', 6000)).toEqual({ act: 'table', number: 1 });
  });
  it('do nothing for tables that are not there', () => {
    const keys = new Keys(() => 5);
    expect(keys.press('0', 0)).toBeNull();
    expect(keys.press('9', 0)).toBeNull();
    expect(keys.press('x', 0)).toBeNull();
  });
  it('work with the shift key held or not', () => {
    const keys = new Keys(() => 5);
    expect(keys.press('A', 0)).toEqual({ act: 'alarm' });
    expect(keys.press('[', 0)).toEqual({ act: 'before' });
    expect(keys.press('Escape', 0)).toEqual({ act: 'back' });
  });
});

describe('a recalled round', () => {
  const act = (at_ms: number, event: RecalledAct['event']): RecalledAct => ({ at_ms, event, what: event.type, actor: null, position: null, second: null });
  const bets = (at_ms: number, seat: string, ...changes: [string, number][]): RecalledAct =>
    act(at_ms, { type: 'bets-changed', seat, changes: changes.map(([bet, cents]) => ({ bet, cents, announced: null })) });
  const recalled: RecalledRound = {
    label: 'RECALL', table: 'T1', round: 7, result: '17', notices: [], between: [], after: [],
    seats: [{ seat: '1', credits_before_cents: 10_000, credits_after_cents: 12_500, lines: [] }, { seat: '2', credits_before_cents: 500, credits_after_cents: 0, lines: [] }],
    acts: [
      act(1000, { type: 'round-opened', notice: 'Place your bets' }),
      act(1500, { type: 'credits-bought', seat: '1', cents: 10_000 }),
      bets(2000, '1', ['straight:17', 100], ['red', 500]),
      bets(3000, '2', ['red', 500]),
      bets(4000, '1', ['red', -500]),
      act(20_000, { type: 'bets-closed', notice: 'No more bets' }),
      act(21_000, { type: 'spin-started', ball: 'clockwise', wheel: 'counter-clockwise' }),
      act(30_000, { type: 'spin-finished', pocket: '17', revolutions: 8 }),
      act(31_000, { type: 'result-entered', result: '17' }),
      act(32_000, { type: 'result-confirmed', result: '17', notice: '17 wins' }),
      act(32_000, { type: 'seat-settled', seat: '1', returned_cents: 3600 }),
      act(32_000, { type: 'seat-settled', seat: '2', returned_cents: 0 }),
      act(32_001, { type: 'round-settled', result: '17' }),
    ],
  };
  it('stands after each act as it stood then', () => {
    expect(momentOf(recalled, 2)).toMatchObject({ phase: 'betting', notice: 'Place your bets', total_cents: 600, bets: 2, result: null });
    expect(momentOf(recalled, 4)).toMatchObject({ total_cents: 600, bets: 2 });
    expect(momentOf(recalled, 4).seats[0]).toMatchObject({ stakes: { 'straight:17': 100 }, staked_cents: 100, credits_cents: 9900, returned_cents: null });
    expect(momentOf(recalled, 7)).toMatchObject({ phase: 'spinning', notice: 'No more bets', ball: 'clockwise', pocket: '17', revolutions: 8, result: null });
    const end = momentOf(recalled, 12);
    expect(end).toMatchObject({ phase: 'settled', result: '17', notice: '17 wins' });
    expect(end.seats.map(({ credits_cents, returned_cents }) => [credits_cents, returned_cents])).toEqual([[13_500, 3600], [0, 0]]);
  });
  it('gives stakes back where it is void', () => {
    const acts = [...recalled.acts.slice(0, 6), act(25_000, { type: 'round-voided', notice: 'Void', reason: 'x' }), act(25_000, { type: 'seat-returned', seat: '2', cents: 500, void: true })];
    const end = momentOf({ ...recalled, result: null, acts }, acts.length - 1);
    expect(end).toMatchObject({ phase: 'void', result: null });
    expect(end.seats[1]).toMatchObject({ credits_cents: 500, returned_cents: 500 });
  });
  it('has the credits that corrections left, and its own stakes and returns whichever round they were of', () => {
    const corrected = (round: number, more: object, credits_cents: number | null): RecalledAct => ({ ...act(26_000, { type: 'seat-corrected', seat: '1', round, ...more }), credits_cents });
    const acts = [...recalled.acts.slice(0, 6), corrected(6, { returned_before_cents: 500, returned_cents: 0, carried_cents: -100 }, 9500)];
    expect(momentOf({ ...recalled, acts }, 6).seats[0]).toMatchObject({ credits_cents: 9500, returned_cents: null });
    const later = [...recalled.acts, corrected(7, { returned_before_cents: 3600, returned_cents: 0, carried_cents: -3600 }, null)];
    expect(momentOf({ ...recalled, acts: later }, 13).seats[0]).toMatchObject({ credits_cents: 13_500, returned_cents: 0 });
  });
  const returned = [
    ...recalled.acts.slice(0, 4),
    act(5000, { type: 'decision-recorded', round: 7, ruling: 'return-bets', reason: 'late' }),
    act(5000, { type: 'seat-returned', seat: '1', cents: 500, void: false, bets: [{ bet: 'red', cents: -500, announced: null }] }),
    ...recalled.acts.slice(5),
  ];
  it('has bets that were given back no more in play', () => {
    expect(momentOf({ ...recalled, acts: returned }, 3)).toMatchObject({ total_cents: 1100, bets: 3 });
    const behind = momentOf({ ...recalled, acts: returned }, 5);
    expect(behind).toMatchObject({ phase: 'betting', total_cents: 600, bets: 2 });
    expect(behind.seats[0]).toMatchObject({ stakes: { 'straight:17': 100 }, staked_cents: 100, credits_cents: 9900, returned_cents: null });
    expect(momentOf({ ...recalled, acts: returned }, returned.length - 1).seats[0]).toMatchObject({ staked_cents: 100, returned_cents: 3600 });
  });
  it('is void from when it was voided, also after its settlement', () => {
    const acts = [
      ...returned,
      act(60_000, { type: 'result-corrected', round: 7, old: '17', new: null, settled: true, notice: 'Round 7 is void' }),
      act(60_000, { type: 'seat-corrected', seat: '1', round: 7, returned_before_cents: 3600, returned_cents: 100 }),
    ];
    const voided = { ...recalled, result: null, acts };
    expect(momentOf(voided, returned.length - 1)).toMatchObject({ phase: 'settled', result: '17' });
    expect(momentOf(voided, acts.length - 1)).toMatchObject({ phase: 'void', result: null, notice: 'Round 7 is void' });
    expect(momentOf(voided, acts.length - 1).seats[0]).toMatchObject({ staked_cents: 100, returned_cents: 100 });
    expect(stretchesOf(voided).at(-1)).toEqual({ phase: 'void', from_ms: 60_000, until_ms: 60_000 });
    const corrected = [...returned, act(60_000, { type: 'result-corrected', round: 7, old: '17', new: '18', settled: true })];
    expect(momentOf({ ...recalled, acts: corrected }, corrected.length - 1)).toMatchObject({ phase: 'settled', result: '18' });
  });
  it('has its phases one after the other', () => {
    expect(stretchesOf(recalled)).toEqual([
      { phase: 'betting', from_ms: 1000, until_ms: 20_000 }, { phase: 'closed', from_ms: 20_000, until_ms: 21_000 },
      { phase: 'spinning', from_ms: 21_000, until_ms: 32_000 }, { phase: 'settled', from_ms: 32_000, until_ms: 32_001 },
    ]);
    expect(stakedAt(recalled)).toEqual([{ at_ms: 2000, cents: 600 }, { at_ms: 3000, cents: 500 }, { at_ms: 4000, cents: 500 }]);
  });
  it('plays faster than it was, and waits never long', () => {
    expect(pauseAfter(recalled, 0, 1)).toBe(500);
    expect(pauseAfter(recalled, 0, 4)).toBe(125);
    expect(pauseAfter(recalled, 4, 1)).toBe(2000);
    expect(pauseAfter(recalled, 12, 1)).toBe(0);
  });
});

describe('a search', () => {
  it('asks for what was written and for nothing else', () => {
    expect(queryOf(EVERYTHING, null, 40)).toEqual({ limit: 40 });
    expect(queryOf({ text: ' ball ', table: 'T1', code: 'seat-locked, round-voided', from: '2024-01-01', until: '', refusals: true }, 'c', 9))
      .toEqual({ limit: 9, text: 'ball', table: 'T1', code: 'seat-locked,round-voided', from: '2024-01-01', refusals: true, after: 'c' });
  });
});

describe('a row of a report', () => {
  const row = { table: 'T1', dealer: '', day: '2024-05-31', shift: '06:00-14:00', hour: '09:00', rounds: 41, rounds_an_hour: '36.5', win_cents: -5, drop_cents: 100, turnover_cents: 300, hold_percent: '-5.00' } as ReportRow;
  const report = (...by: string[]): Report => ({ by, from_day: null, to_day: null, totals: [row] }) as unknown as Report;
  it('is called by what the report is by', () => {
    expect(nameOf(row, report('day', 'table'), 'nobody')).toBe('2024-05-31 · T1');
    expect(nameOf(row, report('dealer'), 'nobody')).toBe('nobody');
    expect(nameOf(row, report('shift'), 'nobody')).toBe('2024-05-31 06:00-14:00');
    expect(nameOf(row, report('hour'), 'nobody')).toBe('2024-05-31 09:00');
    expect(nameOf(row, { ...report('hour', 'table'), from_day: '2024-05-31', to_day: '2024-05-31' }, 'nobody')).toBe('09:00 · T1');
  });
  it('has its currency in its name where the report has several, and no amount is added up', () => {
    const mixed = { ...report('day'), totals: [{ ...row, currency: '' }, { ...row, currency: 'SGD', win_cents: 700 }] };
    expect(mixed.totals.map((each) => nameOf(each, mixed, 'nobody'))).toEqual(['2024-05-31 · ?', '2024-05-31 · SGD']);
    expect(moneyOf(mixed, 'win_cents')).toEqual({ '': -5, SGD: 700 });
    expect(countOf(mixed, 'rounds')).toBe(82);
  });
  it('has no hold where nothing was dropped', () => {
    expect(measureOf(row, 'hold')).toBe(-5);
    expect(measureOf({ ...row, hold_percent: null }, 'hold')).toBeNull();
    expect(measureOf(row, 'win')).toBe(-5);
  });
  it('counts rounds, and those of an hour where the table was open', () => {
    const words = new Words();
    expect([measureOf(row, 'rounds'), measureOf(row, 'roundsAnHour'), measureOf({ ...row, rounds_an_hour: null }, 'roundsAnHour')]).toEqual([41, 36.5, null]);
    const ruling = { kind: 'void', cause: 'no-spin', carried_cents: 0 } as Ruling;
    expect([kindOf(words, ruling), kindOf(words, { ...ruling, kind: 'carried', cause: 'written-off', carried_cents: 36_000 })]).toEqual(['void', '360.00 written off']);
    expect([shownMeasure(words, 'roundsAnHour', 36.5), shownMeasure(words, 'win', 250_000), shownMeasure(words, 'hold', -5)]).toEqual(['36.5', '2,500', '−5.00%']);
  });
});
