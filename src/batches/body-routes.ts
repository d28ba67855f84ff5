import type { Context } from 'hono';

import { jsonRefused, requireJsonType, requireLength, tooLarge } from '../http/read-body.js';
import type { Env } from '../http/exchange.js';
import { type JsonValue, NumberText } from '../http/json.js';
import { type JsonLargeValue, LargeText, readLargeJson } from '../http/json-large.js';

/** Reads the body of a batch in slices, since it may have many megabytes. */
export async function readBatchBody(c: Context<Env>): Promise<JsonValue> {
  const limit = c.get('edge').settings.batchBodyLimit;
  const stated = requireLength(c, limit);
  const { body } = c.req.raw;
  // A body of unknown length is hardly empty, and reading it only to refuse its media type would be a waste.
  if (body !== null) requireJsonType(c, stated ?? 1);
  const { host } = c.get('edge');
  const options = { pause: () => host.pause(), ...(stated === null ? {} : { expectedBytes: stated }) };
  try {
    return plainValue(await readLargeJson(body === null ? [] : counted(body, limit), options));
  } catch (error) {
    throw jsonRefused(c, error);
  }
}

async function* counted(body: ReadableStream<Uint8Array>, limit: number): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    yield chunk;
  }
}

/** Long texts in the shape that the contract knows: the rows as bytes, any other as a text that is too long. */
function plainValue(value: JsonLargeValue): JsonValue {
  if (!isLargeObject(value)) return value instanceof LargeText ? tooLong(value) : (value as JsonValue);
  // The sdk dialect takes the name in any case.
  const isRows = (name: string, member: JsonLargeValue): member is LargeText =>
    member instanceof LargeText && name.toLowerCase() === 'batch';
  const rows = Object.entries(value).find(([name, member]) => isRows(name, member));
  // Before the bytes stand there: an object is looked through member by member, and bytes are one of millions.
  shortenTexts(value, rows?.[0]);
  const read: Record<string, unknown> = value;
  if (rows !== undefined) read[rows[0]] = (rows[1] as LargeText).bytes;
  return read as JsonValue;
}

/** Shortens every long text but that of one member. */
function shortenTexts(object: { [name: string]: JsonLargeValue }, spared?: string): void {
  for (const [name, member] of Object.entries(object)) {
    if (name === spared) continue;
    if (member instanceof LargeText) object[name] = tooLong(member);
    else if (isLargeObject(member)) shortenTexts(member);
  }
}

/** No member but Batch takes so long a text: its length alone is told, and decoding it would take long. */
function tooLong({ length }: LargeText): string {
  return ' '.repeat(length);
}

function isLargeObject(value: JsonLargeValue | undefined): value is { [name: string]: JsonLargeValue } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof NumberText || value instanceof LargeText);
}
export { indexRows } from './csv-index.js';
