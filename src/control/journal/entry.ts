import { type Context, Hono } from 'hono';

import { shownId } from '../../core/card.js';
import { CODE, refuse } from '../../core/errors.js';
import type { Entry } from '../../journal/model.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { respond } from '../../http/respond.js';
import { traceEntry } from './export.js';
import { presentAll } from './presenter.js';
import { plain } from '../plain.js';

/** One exchange of the journal, and how it can be sent again. */
export function journalEntryRoutes(): Hono<Env> {
  return new Hono<Env>().basePath('/_sandbox').get('/journal/:id', plain, (c) => {
    const world = worldOf(c);
    const entry = requireEntry(c);
    const [shown] = presentAll(world, [entry]);
    return respond(c, { ...shown, Again: presentAgain(entry) });
  });
}

/** What would be sent to have the exchange again; null where its body was cut. */
function presentAgain(entry: Entry): object | null {
  if (entry.requestTruncated) return null;
  const { Method, Path, Query, Headers, Body } = traceEntry(entry);
  return { Method, Path, Query, Headers, Body };
}

function requireEntry(c: Context<Env>): Entry {
  const { journal } = worldOf(c);
  const given = c.req.param('id') ?? '';
  const id = /^\d{1,15}$/.test(given) ? Number(given) : -1;
  const { value } = journal.entries(id).next();
  if (value?.id === id) return value;
  return refuse(
    CODE.ValidationError,
    `The journal has no entry ${JSON.stringify(shownId(given))}; it holds ${journal.size}, which GET /_sandbox/journal lists.`,
    { httpStatus: 404 },
  );
}
