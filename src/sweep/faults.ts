import type { ScenarioDefinition, ScenarioEffect, WebhookPolicy } from '../client/scenario-definition.js';
import type { Operation } from '../client/words.js';
import { didYouMean } from '../core/text/nearest.js';
import { endSentence } from '../core/text/text.js';
import type { FaultPoint } from './points.js';

/** A fault for a call or for a webhook. */
export interface SweepFault {
  readonly name: string;
  /** A sentence about the fault, such as "The webhook arrived twice." */
  readonly about: string;
  /** The effect on the call of a point, as in the rule of a scenario. */
  readonly then?: ScenarioEffect | undefined;
  /** The effect on the webhook of a point, or on that of a call, as in a policy of a scenario. */
  readonly policy?: WebhookPolicy['then'] | undefined;
  /** The program ends at the call, which hangs, before or after it is performed, and is started again. */
  readonly crash?: 'before' | 'after';
  /** The order in which the parties of `together` go on, for as many turns as it names. They count from 0. */
  readonly order?: readonly number[] | undefined;
  /** Whether it can have an effect. */
  readonly acts: (point: FaultPoint) => boolean;
  /** Whether it is injected only if it is asked for by name. */
  readonly isOnRequest?: boolean | undefined;
  /** Whether the calls of its recovery get no second fault. */
  readonly isAlone?: boolean | undefined;
}

/** A fault of your own, for calls or for webhooks. */
export interface OwnFault {
  readonly name: string;
  /** A sentence about the fault, such as "The webhook arrived twice." */
  readonly about?: string;
  /** The calls that it is for. Default: all. */
  readonly operations?: readonly Operation[];
  /** The effect on a call, as in the rule of a scenario. */
  readonly then?: ScenarioEffect;
  /** The effect on a webhook, as in a policy of a scenario. */
  readonly policy?: WebhookPolicy['then'];
}

const PAGE = '<!doctype html><title>Welcome</title><p>Please sign in to continue.</p>';

const isCall = ({ kind }: FaultPoint): boolean => kind === 'call';
const isWrite = ({ kind, isRead }: FaultPoint): boolean => kind === 'call' && !isRead;
const asksProvider = ({ kind, operation }: FaultPoint): boolean =>
  kind === 'call' &&
  /^(?:charge\.(?:create|capture|void|refund)|(?:paymentMethod|token|customer)\.create)$/.test(operation);
const isCharge = ({ kind, operation }: FaultPoint): boolean =>
  kind === 'call' && operation === 'charge.create';
const isWebhook = ({ kind }: FaultPoint): boolean => kind === 'webhook';

/**
 * The faults, the most telling ones first: when the time is short, the later ones are left out. Reads change nothing, so a lost
 * answer to one is the same as a refused call.
 */
export const FAULTS = {
  lost: {
    about: 'The call was performed, but the connection was reset before its answer arrived.',
    acts: isWrite,
    then: { fault: 'reset', phase: 'after' },
  },
  late: {
    about: 'The call was performed, but the client stopped waiting before its answer arrived.',
    acts: isCall,
    then: { fault: 'reset', phase: 'after' },
  },
  broken: {
    about: 'The call was performed, but its answer was an error with status 500.',
    acts: isCall,
    then: { fault: 'status=500', phase: 'after' },
  },
  'gateway timeout': {
    about: 'The provider performed the call, but the gateway answered with a time-out (code 80).',
    acts: isCharge,
    then: { outcome: 'gateway_timeout', phase: 'after' },
  },
  elsewhere: {
    about: 'The call did not reach the service: a proxy answered it with status 200 and a page.',
    acts: isCall,
    then: { respond: { status: 200, body: PAGE } },
  },
  declined: {
    about: 'The provider declined, and a later attempt may succeed.',
    acts: asksProvider,
    then: { outcome: 'insufficient_funds' },
  },
  expired: {
    about: 'Before the call, the token or the authorisation had expired.',
    acts: ({ usesToken, usesAuthorisation }) => usesToken || usesAuthorisation,
  },
  first: {
    about: 'The webhook arrived before the answer to the call that caused it.',
    acts: isWebhook,
    policy: { first: true },
  },
  meanwhile: {
    about: 'The webhooks that were due arrived while the call waited for its answer.',
    acts: ({ kind, inFlow, isAfterWebhook }) => kind === 'call' && inFlow && isAfterWebhook,
  },
  twice: { about: 'The webhook arrived twice.', acts: isWebhook, policy: { duplicate: 1 } },
  'lost webhook': { about: 'The webhook never arrived.', acts: isWebhook, policy: { drop: true } },
  'late webhook': {
    about: 'The webhook arrived ten minutes late.',
    acts: isWebhook,
    policy: { delay: '10m' },
  },
  swapped: {
    about: 'The webhook arrived after the next one.',
    acts: ({ kind, isLast }) => kind === 'webhook' && !isLast,
    policy: { swap: true },
  },
  forged: {
    about: 'The charge was declined, and a webhook that the service did not sign says that it succeeded.',
    acts: ({ operation, hasWebhook }) => operation === 'charge.create' && hasWebhook,
    then: { outcome: 'do_not_honor' },
    policy: { forged: true },
  },
  'late decline': {
    about: 'The charge was declined, and the webhook that says so arrived ten minutes late.',
    acts: ({ operation, hasWebhook }) => operation === 'charge.create' && hasWebhook,
    then: { outcome: 'insufficient_funds' },
    policy: { delay: '10m' },
    isAlone: true,
  },
  refused: {
    about: 'The connection was reset before the call was performed.',
    acts: isCall,
    then: { fault: 'reset' },
  },
  garbled: {
    about: 'The call was performed, but its answer was a page of HTML with status 200.',
    acts: isWrite,
    then: { fault: 'malformed', phase: 'after' },
  },
  cut: {
    about: 'The call was performed, but only half of its answer arrived.',
    acts: isWrite,
    then: { fault: 'truncate' },
  },
  unavailable: {
    about: 'The service answered with status 503 and did not perform the call.',
    acts: isCall,
    then: { fault: 'status=503' },
  },
  limited: {
    about: 'The service answered with status 429 and did not perform the call.',
    acts: isCall,
    then: { respond: { status: 429, retryAfter: 1 } },
  },
  'declined for good': {
    about: 'The provider declined, and no later attempt can succeed.',
    acts: asksProvider,
    then: { outcome: 'stolen_card' },
  },
  down: {
    about: 'This call and all later ones of the flow were refused.',
    acts: ({ kind, inFlow }) => kind === 'call' && inFlow,
    then: { fault: 'reset', state: { sweep: 'down' } },
  },
  hang: {
    about: 'The call was not performed, and never answered.',
    acts: isCall,
    then: { fault: 'hang' },
    isOnRequest: true,
  },
  'in flight': {
    about: 'The client stopped waiting and searched; only then did the call arrive, and was performed.',
    acts: isWrite,
    then: { fault: 'reset' },
    isOnRequest: true,
  },
  'crash before': {
    about: 'The program ended at this call, before it was performed.',
    acts: isCall,
    then: { fault: 'hang' },
    crash: 'before',
    isOnRequest: true,
  },
  'crash after': {
    about: 'The program ended at this call, after it was performed and before its answer arrived.',
    acts: isWrite,
    then: { fault: 'hang', phase: 'after' },
    crash: 'after',
    isOnRequest: true,
  },
} as const satisfies Readonly<Record<string, Omit<SweepFault, 'name'>>>;

