import { untrack } from 'svelte';

/** Makes one record like another, and touches nothing in it that is the same already. */
export function bringUpTo<T>(record: Record<string, T>, wanted: Readonly<Record<string, T>>): void {
  untrack(() => {
    for (const key of Object.keys(record)) if (!(key in wanted)) delete record[key];
    for (const [key, value] of Object.entries(wanted)) if (record[key] !== value) record[key] = value;
  });
}
