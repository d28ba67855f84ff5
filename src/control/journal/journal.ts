import { type Context, Hono } from 'hono';

import type { Host } from '../../core/host.js';
import type { Awaited } from '../../journal/waiters.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { body, optionalBody, query } from '../../http/validation.js';
import { headersOf, respond, respondStream } from '../../http/respond.js';
import { inVain, type Wait } from './in-vain.js';
import { AwaitEntries, CountEntries, ExportEntries, ListEntries } from './schema.js';
import { awaitDeliveries, countDeliveries } from '../webhooks/await.js';
import { presentAll, presentEntries, presentNearest } from './presenter.js';
import { noBody, plain, STRICT } from '../plain.js';
import { exportJournal } from './export.js';

const readList = query(ListEntries, STRICT);
const readExport = query(ExportEntries, STRICT);

/** What a program sent, and what it was answered: to be listed, counted, waited for and taken away. */
export function journalRoutes(): Hono<Env> {
  return new Hono<Env>()
    .basePath('/_sandbox')
    .get('/journal', (c) => {
      const { match, page } = readList(c);
      return respond(c, presentEntries(worldOf(c), match, page));
    })
    .delete('/journal', plain, noBody, (c) => {
      const { journal } = worldOf(c);
      const cleared = journal.size;
      journal.clear();
      return respond(c, { Cleared: cleared });
    })
    .post('/journal/count', plain, optionalBody(CountEntries, STRICT), (c) => {
      const match = c.req.valid('json');
      if (match.event) {
        return respond(c, countDeliveries(worldOf(c), match));
      }
      const { count, incomplete } = worldOf(c).journal.count(match);
      return respond(c, { Count: count, Incomplete: incomplete });
    })
    .post('/journal/await', plain, body(AwaitEntries, STRICT), async (c) => {
      const { match, wanted, timeoutMs } = c.req.valid('json');
      const { host } = c.get('edge');
      const timer: Host['timer'] = (callback, ms) => host.timer(callback, ms, true);
      const { signal } = c.req.raw;
      if (match.event) {
        return awaitDeliveries(c, match, wanted, { timeoutMs, timer, signal });
      }
      const awaited = await worldOf(c).journal.await(match, wanted, { timeoutMs, timer, signal });
      return answerAwaited(c, awaited, { wanted, timeoutMs });
    })
    .get('/journal/export', (c) => respondStream(c, exportJournal(worldOf(c), readExport(c))));
}

function answerAwaited(c: Context<Env>, awaited: Awaited, asked: Wait): Response | Promise<Response> {
  const { count } = awaited;
  if (awaited.enough) return respond(c, { Count: count, Entries: presentAll(worldOf(c), awaited.entries) });
  const error = inVain(awaited, 'entries', asked);
  const headers = headersOf(c.get('exchange'), 'application/json; charset=utf-8');
  const text = JSON.stringify(presentNearest(error, c.req.path, awaited));
  return new Response(text, { status: error.httpStatus, headers });
}
