/** What a player reads of a citation: a clause of the rules, and never a note of how they were read where they are silent. */
export function citedForPlayers(clause: string | null | undefined): string | null {
  return clause && !clause.startsWith('assumption:') ? clause : null;
}
