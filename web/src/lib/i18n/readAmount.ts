/** A whole amount as people type it in their language, in cents; nothing where it could mean something else. */
export function readWholeAmount(typed: string, locale: string): number | null {
  const group = new Intl.NumberFormat(locale).formatToParts(1_000_000).find(({ type }) => type === 'group')?.value ?? ',';
  // Languages that put a space between thousands use one that no keyboard has.
  const [first = '', ...others] = typed.trim().replaceAll(/\s/g, ' ').split(/\s/.test(group) ? ' ' : group);
  const isGrouped = others.length > 0;
  if (!(isGrouped ? /^\d{1,3}$/ : /^\d+$/).test(first) || others.some((digits) => !/^\d{3}$/.test(digits))) return null;
  const digits = [first, ...others].join('').replace(/^0+(?=.)/, '');
  return digits.length > MOST_DIGITS ? null : 100 * Number(digits);
}

/** An amount with or without cents, as people type it in their language; nothing where it could mean something else. */
export function readAmount(typed: string, locale: string): number | null {
  const point = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  const [whole = '', part, ...more] = typed.trim().split(point);
  const cents = readWholeAmount(whole, locale);
  if (cents === null || more.length > 0) return null;
  if (part === undefined) return cents;
  return /^\d{1,2}$/.test(part) ? cents + Number(part.padEnd(2, '0')) : null;
}

const MOST_DIGITS = 12;
