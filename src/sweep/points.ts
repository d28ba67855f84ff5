import type { Delivery, JournalEntry } from '../client/answers.js';
import type { ScenarioRule, WebhookPolicy } from '../client/scenario-definition.js';
import { toSdk } from '../core/dialect/sdk.js';
import { isObject } from '../core/text/text.js';
import type { EventType } from '../records/webhook-subscription.js';
import { testableOf, testableOfWebhook } from '../scenarios/vet/testable.js';

/** The rules and policies that inject are named like this, with a number, so that a journal shows where they matched. */
export const RULE_PREFIX = 'sweep';

/** The kind and the name of the points at which several things happen at the same time. */
export const TOGETHER = 'together';

/** A call of the service, or a webhook, that a fault can happen to, or several things at the same time. */
export interface FaultPoint {
  readonly kind: 'call' | 'webhook' | typeof TOGETHER;
  /** The operation of a call, or the event of a webhook. */
  readonly operation: string;
  /** Null if it has none that a rule can test, or if references differ from run to run. */
  readonly reference: string | null;
  /** The reference of the call in its own run, even if references differ from run to run; null for a webhook. */
  readonly about: string | null;
  /** The point's number among those with the same operation and reference, from 1. */
  readonly nth: number;
  /** The point's name, such as `charge.create order-1` or `webhook transaction.status.changed order-1 #2`. */
  readonly name: string;
  readonly isRead: boolean;
  /** Whether the flow made the call: not a receiver of webhooks later, and not the recovery. */
  readonly inFlow: boolean;
  /** Whether a fault of the sweep was injected into it. */
  readonly isHit: boolean;
  /** The provider that took the charge, and the charge's currency; null if no charge was made. */
  readonly takenBy: Readonly<Record<'providerId' | 'currency', string>> | null;
  /** Whether the call pays by a token that was made in this run. */
  readonly usesToken: boolean;
  /** Whether the charge waits for its payer, on the page of a wallet or of a challenge. */
  readonly needsPayer: boolean;
  /** Whether the call captures or voids an authorisation. */
  readonly usesAuthorisation: boolean;
  /** Whether the call caused a webhook. */
  readonly hasWebhook: boolean;
  /** Whether there was a webhook before the call that another call caused, or nobody did. */
  readonly isAfterWebhook: boolean;
  /** Whether no later webhook goes to the same address. */
  readonly isLast: boolean;
  /** Operation, given fields and status: calls of the same shape are likely to have the same faults. */
  readonly shape: string;
}

/** The references of charges by their identifiers. */
export type ChargeReferences = ReadonlyMap<string, string | null>;

interface CallReading {
  readonly references: ChargeReferences;
  /** Whether references are the same in each run. If not, none is used. */
  readonly hasReferences: boolean;
  /** The last call of the flow. */
  readonly flowEnd: number;
  readonly deliveries: readonly Delivery[];
}

/** The calls of a run that have an operation, as points, in order. */
export function callPoints(
  entries: readonly JournalEntry[],
  { references, hasReferences, flowEnd, deliveries }: CallReading,
): FaultPoint[] {
  const nextOf = createCounter();
  // The approval of a payer, for example, is no call of the service.
  let isAfterWebhook = deliveries.some(({ entryId }) => entryId === null);
  return entries.flatMap((entry) => {
    const { entryId, operation, method, requestBody, responseBody, rule, status } = entry;
    if (operation === null) return [];
    const about = findCallReference(entry, references);
    const canName = testableOf(operation).includes('reference');
    const reference = hasReferences && canName ? about : null;
    const fields = isObject(requestBody) ? requestBody : {};
    const token = fields['Token'];
    const isAfter = isAfterWebhook;
    isAfterWebhook ||= entry.deliveries.length > 0;
    return {
      kind: 'call',
      operation,
      reference,
      about,
      ...numberPoint(operation, reference, nextOf),
      isRead: method === 'GET',
      inFlow: entryId <= flowEnd,
      isHit: rule?.startsWith(RULE_PREFIX) ?? false,
      takenBy: operation === 'charge.create' ? findProvider(responseBody) : null,
      // Magic tokens such as tok_approve never expire.
      usesToken: typeof token === 'string' && !token.startsWith('tok_'),
      needsPayer: operation === 'charge.create' && needsPayer(responseBody),
      usesAuthorisation: operation === 'charge.capture' || operation === 'charge.void',
      hasWebhook: entry.deliveries.length > 0,
      isAfterWebhook: isAfter,
      isLast: true,
      shape: [operation, Object.keys(fields).toSorted().join(','), status].join(' '),
    };
  });
}

/** In either dialect. An error has no provider. */
function findProvider(body: unknown): FaultPoint['takenBy'] {
  const { ProviderId, providerId = ProviderId, Currency, currency = Currency } = (body ?? {}) as Charged;
  return providerId === undefined || currency === undefined ? null : { providerId, currency };
}

type Charged = Partial<Record<'ProviderId' | 'providerId' | 'Currency' | 'currency', string>>;

/** In either dialect. */
function needsPayer(body: unknown): boolean {
  const answer = toSdk(body);
  if (!isObject(answer)) return false;
  const { status, checkoutId, threeDSServerTransID: challengeId } = answer as Record<string, unknown>;
  return /^pending/i.test(String(status)) && (checkoutId ?? challengeId ?? null) !== null;
}

