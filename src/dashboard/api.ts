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
