import { Hono } from 'hono';
import * as z from 'zod';

import { maskPans } from '../core/card.js';
import { nearest } from '../core/nearest.js';
import { describeUnknown, outcomeNamed } from '../providers/outcomes.js';
import { type Operation, OPERATIONS, type QueueMatch, type Step } from '../scenarios/model.js';
import type { QueueLeft } from '../scenarios/queue.js';
import { body } from '../wire/body.js';
import { type Env, worldOf } from '../wire/exchange.js';
import { PLAIN_FAULTS } from '../wire/fault-header.js';
import { Fault, type Member, member, optionalText, required } from '../wire/fields.js';
import { respond } from '../wire/respond.js';

/** How many outcomes one call queues at most. */
const STEPS_MAX = 1000;

const operationName = (): Member<Operation> =>
  required((value): Operation | Fault => {
    const known = OPERATIONS.find((one) => one === value);
    if (known !== undefined) return known;
    const [near] = nearest(String(value), OPERATIONS, 1);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    return new Fault(`must be one of ${OPERATIONS.join(', ')}${hint}`);
  }, '"charge.create"');

/** One queued answer: an outcome by its name, or a fault with its phase. */
function readStep(value: unknown): Step | string {
  if (typeof value === 'string') {
    const outcome = outcomeNamed(value);
    return outcome === undefined ? describeUnknown(value) : { outcome, phase: 'before' };
  }
  if (typeof value !== 'object' || value === null) return 'must be the name of an outcome, or {Fault, Phase}';
  const { Fault: fault, Phase: phase = 'before', Status: status, ...rest } = value as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    return `has the unknown member ${unknown.slice(0, 40)}; Fault, Phase and Status are taken`;
  if (phase !== 'before' && phase !== 'after') return 'has a Phase that is neither before nor after';
  const kind = PLAIN_FAULTS.find((one) => one === fault);
  if (kind !== undefined) return { fault: { kind }, phase };
  if (fault !== 'status') return `has no Fault of ${PLAIN_FAULTS.join(', ')} or status`;
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  if (!isStatus) return 'has no Status from 200 to 599';
  return { fault: { kind: 'status', status, body: null, retryAfterSeconds: null }, phase };
}

const steps = (): Member<Step[]> =>
  member((value): Step[] | Fault => {
    if (!Array.isArray(value) || value.length === 0 || value.length > STEPS_MAX) {
      return new Fault(
        `must be a list of 1 to ${STEPS_MAX} outcomes, such as ["issuer_unavailable", "approve"]`,
      );
    }
    const read = value.map(readStep);
    for (const [i, step] of read.entries()) if (typeof step === 'string') return new Fault(`[${i}] ${step}`);
    return read.filter((step) => typeof step !== 'string');
  });

const QueueOutcomes = z
  .object({
    Operation: operationName(),
    Outcomes: steps(),
    Match: z
      .object({
        Reference: optionalText(),
        ProviderId: optionalText(),
        CardNumber: optionalText(),
        Amount: optionalText(),
      })
      .optional(),
  })
  .transform(({ Operation: operation, Outcomes, Match }) => ({
    operation,
    steps: Outcomes,
    match: compact({
      reference: Match?.Reference,
      providerId: Match?.ProviderId,
      cardNumber: Match?.CardNumber,
      amount: Match?.Amount,
    }),
  }));

function compact(match: { [K in keyof QueueMatch]: string | null | undefined }): QueueMatch {
  return Object.fromEntries(Object.entries(match).filter(([, value]) => typeof value === 'string'));
}

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
    Outcomes: left.map(({ outcome, fault, phase }) =>
      outcome ? outcome.name : { Fault: fault?.kind ?? null, Phase: phase },
    ),
  };
}
