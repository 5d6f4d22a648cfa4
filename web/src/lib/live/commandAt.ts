/** One command at a table from a screen that only watches: asked as a console asks, judged as a console is, and gone again. */
import type { SignedIn } from '../api/types';
import { Connection, type Line } from './connection';
import type { Answer, Do, Second } from './wire';

/** Longer than any line that comes back takes; what is answered later is seen in the views. */
const PATIENCE_MS = 15_000;

/** Rejects with `Ended` where the floor does not want this person there, or where nobody answers. */
export async function commandAt(person: Pick<SignedIn, 'token' | 'session'>, table: string, what: Do, second: Second | null, more: Pick<Line, 'open' | 'address'> = {}): Promise<Answer> {
  let round: number | null = null;
  const connection = new Connection({
    ...more, token: person.token, audience: 'console', table, sender: `${person.session}.${table}`,
    round: () => round,
    sequence: () => 0,
    onmessage: (message) => { if (message.type === 'snapshot') round = message.table?.round_number ?? null; },
    onstate: () => undefined,
  });
  const patience = setTimeout(() => connection.close(), PATIENCE_MS);
  connection.start();
  try {
    return await connection.send(what, second);
  } finally {
    clearTimeout(patience);
    connection.close();
  }
}
