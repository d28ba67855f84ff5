import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

import { VERSION } from '../../version.js';
import { callError } from '../cli/client.js';

/** How much of an answer is read. */
export const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** Where calls are sent, and how. */
export interface Target {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
  /** The certificates that are trusted in place of those of the system, as PEM; null: those of the system. */
  readonly ca: string | null;
  /** How long a call may take with its whole answer. */
  readonly timeoutMs: number;
}

export interface OutgoingCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What came back: a whole answer, the beginning of one, or nothing but a reason. */
export type Reply =
  | {
      readonly kind: 'whole';
      readonly status: number;
      /** Null where it is longer than is read. */
      readonly text: string | null;
      /** The name of the world, where it was a sandbox that answered. */
      readonly world: string | null;
    }
  | { readonly kind: 'broken'; readonly status: number; readonly reason: string }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * Sends one call on a connection of its own, so that what one answer breaks is not blamed on the next. The answer
 * is taken as it is: no redirect is followed. Rejects with a CommandError where no connection came about:
 * further calls would be of no use.
 */
export async function sendCall(target: Target, call: OutgoingCall): Promise<Reply> {
  const { url, timeoutMs, ca } = target;
  const base = new URL(url);
  const isSecure = base.protocol === 'https:';
  let isConnected = false;
  let answer: IncomingMessage | null = null;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = (isSecure ? requestHttps : requestHttp)(base, {
        method: call.method,
        path: escaped(base.pathname.replace(/\/$/, '') + call.path),
        headers: headersOf(target, call),
        agent: false,
        signal,
        ...(ca === null ? {} : { ca }),
      });
      sent.on('socket', (socket) => {
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          isConnected = true;
        });
      });
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.end(call.body ?? undefined);
    });
    return await readReply(answer);
  } catch (error) {
    const reason = signal.aborted
      ? `nothing within ${timeoutMs} ms`
      : networkReason(error as NodeJS.ErrnoException);
    if (answer !== null) return { kind: 'broken', status: answer.statusCode ?? 0, reason };
    if (isConnected) return { kind: 'none', reason };
    throw callError(`nothing answers at ${url} (${reason})`);
  }
}

/** Why a call over the network failed. Where a name has several addresses, the message of the error is empty. */
export function networkReason({ code = '', message }: NodeJS.ErrnoException): string {
  const hint = /CERT|CA_|ISSUER/.test(code) ? '; --ca FILE says whom to trust' : '';
  return `${message === '' ? code : message}${hint}`;
}

async function readReply(answer: IncomingMessage): Promise<Reply> {
  const { statusCode: status = 0, headers } = answer;
  const world = headers['x-sandbox-world']?.toString() ?? null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > ANSWER_BYTES_MAX) return { kind: 'whole', status, text: null, world };
    chunks.push(chunk);
  }
  return { kind: 'whole', status, text: Buffer.concat(chunks).toString('utf8'), world };
}

function headersOf({ key }: Target, { headers, body }: OutgoingCall): Record<string, string | number> {
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': `playmoney/${VERSION}`,
    ...headers,
    'x-secretkey': key,
    connection: 'close',
    // Also of an empty body: a server may wait for one that is not announced as empty.
    ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
  };
}

/** An address as it goes on the line: the journal keeps paths decoded. */
function escaped(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/g, (run) =>
    Array.from(Buffer.from(run), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
