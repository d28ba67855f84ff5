import type { MiddlewareHandler } from 'hono';

import type { Env } from '../http/exchange.js';
import { noBody as takesNone, query } from '../http/validation.js';
import { NoQuery } from './schema.js';

/** A mistyped member would let a test pass that tests nothing, so here it is always refused. */
export const STRICT = { strict: true };

const readNoQuery = query(NoQuery, STRICT);

/** For calls that take no query. */
export const plain: MiddlewareHandler<Env> = (c, next) => {
  readNoQuery(c);
  return next();
};

/** For calls that take no body: whoever sends one means something that they do not do. */
export const noBody = takesNone(STRICT);
