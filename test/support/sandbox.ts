import { expect } from 'vitest';

import { createInnerSandbox, type InnerSandbox, type InnerSandboxOptions } from '../../src/app/sandbox.js';
import { requireConformity } from './conformity.js';
import { type TestHost, testHost } from './host.js';

export { START, type TestHost, testHost } from './host.js';

export interface TestSandbox extends InnerSandbox {
  readonly host: TestHost;
}

/** A sandbox of its own for a test, on a host that stands still and, unless told otherwise, a manual clock. */
export function testSandbox(options: InnerSandboxOptions = {}, host = testHost()): TestSandbox {
  return { ...createInnerSandbox(host, { clock: { mode: 'manual' }, ...options }), host };
}

export interface Answer {
  readonly status: number;
  /** The JSON object of the answer; empty where it is none. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  readonly text: string;
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  del(path: string, headers?: Record<string, string>, body?: unknown): Promise<Answer>;
  /** A body that is a text or bytes is sent as it is, anything else as JSON. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Charges a card. */
  charge(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The body of what a path answers. */
  read(path: string, headers?: Record<string, string>): Promise<Answer['body']>;
  /** Moves the clock of the world by a duration, or by milliseconds. */
  advance(by: string | number): Promise<Answer>;
  /** How many records of each kind the world holds. */
  counts(): Promise<unknown>;
  /** Queues outcomes for an operation. */
  queue(Operation: string, Outcomes: readonly unknown[], Match?: object): Promise<Answer>;
  /** Switches the world to a scenario of its own. */
  play(Definition: unknown): Promise<Answer>;
}

/** No refusal of any test asks a question and then goes on with a full stop. */
function requireCleanEnd(message: unknown): void {
  if (typeof message === 'string' && message.includes('?.')) throw new Error(`Ends badly: ${message}`);
}

/** Calls a sandbox with a key; null sends none. */
export function client(sandbox: Pick<InnerSandbox, 'fetch'>, key: string | null = 'sk_test_a'): Client {
  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const init: RequestInit = {
      method,
      headers: {
        ...(key === null ? {} : { 'x-secretkey': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    };
    const request = new Request(`http://localhost${path}`, init);
    const response = await sandbox.fetch(request);
    const text = await response.text();
    const isJson =
      response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    const answered = isJson ? (JSON.parse(text) as Answer['body']) : {};
    requireCleanEnd(answered['Message']);
    if (isJson) requireConformity(request, response, answered);
    return { status: response.status, body: answered, headers: response.headers, text };
  };
  const read = async (path: string, headers?: Record<string, string>) =>
    (await send('GET', path, undefined, headers)).body;
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    del: (path, headers, body) => send('DELETE', path, body, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    charge: (body, headers) => send('POST', '/charge/card', body, headers),
    read,
    put: (path, body, headers) => send('PUT', path, body, headers),
    advance: (by) =>
      good(send('POST', '/_sandbox/clock/advance', { By: typeof by === 'number' ? `${by}ms` : by })),
    counts: async () => {
      const { JournalEntries: _, ...records } = (await read('/_sandbox/world'))['Counts'] as Answer['body'];
      return records;
    },
    queue: (Operation, Outcomes, Match) =>
      send('POST', '/_sandbox/outcomes', { Operation, Outcomes, ...(Match && { Match }) }),
    play: (Definition) => send('PUT', '/_sandbox/scenario', { Definition }),
  };
}

/** An answer that must be good. */
export async function good(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent;
  expect([200, 201], answer.text).toContain(answer.status);
  return answer;
}

/** What an answer warns of, and what decided it; null: nothing. */
export const warningOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-sandbox-warning');
export const triggerOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-sandbox-trigger');

/** The header by which a request asks for an outcome. */
export const asking = (outcome: string) => ({ 'x-sandbox-outcome': outcome });

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
}
