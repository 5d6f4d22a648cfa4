/** Figures of the lab as people read them. */
import type { Words } from '../../lib/i18n/words.svelte';

/** A chance under this one is written with an exponent, because 0.00 % would say never. */
const LEAST_SHARE = 5e-5;
const MOST_DIGITS = 24;

/** A chance: per cent with two decimals, or a power of ten where it is rare. */
export function share(words: Words, value: number): string {
  if (value <= 0) return words.percent(0);
  if (value >= LEAST_SHARE) return words.percent(value);
  return power(value);
}

/** A number as a power of ten: 1.59 · 10⁻²⁵. */
export function power(value: number): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential(2).split('e');
  const raised = [...String(Number(exponent))].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)])).join('');
  return Number(mantissa) === 1 ? `10${raised}` : `${mantissa} · 10${raised}`;
}

/** A fraction as it stands on screen: without a denominator of one, and never so long that nobody reads it. */
export function fraction(exact: string): string {
  const written = exact.endsWith('/1') ? exact.slice(0, -2) : exact;
  return written.length > MOST_DIGITS ? `${written.slice(0, MOST_DIGITS - 1)}…` : written.replace('-', '−');
}

/** A fraction of cents as one of the currency: `-1000/37` cents are `-10/37`. */
export function inCurrency(exact: string): string {
  const [top = '0', bottom = '1'] = exact.split('/');
  let [a, b] = [BigInt(top), BigInt(bottom) * 100n];
  const common = divisor(a < 0n ? -a : a, b);
  [a, b] = [a / common, b / common];
  return `${a}/${b}`;
}

function divisor(a: bigint, b: bigint): bigint {
  while (b) [a, b] = [b, a % b];
  return a || 1n;
}

/** A plain number with four decimals. */
export const plain = (words: Words, value: number): string => new Intl.NumberFormat(words.locale, { minimumFractionDigits: 4, maximumFractionDigits: 4 }).format(value).replace('-', '−');

/** A distance in standard errors, always with its sign. */
export const distance = (z: number): string => `${z < 0 ? '−' : '+'}${Math.abs(z).toFixed(2)}`;
