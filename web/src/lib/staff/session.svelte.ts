/**
 * Who is signed in at this screen. The token is kept as long as the tab is open and no longer, so that a reload
 * keeps the person and a closed window does not.
 */
import { Client, Refusal } from '../api/client';
import { House } from '../api/house';
import type { SignedIn } from '../api/types';
import { isAttended } from './attended';

const KEY = 'croupier.session';

export class StaffSession {
  person: SignedIn | null = $state.raw(recall());
  /** Why signing in did not work, or why a session ended. */
  refused: { code: string; sentence: string } | null = $state.raw(null);
  busy = $state(false);
  /** The house, asked in this person's name. */
  readonly house = new House(new Client(() => this.person?.token ?? null, undefined, undefined, isAttended));

  async signIn(name: string, password: string, new_password?: string): Promise<boolean> {
    this.busy = true;
    this.refused = null;
    try {
      this.#become(await this.house.signIn(name.trim(), password, new_password));
      return true;
    } catch (error) {
      this.refused = { code: error instanceof Refusal ? error.code : 'no-answer', sentence: error instanceof Error ? error.message : '' };
      return false;
    } finally {
      this.busy = false;
    }
  }

  async signOut(): Promise<void> {
    // The house may have ended it already; this screen forgets it in any case.
    await this.house.signOut().catch(() => undefined);
    this.#become(null);
  }

  /** The floor has ended the session. */
  end(code: string, sentence: string): void {
    this.#become(null);
    this.refused = { code, sentence };
  }

  #become(person: SignedIn | null): void {
    this.person = person;
    try {
      if (person) sessionStorage.setItem(KEY, JSON.stringify(person));
      else sessionStorage.removeItem(KEY);
    } catch {
      // Where storage is forbidden, the session lasts as long as the page.
    }
  }
}

function recall(): SignedIn | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as SignedIn | null;
    return typeof kept?.token === 'string' ? kept : null;
  } catch {
    return null;
  }
}
