/**
 * Which device this page is. A kiosk keeps its token for good; a page that was enrolled for another seat keeps
 * its own for as long as it is open, so that two seats can be tried side by side.
 */
import { Client, Refusal, type Refused } from '../../lib/api/client';
import { House } from '../../lib/api/house';
import type { EnrolledDevice } from '../../lib/api/types';

/** The floor says that it does not know this device any more; whatever else ends a line, the device is still enrolled. */
const UNKNOWN: readonly string[] = ['unknown-token', 'signed-out'];

export class Device {
  enrolled: EnrolledDevice | null = $state.raw(null);
  refused: Refused | null = $state.raw(null);
  /** Why the line of a device that is still enrolled is over. */
  stopped: Refused | null = $state.raw(null);
  busy = $state(false);

  #key: string;
  #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
    this.#key = `croupier.device.${kind}`;
    this.enrolled = this.#recall();
    this.follow();
  }

  /** Turns a code into a device; a code is good once. */
  async enrol(code: string): Promise<void> {
    this.busy = true;
    this.refused = null;
    try {
      const device = await new House(new Client()).enrol(code.trim());
      if (device.kind !== this.#kind) {
        this.refused = { code: 'wrong-kind', sentence: `This code is for a ${device.kind}.` };
      } else {
        this.#keep(device);
        this.enrolled = device;
        this.stopped = null;
      }
    } catch (error) {
      this.refused = { code: error instanceof Refusal ? error.code : 'no-answer', sentence: error instanceof Error ? error.message : '' };
    }
    // The code is used up: it would only be refused after a reload.
    if (location.hash.includes('code=')) history.replaceState(null, '', location.pathname + location.search);
    this.busy = false;
  }

  /** Somebody writes a code into the address of a page that is open. */
  follow = (): void => {
    const code = codeHere();
    if (code) void this.enrol(code);
  };

  /** The floor has ended the line: the token is given up only where it is good for nothing any more. */
  end(why: Refused): void {
    if (UNKNOWN.includes(why.code)) {
      this.#forget();
      this.enrolled = null;
      this.refused = why;
    } else {
      this.stopped = why;
    }
  }

  /** The line is opened here once more. */
  openAgain(): void {
    this.stopped = null;
  }

  #recall(): EnrolledDevice | null {
    try {
      const kept = sessionStorage.getItem(this.#key) ?? localStorage.getItem(this.#key);
      const device = JSON.parse(kept ?? 'null') as EnrolledDevice | null;
      return typeof device?.token === 'string' ? device : null;
    } catch {
      return null;
    }
  }

  #keep(device: EnrolledDevice): void {
    try {
      for (const storage of [sessionStorage, localStorage]) storage.setItem(this.#key, JSON.stringify(device));
    } catch {
      // A kiosk may forbid storage; then the device lasts as long as the page.
    }
  }

  /** Gives up this page's own token; what another page has enrolled since stays. */
  #forget(): void {
    const token = this.enrolled?.token;
    try {
      for (const storage of [sessionStorage, localStorage]) {
        const kept = JSON.parse(storage.getItem(this.#key) ?? 'null') as EnrolledDevice | null;
        if (kept?.token === token) storage.removeItem(this.#key);
      }
    } catch {
      // Nothing was kept, or nothing that can be read.
    }
  }
}

function codeHere(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('code');
}

/** The browser's storage, where it allows one. */
export function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
