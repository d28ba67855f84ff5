import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';

import { type BodyContent, buildLoss, NOTHING, readCharacters } from '../../control/opening/body-content.js';
import { formatMiB } from '../files/whole-file.js';

/** The longest body that is recorded, as it was sent and decoded. Longer bodies are forwarded but not recorded. */
export const BODY_BYTES_MAX = 1024 * 1024;
/** The most encodings on top of each other. Each is decoded into at most BODY_BYTES_MAX. */
const ENCODINGS_MAX = 5;

type Decompress = (bytes: Uint8Array, options: ZlibOptions) => Uint8Array;

const DECOMPRESSED_BY: ReadonlyMap<string, Decompress> = new Map([
  ['identity', (bytes) => bytes],
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateAny],
  ['br', brotliDecompressSync],
]);

export const TOO_LONG = buildLoss(`longer than ${formatMiB(BODY_BYTES_MAX)}`);

/** Decodes a body: servers may compress answers although `identity` was asked for, and use any character set. */
export function readContent(sent: Uint8Array, headers: IncomingHttpHeaders): BodyContent {
  if (sent.length === 0) return NOTHING;
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  const applied = encodings.map((name) => name.trim()).filter((name) => name !== '');
  if (applied.length > ENCODINGS_MAX) return buildLoss(`more than ${ENCODINGS_MAX} encodings`);
  let bytes = sent;
  for (const name of applied.toReversed()) {
    const decompress = DECOMPRESSED_BY.get(name);
    if (decompress === undefined) return buildLoss(`encoding ${name.slice(0, 40)}`);
    try {
      bytes = decompress(bytes, { maxOutputLength: BODY_BYTES_MAX });
    } catch (error) {
      return isTooLong(error) ? TOO_LONG : buildLoss(`broken ${name}`);
    }
  }
  return readCharacters(bytes, headers['content-type'] ?? '');
}

/** Some servers leave out the header of zlib. */
function inflateAny(bytes: Uint8Array, options: ZlibOptions): Uint8Array {
  try {
    return inflateSync(bytes, options);
  } catch (error) {
    if (isTooLong(error)) throw error;
    return inflateRawSync(bytes, options);
  }
}

function isTooLong(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}
