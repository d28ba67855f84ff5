import { sandboxHome } from '../../home.js';
import { readTextAt } from './wire.js';

export interface Access {
  readonly key: string;
  /** The world, if it was opened by its name instead of its key. */
  readonly world: string | null;
  readonly adminToken: string;
}

export class ControlError extends Error {
  override readonly name = 'ControlError';

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

/** Sends a call; a text body is YAML. The key is in a header, never in an address. Rejects with `ControlError` for a refusal. */
export async function sendControlCall(
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
  const isText = typeof body === 'string';
  const hasBody = body !== undefined && body !== null;
  if (hasBody) headers['content-type'] = isText ? 'application/yaml' : 'application/json';
  const response = await fetch(`${sandboxHome()}/_sandbox${path}`, {
    method,
    headers,
    cache: 'no-store',
    credentials: 'omit',
    ...(hasBody ? { body: isText ? body : JSON.stringify(body) } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  const answered: unknown = await response.json().catch(() => null);
  throw new ControlError(
    response.status,
    readTextAt(answered, 'Message') || `The server answered ${response.status}.`,
  );
}

export async function fetchControl(
  access: Access,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await sendControlCall(access, method, path, body);
  return response.json();
}

export function explainFailure(error: unknown): string {
  if (error instanceof ControlError) return error.message;
  return 'The server does not answer. Is it still running?';
}
