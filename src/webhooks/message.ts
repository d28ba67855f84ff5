import { decodeBase64, encodeBase64 } from '../core/base64.js';
import type { Dialect } from '../core/dialect.js';
import { toSdk } from '../core/sdk-answer.js';
import { formatInstant } from '../core/time.js';
import { base64Of } from '../core/webhook-secret.js';
import type { EventType } from '../webhook-subscriptions/record.js';
import type { Delivery } from './record.js';

/** Something that happened, as receivers are told of it. */
export interface WebhookEvent {
  readonly type: EventType;
  readonly messageId: string;
  /** The identifier of the record that it is about. */
  readonly ref: string;
  /** The record, as the documented dialect answers it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The JSON text of an event that bears an instant; client libraries are told of no member without a value. */
export function messageText({ type, messageId, data }: WebhookEvent, at: number, dialect: Dialect): string {
  const kind = type.slice(0, type.indexOf('.'));
  const Meta = { MessageId: messageId, Timestamp: formatInstant(at), Type: kind, EventType: type };
  const message = { Meta, Data: data };
  if (dialect === 'documented') return JSON.stringify(message);
  return JSON.stringify(toSdk(message), (_, value: unknown) => value ?? undefined);
}

/**
 * The headers that sign a delivery, at an instant of the wall clock: receivers compare it with theirs. In the documented
 * dialect those of Standard Webhooks, else the one that client libraries check.
 */
export async function signatureOf(
  { messageId, body, dialect, trouble }: Delivery,
  secret: string,
  now: number,
): Promise<Record<string, string>> {
  const encoder = new TextEncoder();
  // A wrong signature is the right one of another text.
  const signed = trouble?.badSignature ? `${body} ` : body;
  if (dialect === 'sdk') {
    // Client libraries take the text of the secret as it is.
    return { 'x-payfurl-signature': await hmac(encoder.encode(secret), signed) };
  }
  const timestamp = Math.floor((now - (trouble?.staleMs ?? 0)) / 1000);
  const signature = await hmac(
    decodeBase64(base64Of(secret)) ?? encoder.encode(secret),
    `${messageId}.${timestamp}.${signed}`,
  );
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}

/** HMAC with SHA-256 over a text in UTF-8, as Base64. */
async function hmac(key: Uint8Array, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text));
  return encodeBase64(new Uint8Array(signature));
}
