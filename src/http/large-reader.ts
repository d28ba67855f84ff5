import { JsonFault } from './json-fault.js';
import { NESTING_MAX, NumberText } from './json.js';
import { type JsonLargeValue, LargeText } from './large-text.js';
import type { LiftedBytes } from './lifted-bytes.js';
import { SkeletonText, standInIndex } from './skeleton-text.js';

/** Bytes of a body outside its lifted strings: they are read in one go, in some milliseconds. */
export const SKELETON_MAX = 256 * 1024;

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

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
export class LargeReader {
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
    const limit = `${SKELETON_MAX / 1024} KiB`;
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
    if (typeof value === 'string') return this.textOrLarge(value);
    if (Array.isArray(value)) return value.map((element) => this.resolve(element));
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof NumberText || value instanceof LargeText) return value;
    for (const name of Object.keys(value)) value[name] = this.resolve(value[name] ?? null);
    return value;
  }

  private textOrLarge(text: string): string | LargeText {
    const lift = this.lifts[standInIndex(text)];
    return lift === undefined ? text : new LargeText(this.lifted.bytes.subarray(lift.from, lift.to));
  }
}
