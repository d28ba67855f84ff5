/** Identifiers and draws are hashes without state, so the n-th of a kind is the same in every run and on every platform. */

export type SeedWords = readonly [number, number, number, number];

/** The finaliser of MurmurHash3: every input bit changes about half of the output bits. */
function mixBits(x: number): number {
  x ^= x >>> 16;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A small hash of a text (UTF-16 units); not for secrets. */
export function hashText(text: string): SeedWords {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let d = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    c = mixBits(c + unit);
    d = Math.imul(d ^ a, 0xc2b2ae35) + b;
  }
  a = mixBits(a ^ c);
  b = mixBits(b ^ a);
  c = mixBits(c ^ d ^ b);
  d = mixBits(d ^ a ^ c);
  return [a, b, c, d];
}

/** Mixes a purpose into words, so that each use has its own stream. */
export function deriveWords(base: SeedWords, purpose: string): SeedWords {
  const [p, q, r, s] = hashText(purpose);
  const a = mixBits(base[0] ^ p);
  const b = mixBits(base[1] ^ q ^ a);
  const c = mixBits(base[2] ^ r ^ b);
  const d = mixBits(base[3] ^ s ^ c);
  return [mixBits(a ^ d), b, c, d];
}

/** The n-th draw of a stream, evenly spread over [0, 1) with 53 bits. */
export function drawAt(stream: SeedWords, n: number): number {
  const high = mixBits(stream[0] ^ mixBits(stream[1] + n));
  const low = mixBits(stream[2] ^ mixBits(stream[3] ^ high ^ n));
  return ((high >>> 5) * 67108864 + (low >>> 6)) / 9007199254740992;
}

const ID_LENGTH = 32;

/** The character code of the hex digit at the bits from `shift` on. */
function hexDigitCode(word: number, shift: number): number {
  const value = (word >>> shift) & 15;
  return value < 10 ? 48 + value : 87 + value;
}

/**
 * The identifiers of one kind of record: 32 lower-case hex digits for each number, in no visible order. A
 * keyed permutation (a Feistel network) makes the first 64 bits, so that no two numbers share an identifier.
 */
export class Identifiers {
  readonly #keys: SeedWords;

  constructor(base: SeedWords, kind: string) {
    this.#keys = deriveWords(base, `id:${kind}`);
  }

  /** The identifier of record number n, a whole number from 0 to 2^32 - 1. */
  at(n: number): string {
    const keys = this.#keys;
    let left = n >>> 0;
    let right = keys[3];
    for (let round = 0; round < 4; round++) {
      const next = (left ^ mixBits(right ^ keys[round as 0 | 1 | 2 | 3])) >>> 0;
      left = right;
      right = next;
    }
    const third = mixBits(left ^ keys[2]) ^ right;
    const fourth = mixBits(right ^ keys[1]) ^ mixBits(third);
    return formatHex(left, right, third, fourth);
  }
}

/** Concatenating digits would leave a tree of strings in memory; this makes one flat string. */
function formatHex(a: number, b: number, c: number, d: number): string {
  const codes = new Array<number>(ID_LENGTH);
  for (let i = 0; i < 8; i++) {
    const shift = 28 - 4 * i;
    codes[i] = hexDigitCode(a, shift);
    codes[i + 8] = hexDigitCode(b, shift);
    codes[i + 16] = hexDigitCode(c, shift);
    codes[i + 24] = hexDigitCode(d, shift);
  }
  return String.fromCharCode.apply(null, codes);
}

/** The first digits of a hash as hex (at most 32): a short name that does not reveal the hashed text. */
export function shortHash(text: string, digits = 12): string {
  return formatHex(...hashText(text)).slice(0, digits);
}
