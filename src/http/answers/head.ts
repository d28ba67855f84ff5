import type { Context } from 'hono';

import type { Env } from '../exchange.js';

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
