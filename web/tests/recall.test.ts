import { expect, test, vi } from 'vitest';
import type { House } from '../src/lib/api/house';
import type { RecalledRound } from '../src/lib/api/types';
import { Recall } from '../src/screens/pit/recall.svelte';

const recalled = (round: number) => ({ round, acts: [], between: [], after: [], seats: [] }) as unknown as RecalledRound;

/** The recall of a table with ten rounds; from then on answers come when the test says so. */
async function recall() {
  const waiting = new Map<number, { resolve: (round: RecalledRound) => void; reject: (error: Error) => void }>();
  const round = vi.fn(async (_table: string, number: number) => recalled(number));
  const house = { round, rounds: async () => ({ rounds: Array.from({ length: 10 }, (_, place) => ({ round: 10 - place, result: '7' })) }) };
  const shown = new Recall(house as unknown as House);
  await shown.openTable('T1');
  round.mockClear();
  round.mockImplementation((_table, number) => new Promise((resolve, reject) => { waiting.set(number, { resolve, reject }); }));
  const settled = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve); });
  return {
    shown,
    asked: () => round.mock.calls.map(([, number]) => number),
    answer: async (number: number): Promise<void> => { waiting.get(number)!.resolve(recalled(number)); await settled(); },
    fail: async (number: number): Promise<void> => { waiting.get(number)!.reject(new Error('lost')); await settled(); },
  };
}

test('rounds that are stepped over quickly all count, and the last one is shown', async () => {
  const { shown, asked, answer } = await recall();
  for (let times = 0; times < 3; times += 1) shown.beside(-1);
  expect(asked()).toEqual([9, 8, 7]);
  for (const number of [7, 9, 8]) await answer(number);
  expect(shown.round?.round).toBe(7);
  shown.beside(1);
  shown.beside(1);
  expect(asked().slice(3)).toEqual([8, 9]);
});

test('after a round that was not found, the steps go on from the one that is shown', async () => {
  const { shown, asked, answer, fail } = await recall();
  shown.beside(-1);
  shown.beside(-1);
  await answer(9);
  await fail(8);
  expect(shown.round?.round).toBe(10);
  shown.beside(-1);
  expect(asked()).toEqual([9, 8, 9]);
});

test('steps stop at both ends, but a round behind the newest that is listed is still asked for', async () => {
  const { shown, asked, answer } = await recall();
  shown.beside(1);
  expect(asked()).toEqual([11]);
  await answer(11);
  void shown.open(8);
  await answer(8);
  for (let times = 0; times < 4; times += 1) shown.beside(1);
  expect(asked().slice(2)).toEqual([9, 10]);
  await answer(10);
  void shown.open(2);
  await answer(2);
  for (let times = 0; times < 3; times += 1) shown.beside(-1);
  expect(asked().slice(5)).toEqual([1]);
});
