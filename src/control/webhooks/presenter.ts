import { maskPasswords } from '../../core/secrets.js';
import { formatInstant } from '../../core/time.js';
import { presentInstant } from '../../http/summaries.js';
import type { Delivery } from '../../webhooks/record.js';
import type { CausedResponse, DeliveryResponse } from './schema.js';

/** A delivery in the log, without its credentials. */
export function presentDelivery(delivery: Delivery): DeliveryResponse {
  return {
    DeliveryId: delivery.id,
    MessageId: delivery.messageId,
    Url: maskPasswords(delivery.url),
    EventType: delivery.eventType,
    Ref: delivery.ref,
    Attempt: delivery.attempts,
    At: formatInstant(delivery.attempted ?? delivery.dateAdded),
    Status: delivery.status,
    ResponseStatus: delivery.responseStatus,
    NextAttemptAt: presentInstant(delivery.due),
    Note: delivery.note,
    Policy: delivery.trouble?.policy ?? null,
    EntryId: delivery.entry,
    Body: JSON.parse(maskPasswords(delivery.body)) as Record<string, unknown>,
  };
}

/** A delivery as part of the call that caused it. */
export function presentCaused(delivery: Delivery): CausedResponse {
  return {
    DeliveryId: delivery.id,
    EventType: delivery.eventType,
    Url: maskPasswords(delivery.url),
    Attempt: delivery.attempts,
    Status: delivery.status,
    ResponseStatus: delivery.responseStatus,
  };
}
