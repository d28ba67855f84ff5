import type { Context } from 'hono';

import { shortenText } from '../core/cards/card.js';
import { findNearest } from '../core/text/nearest.js';
import { type Env, type Exchange, headerNames } from './exchange.js';

/** The headers x-sandbox-… that a request may have, without their beginning. */
const KNOWN = ['outcome', 'fault', 'dialect', 'admin', 'world'];
const OURS = /^(?:x[-_]?)?sandbox[-_]?/;
const IDEMPOTENCY = /idempoten|^paypal-request-id$/;
/** Found in every name that may be odd, such as `x-sandbox-outcom`: one test of all names, since every call passes here. */
const PERHAPS_ODD = /sandbox|idempoten|paypal-request-id/;
const NAME_SHOWN_MAX = 64;

/** Warns about headers that a test relies on although nothing reads them. */
export function warnOfOddHeaders(c: Context<Env>, exchange: Exchange): void {
  const names = headerNames(c);
  if (!PERHAPS_ODD.test(names.join(' '))) return;
  const mayRepeat = !exchange.control && !['GET', 'HEAD'].includes(c.req.method);
  const odd = names.filter((name) => isOddHeader(name, mayRepeat));
  for (const name of odd.toSorted()) {
    const [meant] = findNearest(name.replace(OURS, ''), KNOWN, 1);
    const why = OURS.test(name)
      ? meant && ` (did you mean x-sandbox-${meant}?)`
      : ': the service has no such keys, so a repeated call is another call';
    exchange.warnings.push(`ignored unknown header "${shortenText(name, NAME_SHOWN_MAX)}"${why ?? ''}`);
  }
}

function isOddHeader(name: string, mayRepeat: boolean): boolean {
  if (OURS.test(name)) return !KNOWN.some((known) => name === `x-sandbox-${known}`);
  return mayRepeat && IDEMPOTENCY.test(name);
}
