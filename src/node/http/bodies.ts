import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Bindings } from '../../http/exchange.js';
import type { HeldBody } from '../../http/body/held-body.js';
import { ConnectionLost } from '../../http/answers/respond.js';
import type { UnreadAnswers } from './unread-answers.js';

/** Only for HTTP/1.1: when an HTTP/2 client disconnects, its stream ends like a complete one. */
export function buildReadBody(incoming: IncomingMessage): Bindings['readBody'] {
  return incoming.httpVersionMajor === 1 ? (into) => readBodyInto(incoming, into) : undefined;
}

/** Reads the whole body of a request. Rejects if it is refused, or if the client disconnects before its end. */
export function readBodyInto(incoming: IncomingMessage, into: HeldBody): Promise<void> {
  return new Promise((resolve, reject) => {
    const lose = (): void => {
      into.drop();
      reject(new ConnectionLost());
    };
    into.onRefused = reject;
    // If the client has already disconnected, there is no further event.
    if (incoming.destroyed) return lose();
    incoming
      .on('data', (piece: Uint8Array) => into.add(piece))
      .on('end', resolve)
      // Does not create an error for a body that was read, because its stack trace is expensive.
      .on('close', () => incoming.readableEnded || lose());
  });
}

/** Sends a streamed body as fast as the client reads it. Rejects if the body fails. */
export async function sendStreamBody(
  body: ReadableStream<Uint8Array> | null,
  outgoing: ServerResponse,
  unread: UnreadAnswers,
): Promise<void> {
  try {
    for await (const piece of body ?? []) {
      if (!outgoing.write(piece)) {
        unread.add(outgoing);
        await waitForDrain(outgoing);
      }
      // Leaving the loop cancels the rest of the body.
      if (outgoing.destroyed) return;
    }
  } catch (error) {
    // Sends what was written first: an aborted body differs from one that never began.
    await new Promise((resolve) => setImmediate(resolve));
    throw error;
  }
  outgoing.end();
}

/** Resolves when the client has read what was written, or has disconnected. */
export function waitForDrain(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) return resolve();
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}
