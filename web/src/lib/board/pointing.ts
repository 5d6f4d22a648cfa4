/** What a player points at: a bet on the felt, or an announced bet on the racetrack. */
export interface Bounds { left: number; right: number; top: number; bottom: number }

export interface Pointing {
  /** The id of a bet, or the name of an announced bet. */
  name: string;
  /** The bets that a touch would place. */
  bets: readonly string[];
  /** What it is about, in pixels of the window: a card stands beside it. */
  anchor: Bounds;
  /** Whether a lens shows the facts already. */
  lens: boolean;
}

/** Where a card of this size stands: beside its anchor, else below or above it, always inside the room. */
export function besides(anchor: Bounds, room: Bounds, width: number, height: number): { left: number; top: number } {
  const gap = 14;
  const edge = 6;
  const within = (value: number, low: number, high: number): number => Math.max(low + edge, Math.min(high - edge, value));
  const x = within((anchor.left + anchor.right - width) / 2, room.left, room.right - width);
  const y = within((anchor.top + anchor.bottom - height) / 2, room.top, room.bottom - height);
  if (anchor.right + gap + width < room.right) return { left: anchor.right + gap, top: y };
  if (anchor.left - gap - width > room.left) return { left: anchor.left - gap - width, top: y };
  if (anchor.bottom + gap + height < room.bottom) return { left: x, top: anchor.bottom + gap };
  return { left: x, top: within(anchor.top - gap - height, room.top, room.bottom - height) };
}
