import type { Context } from 'hono';

import { grantOriginRead, PROTECTION } from './answers/respond.js';
import { type Env, type Exchange, headerOf } from './exchange.js';

/** How many headers a preflight may ask for; a request cannot have more. */
const ASKED_MAX = 100;
/** A name of a header or a method, without the asterisk, which stands for all names. */
const NAME = /^[\w!#$%&'+.^`|~-]{1,256}$/;
const MAX_AGE_SECONDS = '600';

/** Answers OPTIONS: a page of an allowed origin may send every header and method that its preflight asks for. */
export function answerPreflight(c: Context<Env>, exchange: Exchange, allow: string): Response {
  const headers: Record<string, string> = { ...PROTECTION, 'x-request-id': exchange.requestId, allow };
  if (exchange.origin !== null) {
    grantOriginRead(headers, exchange.origin);
    headers['access-control-allow-methods'] = readAskedNames(c, 'access-control-request-method') || allow;
    const names = readAskedNames(c, 'access-control-request-headers');
    if (names !== '') headers['access-control-allow-headers'] = names;
    if (headerOf(c, 'access-control-request-private-network') === 'true')
      headers['access-control-allow-private-network'] = 'true';
    headers['access-control-max-age'] = MAX_AGE_SECONDS;
    headers['vary'] =
      'origin, access-control-request-method, access-control-request-headers, access-control-request-private-network';
  }
  return new Response(null, { status: 204, headers });
}

function readAskedNames(c: Context<Env>, header: string): string {
  const names = headerOf(c, header)?.split(',', ASKED_MAX) ?? [];
  return names
    .map((name) => name.trim())
    .filter((name) => NAME.test(name))
    .join(', ');
}
