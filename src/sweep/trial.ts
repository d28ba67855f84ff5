import type {
  ScenarioDefinition,
  ScenarioEffect,
  ScenarioProvider,
  ScenarioRule,
  WebhookPolicy,
} from '../client/scenario-definition.js';
import { findBuiltIn } from '../outcomes/built-in.js';
import { endsProgram } from './choose-faults.js';
import type { SweepFault } from './faults.js';
import { type FaultPoint, toPolicyWhen, RULE_PREFIX, toRuleWhen } from './points.js';

/** A fault at a point. */
export interface Injection {
  readonly point: FaultPoint;
  readonly fault: SweepFault;
}

/** The faults of one run: one, and sometimes a second one at a call of the recovery. */
export type Trial = readonly Injection[];

/** A rule or policy with this ending need not match: perhaps no call came after the first one, or no webhook before it. */
const LATER = ' and later';

/** Longer than the lifetimes of a token and of an authorisation. */
const PAST_TOKEN = '20m';
const PAST_AUTHORISATION = '8d';
/** Where a scenario is used: in process, where no client really waits, over HTTP, or by hand, from a file. */
export type ScenarioPlace = 'in process' | 'over HTTP' | 'by hand';

/** How long an answer is held back where the client really waits. */
const HELD_BACK = { fault: 'reset', phase: 'after', delay: '2s' } as const;
/** By how much webhooks wait for a call, and the clock moves when it comes. */
const DUE_LATER = '1s';

/** Effects that are not everywhere those of the table. In process, silence is told by a connection that is reset. */
const OTHER_EFFECTS: Readonly<Partial<Record<string, Partial<Record<ScenarioPlace, ScenarioEffect>>>>> = {
  late: { 'over HTTP': HELD_BACK, 'by hand': HELD_BACK },
  hang: { 'in process': { fault: 'reset' } },
};

/** The state of a world since the charge that a forged webhook is about. */
const FORGED = { sweep: 'forged' } as const;

/** Built-in providers that take every charge. */
const FALLBACKS = ['slow', 'steady'] as const;

/** Before the second fault of a run, in names. */
export const THEN = ', then ';

export function nameTrial(trial: Trial): string {
  return trial.map(({ point, fault }) => `${point.name}: ${fault.name}`).join(THEN);
}

/** The scenario that injects the faults. */
export function trialScenario(trial: Trial, place: ScenarioPlace): ScenarioDefinition {
  const rules = trial.flatMap((injection, i) => injectionRules(injection, `${RULE_PREFIX} ${i + 1}`, place));
  const policies = trial.flatMap((injection, i) => injectionPolicies(injection, `${RULE_PREFIX} ${i + 1}`));
  const providers = trial.flatMap(failingProviders);
  return {
    name: RULE_PREFIX,
    description: nameTrial(trial),
    ...(providers.length > 0 && { providers }),
    rules,
    webhooks: { policies },
  };
}

/** The rules and policies that must have matched. */
export function nameFaults(trial: Trial): string[] {
  const { rules = [], webhooks } = trialScenario(trial, 'in process');
  const names = [...rules, ...(webhooks?.policies ?? [])].map(({ name = '' }) => name);
  return names.filter((name) => !name.endsWith(LATER));
}

/** Whether the program ends in the run, and is started again. */
export function hasCrash(trial: Trial): boolean {
  return trial.some(({ fault }) => endsProgram(fault));
}

/** Whether a fault would go on after the flow, and must not. */
export function isOverWithFlow(trial: Trial): boolean {
  return trial.some(({ fault }) => fault.name === 'down');
}

function injectionRules({ point, fault }: Injection, name: string, place: ScenarioPlace): ScenarioRule[] {
  const when = toRuleWhen(point);
  if (fault.name === 'expired') {
    return [{ name, when, then: { advance: point.usesToken ? PAST_TOKEN : PAST_AUTHORISATION } }];
  }
  if (fault.name === 'meanwhile')
    return [{ name: `${name}${LATER}`, when, then: { advance: DUE_LATER, state: { sweep: 'due' } } }];
  if (fault.then === undefined) return [];
  const rule = { name, when, then: OTHER_EFFECTS[fault.name]?.[place] ?? fault.then };
  if (fault.name === 'down')
    return [rule, { name: `${name}${LATER}`, when: { state: { sweep: 'down' } }, then: { fault: 'reset' } }];
  if (fault.name !== 'forged') return [rule];
  // A second attempt of the buyer would pay for what the webhook claimed.
  const { nth: _, ...always } = when;
  return [
    { ...rule, then: { ...rule.then, state: FORGED } },
    { name: `${name}${LATER}`, when: { ...always, state: FORGED }, then: fault.then },
  ];
}

/** The provider that a fault takes down, with a built-in one that takes every charge as its fallback. */
function failingProviders({ point: { takenBy }, fault }: Injection): ScenarioProvider[] {
  if (fault.name !== 'provider down' || takenBy === null) return [];
  const fallback = FALLBACKS.find((name) => findBuiltIn(takenBy.providerId)?.name !== name);
  return [{ name: 'provider', ...takenBy, fallback }];
}

function injectionPolicies({ point, fault }: Injection, name: string): WebhookPolicy[] {
  if (fault.name === 'meanwhile')
    return [{ name: `${name}${LATER}`, when: { state: { sweep: null } }, then: { delay: DUE_LATER } }];
  if (fault.policy === undefined) return [];
  if (point.kind === 'webhook') return [{ name, when: toPolicyWhen(point), then: fault.policy }];
  // The webhook that a declined charge sends.
  const of = point.reference === null ? {} : { reference: point.reference };
  const when = { event: 'transaction.status.changed', status: 'FAILED', ...of } as const;
  if (fault.name === 'forged')
    return [{ name: `${name} webhook`, when: { ...when, state: FORGED }, then: fault.policy }];
  return [{ name: `${name} webhook`, when, then: fault.policy, times: 1 }];
}
