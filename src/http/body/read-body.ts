import type { Context } from 'hono';

import { ApiError, CODE, refuse } from '../../core/errors.js';
import { CALL_BYTES, MEBIBYTE } from '../../core/limits/memory.js';
import { toSentBody } from '../../journal/request-body.js';
import { type Env, type Exchange, headerOf } from '../exchange.js';
import { ConnectionLost } from '../answers/respond.js';
import { HeldBody } from './held-body.js';
import { refuseParsed } from './parsed-body.js';
import { JsonFault } from '../../core/json/json-fault.js';
import { type JsonValue, readJson } from '../../core/json/json.js';
import { decodeFile, decodeUtf8 } from './utf8.js';

const EMPTY_OBJECT = new TextEncoder().encode('{}');

/** The memory for each byte of a JSON body and of the values made from it: a measured estimate. */
const BYTES_PER_BYTE = 8;

/** Reads a JSON body. The order of its refusals: size, media type, memory, JSON. */
export type BodyReader = (c: Context<Env>, needsRoom: boolean) => Promise<JsonValue>;

export const readBody: BodyReader = async (c, needsRoom) => {
  // Client libraries leave out an empty body.
  if (c.get('exchange').dialect === 'sdk') return readOptionalBody(c, needsRoom);
  return parseBody(c, await readJsonBytes(c), needsRoom);
};

/** YAML and its older names. */
const YAML_TYPE = mediaTypePattern(String.raw`(?:application|text)\/(?:x-)?yaml`);
const JSON_TYPE = mediaTypePattern(String.raw`application\/json`);
/** The memory for each byte of a YAML body, and the maximum: measured estimates. */
const YAML_BYTES_PER_BYTE = 400;
const YAML_BYTES_MAX = 128 * MEBIBYTE;

function isYamlRequest(c: Context<Env>): boolean {
  return YAML_TYPE.test(headerOf(c, 'content-type') ?? '');
}

/** For calls whose body may be YAML. Its text is the field `Yaml` of their JSON. */
export const readYamlBody: BodyReader = async (c, needsRoom) => {
  if (!isYamlRequest(c))
    return parseBody(c, await readJsonBytes(c, 'application/json or application/yaml'), needsRoom);
  const bytes = await readBytes(c, c.get('edge').settings.bodyLimit);
  refuseCoding(headerOf(c, 'content-encoding'));
  c.get('edge').memory.requireRoom(CALL_BYTES + Math.min(YAML_BYTES_PER_BYTE * bytes.length, YAML_BYTES_MAX));
  try {
    return { Yaml: decodeFile(bytes) };
  } catch (error) {
    throw toBodyError('YAML in UTF-8', error);
  }
};

/** For calls that may come without a body: an empty one counts as an empty object. */
export const readOptionalBody: BodyReader = async (c, needsRoom) => {
  const bytes = await readJsonBytes(c);
  return parseBody(c, bytes.length === 0 ? EMPTY_OBJECT : bytes, needsRoom);
};

export const readBatchBody: BodyReader = async (c, needsRoom) => {
  const limit = c.get('edge').settings.batchBodyLimit;
  const stated = readStatedLength(c, limit);
  // A body of unknown length counts as not empty, so that its media type is checked without reading it.
  if (stated !== null || c.req.raw.body !== null) requireJsonType(c, stated ?? 1);
  return parseBody(c, await readBytes(c, limit), needsRoom);
};

async function readJsonBytes(c: Context<Env>, accepted?: string): Promise<Uint8Array> {
  const bytes = await readBytes(c, c.get('edge').settings.bodyLimit);
  requireJsonType(c, bytes.length, accepted);
  return bytes;
}

async function readBytes(c: Context<Env>, limit: number): Promise<Uint8Array> {
  return (await receiveBody(c, limit)).take();
}

/** Receives a whole body. More than `limit` is a 413. */
export async function receiveBody(c: Context<Env>, limit: number): Promise<HeldBody> {
  const stated = readStatedLength(c, limit);
  const held = new HeldBody(c.get('edge').memory.bodies, stated ?? limit);
  const { headers, readBody: readInto, incoming } = c.env;
  const parsed = incoming === undefined ? null : c.get('edge').host.bytesOfParsed?.(incoming);
  if (parsed) addWhole(parsed, held, limit);
  else if (stated !== null && readInto !== undefined) await readInto(held);
  else {
    // In process the body is in memory already.
    const isHere = stated !== null && headers === undefined;
    const receiving = isHere
      ? c.req.raw.arrayBuffer().then((bytes) => addWhole(new Uint8Array(bytes), held, limit))
      : receiveCounted(c.req.raw.body, held, limit);
    await receiving.catch((error: unknown) => refuseUnread(c, error));
  }
  return held;
}

function addWhole(bytes: Uint8Array, held: HeldBody, limit: number): void {
  if (bytes.length > limit) throw tooLargeError(limit);
  held.add(bytes);
}

