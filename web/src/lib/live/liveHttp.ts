/** Questions to the floor over HTTP; an answer is what was asked for, or why not. */
import type { Book } from '../book/book';
import { indexBook } from '../book/book';
import type { BookView, Line } from './wire';

/** Why something was not done, and what would be right. */
export interface NotDone { code: string; sentence: string; facts?: Record<string, string | number | null> }

export type Asked<T> = { done: T } | { refused: NotDone };

export async function ask<T>(path: string, { token, body }: { token?: string | undefined; body?: unknown } = {}): Promise<Asked<T>> {
  const headers: Record<string, string> = {};
  if (token) headers['Authorization'] = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const how: RequestInit = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  try {
    const response = await fetch(path, how);
    if (response.status === 204) return { done: undefined as T };
    const said: unknown = await response.json();
    return response.ok ? { done: said as T } : { refused: said as NotDone };
  } catch {
    return { refused: { code: 'unreachable', sentence: 'The floor cannot be reached.' } };
  }
}

/** A person who has signed in. */
export interface SignedIn { token: string; session: string; name: string; position: string; duties: string[]; expires_ms: number }

/** A device of the floor. */
export interface Enrolled { token: string; device: string; kind: string; table: string | null; seat: string | null; replaced: string[] }

/** A round as it was, as far as the caller may see it. */
export interface Recalled {
  round: number;
  result: string | null;
  seats: { seat: string; credits_before_cents: number; credits_after_cents: number; lines: Line[] }[];
  acts: RecalledAct[];
}
export interface RecalledAct {
  at_ms: number;
  event: { type: string; [fact: string]: unknown };
  what: string | null;
  actor: string | null;
  position: string | null;
  second: string | null;
}
export interface SeatHistory { rounds: Recalled[] }

/** A book as a screen draws it, for a kind of seat or for a screen that takes no bets. */
export async function fetchBook(book: string, layout: string, terminal: string | null): Promise<Book | null> {
  const query = new URLSearchParams({ layout, ...(terminal ? { terminal } : {}) });
  const view = await ask<BookView>(`/api/books/${encodeURIComponent(book)}/view?${query}`);
  return 'done' in view ? indexBook(view.done) : null;
}
