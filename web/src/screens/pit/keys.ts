/** What a key does at the pit; nothing while somebody types into a field. */
export type Act =
  | { act: 'table'; number: number }
  | { act: 'alarm' | 'decision' | 'recall' | 'before' | 'behind' | 'play' | 'search' | 'back' | 'help' };

const ACTS: Record<string, Exclude<Act['act'], 'table'>> = {
  a: 'alarm', d: 'decision', r: 'recall', '[': 'before', ']': 'behind', p: 'play', '/': 'search', Escape: 'back', '?': 'help',
};

/** How long a first digit waits for a second one. */
const SECOND_DIGIT_MS = 700;

/** Turns keys into acts; tables from 10 on take two digits. */
export class Keys {
  #digits = '';
  #at_ms = 0;
  #tables: () => number;

  constructor(tables: () => number) {
    this.#tables = tables;
  }

  press(key: string, now_ms: number): Act | null {
    if (/^[0-9]$/.test(key)) return this.#digit(key, now_ms);
    this.#digits = '';
    const act = ACTS[key] ?? ACTS[key.toLowerCase()];
    return act === undefined ? null : { act };
  }

  #digit(key: string, now_ms: number): Act | null {
    const before = now_ms - this.#at_ms <= SECOND_DIGIT_MS ? this.#digits : '';
    const both = Number(before + key);
    this.#digits = both >= 1 && both <= this.#tables() ? before + key : key;
    this.#at_ms = now_ms;
    const number = Number(this.#digits);
    return number >= 1 && number <= this.#tables() ? { act: 'table', number } : null;
  }
}

/** Whether a key is meant for what has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
