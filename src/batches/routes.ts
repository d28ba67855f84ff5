import { type Context, Hono } from 'hono';

import { jsonRefused, requireJsonType, requireLength, tooLarge, validating } from '../wire/body.js';
import { type Env, worldOf } from '../wire/exchange.js';
import { type JsonValue, NumberText } from '../wire/json.js';
import { type JsonLargeValue, LargeText, readLargeJson } from '../wire/json-large.js';
import { operation } from '../wire/operation.js';
import { respond, respondStream } from '../wire/respond.js';
import { CreateBatch } from './contract.js';
import { indexRows } from './csv-index.js';
import { presentBatch, presentBatchStatus, streamBatch } from './presenter.js';
import { createBatch, requireBatch } from './service.js';

/** The answer with more rows is streamed. */
const WHOLE_ROWS_MAX = 2000;

export function batchRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post(
      '/batch/transaction/payment_method',
      validating(CreateBatch, readBatchBody),
      operation('batch.create'),
      async (c) => {
        const world = worldOf(c);
        const { command, text } = c.req.valid('json');
        if (c.get('exchange').override !== null) {
          c.get('exchange').warnings.push('ignored x-sandbox-outcome: the rows of a batch are charged later');
        }
        const indexed = await indexRows(text, command.count, () => world.host.pause());
        // Time went on and a reset may have come while the text was read.
        await world.enter();
        world.requireOpen();
        return respond(c, presentBatchStatus(world, createBatch(world, command, indexed)));
      },
    )
    .get('/batch/:id/status', operation('batch.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentBatchStatus(world, requireBatch(world, c.req.param('id'))));
    })
    .get('/batch/:id', operation('batch.read'), (c) => {
      const world = worldOf(c);
      const batch = requireBatch(world, c.req.param('id'));
      if (batch.count <= WHOLE_ROWS_MAX) return respond(c, presentBatch(world, batch));
      return respondStream(
        c,
        streamBatch(world, batch, () => world.host.pause()),
      );
    });
}

/** Reads the body of a batch in slices, since it may have many megabytes. */
async function readBatchBody(c: Context<Env>): Promise<JsonValue> {
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
    throw jsonRefused(error);
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
  const rows = value['Batch'];
  shortenTexts(value);
  return (rows instanceof LargeText ? { ...value, Batch: rows.bytes } : value) as JsonValue;
}

function shortenTexts(object: { [name: string]: JsonLargeValue }): void {
  for (const [name, member] of Object.entries(object)) {
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
