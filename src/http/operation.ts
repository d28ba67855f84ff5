import type { Context } from 'hono';

import { ApiError } from '../core/errors.js';
import { type Override, refuseHeader } from '../outcomes/header.js';
import type { Outcome } from '../outcomes/outcomes.js';
import type { Fault, Operation, Verdict } from '../scenarios/script/model.js';
import { ASKS_PROVIDER, whyNoOutcome } from '../scenarios/script/reach.js';
import type { World } from '../world/world.js';
import { delayAnswer, type Env, type Exchange, worldOf } from './exchange.js';
import { factsOf } from './fields/facts.js';
import { performFault } from './faults.js';
import { notSent, respondError } from './answers/respond.js';

/** Runs an operation with the outcome, delay and fault that headers or the scenario decide. Rules look at `asked`. */
export function performOperation(
  c: Context<Env>,
  name: Operation,
  asked: unknown,
  run: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const exchange = c.get('exchange');
  exchange.operation = name;
  vetOutcome(exchange, name);
  const world = worldOf(c);
  // Most worlds have no scenario, so this path is fast.
  if (exchange.fault === null && world.script.isIdle) return run();
  const facts = factsOf(c, name, asked);
  const verdict = world.script.decide(facts, world.chance, decidesItself(exchange));
  if (verdict === null || verdict.advanceMs === 0) return performDecided(c, verdict, run);
  exchange.verdict = verdict;
  exchange.at = world.now;
  // A provider that has gone down in the meantime decides, as for a call that comes now.
  return moveOn(world, verdict.advanceMs).then(() =>
    performDecided(c, worldOf(c).script.providerDown(facts) ?? verdict, run),
  );
}

/** Moves the clock forward and runs the jobs that become due. During an advance, which may wait for this call, only the jobs run. */
async function moveOn(world: World, ms: number): Promise<void> {
  if (world.isAdvancing) world.clock.moveTo(world.clock.plan({ by: ms }).to);
  else await world.advance({ by: ms });
  await world.enter();
}

function performDecided(
  c: Context<Env>,
  verdict: Verdict | null,
  run: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const exchange = c.get('exchange');
  exchange.verdict = verdict;
  if (verdict?.outcome) exchange.override = overrideBy(verdict, verdict.outcome);
  const fault = exchange.fault?.fault ?? verdict?.fault ?? null;
  const delayMs = verdict?.delayMs ?? 0;
  // Most calls match no rule, or one that decides only the outcome.
  if (fault === null && delayMs === 0) return run();
  const phase = exchange.fault?.phase ?? verdict?.phase ?? 'before';
  return phase === 'before' ? afterDisturbing(c, fault, delayMs, run) : thenDisturbed(c, fault, delayMs, run);
}

async function afterDisturbing(
  c: Context<Env>,
  fault: Fault | null,
  delayMs: number,
  run: () => Response | Promise<Response>,
): Promise<Response> {
  if (await waitFor(c, delayMs)) return fault === null ? run() : performFault(c, fault, null);
  // A server carries out what it has received, even if the client does not wait for the answer.
  if (fault === null) await answerTo(c, run);
  throw notSent(c);
}

async function thenDisturbed(
  c: Context<Env>,
  fault: Fault | null,
  delayMs: number,
  run: () => Response | Promise<Response>,
): Promise<Response> {
  const answered = await answerTo(c, run);
  if (!(await waitFor(c, delayMs))) throw notSent(c);
  return fault === null ? answered : performFault(c, fault, answered);
}

/** Turns a refusal into an answer. */
export async function answerTo(c: Context<Env>, run: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiError) return respondError(c.get('exchange'), error, c.req.path);
    throw error;
  }
}

/** Operations that ask their provider after the call, not during it. */
const LATER: Readonly<Partial<Record<Operation, string>>> = {
  'batch.create': 'the rows of a batch are charged later',
  'subscription.create': 'a subscription is charged later',
};

function vetOutcome(exchange: Exchange, name: Operation): void {
  if (exchange.override === null) return;
  if (ASKS_PROVIDER.includes(name)) {
    const { outcome } = exchange.override;
    const why = whyNoOutcome(outcome.name, [name]);
    if (why !== null) refuseHeader(`${outcome.name} has no effect: ${why}`);
    return;
  }
  exchange.override = null;
  exchange.warnings.push(`ignored x-sandbox-outcome: ${LATER[name] ?? `${name} does not ask a provider`}`);
}

function overrideBy({ trigger, phase }: Verdict, outcome: Outcome): Override {
  return { outcome, delayMs: 0, trigger, isDone: phase === 'after' };
}

/**
 * Whether the headers of a request decide its result: an outcome, or a fault that prevents it. Such a request uses up
 * nothing that is meant for others, so that tests can run in parallel.
 */
function decidesItself({ override, fault }: Exchange): boolean {
  return override !== null || fault?.phase === 'before';
}

/** Waits in real time; returns whether the client still waits. The world may be reset or continue in the meantime. */
async function waitFor(c: Context<Env>, delayMs: number): Promise<boolean> {
  if (delayMs === 0) return true;
  const isAwaited = await delayAnswer(c, delayMs);
  await worldOf(c).enter();
  return isAwaited;
}
