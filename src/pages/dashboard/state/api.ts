import { homeOf } from '../../home.js';
import { textOf } from './wire.js';

export interface Access {
  readonly key: string;
  /** The world, if it was opened by its name instead of its key. */
  readonly world: string | null;
  readonly adminToken: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  get wantsAdmin(): boolean {
    return this.status === 403 && this.message.includes('x-sandbox-admin');
  }
}

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
  const response = await fetch(`${homeOf()}/_sandbox${path}`, {
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

export async function call(access: Access, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await send(access, method, path, body);
  return response.json();
}

export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'The server does not answer. Is it still running?';
}

/** The newest answer that arrived, and the error of the last attempt. */
export interface Loaded<T> {
  readonly data: T | null;
  readonly error: string | null;
}

interface CachedAnswer extends Loaded<unknown> {
  readonly version: number;
  readonly isUnderWay: boolean;
}

/** The shortest time between two requests of the same path, in milliseconds. */
const REST_MS = 250;
/** The same as a multiple of the time that the last answer took, so that a slow server is asked less often. */
const REST_SHARE = 4;
/** How many answers are stored. The least recently loaded is dropped first. */
const ANSWERS_MAX = 40;

/** The sandbox's answers, by path. Each render reads what it shows, which requests outdated answers again. */
export class Cache {
  readonly #answers = new Map<string, CachedAnswer>();
  #version = 0;
  #isClosed = false;

  constructor(
    private readonly access: Access,
    private readonly changed: () => void,
    private readonly refused: (error: ApiError) => void,
  ) {}

  outdateAll(): void {
    this.#version++;
  }

  outdate(path: string): void {
    const cached = this.#answers.get(path);
    if (cached !== undefined) this.#put(path, { ...cached, version: -1 });
  }

  close(): void {
    this.#isClosed = true;
  }

  /**
   * The newest answer. Requests it if there is none yet or if it is outdated. A `fixed` answer changes only by `outdate`. A `lasting` one
   * stays when the server has deleted what it is about.
   */
  read<T>(path: string, kind: 'changing' | 'fixed' | 'lasting' = 'changing'): Loaded<T> {
    const cached = this.#answers.get(path);
    const isLasting = kind === 'lasting';
    const isFinal = kind === 'fixed' || (isLasting && cached?.error !== null && cached?.data !== null);
    const isOld =
      cached === undefined || cached.version < 0 || (!isFinal && cached.version !== this.#version);
    if (isOld && cached?.isUnderWay !== true) void this.#load(path, cached, isLasting);
    return (this.#answers.get(path) ?? cached) as Loaded<T>;
  }

  async #load(path: string, before: CachedAnswer | undefined, isLasting: boolean): Promise<void> {
    const { data = null, error = null } = before ?? {};
    const version = this.#version;
    this.#put(path, { data, error, version: before?.version ?? -1, isUnderWay: true });
    const begun = performance.now();
    const result = await this.#ask(path, data, isLasting);
    if (this.#isClosed) return;
    this.#put(path, { ...result, version, isUnderWay: true });
    this.changed();
    setTimeout(
      () => {
        this.#put(path, { ...result, version, isUnderWay: false });
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

  #put(path: string, cached: CachedAnswer): void {
    this.#answers.delete(path);
    this.#answers.set(path, cached);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > ANSWERS_MAX && oldest !== undefined) this.#answers.delete(oldest);
  }
}
