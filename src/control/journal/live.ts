import type { Context } from 'hono';

import { CODE, refuse } from '../../core/errors.js';
import { Watch } from '../../journal/watch.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { headersOf, streamResponse } from '../../http/respond.js';
import { route } from '../../http/route.js';
import { LiveReader, PACE_MS } from './live-reader.js';

/** How many live readers one world may have at a time. */
export const READERS_MAX = 20;

/** What happens in a world, as it happens: a stream of events that lasts as long as its reader. */
export const LIVE_ROW = route({
  method: 'get',
  path: '/_sandbox/live',
  id: 'lookOn',
  summary: 'Be told what happens, as it happens',
  text: 'Server-sent events: exchange, world, replaced and skipped.',
  response: 'text/event-stream',
  errors: [CODE.RetryLater],
  handle: (c) => {
    const headers = headersOf(c.get('exchange'), 'text/event-stream; charset=utf-8');
    headers['cache-control'] = 'no-store';
    headers['x-content-type-options'] = 'nosniff';
    // Nobody would ever read the stream.
    if (c.req.method === 'HEAD') return new Response(null, { headers });
    return streamResponse(c, streamOf(readerOf(c), c), { status: 200, headers });
  },
});

function readerOf(c: Context<Env>): LiveReader {
  const world = worldOf(c);
  const watch = (world.watch ??= new Watch());
  if (watch.size >= READERS_MAX) {
    refuse(CODE.RetryLater, `At most ${READERS_MAX} readers may look on at a world at a time.`);
  }
  const { worlds, host } = c.get('edge');
  return new LiveReader(worlds, world.key, world, watch, host);
}

/** The events of a reader, made only as fast as they are taken. */
function streamOf(reader: LiveReader, c: Context<Env>): ReadableStream<Uint8Array> {
  const { signal } = c.req.raw;
  const { host } = c.get('edge');
  const utf8 = new TextEncoder();
  const goAway = (): void => reader.leave();
  signal.addEventListener('abort', goAway);
  let isFirst = true;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isFirst) await host.sleep(PACE_MS);
        isFirst = false;
        const news = await reader.read();
        if (news !== null) return controller.enqueue(utf8.encode(news));
        signal.removeEventListener('abort', goAway);
        controller.close();
      },
      cancel: goAway,
    },
    { highWaterMark: 0 },
  );
}
