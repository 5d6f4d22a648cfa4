/** A WebSocket whose other end is the test. */
import type { Asked, Message, Order } from '../src/lib/live/wire';

export class FakeSocket {
  static all: FakeSocket[] = [];
  static get last(): FakeSocket { return FakeSocket.all.at(-1)!; }

  readyState = 0;
  said: Asked[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void { this.said.push(JSON.parse(text) as Asked); }
  close(): void { this.readyState = 3; }

  /** The connection is made, and the client says hello. */
  accept(): this {
    this.readyState = 1;
    this.onopen?.();
    return this;
  }

  tell(...messages: Message[]): this {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
    return this;
  }

  /** The other end is gone. */
  cut(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  get orders(): Order[] { return this.said.filter((asked): asked is Order => asked.type === 'command'); }
}

export const open = (address: string): WebSocket => new FakeSocket(address) as unknown as WebSocket;

export function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (place: number) => [...kept.keys()][place] ?? null,
    get length() { return kept.size; },
  };
}
