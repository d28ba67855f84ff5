/** The part of DER that X.509 needs: elements with a tag, a length and a content. */

const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
/** From here on a year has four digits (RFC 5280, 4.1.2.5). */
const FOUR_DIGIT_YEAR = 2050;

function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  // A certificate is shorter than 64 KiB.
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => encode(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => encode(0x31, ...parts);
export const utf8 = (text: string): Buffer => encode(0x0c, Buffer.from(text));
export const octets = (content: Uint8Array): Buffer => encode(0x04, content);
export const boolean = (value: boolean): Buffer => encode(0x01, Buffer.of(value ? 0xff : 0));
/** A whole number above or equal to zero, as its bytes; the first bit of the first one has to be 0. */
export const integer = (...bytes: readonly number[]): Buffer => encode(0x02, Buffer.from(bytes));

/** A bit string whose last `unused` bits are not used. */
export const bits = (content: Uint8Array, unused = 0): Buffer => encode(0x03, Buffer.of(unused), content);

/** An element for the field with this number. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Buffer =>
  encode(0xa0 + number, ...parts);

/** A field with this number whose content is not an element. */
export const taggedBytes = (number: number, content: Uint8Array): Buffer => encode(0x80 + number, content);

/** An object identifier such as 2.5.29.14. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return encode(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

/** Seven bits a byte; all but the last have the first bit set. */
function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let left = number >>> 7; left > 0; left >>>= 7) bytes.unshift(0x80 | (left & 0x7f));
  return bytes;
}

export function time(instant: Date): Buffer {
  const text = instant.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return instant.getUTCFullYear() < FOUR_DIGIT_YEAR
    ? encode(UTC_TIME, Buffer.from(text.slice(2)))
    : encode(GENERALIZED_TIME, Buffer.from(text));
}

/** The elements within an element, each with its tag and length. */
export function listParts(element: Buffer): Buffer[] {
  const { head: from, length: size } = readElementSize(element);
  const content = element.subarray(from, from + size);
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length;) {
    const part = content.subarray(at);
    const { head, length } = readElementSize(part);
    parts.push(part.subarray(0, head + length));
    at += head + length;
  }
  return parts;
}

function readElementSize(element: Buffer): { head: number; length: number } {
  const first = element.readUInt8(1);
  if (first < 0x80) return { head: 2, length: first };
  const bytes = first & 0x7f;
  return { head: 2 + bytes, length: element.readUIntBE(2, bytes) };
}
