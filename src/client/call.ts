import { type SandboxErrorFields, SandboxError } from './error.js';
import { requireOptions, requireSendable, THE_BODY } from './sendable.js';
import { fromWire, toWire } from './spelling.js';

/** The address of a sandbox in process. Names below localhost never belong to another machine. */
export const WITHIN = 'http://playmoney.localhost';

/** How to reach a world. Calls in process and over HTTP use the same code, so they behave the same. */
export interface WorldConnection {
  /** The address of the sandbox, without a slash at the end. */
  readonly url: string;
  /** The secret key that opens the world. */
  readonly key: string;
  /** The value of x-sandbox-admin; null if the server requires none. */
  readonly adminToken: string | null;
  readonly fetch: (request: Request) => Promise<Response>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls of the control API for one world, for the handle of that world and its parts. */
export abstract class ControlCalls {
  readonly #reach: WorldConnection;

  /** @internal */
  constructor(reach: WorldConnection) {
    this.#reach = reach;
  }

  /** @internal Sends a call, and returns the answer in camelCase. Rejects with a SandboxError if the sandbox refuses the call. */
  protected async call<T>(method: Method, path: string, given?: object): Promise<T> {
    return fromWire(await this.callRaw(method, path, given === undefined ? undefined : toWire(given))) as T;
  }

  /** @internal Like `call`, with both bodies as on the wire. */
  protected async callRaw(method: Method, path: string, body?: unknown): Promise<unknown> {
    requireSendable(body, THE_BODY);
    const { url, fetch } = this.#reach;
    const request = new Request(`${url}/_sandbox${path}`, this.#init(method, body));
    const answer = await fetch(request).catch((cause: unknown) => {
      const isWithin = url === WITHIN && cause instanceof Error;
      const message = isWithin
        ? cause.message
        : `Nothing answers at ${url}. Start a server there: playmoney start`;
      throw new SandboxError({ status: 0, code: null, message, details: null, answer: null }, { cause });
    });
    const parsed: unknown = await answer.json().catch(() => null);
    if (answer.ok && parsed !== null) return parsed;
    throw new SandboxError(readRefusal(parsed, answer, `${url}/_sandbox${path}`));
  }

  /** @internal All records of a list, newest first. The control API returns them in pages. */
  protected async listAll<T>(path: string, name: string, filter: object, read = fromWire): Promise<T[]> {
    requireOptions(filter, 'The filter');
    const all: T[] = [];
    for (;;) {
      const query = buildQuery({ ...filter, limit: PAGE_LIMIT, skip: all.length });
      const page = (await this.callRaw('GET', `${path}?${query}`)) as AnswerPage;
      const found = (page[name] ?? []) as unknown[];
      all.push(...found.map((record) => read(record) as T));
      if (found.length === 0 || all.length >= page.Count) return all;
    }
  }

  #init(method: Method, body: unknown): RequestInit {
    const { key, adminToken } = this.#reach;
    return {
      method,
      headers: {
        'x-secretkey': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(adminToken === null ? {} : { 'x-sandbox-admin': adminToken }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }
}

/** The largest page that the control API returns. */
const PAGE_LIMIT = 500;

interface AnswerPage {
  readonly [name: string]: unknown;
  readonly Count: number;
}

function buildQuery(filter: object): URLSearchParams {
  const given = Object.entries(toWire(filter) as object).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

interface ErrorAnswer {
  readonly Code?: number;
  readonly Message?: string;
  readonly Details?: Readonly<Record<string, string>> | null;
  readonly Nearest?: readonly NearMiss[];
}

interface NearMiss {
  readonly Method?: string;
  readonly Path?: string;
  readonly EventType?: string;
  readonly Status: number;
  readonly Differences: readonly {
    readonly Member: string;
    readonly Wanted: unknown;
    readonly Found: unknown;
  }[];
}

function readRefusal(answer: unknown, { status, headers }: Response, url: string): SandboxErrorFields {
  const to = headers.get('location');
  const { Code = null, Message, Details = null, Nearest = [] } = (answer ?? {}) as ErrorAnswer;
  const message =
    Message === undefined
      ? `${url} ${to === null ? `returned ${status} without a message` : `redirects to ${to}`}. Is it playmoney?`
      : [Message, ...Nearest.map(formatNearMiss)].join('\n');
  return { status, code: Code, message, details: Details, answer };
}

function formatNearMiss({ Method, Path, EventType, Status, Differences }: NearMiss): string {
  const call = EventType ?? `${Method} ${Path}`;
  const differences = Differences.map(
    ({ Member, Wanted, Found }) => `${Member} is ${JSON.stringify(Found)}, not ${JSON.stringify(Wanted)}`,
  );
  return `  ${call} ${Status}: ${differences.join('; ')}`;
}
