import type { IncomingMessage } from 'node:http';

import type { OutgoingCall, Reply } from '../../control/opening/prepare-call.js';
import { VERSION } from '../../core/version.js';
import { buildCallError } from '../remote/call-server.js';
import { readTextUpTo } from '../remote/read-text.js';
import { type Upstream, UpstreamCall } from '../remote/upstream.js';

/** Longer answers are not compared. */
export const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** Where calls are sent, and with which secret key. */
export interface ReplayTarget extends Upstream {
  readonly key: string;
}

/** Sends a call. Rejects with a CommandError when there is no connection: further calls would fail too. */
export async function sendToTarget(target: ReplayTarget, call: OutgoingCall): Promise<Reply> {
  const sent = new UpstreamCall(target, {
    method: call.method,
    path: escapePath(call.path),
    headers: headersToSend(target, call),
  });
  sent.request.end(call.body ?? undefined);
  let answer: IncomingMessage | null = null;
  try {
    answer = await sent.answer();
    return await readReply(answer, sent.readBodyPieces(answer));
  } catch (error) {
    const reason = sent.explainError(error as Error);
    if (answer !== null) return { kind: 'broken', status: answer.statusCode ?? 0, reason };
    if (sent.isConnected) return { kind: 'none', reason };
    throw buildCallError(`cannot connect to ${target.url} (${reason})`);
  }
}

async function readReply(
  { statusCode: status = 0, headers }: IncomingMessage,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Reply> {
  const world = headers['x-sandbox-world']?.toString() ?? null;
  return { kind: 'whole', status, text: await readTextUpTo(ANSWER_BYTES_MAX, pieces), world };
}

function headersToSend(
  { key }: ReplayTarget,
  { headers, body }: OutgoingCall,
): Record<string, string | number> {
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': `playmoney/${VERSION}`,
    ...headers,
    'x-secretkey': key,
    connection: 'close',
    // An empty body has a length too: a server may wait for one of unknown length.
    ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
  };
}

/** Escapes all characters except printable ASCII again, since paths in the journal are decoded. */
function escapePath(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/g, (run) =>
    Array.from(Buffer.from(run), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
