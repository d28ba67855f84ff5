import type { NumberText } from './json.js';
import { decodeUtf8 } from './utf8.js';

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
