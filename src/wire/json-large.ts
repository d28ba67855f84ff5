import {
  JsonFault,
  NESTING_MAX,
  NumberText,
  badUtf8Message,
  decodeUtf8,
  findBadUtf8,
  positionOf,
  readJson,
  utf8Length,
} from './json.js';
import type { JsonValue } from './json.js';

/** String values of more bytes than this (as written, between the quotes) become a LargeText. */
export const LIFT_MIN = 64 * 1024;
/** Bytes of a body outside its lifted strings. */
export const SKELETON_MAX = 2 * 1024 * 1024;
/** Bytes read between two pauses: less than a millisecond of work. */
export const SLICE_BYTES = 256 * 1024;
/** Bytes of the first slice, doubled from slice to slice: code that the engine has not compiled yet is slow. */
const FIRST_SLICE_BYTES = 32 * 1024;

/** A long string value as its UTF-8 bytes, unescaped. Its length is in bytes. */
export class LargeText {
  constructor(readonly bytes: Uint8Array) {}

  get length(): number {
    return this.bytes.length;
  }

  toString(): string {
    return decodeUtf8(this.bytes);
  }
}

export type JsonLargeValue =
  | null
  | boolean
  | number
  | string
  | NumberText
  | LargeText
  | JsonLargeValue[]
  | { [name: string]: JsonLargeValue };

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

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
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
/**
 * Begins the stand-in for a lifted string. A client cannot write it: UTF-8 has no lone surrogate, and readJson
 * refuses one in an escape.
 */
const MARK = '\ud800#';

/** Where a lifted string stood, and where its bytes are now. */
interface Lift {
  readonly skeletonAt: number;
  /** Of the byte after its closing quote, in the body. */
  readonly endOffset: number;
  /** Between the quotes, as written. */
  readonly characters: number;
  readonly from: number;
  readonly to: number;
}

/** Parts a body into its lifted strings and the skeleton around them, which readJson reads at the end. */
class LargeReader {
  private skeleton = new Uint8Array(4096);
  private skeletonLength = 0;
  private readonly lifts: Lift[] = [];
  private isLifting = false;
  private liftedFrom = 0;
  /** Opening brackets that are not closed yet. */
  private readonly containers: number[] = [];
  /** The last byte outside strings that is no blank. */
  private before = 0;
  /** Where the present string began in the skeleton; -1 outside strings. */
  private stringAt = -1;
  private isValue = false;
  private isEscaped = false;
  /** Bytes of the body before the present slice. */
  private offset = 0;

  constructor(
    private readonly lifted: LiftedBytes,
    private readonly liftMin: number,
  ) {}

  /** Bytes that wait in the skeleton until their string proves long. */
  get pending(): number {
    return this.isValue && !this.isLifting && this.stringAt >= 0 ? this.skeletonLength - this.stringAt : 0;
  }

  take(bytes: Uint8Array, from: number, to: number): void {
    this.reserveSkeleton(to - from);
    let at = from;
    while (at < to) {
      if (this.isLifting) at = this.takeLifted(bytes, at, to, this.offset + at - from);
      else if (this.stringAt >= 0) at = this.takeString(bytes, at, to, this.offset + at - from);
      else at = this.takeOutside(bytes, at, to);
    }
    this.offset += to - from;
    if (this.skeletonLength - this.pending > SKELETON_MAX) throw this.tooMuchSkeleton();
  }

  finish(): JsonLargeValue {
    if (this.isLifting) this.inLifted(() => this.lifted.failAtEnd());
    const value = this.skeletonText().read();
    return this.lifts.length === 0 ? value : this.resolve(value);
  }

  private reserveSkeleton(room: number): void {
    if (this.skeleton.length - this.skeletonLength >= room) return;
    const grown = new Uint8Array(2 * this.skeletonLength + room);
    grown.set(this.skeleton.subarray(0, this.skeletonLength));
    this.skeleton = grown;
  }

  private keep(byte: number): void {
    this.skeleton[this.skeletonLength] = byte;
    this.skeletonLength += 1;
  }