/** The messages of runtimes for a body that was read before. */
const READ_BEFORE = /unusable|already|locked|disturbed/;

/** A body that somebody has read before, or whose client left while it sent it, is no bug. */
function refuseUnread(c: Context<Env>, error: unknown): never {
  if (error instanceof ApiError) throw error;
  if (error instanceof TypeError && READ_BEFORE.test(error.message)) {
    return refuseParsed(headerOf(c, 'content-type') ?? '');
  }
  // A server closes the connection, as it does after a fault. An app would log an error.
  if (c.env.headers !== undefined) throw new ConnectionLost();
  return refuse(CODE.ValidationError, 'The connection ended before the whole body had arrived.');
}

/** Refuses a body whose Content-Length is too large. Returns null if its length is not stated: it is counted while it is read. */
export function readStatedLength(c: Context<Env>, limit: number): number | null {
  const stated = headerOf(c, 'content-length');
  // A server refuses a length that is not a number; in process, anything can be sent.
  if (stated === undefined || !/^\d+$/.test(stated)) return null;
  if (Number(stated) > limit) throw tooLargeError(limit);
  return Number(stated);
}

function tooLargeError(limit: number): ApiError {
  return new ApiError({
    code: CODE.ValidationError,
    detail: `The body is too large; the maximum is ${limit} bytes.`,
    httpStatus: 413,
  });
}

async function receiveCounted(
  stream: ReadableStream<Uint8Array> | null,
  held: HeldBody,
  limit: number,
): Promise<void> {
  const refused = new Promise<never>((_, reject) => {
    held.onRefused = reject;
  });
  const received = (async () => {
    // Cancelling the stream would break the connection before the refusal is sent.
    for await (const chunk of stream?.values({ preventCancel: true }) ?? []) {
      if (held.length + chunk.length > limit) throw tooLargeError(limit);
      held.add(chunk);
    }
  })();
  try {
    await Promise.race([received, refused]);
  } catch (error) {
    held.drop();
    throw error;
  }
}

/** Refuses a media type other than JSON in UTF-8, or a content coding, on a body that is not empty. */
export function requireJsonType(c: Context<Env>, length: number, accepted = 'application/json'): void {
  if (length === 0) return;
  refuseCoding(headerOf(c, 'content-encoding'));
  const type = headerOf(c, 'content-type');
  if (type === 'application/json' || (type !== undefined && JSON_TYPE.test(type))) return;
  const given = type === undefined ? 'without a Content-Type' : `with the Content-Type ${type.slice(0, 100)}`;
  refuse(CODE.ValidationError, `The body was sent ${given}; send it with Content-Type: ${accepted}.`, {
    httpStatus: 415,
  });
}

/** A media type with any parameters but a charset other than UTF-8. It never backtracks, so the time is linear. */
function mediaTypePattern(type: string): RegExp {
  const token = String.raw`[\w!#$%&'*+.^\x60|~-]+`;
  const parameter = String.raw`(?:charset="?utf-?8"?(?![^\s;])|(?!charset=)${token}=(?:${token}|"(?:[^"\\]|\\.)*"))`;
  return new RegExp(String.raw`^${type}\s*(?:;\s*(?:${parameter}\s*)?)*$`, 'i');
}

/** Refuses a body if the values made from it would not fit into the memory. */
export function requireRoomFor(c: Context<Env>, length: number): void {
  c.get('edge').memory.requireRoom(CALL_BYTES + BYTES_PER_BYTE * length);
}

function parseBody(c: Context<Env>, bytes: Uint8Array, needsRoom: boolean): JsonValue {
  if (needsRoom) requireRoomFor(c, bytes.length);
  const exchange = c.get('exchange');
  try {
    const text = decodeUtf8(bytes);
    return exchange.control ? readJson(text) : readRecordedJson(exchange, text);
  } catch (error) {
    throw toBodyError('valid JSON', error);
  }
}

/** Reads JSON, and leaves its text for the journal, whether it is JSON or not. */
function readRecordedJson(exchange: Exchange, text: string): JsonValue {
  let value: JsonValue | undefined;
  try {
    value = readJson(text);
    return value;
  } finally {
    exchange.journalBody = toSentBody(text, value);
  }
}

/** Refuses every content coding, such as `gzip`, even on a body that is plain: the sandbox decompresses nothing. */
function refuseCoding(coding: string | undefined): void {
  if (coding === undefined || /^(?:identity)?$/i.test(coding)) return;
  const detail = `The body was sent with the Content-Encoding ${coding.slice(0, 100)}; send it uncompressed, without that header.`;
  refuse(CODE.ValidationError, detail, { httpStatus: 415 });
}

function toBodyError(format: string, error: unknown): unknown {
  if (!(error instanceof JsonFault)) return error;
  const { line, column, message } = error;
  return new ApiError({
    code: CODE.ValidationError,
    detail: `The body is not ${format}: line ${line}, column ${column}: ${message}`,
  });
}
