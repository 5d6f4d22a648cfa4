/** Questions to the house over HTTP: a token with each, and a refusal with its code where it says no. */

/** What the house answers where it does not do something. */
export interface Refused {
  code: string;
  sentence: string;
  facts?: Record<string, string | number | null>;
}

/** The house said no; `code` is stable, `message` is for people. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly facts: Record<string, string | number | null>;

  constructor(status: number, refused: Refused) {
    super(refused.sentence);
    this.status = status;
    this.code = refused.code;
    this.facts = refused.facts ?? {};
  }
}

/** No answer came: whether the house has done what it was asked is not known; where it was only to be read, nothing was to be done. */
export class NoAnswer extends Error {
  readonly code: 'no-answer' | 'not-read';

  constructor(method = 'POST') {
    const reads = method === 'GET';
    super(`No answer came from the house. ${reads ? 'It could not be read.' : 'Whether it was done is not known.'}`);
    this.code = reads ? 'not-read' : 'no-answer';
  }
}

export type Query = Record<string, string | number | boolean | null | undefined>;

type Reach = (address: string, init: RequestInit) => Promise<Response>;

interface Sending { body?: unknown; headers?: Record<string, string> }

export const ANSWER_MS = 20_000;

export class Client {
  #token: () => string | null;
  #reach: Reach;
  #ended: ((refusal: Refusal) => void) | undefined;
  #isAttended: () => boolean;

  /**
   * `ended` is told that the house does not know the token any more, whatever was asked. `isAttended` says whether somebody is
   * at the screen: what it asks by itself keeps nobody signed in.
   */
  constructor(token: () => string | null = () => null, reach: Reach = (address, init) => fetch(address, init), ended?: (refusal: Refusal) => void, isAttended = (): boolean => true) {
    this.#token = token;
    this.#reach = reach;
    this.#ended = ended;
    this.#isAttended = isAttended;
  }

  get = <T>(path: string, query: Query = {}): Promise<T> => this.#ask<T>('GET', path + written(query));
  post = <T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> => this.#ask<T>('POST', path, { body, ...(headers && { headers }) });
  patch = <T>(path: string, body: unknown): Promise<T> => this.#ask<T>('PATCH', path, { body });

  /** A file, to be saved; the browser's own download knows no token. */
  async file(path: string, query: Query = {}): Promise<{ name: string; content: Blob }> {
    const response = await this.#response('GET', path + written(query), {});
    const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
    return { name: name ?? path.slice(path.lastIndexOf('/') + 1), content: await response.blob() };
  }

  async #ask<T>(method: string, path: string, sending: Sending = {}): Promise<T> {
    const response = await this.#response(method, path, sending);
    if (response.status === 204) return undefined as T;
    try {
      return await response.json() as T;
    } catch {
      // The line broke in the middle of the answer.
      throw new NoAnswer(method);
    }
  }

  async #response(method: string, path: string, { body, headers = {} }: Sending): Promise<Response> {
    const token = this.#token();
    const init: RequestInit = {
      method,
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(!this.#isAttended() && { 'Croupier-Unattended': 'yes' }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      cache: 'no-store',
      signal: AbortSignal.timeout(ANSWER_MS),
    };
    if (body !== undefined) init.body = JSON.stringify(body);
    let response: Response;
    try {
      response = await this.#reach(path, init);
    } catch {
      throw new NoAnswer(method);
    }
    if (response.ok) return response;
    const refused = await refusal(response, method);
    if (refused instanceof Refusal && refused.status === 401) this.#ended?.(refused);
    throw refused;
  }
}

/** A path with each part as it may stand in an address. */
export function path(strings: TemplateStringsArray, ...parts: (string | number)[]): string {
  return String.raw({ raw: strings.raw }, ...parts.map((part) => encodeURIComponent(part)));
}

function written(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
}

async function refusal(response: Response, method: string): Promise<Error> {
  let refused: Partial<Refused> = {};
  try {
    refused = await response.json() as Partial<Refused>;
  } catch {
    // A proxy between may answer with something else; its page tells nobody anything.
  }
  if (typeof refused.code === 'string' && typeof refused.sentence === 'string') return new Refusal(response.status, refused as Refused);
  return response.status >= 500 ? new NoAnswer(method) : new Refusal(response.status, { code: 'malformed', sentence: `The house answered ${response.status}.` });
}
