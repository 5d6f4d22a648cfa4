/** Roughly how wide a text runs, in letters: a Chinese character takes the room of two. */
export function columnsOf(text: string): number {
  return [...text].reduce((columns, letter) => columns + (letter > '\u2e80' ? 2 : 1), 0);
}
