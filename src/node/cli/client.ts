import { shownKey } from '../../core/secrets.js';
import { plainLine } from '../../core/text.js';
import { CommandError, EXIT_FAILED } from './command-error.js';
import type { ClientOptions } from './option-table.js';

/** Node's reasons not to trust the certificate of a server. */
const DISTRUST = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

export function callError(message: string): CommandError {
  return new CommandError(plainLine(message), EXIT_FAILED);
}

export interface Answer<T> {
  readonly body: T;
  /** The world that was called, such as `the world 1f2e3d4c of sk_test_local`. */
  readonly world: string;
}

/** Calls a running server: GET, or POST where a body is given. Rejects with a CommandError unless it answers with JSON. */
export async function call<T>(options: ClientOptions, path: string, body?: object): Promise<Answer<T>> {
  const answer = await callRaw(options, path, body);
  const parsed: unknown = await answer.json().catch(() => null);
  if (parsed === null) return refuse(options.url + path, answer.status, parsed);
  return { body: parsed as T, world: worldOf(answer.headers.get('x-sandbox-world'), options.key) };
}

/** Like `call`; the caller reads the answer. */
export async function callRaw(
  { url, key, adminToken }: ClientOptions,
  path: string,
  body?: object,
): Promise<Response> {
  const headers = {
    'x-secretkey': key,
    'content-type': 'application/json',
    ...(adminToken === null ? {} : { 'x-sandbox-admin': adminToken }),
  };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(url + path, init).catch((error: unknown) => {
    throw callError(unreachable(url, error));
  });
  return answer.ok ? answer : refuse(url + path, answer.status, await answer.json().catch(() => null));
}

/** A world in words: its name on the server and its key. */
export function worldOf(name: string | null, key: string): string {
  return `the world ${name === null ? '' : `${plainLine(name)} `}of ${shownKey(key)}`;
}

function refuse(address: string, status: number, parsed: unknown): never {
  const message = (parsed as { Message?: unknown } | null)?.Message;
  throw callError(
    typeof message === 'string'
      ? message
      : `${address} answered ${status} without a message; is it playmoney?`,
  );
}

function unreachable(url: string, error: unknown): string {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  if (DISTRUST.has(cause?.code ?? '')) {
    return `the certificate of ${url} is not trusted; set NODE_EXTRA_CA_CERTS as the start-up note of the server says`;
  }
  const reason = cause?.code === 'ECONNREFUSED' ? '' : ` (${cause?.message ?? String(error)})`;
  return `nothing answers at ${url}${reason}; start it with: playmoney start, or say with --url where it is`;
}
