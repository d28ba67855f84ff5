import { maskPasswords } from '../../core/text/secrets.js';
import { isDelivered } from '../../webhooks/attempt.js';
import type { Attempt, Delivery } from '../../webhooks/delivery.js';

/** What has become of the webhooks to one address. */
export interface ReceiverSum {
  /** Without its password. */
  readonly url: string;
  deliveries: number;
  /** How many webhooks are retrying or given up. */
  failing: number;
  attempts: number;
  readonly failures: Attempt[];
  /** In real time; null if nothing is known of it. */
  slowestMs: number | null;
}

/** The receivers of some deliveries, given the newest first. Those with most failing webhooks come first. */
export function sumReceivers(deliveries: Iterable<Delivery>): ReceiverSum[] {
  // By the address as it is sent, and as it is shown: masking is slow.
  const receivers = new Map<string, ReceiverSum>();
  const all = [...deliveries];
  for (const { url, tried } of all) {
    const sum = receivers.get(url) ?? openSum(receivers, url);
    sum.deliveries++;
    sum.attempts += tried.length;
    for (const attempt of tried) addAttempt(sum, attempt);
  }
  for (const { url } of listFailing(all)) openSum(receivers, url).failing++;
  return [...new Set(receivers.values())].toSorted(
    (a, b) => b.failing - a.failing || b.failures.length - a.failures.length,
  );
}

function openSum(receivers: Map<string, ReceiverSum>, sent: string): ReceiverSum {
  const url = maskPasswords(sent);
  const sum = receivers.get(url) ?? {
    url,
    deliveries: 0,
    failing: 0,
    attempts: 0,
    failures: [],
    slowestMs: null,
  };
  receivers.set(url, sum).set(sent, sum);
  return sum;
}

function addAttempt(sum: ReceiverSum, attempt: Attempt): void {
  const { responseStatus, durationMs } = attempt;
  if (!isDelivered(responseStatus)) sum.failures.push(attempt);
  if (durationMs !== null) sum.slowestMs = Math.max(durationMs, sum.slowestMs ?? 0);
}

/** The webhooks that are retrying or given up. One that was sent again by hand stands as its latest delivery, the first of those given. */
export function listFailing(newestFirst: Iterable<Delivery>): Delivery[] {
  const latest = new Map<string, Delivery>();
  for (const delivery of newestFirst) {
    const { id, resendOf } = delivery;
    if (!latest.has(resendOf ?? id)) latest.set(resendOf ?? id, delivery);
  }
  return [...latest.values()].filter(
    ({ status, attempts }) => status === 'failed' || (status === 'pending' && attempts > 0),
  );
}

/** The share of attempts that failed, in percent: 0 only if none did. */
export function countFailedPercent({ attempts, failures }: ReceiverSum): number {
  return failures.length === 0 ? 0 : Math.max(1, Math.floor((failures.length / attempts) * 100));
}
