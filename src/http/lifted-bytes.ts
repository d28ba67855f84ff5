import { JsonFault } from './json-fault.js';
import { readJson } from './json.js';
import { badUtf8Message, decodeUtf8, findBadUtf8, positionOf, utf8Length } from './utf8.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** The longest thing that must be seen whole: a surrogate pair written as two escapes. */
const SEQUENCE_MAX = 12;
/** A content length above this is not believed. */
const EXPECTED_MAX = 64 * 1024 * 1024;
const NOTHING: Uint8Array = new Uint8Array(0);
const LENIENT_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** What the letter of a two-character escape stands for, 0 where there is no such escape. */
const ESCAPED = new Uint8Array(256);
for (const pair of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  ESCAPED[pair.charCodeAt(0)] = pair.charCodeAt(1);
}

/** The bytes of all lifted strings, and the unescaping into them. */
export class LiftedBytes {
  bytes = NOTHING;
  length = 0;
  /** Of the present string, as written. */
  characters = 0;
  private startOffset = 0;
  /** How many bytes the present string has more than characters. */
  private extraBytes = 0;
  /** An escape or a UTF-8 sequence that the last slice cut. */
  private carry = NOTHING;

  constructor(private readonly expectedBytes: number) {}

  /** Whether `room` more bytes, as written, might not fit. Nothing is lacking before the first lifted string. */
  lacks(room: number): boolean {
    return this.bytes.length > 0 && this.bytes.length - this.length < room + SEQUENCE_MAX;
  }

