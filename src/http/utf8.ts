import { JsonFault } from './json-fault.js';

/** Line and column of an index, both from 1; columns are code points, as an editor counts them. */
export function positionOf(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let column = 1;
  for (let before = 0; before < at; before += 1) {
    const code = text.charCodeAt(before);
    if (code === 0x0a) {
      line += 1;
      column = 1;
    } else if (code < 0xdc00 || code > 0xdfff) {
      column += 1;
    }
  }
  return { line, column };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a body; throws a JsonFault that names the offset of the first byte that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    const at = findBadUtf8(bytes);
    const before = UTF8.decode(bytes.subarray(0, at));
    const { line, column } = positionOf(before, before.length);
    throw new JsonFault(badUtf8Message(at), line, column);
  }
}

export function badUtf8Message(offset: number): string {
  return `Found a byte that is not UTF-8 at offset ${offset}, expected UTF-8 text`;
}

/** The offset of the first sequence that is not whole UTF-8, or -1. */
export function findBadUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = utf8Length(bytes, at, bytes.length);
    if (length <= 0) return at;
    at += length;
  }
  return -1;
}

/**
 * Bytes of the UTF-8 sequence that starts at `at` (Unicode, table 3-7): -1 when it is wrong, 0 when `end` cuts it.
 */
export function utf8Length(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // Overlong forms, surrogates and what lies above U+10FFFF show in the second byte.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let n = 1; n < length; n += 1) {
    if (at + n >= end) return 0;
    const byte = bytes[at + n] ?? 0;
    if (byte < (n === 1 ? low : 0x80) || byte > (n === 1 ? high : 0xbf)) return -1;
  }
  return length;
}
