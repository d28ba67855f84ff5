import { textOf } from './wire.js';

/** With what the page speaks to the sandbox. */
export interface Access {
  readonly key: string;
  /** Empty where the server asks for none. */
  readonly adminToken: string;
}

/** Why a call was refused, in the sandbox's own words. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** Whether an admin token is missing or wrong. */
  get wantsAdmin(): boolean {
    return this.status === 403 && this.message.includes('x-sandbox-admin');
  }
}

/** The part of the server that the page calls. */
const CONTROL = '/_sandbox';

/** Sends a call with the key in a header, so that it stands in no address. Rejects with `Refused`, and where nobody answers. */
export async function send(
  access: Access,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { 'x-secretkey': access.key };
  if (access.adminToken !== '') headers['x-sandbox-admin'] = access.adminToken;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(CONTROL + path, {
    method,
    headers,
    cache: 'no-store',
    credentials: 'omit',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  const answered: unknown = await response.json().catch(() => null);
  throw new Refused(
    response.status,
    textOf(answered, 'Message') || `The server answered ${response.status}.`,
  );
}

/** Sends a call and reads its JSON. */
export async function call(access: Access, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await send(access, method, path, body);
  return response.json();
}

/** What went wrong, for people. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return 'The server does not answer. Is it still running?';
}

/** What is known of an answer: the newest that came, and why the last try brought none. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly error: string | null;
}

interface Held extends Loaded<unknown> {
  /** Which news it knows of. */
  readonly version: number;
  readonly isUnderWay: boolean;
}

/** How long the same answer is not asked for again, in milliseconds, however much happens meanwhile. */
const REST_MS = 250;
/** Answers that are kept; those that were not read for the longest time go. */
const HELD_MAX = 40;

/** Answers of the sandbox by their paths. What is shown is read at each drawing, and asked for again when there is news. */
export class Cache {
  readonly #held = new Map<string, Held>();
  #version = 0;
  #isClosed = false;

  constructor(
    private readonly access: Access,
    private readonly changed: () => void,
    private readonly refused: (error: Refused) => void,
  ) {}

  /** There is news: what was read before may have changed. */
  outdate(): void {
    this.#version++;
  }

  /** What comes from now on is for nobody. */
  close(): void {
    this.#isClosed = true;
  }

  /** The newest answer there is. It is asked for where there was none, or news since; a `fixed` one never changes. */
  read<T>(path: string, kind: 'changing' | 'fixed' = 'changing'): Loaded<T> {
    const held = this.#held.get(path);
    const isOld = held === undefined || (kind === 'changing' && held.version !== this.#version);
    if (isOld && held?.isUnderWay !== true) void this.#load(path, held);
    return (this.#held.get(path) ?? held) as Loaded<T>;
  }

  async #load(path: string, before: Held | undefined): Promise<void> {
    const { data = null, error = null } = before ?? {};
    const version = this.#version;
    this.#hold(path, { data, error, version: before?.version ?? -1, isUnderWay: true });
    const result = await this.#ask(path, data);
    if (this.#isClosed) return;
    this.#hold(path, { ...result, version, isUnderWay: true });
    this.changed();
    setTimeout(() => {
      this.#hold(path, { ...result, version, isUnderWay: false });
      if (version !== this.#version) this.changed();
    }, REST_MS);
  }

  async #ask(path: string, before: unknown): Promise<Loaded<unknown>> {
    try {
      return { data: await call(this.access, 'GET', path), error: null };
    } catch (error) {
      if (error instanceof Refused) this.refused(error);
      // What has gone is not shown any longer; where nobody answers, what was known stays.
      return { data: error instanceof Refused ? null : before, error: reasonOf(error) };
    }
  }

  #hold(path: string, held: Held): void {
    this.#held.delete(path);
    this.#held.set(path, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD_MAX && oldest !== undefined) this.#held.delete(oldest);
  }
}
