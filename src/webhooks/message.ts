import { encodeBase64 } from '../core/text/base64.js';
import type { Dialect } from '../core/dialect/dialect.js';
import { toSdk } from '../core/dialect/sdk.js';
import type { Host } from '../core/host.js';
import { formatInstant } from '../core/time/time.js';
import type { EventType } from '../records/webhook-subscription.js';
import type { ConditionFacts } from '../scenarios/script/model.js';
import type { Delivery } from './delivery.js';

/** The version of the message, which the service sends with each delivery. */
const MESSAGE_VERSION = '1.17.1.0';

/** An event of a webhook. */
export interface NotifiedEvent {
  readonly type: EventType;
  readonly messageId: string;
  /** The identifier of the record that it is about. */
  readonly ref: string;
  /** The record as in answers of the documented dialect. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The dialect of the request that created the record. */
  readonly dialect: Dialect;
}

/**
 * The JSON text of an event with its instant. In both dialects it is in camelCase, without fields that have no value. Only
 * the word of the Status depends on the dialect.
 */
export function formatMessage({ type, messageId, data, dialect }: NotifiedEvent, at: number): string {
  const kind = type.slice(0, type.indexOf('.'));
  const meta = { messageId, timestamp: formatInstant(at), type: kind, eventType: type };
  const inSdk = toSdk(data) as object;
  const sent = dialect === 'sdk' ? inSdk : { ...inSdk, status: data['Status'] };
  return JSON.stringify({ meta, data: sent }, (_, value: unknown) => value ?? undefined);
}

/** The facts that the conditions of a policy see. */
export function readEventFacts({ type, data }: NotifiedEvent, url: string, now: number): ConditionFacts {
  const textOf = (name: string): string | null => {
    const value = data[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    now,
    event: type,
    url,
    status: textOf('Status'),
    reference: textOf('Reference'),
    currency: textOf('Currency'),
    providerId: textOf('ProviderId'),
    customerId: textOf('CustomerId'),
    paymentMethodId: textOf('PaymentMethodId'),
    cardNumber: null,
    amount: null,
    header: () => undefined,
  };
}

/** A forged event: the record claims to have succeeded. */
export function forgeEvent(event: NotifiedEvent): NotifiedEvent {
  const { data } = event;
  return 'Status' in data ? { ...event, data: { ...data, Status: 'SUCCESS' } } : event;
}

/** The headers of a delivery with the prefix of the service. Without a secret there is no signature. */
export async function buildServiceHeaders(
  { body, trouble, attempts }: Pick<Delivery, 'body' | 'trouble' | 'attempts'>,
  prefix: string,
  secret: string | null,
  host: Pick<Host, 'signAtOnce'>,
): Promise<Record<string, string>> {
  const name = prefix.toLowerCase();
  const version = { [`${name}version`]: MESSAGE_VERSION };
  if (secret === null) return version;
  // A wrong signature is the right one of another text.
  const isWrong = trouble?.badSignature === 'once' ? attempts === 0 : trouble?.badSignature === true;
  const signed = isWrong ? `${body} ` : body;
  return {
    ...version,
    [`${name}signature`]: host.signAtOnce?.(secret, signed) ?? (await signText(secret, signed)),
  };
}

/** HMAC with SHA-256 over a text, keyed with another, both in UTF-8; as Base64. */
async function signText(key: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', imported, encoder.encode(text));
  return encodeBase64(new Uint8Array(signature));
}
