import type { Context } from 'hono';

import type { Env } from '../../http/exchange.js';
import { headersOf } from '../../http/respond.js';

const COMMON_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Nothing is loaded and nothing runs; the one style sheet stands in the page. */
export const STILL_POLICY = `default-src 'none'; style-src 'unsafe-inline'; ${COMMON_POLICY}`;
/** Our own scripts and styles alone, and calls to nobody else; no text can become markup. */
export const LIVE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  `require-trusted-types-for 'script'; ${COMMON_POLICY}`;

/** Answers a page, with what a browser may do on it. */
export function respondPage(c: Context<Env>, html: string, policy: string): Response {
  const headers = headersOf(c.get('exchange'), 'text/html; charset=utf-8');
  headers['content-security-policy'] = policy;
  headers['x-content-type-options'] = 'nosniff';
  headers['referrer-policy'] = 'no-referrer';
  headers['cache-control'] = 'no-store';
  return new Response(html, { headers });
}
