import { textOf } from './wire.js';

/** The credentials that each call sends. */
export interface Access {
  readonly key: string;
  /** The world, if it was opened by its name instead of its key. */
  readonly world: string | null;
  /** Empty when the server requires none. */
  readonly adminToken: string;
}

/** A call that the sandbox refused, with the sandbox's message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

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

/** The path of the control API. */
const CONTROL = '/_sandbox';

/** Sends a call. The key goes in a header, so no address contains it. Rejects with `ApiError` for a refusal, and when there is no answer. */
export async function send(
  access: Access,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const { key, world } = access;
  const headers: Record<string, string> =
    world === null ? { 'x-secretkey': key } : { 'x-sandbox-world': world };
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
  throw new ApiError(
    response.status,
    textOf(answered, 'Message') || `The server answered ${response.status}.`,
  );
}

/** Sends a call and reads its JSON. */
export async function call(access: Access, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await send(access, method, path, body);
  return response.json();
}

/** An error as a message for the user. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'The server does not answer. Is it still running?';
}

/** The newest answer that arrived, and the error of the last attempt. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly error: string | null;
}

interface Held extends Loaded<unknown> {
  /** The cache's version when it was requested. */
  readonly version: number;
  readonly isUnderWay: boolean;
}

/** The shortest time between two requests of the same path, in milliseconds. */
const REST_MS = 250;
/** The same as a multiple of the time that the last answer took, so that a slow server is asked less often. */
const REST_SHARE = 4;
/** How many answers are kept. The least recently loaded is dropped first. */
const HELD_MAX = 40;

/** The sandbox's answers, by path. Each render reads what it shows, which requests outdated answers again. */
export class Cache {
  readonly #held = new Map<string, Held>();
  #version = 0;
  #isClosed = false;

  constructor(
    private readonly access: Access,
    private readonly changed: () => void,
    private readonly refused: (error: ApiError) => void,
  ) {}

  /** Marks all answers as outdated. */
  outdate(): void {
    this.#version++;
  }

  /** Marks one answer as outdated. */
  renew(path: string): void {
    const held = this.#held.get(path);
    if (held !== undefined) this.#hold(path, { ...held, version: -1 });
  }

  /** Ignores all answers that arrive from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * The newest answer. Requests it if there is none yet or if it is outdated. A `fixed` answer changes only by `renew`. A `lasting` one
   * stays when the server has deleted what it is about.
   */
  read<T>(path: string, kind: 'changing' | 'fixed' | 'lasting' = 'changing'): Loaded<T> {
    const held = this.#held.get(path);
    const isLasting = kind === 'lasting';
    const isFinal = kind === 'fixed' || (isLasting && held?.error !== null && held?.data !== null);
    const isOld = held === undefined || held.version < 0 || (!isFinal && held.version !== this.#version);
    if (isOld && held?.isUnderWay !== true) void this.#load(path, held, isLasting);
    return (this.#held.get(path) ?? held) as Loaded<T>;
  }

  async #load(path: string, before: Held | undefined, isLasting: boolean): Promise<void> {
    const { data = null, error = null } = before ?? {};
    const version = this.#version;
    this.#hold(path, { data, error, version: before?.version ?? -1, isUnderWay: true });
    const begun = performance.now();
    const result = await this.#ask(path, data, isLasting);
    if (this.#isClosed) return;
    this.#hold(path, { ...result, version, isUnderWay: true });
    this.changed();
    setTimeout(
      () => {
        this.#hold(path, { ...result, version, isUnderWay: false });
        if (version !== this.#version) this.changed();
      },
      Math.max(REST_MS, REST_SHARE * (performance.now() - begun)),
    );
  }

  async #ask(path: string, before: unknown, isLasting: boolean): Promise<Loaded<unknown>> {
    try {
      return { data: await call(this.access, 'GET', path), error: null };
    } catch (error) {
      if (error instanceof ApiError) this.refused(error);
      // A refusal replaces the old data. When the server does not answer, the old data stays.
      return { data: error instanceof ApiError && !isLasting ? null : before, error: reasonOf(error) };
    }
  }

  #hold(path: string, held: Held): void {
    this.#held.delete(path);
    this.#held.set(path, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD_MAX && oldest !== undefined) this.#held.delete(oldest);
  }
}
