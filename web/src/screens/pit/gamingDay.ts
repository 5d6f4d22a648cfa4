const DAY_MS = 86_400_000;

/** The gaming day of a moment: it begins with the first shift by the clocks of the house, and is named by that date. */
export function gamingDay(at_ms: number, zone: string, shifts: string[]): string {
  let day = Math.floor((at_ms + offsetAt(at_ms, zone)) / DAY_MS) * DAY_MS;
  // Where clocks are set forward over midnight, neither the date that they show nor the one before may have begun.
  while (at_ms < beginOf(day, zone, shifts)) day -= DAY_MS;
  return new Date(day).toISOString().slice(0, 10);
}

/** When a gaming day begins. Where clocks are set forward over its first shift, it may begin with a later one, as in reports. */
function beginOf(date: number, zone: string, [first = '00:00', ...later]: string[]): number {
  const starts = [first, ...later].map((start) => {
    const [hour = 0, minute = 0] = start.split(':').map(Number);
    return momentOf(date + (start < first ? DAY_MS : 0) + (60 * hour + minute) * 60_000, zone);
  });
  return Math.min(...starts);
}

/** The moment at which clocks show a time: the earlier one where they show it twice; where they never do, by the clocks as they were before. */
function momentOf(shown: number, zone: string): number {
  const before = offsetAt(shown - DAY_MS, zone);
  const behind = offsetAt(shown + DAY_MS, zone);
  return offsetAt(shown - before, zone) !== before && offsetAt(shown - behind, zone) === behind ? shown - behind : shown - before;
}

/** By how much the clocks of a zone are ahead of UTC. */
function offsetAt(at_ms: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(at_ms).map(({ type, value }) => [type, Number(value)]));
  const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')) - Math.floor(at_ms / 60_000) * 60_000;
}