export type FaultName = keyof typeof FAULTS;

const NAMES = Object.keys(FAULTS) as readonly FaultName[];

function toSweepFault(name: FaultName): SweepFault {
  return { name, ...FAULTS[name] };
}

const ALL: readonly SweepFault[] = NAMES.map(toSweepFault);
const DEFAULT_NAMES = ALL.filter(({ isOnRequest }) => !isOnRequest).map(({ name }) => name as FaultName);

/** The names of those that are not among the given ones. */
export function listOtherFaults(faults: readonly SweepFault[]): string[] {
  return NAMES.filter((known) => faults.every(({ name }) => name !== known));
}

/** The faults of a call that only a recovery makes: there, searches before a retry break. */
export const SECOND_FAULTS: readonly SweepFault[] = [toSweepFault('unavailable'), toSweepFault('lost')];

/**
 * The faults to inject. `hasCrashes` adds those that end the program, unless one of them is named. Throws a TypeError for an unknown
 * name, or for a fault that does nothing.
 */
export function resolveFaults(
  chosen: readonly (FaultName | OwnFault)[] = DEFAULT_NAMES,
  hasCrashes = false,
): readonly SweepFault[] {
  const faults = chosen.map((fault) =>
    typeof fault === 'string' ? requireFault(fault) : checkOwnFault(fault),
  );
  return hasCrashes && !faults.some(endsProgram) ? [...faults, ...ALL.filter(endsProgram)] : faults;
}

export function endsProgram({ crash }: SweepFault): boolean {
  return crash !== undefined;
}

function requireFault(name: string): SweepFault {
  const found = NAMES.find((known) => known === name);
  if (found !== undefined) return toSweepFault(found);
  const unknown = endSentence(`sweep: there is no fault ${JSON.stringify(name)}${didYouMean(name, NAMES)}`);
  throw new TypeError(`${unknown} Faults: ${NAMES.join(', ')}.`);
}

function checkOwnFault({ name, about, operations, then, policy }: OwnFault): SweepFault {
  if ((then === undefined) === (policy === undefined))
    throw new TypeError(
      `sweep: the fault ${JSON.stringify(name)} needs either then (for calls) or policy (for webhooks).`,
    );
  const isMeant = ({ operation }: FaultPoint): boolean =>
    operations?.some((own) => own === operation) ?? true;
  return {
    name,
    about: about ?? `The fault ${name} happened.`,
    then,
    policy,
    acts: (point) => (then === undefined ? isWebhook(point) : isCall(point) && isMeant(point)),
  };
}

/** A scenario with the effects of own faults, which must be valid in it. */
export function buildFaultScenario(faults: readonly OwnFault[]): ScenarioDefinition {
  const rules = faults.flatMap(({ name, operations, then }) =>
    then === undefined ? [] : [{ name, when: operations && { operation: operations }, then }],
  );
  const policies = faults.flatMap(({ name, policy }) =>
    policy === undefined ? [] : [{ name, then: policy }],
  );
  return { name: 'sweep', rules, webhooks: { policies } } as ScenarioDefinition;
}
