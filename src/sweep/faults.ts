import type { ScenarioEffect, WebhookPolicy } from '../client/scenario-definition.js';
import type { Operation } from '../client/words.js';
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

export const isCall = ({ kind }: FaultPoint): boolean => kind === 'call';
const isWrite = ({ kind, isRead }: FaultPoint): boolean => kind === 'call' && !isRead;
const asksProvider = ({ kind, operation }: FaultPoint): boolean =>
  kind === 'call' &&
  /^(?:charge\.(?:create|capture|void|refund)|(?:paymentMethod|token|customer)\.create)$/.test(operation);
const isCharge = ({ kind, operation }: FaultPoint): boolean =>
  kind === 'call' && operation === 'charge.create';
export const isWebhook = ({ kind }: FaultPoint): boolean => kind === 'webhook';

/**
 * The faults, those most likely to find something first: when the time is short, the later ones are left out. Reads change nothing, so a lost
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
    // The provider would take the charge without its payer.
    acts: (point) => isCharge(point) && !point.needsPayer,
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
  'provider down': {
    about: 'The provider was down, and its fallback took the charge: the answer has another ProviderId.',
    acts: ({ takenBy }) => takenBy !== null,
    then: { outcome: 'provider_unavailable' },
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
