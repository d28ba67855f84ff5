import type { Job } from '../core/time/jobs.js';
import { maskPasswords } from '../core/text/secrets.js';
import { type Delivery, RETRY_AFTER_MS } from '../webhooks/delivery.js';
import type { World } from '../world/world.js';
import { formatWithCurrency } from './pages/card-pages.js';
import { findMessageReference } from './webhooks/presenter.js';

/** The record of a job as people know it: "AUD 30.00 of order-1042"; null if its record says nothing more than its identifier. */
export function describeJobRecord(world: World, { kind, ref, due }: Job): string | null {
  const delivery = kind === 'webhook.deliver' ? world.deliveries.find(ref) : undefined;
  if (delivery !== undefined) return describeDelivery(delivery, due);
  const charge = world.charges.find(
    world.authentications.find(ref)?.charge ?? world.checkouts.find(ref)?.charge ?? ref,
  );
  const paid = charge ?? world.transfers.find(ref) ?? world.subscriptions.find(ref);
  if (paid === undefined) return world.batches.find(ref)?.description || null;
  const money = formatWithCurrency(paid.amountMinor, paid.currency);
  const reference = 'reference' in paid ? paid.reference : null;
  return reference === null ? money : `${money} of ${reference}`;
}

function describeDelivery({ url, attempts, tried, body }: Delivery, due: number): string {
  const { pathname } = new URL(maskPasswords(url));
  // A job of an advance is described when its attempt, and perhaps later ones, have ended.
  const since = tried.filter(({ at }) => at >= due).length;
  const attempt = `try ${attempts - since + 1} of ${RETRY_AFTER_MS.length + 1}`;
  return [`to ${pathname}`, attempt, findMessageReference(body)].filter(Boolean).join(', ');
}
