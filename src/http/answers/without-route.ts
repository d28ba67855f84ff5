import type { Context } from 'hono';

import { grantOriginRead, PROTECTION, buildAnswerHeaders } from './respond.js';
import { type Env, type Exchange, headerOf } from '../exchange.js';
import { CONTROL } from '../request-key.js';

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

/** Whether a person opens an address in a browser, which sends no key. */
export function isOpenedInBrowser(c: Context<Env>): boolean {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const accepted = headerOf(c, 'accept') ?? '';
  return accepted.includes('text/html') && headerOf(c, 'x-secretkey') === undefined;
}

export function redirectToDashboard(exchange: Exchange, basePath: string): Response {
  const location = basePath + CONTROL;
  const headers = { ...buildAnswerHeaders(exchange, 'text/plain; charset=utf-8'), location };
  return new Response(`The dashboard is at ${location}.\n`, { status: 302, headers });
}

/**
 * The answer to a HEAD request, which Hono handles as a GET: with the Content-Length of that GET. A streamed answer has none,
 * unless its headers state one.
 */
export async function answerHead(c: Context<Env>, pending: Promise<Response>): Promise<Response> {
  const answer = await pending;
  const { status, headers, body } = answer;
  if (body === null) return answer;
  if (c.env.streamed?.answer === answer) {
    await body.cancel();
    return new Response(null, { status, headers });
  }
  const { byteLength } = await answer.arrayBuffer();
  const measured = new Headers(headers);
  measured.set('content-length', String(byteLength));
  return new Response(null, { status, headers: measured });
}
