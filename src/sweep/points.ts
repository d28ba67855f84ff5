import type { Delivery, JournalEntry } from '../client/answers.js';
import type { ScenarioRule, WebhookPolicy } from '../client/scenario-definition.js';

/** A call of the service, or a webhook, that a fault can happen to. */
export interface Point {
  readonly kind: 'call' | 'webhook';
  /** The operation of a call, or the event of a webhook. */
  readonly operation: string;
  /** Null if it has none, or if references differ from run to run. */
  readonly reference: string | null;
  /** Its number among those with the same operation and reference, from 1. */
  readonly nth: number;
  /** Such as `charge.create order-1`, or `webhook transaction.status.changed order-1 #2`. */
  readonly name: string;
  readonly isRead: boolean;
  /** Whether the call pays by a token that was made in this run. */
  readonly usesToken: boolean;
  /** Whether the call captures or voids an authorisation. */
  readonly usesAuthorisation: boolean;
  /** Whether the call caused a webhook. */
  readonly hasWebhook: boolean;
  /** Whether no later webhook goes to the same address. */
  readonly isLast: boolean;
  /** Operation, given fields and status: calls of the same shape are likely to have the same faults. */
  readonly shape: string;
}

/** The calls of a run that have an operation, as points, in order. */
export function callPoints(entries: readonly JournalEntry[], hasReferences: boolean): Point[] {
  const nextOf = counter();
  return entries.flatMap((entry) => {
    const { operation, method, requestBody, status } = entry;
    if (operation === null) return [];
    const reference = hasReferences ? referenceOf(entry) : null;
    const fields = isFields(requestBody) ? requestBody : {};
    const token = fields['Token'];
    return {
      kind: 'call',
      operation,
      reference,
      ...numbered(operation, reference, nextOf),
      isRead: method === 'GET',
      // Magic tokens such as tok_approve never expire.
      usesToken: typeof token === 'string' && !token.startsWith('tok_'),
      usesAuthorisation: operation === 'charge.capture' || operation === 'charge.void',
      hasWebhook: entry.deliveries.length > 0,
      isLast: true,
      shape: [operation, Object.keys(fields).toSorted().join(','), status].join(' '),
    };
  });
}

/** The webhooks of a run as points, in order. */
export function webhookPoints(deliveries: readonly Delivery[], hasReferences: boolean): Point[] {
  const nextOf = counter();
  return deliveries.map(({ eventType, body, url }, i) => {
    const reference = hasReferences ? referenceIn(body['data'], 'reference') : null;
    const event = `webhook ${eventType}`;
    return {
      kind: 'webhook',
      operation: eventType,
      reference,
      ...numbered(event, reference, nextOf),
      isRead: false,
      usesToken: false,
      usesAuthorisation: false,
      hasWebhook: false,
      isLast: !deliveries.slice(i + 1).some((later) => later.url === url),
      shape: event,
    };
  });
}

/** When a rule applies to the call of a point, or a policy to its webhook. */
export function whenOf({ operation, reference, nth }: Point): NonNullable<ScenarioRule['when']> {
  return { operation: operation as `${string}*`, ...(reference === null ? {} : { reference }), nth };
}

export function policyWhenOf({ operation, reference, nth }: Point): NonNullable<WebhookPolicy['when']> {
  return { event: operation as `${string}*`, ...(reference === null ? {} : { reference }), nth };
}

/** Without a reference, a rule counts all calls of the operation, so the number does, too. */
function numbered(
  what: string,
  reference: string | null,
  nextOf: (key: string) => number,
): { readonly nth: number; readonly name: string } {
  const all = nextOf(what);
  if (reference === null) return { nth: all, name: all === 1 ? what : `${what} #${all}` };
  const nth = nextOf(`${what} ${reference}`);
  return { nth, name: `${what} ${reference}${nth === 1 ? '' : ` #${nth}`}` };
}

/** Counts how often it was asked for each key. */
function counter(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const n = (counts.get(key) ?? 0) + 1;
    counts.set(key, n);
    return n;
  };
}

/** The Reference of a call: in its body, in its query, or in its answer. */
function referenceOf({ reference, query }: JournalEntry): string | null {
  if (reference !== null) return reference;
  const asked = [...new URLSearchParams(query)].find(([name]) => name.toLowerCase() === 'reference');
  return asked?.[1] ?? null;
}

function referenceIn(value: unknown, field: string): string | null {
  const reference = isFields(value) ? value[field] : null;
  return typeof reference === 'string' ? reference : null;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
