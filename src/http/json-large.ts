import { LargeReader } from './large-reader.js';
import { type JsonLargeValue, LargeText } from './large-text.js';
import { LiftedBytes } from './lifted-bytes.js';

export { type JsonLargeValue, LargeText };

/** String values of more bytes than this (as written, between the quotes) become a LargeText. */
export const LIFT_MIN = 64 * 1024;
/** Bytes read between two pauses: less than a millisecond of work. */
export const SLICE_BYTES = 256 * 1024;
/** Bytes of the first slice, doubled from slice to slice: code that the engine has not compiled yet is slow. */
const FIRST_SLICE_BYTES = 32 * 1024;

export interface ReadLargeOptions {
  /** Lets the event loop run; awaited after each slice. */
  readonly pause: () => Promise<void>;
  /** Bytes read between two pauses, by default SLICE_BYTES. */
  readonly sliceBytes?: number;
  /** By default LIFT_MIN. */
  readonly liftMin?: number;
  /** The content length, where it is known: saves growing the buffer of the lifted text. */
  readonly expectedBytes?: number;
}

/**
 * Reads a JSON body of many megabytes by the rules of readJson, in slices that give way to the event loop. Bounding
 * the total is the caller's part. Throws JsonFault.
 */
export async function readLargeJson(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadLargeOptions,
): Promise<JsonLargeValue> {
  const sliceMax = options.sliceBytes ?? SLICE_BYTES;
  const lifted = new LiftedBytes(options.expectedBytes ?? 0);
  const reader = new LargeReader(lifted, options.liftMin ?? LIFT_MIN);
  let sliceBytes = Math.min(sliceMax, FIRST_SLICE_BYTES);
  let sincePause = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const to = Math.min(chunk.length, from + sliceBytes - sincePause);
      const room = reader.pending + to - from;
      if (lifted.lacks(room)) await lifted.grow(room, sliceMax, options.pause);
      reader.take(chunk, from, to);
      sincePause += to - from;
      from = to;
      if (sincePause < sliceBytes) continue;
      await options.pause();
      sincePause = 0;
      sliceBytes = Math.min(sliceMax, 2 * sliceBytes);
    }
  }
  return reader.finish();
}
