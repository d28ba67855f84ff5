import { Hono } from 'hono';

import { body } from '../../http/validation.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { respond } from '../../http/respond.js';
import { QueueOutcomes } from './outcomes-schema.js';
import { presentQueue } from './outcomes-presenter.js';
import { noBody, plain, STRICT } from '../plain.js';

/** Queued outcomes: what the next calls of an operation are answered, used up in order. */
export function outcomeRoutes(): Hono<Env> {
  return new Hono<Env>()
    .basePath('/_sandbox')
    .post('/outcomes', plain, body(QueueOutcomes, STRICT), (c) => {
      const entry = c.req.valid('json');
      const OutcomeQueueId = worldOf(c).script.enqueue(entry);
      return respond(c, { OutcomeQueueId, Left: entry.steps.length });
    })
    .get('/outcomes', plain, (c) => respond(c, { Queues: worldOf(c).script.queues().map(presentQueue) }))
    .delete('/outcomes', plain, noBody, (c) => {
      const { script } = worldOf(c);
      const emptied = script.queues().map(presentQueue);
      script.emptyQueues();
      return respond(c, { Queues: emptied });
    });
}
