import { Hono } from 'hono';

import { VERSION } from './version.js';
import { type Env, worldOf } from './http/exchange.js';
import { operation } from './http/operation.js';
import { respond } from './http/respond.js';

/** When the version that answers was released, and where it runs: our assumption, since no installation is behind it. */
export const RELEASED = '2026-01-01T00:00:00.000Z';
export const REGION = 'au';

/** Which version of the service answers. */
export function versionRoutes(): Hono<Env> {
  return new Hono<Env>().get('/version', operation('version.read'), (c) => {
    worldOf(c);
    return respond(c, { Version: VERSION, Released: RELEASED, Region: REGION });
  });
}
