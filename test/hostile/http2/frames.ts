/** Frames of HTTP/2 as bytes: clients would not send most of what is tried here. */

export const DATA = 0;
export const HEADERS = 1;
export const PRIORITY = 2;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PUSH_PROMISE = 5;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

export const END_STREAM = 1;
export const END_HEADERS = 4;
export const PADDED = 8;
const HEAD_BYTES = 9;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.of(),
): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function setting(id: number, value: number): Buffer {
  return Buffer.concat([Buffer.of(0, id), uint32(value)]);
}

export type Header = readonly [name: string, value: string];

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.of(value.length), Buffer.from(value, 'latin1')]);

/** A block of headers, each as a literal that is not remembered. */
export function block(headers: readonly Header[]): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
}

/** What a server sent: the type, flags and payload of each frame. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Splits bytes into whole frames; returns the rest too. */
export function framesIn(bytes: Buffer): { readonly frames: Frame[]; readonly rest: Buffer } {
  const frames: Frame[] = [];
  let at = 0;
  while (bytes.length - at >= HEAD_BYTES) {
    const end = at + HEAD_BYTES + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    const [type = 0, flags = 0] = bytes.subarray(at + 3, at + 5);
    const stream = bytes.readUInt32BE(at + 5);
    frames.push({ type, flags, stream, payload: bytes.subarray(at + HEAD_BYTES, end) });
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}
