import type { Dialect } from '../core/dialect.js';
import { toSdk } from '../core/sdk-answer.js';
import { formatInstant } from '../core/time.js';
import type { EventType } from '../webhook-subscriptions/record.js';

/** Something that happened, as receivers are told of it. */
export interface WebhookEvent {
  readonly type: EventType;
  readonly messageId: string;
  /** The identifier of the record that it is about. */
  readonly ref: string;
  /** The record, as the documented dialect answers it. */
  readonly data: object;
}

/** The JSON text of an event that bears an instant; client libraries are told of no member without a value. */
export function messageText({ type, messageId, data }: WebhookEvent, at: number, dialect: Dialect): string {
  const kind = type.slice(0, type.indexOf('.'));
  const Meta = { MessageId: messageId, Timestamp: formatInstant(at), Type: kind, EventType: type };
  const message = { Meta, Data: data };
  if (dialect === 'documented') return JSON.stringify(message);
  return JSON.stringify(toSdk(message), (_, value: unknown) => value ?? undefined);
}
