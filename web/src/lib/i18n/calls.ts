/** Calls for an attendant in words: what they are about, and how long somebody has waited. */
import type { Key, Words } from './words.svelte';

/** What a player may call for, as the table knows it; the first one is the plain call. */
export const REASONS = ['help', 'buy-in', 'payout', 'terminal'] as const;

/** A reason in the language of the screen; one that it has no word for goes by its code. */
export function reasonOfCall(words: Words, reason: string): string {
  const key: Key | undefined = REASONS.includes(reason as (typeof REASONS)[number]) ? `attendant.reason.${reason as (typeof REASONS)[number]}` : undefined;
  return key === undefined ? reason : words.t(key);
}

/** How long somebody has waited: minutes and seconds, and hours where there are any. */
export function waited(since_ms: number, now_ms: number): string {
  const seconds = Math.max(0, Math.floor((now_ms - since_ms) / 1000));
  const two = (part: number): string => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