  private takeOutside(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) this.beginString();
      else this.track(byte);
      this.keep(byte);
      if (byte === QUOTE) return at + 1;
      if (this.containers.length > NESTING_MAX) this.failNesting();
    }
    return to;
  }

  private track(byte: number): void {
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.containers.push(byte);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.containers.pop();
    if (byte > 0x20) this.before = byte;
  }

  private beginString(): void {
    this.stringAt = this.skeletonLength;
    this.isEscaped = false;
    this.isValue = this.before === COLON || this.containers.at(-1) !== OPEN_OBJECT;
  }

  private endString(): void {
    this.stringAt = -1;
    this.before = QUOTE;
  }

  private takeString(bytes: Uint8Array, from: number, to: number, offset: number): number {
    const longFrom = this.isValue ? this.stringAt + this.liftMin + 2 : Infinity;
    for (let at = from; at < to; at += 1) {
      if (this.skeletonLength >= longFrom) {
        this.beginLift(offset + at - from, to - at);
        return at;
      }
      const byte = bytes[at] ?? 0;
      this.keep(byte);
      if (byte === QUOTE && !this.isEscaped) {
        this.endString();
        return at + 1;
      }
      this.isEscaped = byte === BACKSLASH && !this.isEscaped;
    }
    return to;
  }

  private beginLift(offset: number, room: number): void {
    const from = this.stringAt + 1;
    const to = this.skeletonLength;
    this.lifted.begin(offset - (to - from), to - from + room);
    this.liftedFrom = this.lifted.length;
    this.isLifting = true;
    this.skeletonLength = this.stringAt;
    this.inLifted(() => this.lifted.take(this.skeleton, from, to));
  }

  private takeLifted(bytes: Uint8Array, from: number, to: number, offset: number): number {
    const quoteAt = this.inLifted(() => this.lifted.take(bytes, from, to));
    if (quoteAt < 0) return to;
    this.lifts.push({
      skeletonAt: this.skeletonLength,
      endOffset: offset + quoteAt + 1 - from,
      characters: this.lifted.characters,
      from: this.liftedFrom,
      to: this.lifted.length,
    });
    this.isLifting = false;
    this.endString();
    return quoteAt + 1;
  }

  /** Gives a fault of the lifted string its place in the body; whatever is wrong before the string comes first. */
  private inLifted<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      const skeleton = this.skeletonText();
      const quote = skeleton.end();
      skeleton.readUpToString();
      throw new JsonFault(error.message, quote.line, quote.column + error.column - 1);
    }
  }

  private failNesting(): never {
    this.skeletonText().read();
    throw new Error('Brackets beyond the limit were read');
  }

  private tooMuchSkeleton(): JsonFault {
    let end = SKELETON_MAX;
    while (((this.skeleton[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    const { line, column } = this.skeletonText(end).end();
    const limit = `${SKELETON_MAX / 1024 / 1024} MiB`;
    return new JsonFault(
      `Found more than ${limit} besides long strings, expected at most ${limit}`,
      line,
      column,
    );
  }

  private skeletonText(end = this.skeletonLength): SkeletonText {
    const skeleton = new SkeletonText();
    let from = 0;
    let offset = 0;
    for (const [index, lift] of this.lifts.entries()) {
      if (lift.skeletonAt > end) break;
      skeleton.addBytes(this.skeleton.subarray(from, lift.skeletonAt), offset);
      skeleton.addStandIn(index, lift.characters);
      from = lift.skeletonAt;
      offset = lift.endOffset;
    }
    skeleton.addBytes(this.skeleton.subarray(from, end), offset);
    return skeleton;
  }

  private resolve(value: JsonLargeValue): JsonLargeValue {
    if (typeof value === 'string') return value.startsWith(MARK) ? this.largeText(value) : value;
    if (Array.isArray(value)) return value.map((element) => this.resolve(element));
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof NumberText || value instanceof LargeText) return value;
    for (const name of Object.keys(value)) value[name] = this.resolve(value[name] ?? null);
    return value;
  }

  private largeText(standIn: string): LargeText {
    const lift = this.lifts[Number(standIn.slice(MARK.length))];
    if (lift === undefined) throw new Error('A stand-in has no lifted string');
    return new LargeText(this.lifted.bytes.subarray(lift.from, lift.to));
  }
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The skeleton with stand-ins; its faults and positions are those of the body. */
class SkeletonText {
  private text = '';
  /** Where the stand-ins are, and by how much each is shorter than what it stands for. */
  private readonly standIns: { at: number; missing: number }[] = [];

  /** Adds bytes that stand at `offset` of the body. */
  addBytes(bytes: Uint8Array, offset: number): void {
    try {
      this.text += decodeUtf8(bytes);
    } catch (error) {
      const bad = findBadUtf8(bytes);
      if (bad < 0) throw error;
      this.text += decodeUtf8(bytes.subarray(0, bad));
      const { line, column } = this.end();
      throw new JsonFault(badUtf8Message(offset + bad), line, column);
    }
  }

  addStandIn(index: number, characters: number): void {
    const standIn = `"${MARK}${index}"`;
    this.standIns.push({ at: this.text.length, missing: characters + 2 - standIn.length });
    this.text += standIn;
  }

  end(): Position {
    return this.inBody(positionOf(this.text, this.text.length));
  }

  read(): JsonValue {
    try {
      return readJson(this.text);
    } catch (error) {
      throw error instanceof JsonFault ? this.placed(error) : error;
    }
  }

  /** Throws when the skeleton is wrong before its end, or may not go on with a string. */
  readUpToString(): void {
    const text = `${this.text}"`;
    const end = positionOf(text, text.length);
    try {
      readJson(text);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      if (error.line !== end.line || error.column !== end.column) throw this.placed(error);
    }
  }

  private placed(fault: JsonFault): JsonFault {
    const { line, column } = this.inBody(fault);
    return new JsonFault(fault.message, line, column);
  }

  private inBody({ line, column }: Position): Position {
    let seen = indexOfLine(this.text, line);
    let skeletonColumn = 1;
    let missing = 0;
    for (const standIn of this.standIns) {
      if (standIn.at < seen) continue;
      const between = positionOf(this.text.slice(seen, standIn.at), standIn.at - seen);
      skeletonColumn += between.column - 1;
      if (between.line > 1 || skeletonColumn >= column) break;
      seen = standIn.at;
      missing += standIn.missing;
    }
    return { line, column: column + missing };
  }
}

function indexOfLine(text: string, line: number): number {
  let at = 0;
  for (let n = 1; n < line; n += 1) at = text.indexOf('\n', at) + 1;
  return at;
}

/** The bytes of all lifted strings, and the unescaping into them. */
class LiftedBytes {
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
