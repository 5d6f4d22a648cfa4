/**
 * Whether somebody is at this screen. Screens ask for news by themselves all day; a session that was only used so would never
 * end, and whoever comes to a screen that was left alone would be at it in the name of who left.
 */
let isTouched = true;
const touched = (): void => { isTouched = true; };
// A scanner types as well: whoever scans is there.
for (const kind of ['pointerdown', 'keydown', 'wheel']) globalThis.addEventListener?.(kind, touched, { capture: true, passive: true });

/** Whether somebody has touched the screen since this was asked last. */
export function isAttended(): boolean {
  const was = isTouched;
  isTouched = false;
  return was;
}