/** The fields of a point that is not a call. */
const NO_CALL = {
  takenBy: null,
  isRead: false,
  inFlow: false,
  isHit: false,
  usesToken: false,
  needsPayer: false,
  usesAuthorisation: false,
  about: null,
  hasWebhook: false,
  isAfterWebhook: false,
  isLast: true,
};

/** The point of a `together`. */
export function createTogetherPoint(name: string): FaultPoint {
  return { ...NO_CALL, kind: TOGETHER, operation: TOGETHER, reference: null, nth: 1, name, shape: TOGETHER };
}

/** The webhooks of a run as points, in order. */
export function webhookPoints(deliveries: readonly Delivery[], hasReferences: boolean): FaultPoint[] {
  const nextOf = createCounter();
  return deliveries.map(({ eventType, body, url, policy }, i) => {
    const { reference: sent } = isObject(body['data']) ? body['data'] : {};
    const canName = testableOfWebhook(eventType as EventType).includes('reference');
    const reference = hasReferences && canName && typeof sent === 'string' ? sent : null;
    const event = `webhook ${eventType}`;
    return {
      kind: 'webhook',
      operation: eventType,
      reference,
      ...numberPoint(event, reference, nextOf),
      ...NO_CALL,
      isHit: policy?.startsWith(RULE_PREFIX) ?? false,
      isLast: !deliveries.slice(i + 1).some((later) => later.url === url),
      shape: event,
    };
  });
}

/** How many calls of one shape are tried in each world. */
const SAME_SHAPE_MAX = 3;

/**
 * The calls and webhooks of several worlds, and the names of those that are not worth a run: later ones of a shape that was tried in
 * their world.
 */
export function choosePoints(
  worlds: readonly { readonly calls: readonly FaultPoint[]; readonly webhooks: readonly FaultPoint[] }[],
  isForAll: boolean,
): { readonly points: readonly FaultPoint[]; readonly untried: readonly string[] } {
  const all = worlds.flatMap(({ calls, webhooks }) => {
    const nextOf = createCounter();
    return [...calls, ...webhooks].map((point) => ({
      point,
      isTried: isForAll || nextOf(point.shape) <= SAME_SHAPE_MAX,
    }));
  });
  const points = all.filter(({ isTried }) => isTried).map(({ point }) => point);
  const tried = new Set(points.map(({ name }) => name));
  const untried = new Set(all.map(({ point }) => point.name).filter((name) => !tried.has(name)));
  return { points, untried: Array.from(untried, (name) => `${name}: like calls that were tried`) };
}

/** Points of the same name in several worlds as one: a fault is injected in all of them at once. */
export function mergePoints(points: readonly FaultPoint[]): FaultPoint[] {
  const merged = new Map<string, FaultPoint>();
  for (const point of points) {
    const before = merged.get(point.name) ?? point;
    merged.set(point.name, {
      ...before,
      usesToken: before.usesToken || point.usesToken,
      needsPayer: before.needsPayer || point.needsPayer,
      hasWebhook: before.hasWebhook || point.hasWebhook,
      isLast: before.isLast && point.isLast,
    });
  }
  return [...merged.values()];
}

/** When a rule applies to the call of a point, or a policy to its webhook. */
export function toRuleWhen({ operation, reference, nth }: FaultPoint): NonNullable<ScenarioRule['when']> {
  return { operation: operation as `${string}*`, ...(reference === null ? {} : { reference }), nth };
}

export function toPolicyWhen({ operation, reference, nth }: FaultPoint): NonNullable<WebhookPolicy['when']> {
  return { event: operation as `${string}*`, ...(reference === null ? {} : { reference }), nth };
}

/** Without a reference, a rule counts all calls of the operation, so the number does, too. */
function numberPoint(
  subject: string,
  reference: string | null,
  nextOf: (key: string) => number,
): { readonly nth: number; readonly name: string } {
  const all = nextOf(subject);
  if (reference === null) return { nth: all, name: all === 1 ? subject : `${subject} #${all}` };
  const nth = nextOf(`${subject} ${reference}`);
  return { nth, name: `${subject} ${reference}${nth === 1 ? '' : ` #${nth}`}` };
}

/** Counts its calls for each key. */
function createCounter(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const n = (counts.get(key) ?? 0) + 1;
    counts.set(key, n);
    return n;
  };
}

/** The charge in a path such as `/charge/{id}/capture`. */
const CHARGE_PATH = /^\/(?:charge|refund)\/([\da-f-]{32,36})(?:\/|$)/i;

/** Whether a call is about a charge that neither its body nor its answer names, because the answer was lost. */
export function namesOnlyCharge({ path, reference }: JournalEntry): boolean {
  return reference === null && CHARGE_PATH.test(path);
}

/** The Reference of a call: in its body or its answer, in its query, or that of the charge in its path. */
function findCallReference(
  { reference, query, path }: JournalEntry,
  references: ChargeReferences,
): string | null {
  if (reference !== null) return reference;
  const filter = [...new URLSearchParams(query)].find(([name]) => name.toLowerCase() === 'reference');
  return filter?.[1] ?? references.get(CHARGE_PATH.exec(path)?.[1] ?? '') ?? null;
}
