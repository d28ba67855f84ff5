import type { Context } from 'hono';

import { ApiError } from '../core/errors.js';
import { type Override, refuseHeader } from '../outcomes/header.js';
import type { Outcome } from '../outcomes/outcomes.js';
import type { Hold } from '../scenarios/script/holds.js';
import type { CallFacts, FaultSpec, Operation, ScriptDecision } from '../scenarios/script/model.js';
import { ASKS_PROVIDER, whyNoOutcome } from '../scenarios/script/reach.js';
import type { World } from '../world/world.js';
import { delayAnswer, type Env, type Exchange, requireWorld } from './exchange.js';
import { readCallFacts } from './fields/call-facts.js';
import { performFault } from './faults.js';
import { waitForHand } from './held-call.js';
import { dropAnswer, sendError } from './answers/respond.js';

/** Runs an operation with the outcome, delay and fault that headers or the scenario decide. Rules look at `input`. */
export function runWithScenario(
  c: Context<Env>,
  name: Operation,
  input: unknown,
  run: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const exchange = c.get('exchange');
  exchange.operation = name;
  checkOutcomeHeader(exchange, name);
  const world = requireWorld(c);
  // Most worlds have no scenario, so this path is fast.
  if (exchange.fault === null && world.script.decidesNothing) return run();
  const facts = readCallFacts(c, name, input);
  const hold = world.script.holds.take(facts);
  if (hold === null) return decideAndRun(c, facts, run);
  // Facts are read again, since records may change while a call waits.
  return runByHand(c, hold, facts, () => decideAndRun(c, readCallFacts(c, name, input), run));
}

/** Runs a call when somebody has decided it. Its answer may wait for another decision. */
async function runByHand(
  c: Context<Env>,
  hold: Hold,
  facts: CallFacts,
  run: () => Response | Promise<Response>,
): Promise<Response> {
  const { signal } = c.req.raw;
  const { step } = await waitForHand(c, hold, facts);
  const holdsAnswer = step?.phase === 'after' && step.fault === undefined;
  if (!holdsAnswer) return signal.aborted ? runUnseen(c, run) : run();
  const answer = await catchRefusal(c, run);
  const { step: last } = await waitForHand(c, hold, facts, true);
  if (signal.aborted) throw dropAnswer(c);
  return last?.fault === undefined ? answer : performFault(c, last.fault, answer);
}

function decideAndRun(
  c: Context<Env>,
  facts: CallFacts,
  run: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const exchange = c.get('exchange');
  const world = requireWorld(c);
  const verdict = world.script.decide(facts, world.chance, isDecidedByHeaders(exchange));
  if (verdict === null || verdict.advanceMs === 0) return applyVerdict(c, verdict, run);
  exchange.verdict = verdict;
  exchange.at = world.now;
  // A provider that has gone down in the meantime decides, as for a call that comes now.
  return advanceForRule(world, verdict.advanceMs).then(() =>
    applyVerdict(c, requireWorld(c).script.providerDown(facts) ?? verdict, run),
  );
}

/** Moves the clock forward and runs the jobs that become due. During an advance, which may wait for this call, only the jobs run. */
async function advanceForRule(world: World, ms: number): Promise<void> {
  if (world.isAdvancing) world.clock.moveTo(world.clock.plan({ by: ms }).to);
  else await world.advance({ by: ms });
  await world.enter();
}

function applyVerdict(
  c: Context<Env>,
  verdict: ScriptDecision | null,
  run: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const exchange = c.get('exchange');
  exchange.verdict = verdict;
  if (verdict?.outcome) exchange.override = toOverride(verdict, verdict.outcome);
  const fault = exchange.fault?.fault ?? verdict?.fault ?? null;
  const delayMs = verdict?.delayMs ?? 0;
  // Most calls match no rule, or one that decides only the outcome.
  if (fault === null && delayMs === 0) return run();
  const phase = exchange.fault?.phase ?? verdict?.phase ?? 'before';
  return phase === 'before' ? disturbThenRun(c, fault, delayMs, run) : runThenDisturb(c, fault, delayMs, run);
}

async function disturbThenRun(
  c: Context<Env>,
  fault: FaultSpec | null,
  delayMs: number,
  run: () => Response | Promise<Response>,
): Promise<Response> {
  if (await waitDelay(c, delayMs)) return fault === null ? run() : performFault(c, fault, null);
  if (fault === null) return runUnseen(c, run);
  throw dropAnswer(c);
}

/** A server carries out what it has received, even if the client does not wait for the answer. */
async function runUnseen(c: Context<Env>, run: () => Response | Promise<Response>): Promise<never> {
  await catchRefusal(c, run);
  throw dropAnswer(c);
}

async function runThenDisturb(
  c: Context<Env>,
  fault: FaultSpec | null,
  delayMs: number,
  run: () => Response | Promise<Response>,
): Promise<Response> {
  const answer = await catchRefusal(c, run);
  if (!(await waitDelay(c, delayMs))) throw dropAnswer(c);
  return fault === null ? answer : performFault(c, fault, answer);
}

/** Turns a refusal into an answer. */
export async function catchRefusal(
  c: Context<Env>,
  run: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiError) return sendError(c.get('exchange'), error, c.req.path);
    throw error;
  }
}

/** Operations that ask their provider after the call, not during it. */
const LATER: Readonly<Partial<Record<Operation, string>>> = {
  'batch.create': 'the rows of a batch are charged later',
  'subscription.create': 'a subscription is charged later',
};

function checkOutcomeHeader(exchange: Exchange, name: Operation): void {
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

function toOverride({ trigger, phase }: ScriptDecision, outcome: Outcome): Override {
  return { outcome, delayMs: 0, trigger, isDone: phase === 'after' };
}

/**
 * Whether the headers of a request decide its result: an outcome, or a fault that prevents it. Such a request uses up
 * nothing that is meant for others, so that tests can run in parallel.
 */
function isDecidedByHeaders({ override, fault }: Exchange): boolean {
  return override !== null || fault?.phase === 'before';
}

/** Waits in real time; returns whether the client still waits. The world may be reset or continue in the meantime. */
async function waitDelay(c: Context<Env>, delayMs: number): Promise<boolean> {
  if (delayMs === 0) return true;
  const isAwaited = await delayAnswer(c, delayMs);
  await requireWorld(c).enter();
  return isAwaited;
}
