import { buildJsonFault, JsonFault } from '../../core/json/json-fault.js';

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });
/** The character with which a lenient decoder replaces invalid bytes. A valid text may contain it, too. */
const REPLACEMENT = 0xfffd;
const REPLACEMENT_BYTES = [0xef, 0xbf, 0xbd];

/** Decodes what was saved as a file, which may be UTF-16, like `decodeUtf8`. */
export function decodeFile(bytes: Uint8Array): string {
  if (detectUtf16(bytes) !== null) throw new JsonFault('Found UTF-16, expected UTF-8 text', 1, 1);
  return decodeUtf8(bytes);
}

/** Decodes a body; throws a JsonFault that names the offset of the first byte that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    throw findInvalidByte(bytes);
  }
}

/** Whether a text is in UTF-16: it begins with a byte order mark, or with two ASCII characters in this encoding. */
export function detectUtf16([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le';
  return (a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d) ? 'utf-16be' : null;
}

function findInvalidByte(bytes: Uint8Array): JsonFault {
  const text = LENIENT.decode(bytes);
  let offset = 0;
  let at = 0;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === REPLACEMENT && !REPLACEMENT_BYTES.every((byte, n) => bytes[offset + n] === byte)) break;
    offset += countUtf8Bytes(code);
  }
  return buildJsonFault(text, at, `Found a byte that is not UTF-8 at offset ${offset}, expected UTF-8 text`);
}

/** The UTF-8 bytes of a UTF-16 unit; half of the four bytes for each half of a surrogate pair. */
function countUtf8Bytes(code: number): number {
  if (code < 0x80) return 1;
  return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
}
