import { maskPasswords } from '../../core/text/secrets.js';
import { isObject } from '../../core/text/text.js';
import { formatInstant } from '../../core/time/time.js';
import { presentInstant } from '../../http/fields/summaries.js';
import { isDelivered } from '../../webhooks/attempt.js';
import type { Attempt, Delivery } from '../../webhooks/delivery.js';
import { countFailedPercent, type ReceiverSum } from './receivers.js';
import type { CausedResponse, DeliveryResponse, ReceiverResponse } from './schema.js';

/** A delivery in the log, without its credentials. */
export function presentDelivery(delivery: Delivery): DeliveryResponse {
  return {
    DeliveryId: delivery.id,
    MessageId: delivery.messageId,
    Url: maskPasswords(delivery.url),
    EventType: delivery.eventType,
    Ref: delivery.ref,
    Attempt: delivery.attempts,
    Attempts: delivery.tried.map(presentAttempt),
    At: formatInstant(delivery.attempted ?? delivery.dateAdded),
    Status: delivery.status,
    ResponseStatus: delivery.responseStatus,
    NextAttemptAt: presentInstant(delivery.due),
    Note: delivery.note,
    Policy: delivery.trouble?.policy ?? null,
    EntryId: delivery.entry,
    ResendOf: delivery.resendOf,
    Body: JSON.parse(maskPasswords(delivery.body)) as Record<string, unknown>,
  };
}

function presentAttempt(attempt: Attempt): DeliveryResponse['Attempts'][number] {
  const { at, durationMs, responseStatus, note, sent, received, answer } = attempt;
  return {
    At: formatInstant(at),
    DurationMs: durationMs,
    ResponseStatus: responseStatus,
    Status: isDelivered(responseStatus) ? 'delivered' : 'failed',
    Note: note,
    RequestHeaders: readHeaderLines(sent),
    ResponseHeaders: readHeaderLines(received),
    ResponseBody: answer,
  };
}

export function presentReceiver(sum: ReceiverSum): ReceiverResponse {
  const last = sum.failures.reduce<Attempt | null>((a, b) => (a === null || b.at > a.at ? b : a), null);
  return {
    Url: sum.url,
    Deliveries: sum.deliveries,
    Failing: sum.failing,
    Attempts: sum.attempts,
    FailedAttempts: sum.failures.length,
    FailedPercent: countFailedPercent(sum),
    SlowestMs: sum.slowestMs,
    LastError: last && (last.responseStatus === null ? last.note : String(last.responseStatus)),
    LastErrorAt: presentInstant(last?.at ?? null),
  };
}

/** The headers by name, from a line for each. */
function readHeaderLines(lines: string | null): Record<string, string> | null {
  if (lines === null) return null;
  const pairs = lines.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(': ');
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 2)];
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
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

/** The reference of the record that a message is about. */
export function findMessageReference(body: string): string | null {
  const { data } = JSON.parse(body) as { readonly data?: unknown };
  // An imported message can contain anything.
  const reference = isObject(data) ? data['reference'] : null;
  return typeof reference === 'string' ? reference : null;
}
