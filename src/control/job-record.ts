import type { Job } from '../core/time/jobs.js';
import { maskPasswords } from '../core/text/secrets.js';
import { CHALLENGE_EXPIRE } from '../records/authentication.js';
import { BATCH_JOB } from '../records/batch.js';
import { AUTHORISATION_EXPIRE, CHARGE_SETTLE } from '../records/charge.js';
import { CHECKOUT_EXPIRE } from '../records/checkout.js';
import { SUBSCRIPTION_CHARGE } from '../records/subscription.js';
import { TOKEN_EXPIRE } from '../records/token.js';
import { TRANSFER_ARRIVE } from '../records/transfer.js';
import { VAULT_CCV_EXPIRE, VAULT_EXPIRE } from '../records/vault-entry.js';
import { SCENARIO_TIMELINE } from '../scenarios/script/timeline.js';
import { type Delivery, RETRY_AFTER_MS, WEBHOOK_DELIVER } from '../webhooks/delivery.js';
import type { World } from '../world/world.js';
import { formatWithCurrency } from './pages/card-pages.js';
import { findMessageReference } from './webhooks/presenter.js';

/** Every kind of job, as `Kind` says it. */
export const JOB_KINDS = [
  AUTHORISATION_EXPIRE,
  BATCH_JOB.create,
  BATCH_JOB.start,
  BATCH_JOB.rows,
  BATCH_JOB.finish,
  CHALLENGE_EXPIRE,
  CHARGE_SETTLE,
  CHECKOUT_EXPIRE,
  SCENARIO_TIMELINE,
  SUBSCRIPTION_CHARGE,
  TOKEN_EXPIRE,
  TRANSFER_ARRIVE,
  VAULT_CCV_EXPIRE,
  VAULT_EXPIRE,
  WEBHOOK_DELIVER,
] as const;

/** The record of a job as people know it: "AUD 30.00 of order-1042"; null if its record says nothing more than its identifier. */
export function describeJobRecord(world: World, { kind, ref, due }: Job): string | null {
  const delivery = kind === WEBHOOK_DELIVER ? world.deliveries.find(ref) : undefined;
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
