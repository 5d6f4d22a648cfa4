/** The number of a voucher as bars, as the house draws them on its tickets: Interleaved 2 of 5. */
const NARROW = 1;
const WIDE = 3;
const HEIGHT = 40;
const MARGIN = 10;
/** Which of a digit's five bars, or spaces, are wide. */
const WIDES = ['nnwwn', 'wnnnw', 'nwnnw', 'wwnnn', 'nnwnw', 'wnwnn', 'nwwnn', 'nnnww', 'wnnwn', 'nwnwn'] as const;

/** A drawing of the bars; nothing where the digits do not come in pairs. */
export function barcodeOf(number: string): string | null {
  if (!/^(\d\d)+$/.test(number)) return null;
  let x = MARGIN;
  const bars = widthsOf(number).map((width, place) => {
    const bar = place % 2 ? '' : `<rect x="${x}" width="${width}" height="${HEIGHT}"/>`;
    x += width;
    return bar;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${x + MARGIN} ${HEIGHT}" role="img"><title>Voucher ${number.slice(-4)}</title>${bars.join('')}</svg>`;
}

/** The widths of bars and spaces in turn: start, pairs of digits woven into each other, stop. */
function widthsOf(number: string): number[] {
  const pairs = number.match(/../g) ?? [];
  const woven = pairs.flatMap(([bar, space]) => [...WIDES[Number(bar)]!].flatMap((one, place) => [one, WIDES[Number(space)]![place]!]));
  return [NARROW, NARROW, NARROW, NARROW, ...woven.map((width) => (width === 'w' ? WIDE : NARROW)), WIDE, NARROW, NARROW];
}
