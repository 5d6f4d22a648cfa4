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

const MOST_DIGITS = 12;
