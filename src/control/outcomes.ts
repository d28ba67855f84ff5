import { Hono } from 'hono';

import { maskPans } from '../core/card.js';
import { formatDuration } from '../core/time.js';
import type { DelaySpec, Step } from '../scenarios/model.js';
import type { QueueLeft } from '../scenarios/queue.js';
import { body } from '../wire/body.js';
import { type Env, worldOf } from '../wire/exchange.js';
import { respond } from '../wire/respond.js';
import { QueueOutcomes } from './outcomes-contract.js';

/** Queued outcomes: what the next calls of an operation are answered, used up in order. */
export function outcomeRoutes(): Hono<Env> {
  return new Hono<Env>()
    .basePath('/_sandbox')
    .post('/outcomes', body(QueueOutcomes, { strict: true }), (c) => {
      const entry = c.req.valid('json');
      const OutcomeQueueId = worldOf(c).script.enqueue(entry);
      return respond(c, { OutcomeQueueId, Left: entry.steps.length });
    })
    .get('/outcomes', (c) => respond(c, { Queues: worldOf(c).script.queues().map(presentQueue) }))
    .delete('/outcomes', (c) => {
      const { script } = worldOf(c);
      const emptied = script.queues().map(presentQueue);
      script.emptyQueues();
      return respond(c, { Queues: emptied });
    });
}

function presentQueue({ id, operation, match, left }: QueueLeft): object {
  return {
    OutcomeQueueId: id,
    Operation: operation,
    Match: {
      Reference: match.reference ?? null,
      ProviderId: match.providerId ?? null,
      CardNumber: match.cardNumber === undefined ? null : maskPans(match.cardNumber),
      Amount: match.amount ?? null,
    },
    Left: left.length,
    Outcomes: left.map(presentStep),
  };
}

/** A step in the words in which it can be queued again; a mere outcome is its name. */
function presentStep({ outcome, fault, delay, phase }: Step): string | object {
  if (outcome !== undefined && delay === undefined) return outcome.name;
  return {
    ...(outcome === undefined ? {} : { Outcome: outcome.name }),
    ...(fault === undefined ? {} : { Fault: fault.kind }),
    ...(fault?.kind === 'status' ? { Status: fault.status } : {}),
    ...(delay === undefined ? {} : { Delay: presentDelay(delay) }),
    Phase: phase,
  };
}

function presentDelay(delay: DelaySpec): string | object {
  switch (delay.kind) {
    case 'fixed':
      return formatDuration(delay.ms);
    case 'uniform':
      return { Min: formatDuration(delay.minMs), Max: formatDuration(delay.maxMs) };
    case 'lognormal':
      return { Median: formatDuration(delay.medianMs), Sigma: delay.sigma };
  }
}
