import worker, { PlaymoneyWorld } from '../../integrations/cloudflare/worker.js';
import { deriveWorldName } from '../../src/core/keys.js';
import type { Bindings, ObjectStorage } from '../../integrations/cloudflare/platform.js';

/** The Worker with its objects and their storage, in this process. What the real platform does is in test/cloudflare. */

/** The storage of an object, in memory. */
export class Stored implements ObjectStorage {
  readonly values = new Map<string, unknown>();
  /** The keys of the last save. */
  written: string[] = [];
  alarm: number | null = null;
  /** Whether writes fail. */
  isBroken = false;

  get<T>(key: string): Promise<T | undefined>;
  get<T>(keys: readonly string[]): Promise<Map<string, T>>;
  get<T>(asked: string | readonly string[]): Promise<unknown> {
    if (typeof asked === 'string') return Promise.resolve(structuredClone(this.values.get(asked)));
    const there = asked.filter((key) => this.values.has(key));
    return Promise.resolve(new Map(there.map((key) => [key, structuredClone(this.values.get(key)) as T])));
  }

  put(entries: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.isBroken) return Promise.reject(new Error('the storage is broken'));
    this.written = Object.keys(entries);
    for (const [key, value] of Object.entries(entries)) this.values.set(key, structuredClone(value));
    return Promise.resolve();
  }

  delete(keys: readonly string[]): Promise<number> {
    return Promise.resolve(keys.filter((key) => this.values.delete(key)).length);
  }

  deleteAll(): Promise<void> {
    this.values.clear();
    return Promise.resolve();
  }

  getAlarm = (): Promise<number | null> => Promise.resolve(this.alarm);
  setAlarm(instant: number): Promise<void> {
    this.alarm = instant;
    return Promise.resolve();
  }

  deleteAlarm(): Promise<void> {
    this.alarm = null;
    return Promise.resolve();
  }

  /** The names of the values that begin so. */
  named(beginning: string): string[] {
    return [...this.values.keys()].filter((key) => key.startsWith(beginning)).toSorted();
  }
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An object, which comes into memory again and again, and its storage. */
interface Placed {
  object: PlaymoneyWorld;
  readonly storage: Stored;
}

/** The Worker at a host, with the variables of wrangler.jsonc. */
export class Edge {
  readonly #objects = new Map<string, Placed>();
  readonly key = 'sk_test_'.padEnd(40, '0');
  bindings: Bindings;

  constructor(
    readonly variables: Readonly<Record<string, unknown>> = {},
    private readonly host = 'localhost',
  ) {
    const idFromName = (name: string): unknown => name;
    const get = (id: unknown) => ({
      fetch: (request: Request) => this.#object(String(id)).object.fetch(request),
    });
    this.bindings = { WORLDS: { idFromName, get }, ...variables };
  }

  send(request: string, init: RequestInit = {}): Promise<Response> {
    const [method = '', path = ''] = request.split(' ');
    const all = { 'content-type': 'application/json', ...init.headers };
    return worker.fetch(
      new Request(`https://${this.host}${path}`, { ...init, method, headers: all }),
      this.bindings,
    );
  }

  /** Sends a call with a key, or with other headers. */
  async call(request: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const isKeyed = !('x-publickey' in headers || 'x-secretkey' in headers);
    const all = isKeyed ? { 'x-secretkey': this.key, ...headers } : headers;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await this.send(request, { ...sent, headers: all });
    const text = await answer.text();
    const read = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text };
    return { status: answer.status, headers: answer.headers, body: read };
  }

  /** The storage of the only object. */
  get storage(): Stored {
    const [one] = this.#objects.values();
    if (one === undefined) throw new Error('No call has reached an object');
    return one.storage;
  }

  storageOf(key: string): Stored {
    return this.#object(deriveWorldName(key)).storage;
  }

  /** A Worker that has what is stored now. */
  copy(): Edge {
    const copy = new Edge(this.variables);
    for (const [key, value] of this.storage.values) copy.storageOf(copy.key).values.set(key, value);
    return copy;
  }

  /** Deploys the Worker with other variables. */
  change(variables: Readonly<Record<string, unknown>>): void {
    this.bindings = { WORLDS: this.bindings.WORLDS, ...variables };
    this.evict();
  }

  /** Takes all objects out of memory without a last save, as the platform may. */
  evict(): void {
    for (const one of this.#objects.values()) one.object = this.#made(one.storage);
  }

  /** Calls the alarm of the only object. */
  async ring(): Promise<void> {
    const [one] = this.#objects.values();
    this.storage.alarm = null;
    await one?.object.alarm();
  }

  #object(name: string): Placed {
    const found = this.#objects.get(name);
    if (found !== undefined) return found;
    const storage = new Stored();
    const placed = { storage, object: this.#made(storage) };
    this.#objects.set(name, placed);
    return placed;
  }

  #made(storage: Stored): PlaymoneyWorld {
    return new PlaymoneyWorld({ storage, abort: () => {} }, this.bindings);
  }
}
