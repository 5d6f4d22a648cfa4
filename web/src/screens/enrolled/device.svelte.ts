/**
 * Which device this page is. A kiosk keeps its token for good; a page that was enrolled for another seat keeps
 * its own for as long as it is open, so that two seats can be tried side by side.
 */
import { Client, Refusal, type Refused } from '../../lib/api/client';
import { House } from '../../lib/api/house';
import type { EnrolledDevice } from '../../lib/api/types';

export class Device {
  enrolled: EnrolledDevice | null = $state.raw(null);
  refused: Refused | null = $state.raw(null);
  busy = $state(false);

  #key: string;
  #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
    this.#key = `croupier.device.${kind}`;
    this.enrolled = this.#recall();
    const code = new URLSearchParams(location.hash.slice(1)).get('code');
    if (code) void this.enrol(code);
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
      }
    } catch (error) {
      this.refused = { code: error instanceof Refusal ? error.code : 'no-answer', sentence: error instanceof Error ? error.message : '' };
    }
    // The code is used up: it would only be refused after a reload.
    if (location.hash.includes('code=')) history.replaceState(null, '', location.pathname + location.search);
    this.busy = false;
  }

  /** The floor does not know this device any more. */
  forget(why: Refused): void {
    this.enrolled = null;
    this.refused = why;
    this.#keep(null);
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

  #keep(device: EnrolledDevice | null): void {
    try {
      for (const storage of [sessionStorage, localStorage]) {
        if (device) storage.setItem(this.#key, JSON.stringify(device));
        else storage.removeItem(this.#key);
      }
    } catch {
      // A kiosk may forbid storage; then the device lasts as long as the page.
    }
  }
}

/** The browser's storage, where it allows one. */
export function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
