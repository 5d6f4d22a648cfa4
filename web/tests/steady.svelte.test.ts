import { flushSync } from 'svelte';
import { expect, test } from 'vitest';
import { Steady } from '../src/lib/steady.svelte';

test('a steady value is heard of when it has become another, and not whenever it is worked out', () => {
  let count = $state(0);
  let worked = 0;
  const looked: boolean[] = [];
  const end = $effect.root(() => {
    const even = new Steady(() => {
      worked += 1;
      return count % 2 === 0;
    });
    const text = $derived.by(() => {
      looked.push(even.now);
      return String(even.now);
    });
    $effect(() => void text);
  });
  flushSync();
  for (const next of [2, 4, 5, 7, 8]) {
    count = next;
    flushSync();
  }
  end();

  expect(worked).toBeGreaterThan(5);
  expect(looked).toEqual([true, false, true]);
});

test('whoever asks sees the value of the beginning at once', () => {
  const end = $effect.root(() => expect(new Steady(() => 'here').now).toBe('here'));
  end();
});
