/** What a screen cannot do without is asked for until it is there: one lost answer does not stop the screen. */
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Reads until there is an answer, with a pause between that doubles each time; null where it is no more wanted.
 * Every reading that fails is told.
 */
export async function readUntilFound<T>(read: () => Promise<T>, stop: () => boolean, failed?: () => void): Promise<T | null> {
  for (let pause_ms = SHORTEST_PAUSE_MS; !stop(); pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS)) {
    try {
      const found = await read();
      return stop() ? null : found;
    } catch {
      if (stop()) return null;
      failed?.();
    }
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
  return null;
}
