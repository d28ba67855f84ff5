import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** The text of a body in pieces; null if it is longer than the limit. Leaving it early closes the connection. */
export async function readTextUpTo(
  bytesMax: number,
  pieces: AsyncIterable<Uint8Array>,
): Promise<string | null> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > bytesMax) return null;
    read.push(piece);
  }
  return Buffer.concat(read).toString();
}

/** The body of an answer in pieces. Rejects if the signal aborts: a fault may send it slowly, and a stream has no end. */
export function readPiecesWithin({ body }: Response, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream, { signal });
}
