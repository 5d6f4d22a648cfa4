/** Remembers what has the focus now; what it returns gives it back, once the sheet that took it is gone. */
export function rememberFocus(): () => void {
  const before = document.activeElement;
  return () => {
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
}
