/** What the cashier is told about a number: one of few verdicts, each with what to do. */
import type { Voucher } from '../../lib/api/types';
import type { IconName } from '../../lib/parts/Icon.svelte';
import type { Key } from '../../lib/i18n/words.svelte';

export type Verdict = 'payable' | 'paid-now' | 'paid' | 'redeemed' | 'voided' | 'voided-now' | 'expired' | 'early' | 'unknown' | 'malformed';
export type Tone = 'ok' | 'bad' | 'look';

export interface Shown { tone: Tone; icon: IconName; title: Key; text: Key }

/** How many digits a number has. */
export const DIGITS = 18;

export const SHOWN: Record<Verdict, Shown> = {
  payable: { tone: 'ok', icon: 'check', title: 'cage.payable', text: 'cage.payable.text' },
  'paid-now': { tone: 'ok', icon: 'check', title: 'cage.paidNow', text: 'cage.paidNow.text' },
  paid: { tone: 'bad', icon: 'close', title: 'cage.paid', text: 'cage.paid.text' },
  redeemed: { tone: 'bad', icon: 'close', title: 'cage.redeemed', text: 'cage.redeemed.text' },
  voided: { tone: 'bad', icon: 'close', title: 'cage.voided', text: 'cage.voided.text' },
  'voided-now': { tone: 'look', icon: 'check', title: 'cage.voidedNow', text: 'cage.voidedNow.text' },
  expired: { tone: 'look', icon: 'history', title: 'cage.expired', text: 'cage.expired.text' },
  early: { tone: 'look', icon: 'history', title: 'cage.expired', text: 'cage.early.text' },
  unknown: { tone: 'look', icon: 'alert', title: 'cage.unknown', text: 'cage.unknown.text' },
  malformed: { tone: 'look', icon: 'alert', title: 'cage.malformed', text: 'cage.malformed.text' },
};

/** Whether a voucher's time is over is for the house to say, by its clock. */
export function verdictOf(voucher: Voucher): Verdict {
  if (voucher.status === 'outstanding') return 'payable';
  return voucher.reinstatable ? 'early' : voucher.status;
}

/** The digits of what was typed or scanned; scanners and people put spaces and hyphens between. */
export function digitsOf(typed: string): string {
  return typed.replace(/[\s-]/g, '');
}

/** A number in groups of four, as it stands on the ticket. */
export function grouped(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Only the last four digits: the number of an unpaid voucher is as good as its money. */
export function masked(number: string): string {
  return grouped(number.slice(0, -4).replace(/./g, '•') + number.slice(-4));
}

/** An amount as it is typed, in cents; nothing where it is none. */
export function centsOf(typed: string): number | null {
  const match = /^(\d{1,12}|\d{1,3}(?:,\d{3})+)(?:\.(\d{2}))?$/.exec(typed.trim());
  if (!match) return null;
  const cents = 100 * Number(match[1]!.replaceAll(',', '')) + Number(match[2] ?? 0);
  return cents > 0 ? cents : null;
}
