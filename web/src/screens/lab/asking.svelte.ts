/**
 * A question that is put again whenever it changes: once the hand rests, and only the last one counts. Where the
 * lab is getting ready it is asked again by itself.
 */
import { Refusal } from '../../lib/api/client';

export const REST_MS = 250;
export const AGAIN_MS = 1500;
/** Refusals that pass by themselves. */
const PASSING = new Set(['lab-warming', 'busy']);

export interface Trouble { code: string; sentence: string }

export class Asking<Q, A> {
  /** The answer to the last question that was answered; it stays until the next one comes. */
  answer: A | null = $state.raw(null);
  /** What that answer is to. */
  answered: Q | null = $state.raw(null);
  trouble: Trouble | null = $state.raw(null);
  /** Whether an answer is awaited. */
  busy = $state(false);
  /** Whether the lab says that it is getting ready. */
  warming = $state(false);

  #put: (question: Q) => Promise<A>;
  #last: Q | null = null;
  #written = '';
  #number = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(put: (question: Q) => Promise<A>) {
    this.#put = put;
  }

  /** What is asked now; nothing where there is nothing to ask. The same again changes nothing. */
  ask(question: Q | null): void {
    const written = JSON.stringify(question);
    if (written === this.#written) return;
    this.#written = written;
    this.#last = question;
    this.#number += 1;
    clearTimeout(this.#timer);
    this.trouble = null;
    this.busy = question !== null;
    this.warming = false;
    if (question === null) this.answer = this.answered = null;
    else this.#timer = setTimeout(() => void this.#send(this.#number), REST_MS);
  }

  /** The same question once more, after trouble. */
  again = (): void => {
    if (this.#last === null || this.busy) return;
    this.trouble = null;
    this.busy = true;
    void this.#send(this.#number);
  };

  stop(): void {
    clearTimeout(this.#timer);
    this.#number += 1;
  }

  async #send(number: number): Promise<void> {
    try {
      const question = this.#last as Q;
      const answer = await this.#put(question);
      if (number !== this.#number) return;
      this.answer = answer;
      this.answered = question;
    } catch (error) {
      if (number !== this.#number) return;
      if (error instanceof Refusal && PASSING.has(error.code)) {
        this.warming = error.code === 'lab-warming';
        this.#timer = setTimeout(() => void this.#send(number), AGAIN_MS);
        return;
      }
      this.trouble = { code: error instanceof Refusal ? error.code : 'no-answer', sentence: error instanceof Error ? error.message : '' };
    }
    this.busy = false;
    this.warming = false;
  }
}
