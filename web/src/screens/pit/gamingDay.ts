/** The gaming day of a moment: it begins with the first shift by the clocks of the house, and is named by that date. */
export function gamingDay(at_ms: number, zone: string, starts: string): string {
  const [hour = 0, minute = 0] = starts.split(':').map(Number);
  const { day, minutes } = clockAt(at_ms, zone);
  if (minutes >= 60 * hour + minute) return day;
  const before = new Date(`${day}T00:00:00Z`);
  before.setUTCDate(before.getUTCDate() - 1);
  return before.toISOString().slice(0, 10);
}

function clockAt(at_ms: number, zone: string): { day: string; minutes: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(at_ms).map(({ type, value }) => [type, value]));
  const of = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '0';
  return { day: `${of('year')}-${of('month')}-${of('day')}`, minutes: 60 * Number(of('hour')) + Number(of('minute')) };
}
