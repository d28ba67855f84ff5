import type { Context } from 'hono';

import { CODE, refuse } from '../../core/errors.js';
import { JsonFault } from '../../core/json/json-fault.js';
import type { HeldBody } from '../../http/body/held-body.js';
import { receiveBody, requireJsonType, readStatedLength, requireRoomFor } from '../../http/body/read-body.js';
import { decodeFile } from '../../http/body/utf8.js';
import type { Env } from '../../http/exchange.js';

/** Receives a document as long as a whole world. */
export function receiveDocument(c: Context<Env>): Promise<HeldBody> {
  const limit = c.get('edge').settings.batchBodyLimit;
  const stated = readStatedLength(c, limit);
  requireJsonType(c, stated ?? 1);
  return receiveBody(c, limit);
}

/** The JSON of a whole world, which exceeds the limits of the strict reader. */
export function parseDocument(c: Context<Env>, body: HeldBody, accepted: string): unknown {
  const bytes = body.take();
  requireRoomFor(c, bytes.length);
  try {
    return JSON.parse(decodeFile(bytes).replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    // The parser's message quotes the text, which holds card numbers.
    const why = error instanceof JsonFault ? `: line ${error.line}: ${error.message}` : '';
    return refuse(CODE.ValidationError, `The body is not valid JSON${why}. Send ${accepted}.`);
  }
}
