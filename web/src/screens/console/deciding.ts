/** What is being decided at a console and is not done yet. */
import type { Do, Rejection } from '../../lib/live/wire';
import type { Cashing } from './tickets.svelte';

/** Something that voids a round, chosen and not done yet: it takes Enter. */
export interface Voiding { cause: string; title: string; clause: string | null; affects: boolean; rounds: number[]; do: 'declare' | 'no-spin' | 'no-outcome' }

/** What is decided in a dialog of its own. */
export type Dialog =
  | { kind: 'authorise'; do: Do; round: number | null; why: Rejection }
  | { kind: 'correct'; round: number; result: string } | { kind: 'decide' } | { kind: 'resume' } | { kind: 'keys' } | { kind: 'table' }
  | { kind: 'recall'; round: number } | { kind: 'ticket'; number: string } | { kind: 'cashing'; cashing: Cashing } | { kind: 'seat'; seat: string } | { kind: 'books'; seat: string; of: 'meters' | 'vouchers' };

export type Tab = 'seats' | 'irregularities' | 'notices' | 'log';
