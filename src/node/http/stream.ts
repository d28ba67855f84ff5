import type { IncomingMessage, ServerResponse } from 'node:http';

import { ConnectionLost } from '../../http/respond.js';

/** Reads the whole body of a request. Rejects where the client leaves before its end. */
export function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const lose = (): void => reject(new ConnectionLost());
    // Of one that left before, no event tells any more.
    if (incoming.destroyed) return lose();
    const pieces: Uint8Array[] = [];
    incoming
      .on('data', (piece: Uint8Array) => pieces.push(piece))
      .on('end', () => resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)))
      // The error of a body that was read would be made for nothing: its stack is what costs.
      .on('close', () => incoming.readableEnded || lose());
  });
}

/** Sends a body that is made while it is sent, only as fast as the client reads it. Rejects where the body breaks off. */
export async function sendBody(
  body: ReadableStream<Uint8Array> | null,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    for await (const piece of body ?? []) {
      if (!outgoing.write(piece)) await drained(outgoing);
      // Leaving the loop cancels what is left of the body.
      if (outgoing.destroyed) return;
    }
  } catch (error) {
    // What was written leaves first: a body that breaks off is not a body that never began.
    await new Promise((resolve) => setImmediate(resolve));
    throw error;
  }
  outgoing.end();
}

/** Resolves when the client has read what was written, or is gone. */
function drained(outgoing: ServerResponse): Promise<void> {
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