  /** Doubles, copying in blocks, since 32 MiB at once would hold the event loop too long. */
  async grow(room: number, blockBytes: number, pause: () => Promise<void>): Promise<void> {
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.length + room + SEQUENCE_MAX));
    for (let at = 0; at < this.length; at += blockBytes) {
      grown.set(this.bytes.subarray(at, Math.min(this.length, at + blockBytes)), at);
      await pause();
    }
    this.bytes = grown;
  }

  /** Begins a string whose first byte stands at `offset` of the body; `room` bytes may follow before `lacks`. */
  begin(offset: number, room: number): void {
    if (this.bytes.length === 0) {
      const expected = Math.min(this.expectedBytes, EXPECTED_MAX);
      this.bytes = new Uint8Array(Math.max(room, expected) + SEQUENCE_MAX);
    }
    this.startOffset = offset;
    this.characters = 0;
    this.extraBytes = 0;
  }

  /** Takes bytes of the present string; answers the index of its closing quote, or -1 when all were taken. */
  take(bytes: Uint8Array, from: number, to: number): number {
    let at = this.carry.length === 0 ? from : this.takeCarried(bytes, from, to);
    while (at < to) {
      at = this.copyPlain(bytes, at, to);
      if (at === to) break;
      if (bytes[at] === QUOTE) return at;
      const taken = this.takeSequence(bytes, at, to);
      if (taken === 0) {
        this.carry = new Uint8Array(bytes.subarray(at, to));
        break;
      }
      at += taken;
    }
    return -1;
  }

  failAtEnd(): never {
    if ((this.carry[0] ?? 0) >= 0x80) this.failUtf8();
    this.fail(this.carry);
  }

  private takeCarried(bytes: Uint8Array, from: number, to: number): number {
    const added = bytes.subarray(from, Math.min(to, from + SEQUENCE_MAX));
    const joined = new Uint8Array(this.carry.length + added.length);
    joined.set(this.carry);
    joined.set(added, this.carry.length);
    const taken = this.takeSequence(joined, 0, joined.length);
    const next = from + taken - this.carry.length;
    this.carry = taken === 0 ? joined : NOTHING;
    return taken === 0 ? to : next;
  }

  private copyPlain(bytes: Uint8Array, from: number, to: number): number {
    const target = this.bytes;
    let length = this.length;
    let at = from;
    for (; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte < 0x20 || byte > 0x7f || byte === QUOTE || byte === BACKSLASH) break;
      target[length] = byte;
      length += 1;
    }
    this.length = length;
    this.characters += at - from;
    return at;
  }

  /** Answers how many bytes the escape or the character at `at` had; 0 when `end` cuts it. */
  private takeSequence(bytes: Uint8Array, at: number, end: number): number {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH) return this.takeEscape(bytes, at, end);
    if (byte < 0x20) this.fail(bytes.subarray(at, at + 1));
    const length = utf8Length(bytes, at, end);
    if (length < 0) this.failUtf8();
    if (length === 0) return 0;
    for (let n = 0; n < length; n += 1) this.put(bytes[at + n] ?? 0);
    this.characters += 1;
    this.extraBytes += length - 1;
    return length;
  }

  private takeEscape(bytes: Uint8Array, at: number, end: number): number {
    if (end - at < 2) return 0;
    const letter = bytes[at + 1] ?? 0;
    const meant = ESCAPED[letter] ?? 0;
    if (meant === 0 && letter !== LOWER_U) this.fail(bytes.subarray(at, at + 2));
    if (meant === 0) return this.takeUnicodeEscape(bytes, at, end);
    this.put(meant);
    this.characters += 2;
    return 2;
  }

  private takeUnicodeEscape(bytes: Uint8Array, at: number, end: number): number {
    if (end - at < 6) return 0;
    const unit = hexUnit(bytes, at + 2);
    if (unit < 0 || isLowHalf(unit)) this.fail(bytes.subarray(at, at + 6));
    const isHighHalf = unit >= 0xd800 && unit <= 0xdbff;
    if (isHighHalf && end - at < SEQUENCE_MAX) return 0;
    const low = isHighHalf ? lowHalf(bytes, at + 6) : 0;
    if (low < 0) this.fail(bytes.subarray(at, at + SEQUENCE_MAX));
    this.putCodePoint(isHighHalf ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : unit);
    this.characters += isHighHalf ? 12 : 6;
    return isHighHalf ? 12 : 6;
  }

  private put(byte: number): void {
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  private putCodePoint(code: number): void {
    if (code < 0x80) return this.put(code);
    if (code < 0x800) {
      this.put(0xc0 | (code >> 6));
    } else {
      if (code < 0x10000) {
        this.put(0xe0 | (code >> 12));
      } else {
        this.put(0xf0 | (code >> 18));
        this.put(0x80 | ((code >> 12) & 0x3f));
      }
      this.put(0x80 | ((code >> 6) & 0x3f));
    }
    this.put(0x80 | (code & 0x3f));
  }

  /** readJson words the fault: it is given a string that begins with what is wrong. */
  private fail(wrong: Uint8Array): never {
    const bad = findBadUtf8(wrong);
    if (bad >= 0 && utf8Length(wrong, bad, wrong.length) < 0) this.failUtf8(wrong.subarray(0, bad));
    try {
      readJson(`"${LENIENT_UTF8.decode(wrong)}`);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      throw new JsonFault(error.message, 1, error.column + this.characters);
    }
    throw new Error('A wrong string was read');
  }

  private failUtf8(before = NOTHING): never {
    const offset = this.startOffset + this.characters + this.extraBytes + before.length;
    const text = decodeUtf8(before);
    const { column } = positionOf(text, text.length);
    throw new JsonFault(badUtf8Message(offset), 1, this.characters + 1 + column);
  }
}

/** The value of four hexadecimal digits, or -1. */
function hexUnit(bytes: Uint8Array, from: number): number {
  let unit = 0;
  for (let at = from; at < from + 4; at += 1) {
    const byte = bytes[at] ?? 0;
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) unit = unit * 16 + letter - 0x57;
    else return -1;
  }
  return unit;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The low half of a surrogate pair as an escape, or -1. */
function lowHalf(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LOWER_U) return -1;
  const unit = hexUnit(bytes, at + 2);
  return isLowHalf(unit) ? unit : -1;
}
