import type { Context } from 'hono';

import { type Env, type Exchange, headerOf } from '../exchange.js';
import { CONTROL } from '../request-key.js';
import { buildAnswerHeaders } from './respond.js';

export function isBrowserAtRoot(c: Context<Env>): boolean {
  const { path, method } = c.req;
  if (path !== '/' || (method !== 'GET' && method !== 'HEAD')) return false;
  const accepted = headerOf(c, 'accept') ?? '';
  return accepted.includes('text/html') && headerOf(c, 'x-secretkey') === undefined;
}

export function redirectToDashboard(exchange: Exchange, basePath: string): Response {
  const location = basePath + CONTROL;
  const headers = { ...buildAnswerHeaders(exchange, 'text/plain; charset=utf-8'), location };
  return new Response(`The dashboard is at ${location}.\n`, { status: 302, headers });
}
