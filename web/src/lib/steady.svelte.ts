import { untrack } from 'svelte';

/**
 * A value for many to depend on. What is derived makes everything that hangs on it look whether it is another one, each
 * time that anything it is made of changes; this one is heard of only when it has become another.
 */
export class Steady<T> {
  #now: T = $state.raw(undefined as T);

  constructor(read: () => T) {
    this.#now = untrack(read);
    $effect.pre(() => { this.#now = read(); });
  }

  get now(): T { return this.#now; }
}
