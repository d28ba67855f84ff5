import type { Context } from 'hono';

import { CODE, refuse } from '../core/errors.js';
import { formatDuration } from '../core/time/time.js';
import { requireOutcome } from '../outcomes/outcomes.js';
import type { HeldCall, Hold } from '../scenarios/script/holds.js';
import type { CallFacts } from '../scenarios/script/model.js';
import { type Env, type Exchange, requireWorld } from './exchange.js';

/**
 * Makes a call, or its answer, wait in real time until somebody decides it. Nothing else waits for it: the clock can be moved, and a
 * snapshot be made.
 */
export async function waitForHand(
  c: Context<Env>,
  hold: Hold,
  facts: CallFacts,
  isAnswer = false,
): Promise<HeldCall> {
  const exchange = c.get('exchange');
  const world = requireWorld(c);
  const { host, waits, script } = world;
  const begun = host.now();
  const { method, path } = c.req;
  const call = script.holds.begin({
    facts,
    method,
    path,
    since: begun,
    until: begun + hold.timeoutMs,
    isAnswer,
  });
  world.watch?.wake();
  // The webhooks of an answer need not wait for it.
  world.armTimer();
  // Not until the client leaves: a server carries out what it has received.
  await waits.sleep(hold.timeoutMs, call.signal);
  script.holds.decide(call.id, waits.areEnded ? 'end' : 'timeout');
  exchange.held = { by: call.end ?? 'timeout', ms: (exchange.held?.ms ?? 0) + host.now() - begun };
  world.requireOpen();
  if (call.end === 'end') refuse(CODE.RetryLater, 'The server stopped while this request was held.');
  await world.enter();
  applyDecision(exchange, call, hold);
  return call;
}

/** Applies a decision as if the headers of the request had asked for it. */
function applyDecision(
  exchange: Exchange,
  { end, step, arrival: { isAnswer } }: HeldCall,
  { timeoutMs }: Hold,
): void {
  if (end === 'timeout') {
    const [what, then] = isAnswer ? ['answer', 'sent'] : ['call', 'decided as usual'];
    const limit = formatDuration(timeoutMs);
    exchange.warnings.push(`nobody decided the held ${what} within ${limit}, so it was ${then}`);
  }
  const { outcome, fault, phase = 'before' } = step ?? {};
  if (outcome !== undefined) {
    const trigger = `hold:${outcome}`;
    exchange.override = { outcome: requireOutcome(outcome), delayMs: 0, trigger, isDone: false };
  }
  if (fault !== undefined) exchange.fault = { fault, phase: isAnswer ? 'after' : phase };
}
