/** The Game Console of a table; whoever is signed in at the pit is signed in there. */
export function consoleOf(table: string): string {
  return `/console#table=${encodeURIComponent(table)}`;
}

/** The page on which a device of a kind types its code; none where a kind has no page. */
export function enrolmentOf(kind: string, code: string): string | null {
  return kind === 'terminal' || kind === 'display' ? `/${kind}#code=${encodeURIComponent(code)}` : null;
}
