import { PlaymoneyError } from './error.js';

export function toPlaymoneyError(status: number, body: unknown, url: string): PlaymoneyError {
  const { Message, Code, Details, IsRetryable } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof Message !== 'string') {
    return new PlaymoneyError(
      `${url} returned ${status} with an unexpected body. Check that baseUrl is the address of playmoney.`,
      status,
    );
  }
  const details = (Details ?? {}) as Readonly<Record<string, string | null>>;
  const code = typeof Code === 'number' ? Code : null;
  return new PlaymoneyError(Message, status, code, details, IsRetryable === true);
}

/** Posts a JSON body, or sends a GET without one, and returns the answer's fields. Rejects with a `PlaymoneyError` for an error, and when there is no answer. */
export async function fetchJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  sent?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await requestAnswer(url, headers, sent);
  const body = (await response.json().catch(() => null)) as Readonly<Record<string, unknown>> | null;
  if (response.ok && typeof body === 'object' && body !== null) return body;
  throw toPlaymoneyError(response.status, body, url);
}

const NO_FETCH =
  'This page has no fetch. jsdom by itself has none: give its window that of Node, or use an environment that does.';

async function requestAnswer(
  url: string,
  headers: Readonly<Record<string, string>>,
  sent: object | undefined,
): Promise<Response> {
  if (typeof fetch !== 'function') throw new PlaymoneyError(NO_FETCH);
  try {
    return await fetch(url, {
      credentials: 'omit',
      ...(sent === undefined
        ? { headers }
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(sent),
          }),
    });
  } catch {
    // A page cannot tell an unreachable server from a refused origin.
    const caller = typeof location === 'undefined' ? 'this program' : location.origin;
    throw new PlaymoneyError(
      `No answer from ${url}. Check that the sandbox is running there and accepts calls from ${caller}. ` +
        'Pages that are not on localhost must be allowed: with --allowed-origin, or on Cloudflare with ALLOWED_ORIGINS.',
    );
  }
}
