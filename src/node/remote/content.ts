import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';

import { parseJson, quoteText } from '../../core/text/text.js';
import { detectUtf16 } from '../../http/body/utf8.js';
import { formatMiB } from '../files/whole-file.js';

/** The longest body that is recorded, as it was sent and decoded. Longer bodies are forwarded but not recorded. */
export const BODY_BYTES_MAX = 1024 * 1024;
/** The most encodings on top of each other. Each is decoded into at most BODY_BYTES_MAX. */
const ENCODINGS_MAX = 5;

/** A body as text, which is empty if there was none, or why it cannot be recorded. */
export interface BodyContent {
  readonly text: string;
  /** Null if nothing was lost. */
  readonly lost: string | null;
}

/** The object or array that a text is the JSON of; undefined for any other text. */
export function parseObject(text: string): object | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}

export const NOTHING: BodyContent = { text: '', lost: null };

export function buildLoss(reason: string): BodyContent {
  return { text: '', lost: reason };
}

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

/** Group 2 is the name of the character set. */
const CHARSET = /(;\s*charset\s*=\s*)"?([^\s";,]+)"?/i;

/** Decodes the characters of a body by its byte order mark, or by the charset in its type. The default is UTF-8. */
export function readCharacters(bytes: Uint8Array, type: string): BodyContent {
  const charset = detectUtf16(bytes) ?? CHARSET.exec(type)?.[2] ?? 'utf-8';
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes), lost: null };
  } catch (error) {
    const isUnknown = error instanceof RangeError;
    return buildLoss(
      isUnknown ? `charset ${quoteText(charset)}` : `bytes that are not ${charset.toUpperCase()}`,
    );
  }
}

/** The type of a body once its text is recorded: a replay sends UTF-8. */
export function toUtf8Type(type: string): string {
  return type.replace(CHARSET, '$1utf-8');
}
