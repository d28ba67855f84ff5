import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { formatAmount } from '../../core/money.js';
import type { Override } from '../../outcomes/header.js';
import { isApproved } from '../../outcomes/outcomes.js';
import type { ProviderOperation } from '../../outcomes/magic.js';
import { decideAnswer, type ProviderAnswer } from '../../outcomes/provider.js';
import type { ProviderFeatures } from '../../records/provider.js';
import { featuresOf } from '../providers/service.js';
import type { World } from '../../world/world.js';
import {
  AUTHORISATION_EXPIRE,
  type Charge,
  type ChargeEvent,
  isUndecided,
  nextStatus,
  remainingAmounts,
  statusesAllowing,
} from '../../records/charge.js';
import { CHECKOUT_EXPIRE } from '../../records/checkout.js';
import { addDecision, buildFailedAttempt } from './attempts.js';
import { type ChargeResult, readAmount } from './service.js';

/** Changes to an existing charge that a client asks for. */

/** Returns the charge with an identifier. Unknown: 404 with code 84. */
export function requireCharge(world: World, id: string): Charge {
  return world.charges.find(id) ?? refuseUnknownId(CODE.InvalidChargeId, id, 'charge', 'ChargeId');
}

/** Captures an authorisation, in full (null) or in part. The rest is released. */
export function captureCharge(
  world: World,
  id: string,
  amount: string | null,
  override: Override | null,
): ChargeResult {
  const found = requireCharge(world, id);
  const status = requireTransition(found, 'capture');
  const authorised = found.authorisedMinor ?? found.amountMinor;
  const amountMinor = amount === null ? authorised : readAmount(amount, found.currency);
  const shown = (minor: number): string => formatAmount(minor, found.currency);
  if (amountMinor > authorised) {
    const reason = `must be at most ${shown(authorised)} (the authorised amount), not ${shown(amountMinor)}`;
    refuseField(CODE.InvalidCaptureAmountPassed, 'Amount', reason);
  }
  if (amountMinor < authorised && !chargeFeatures(world, found).partialCapture) {
    const reason = `must be ${shown(authorised)}, because this provider does not capture part of an authorisation`;
    refuseField(CODE.FeaturePartialCaptureIsNotSupportedCaptureAmount, 'Amount', reason);
  }
  return changeCharge(world, found, 'charge.capture', amountMinor, override, () => ({
    status,
    amountMinor,
    successDate: world.now,
  }));
}

export function voidCharge(world: World, id: string, override: Override | null): ChargeResult {
  const found = requireCharge(world, id);
  const status = requireTransition(found, 'void');
  const result = changeCharge(world, found, 'charge.void', found.amountMinor, override, () => ({
    status,
    authorisedMinor: isUndecided(found.status) ? null : found.authorisedMinor,
    more: { ...found.more, voidDate: world.now },
  }));
  if (result.charge.status === status) cancelCheckout(world, found);
  return result;
}

/** The payer can no longer approve a check-out whose charge was voided. */
function cancelCheckout(world: World, { status, more }: Charge): void {
  const found = more.checkout === null ? undefined : world.checkouts.find(more.checkout);
  if (found === undefined || status !== 'PENDING_CHECKOUT') return;
  world.checkouts.replace({ ...found, status: 'CANCELLED', dateEnded: world.now });
  world.jobs.cancel(CHECKOUT_EXPIRE, found.id);
}

/** Refunds a captured charge, in part or all that is left of it. */
export function refundCharge(
  world: World,
  id: string,
  amount: string | null,
  comment: string | null,
  override: Override | null,
): ChargeResult {
  const found = requireCharge(world, id);
  requireTransition(found, 'refund');
  const amountMinor = refundAmount(world, found, amount);
  if (amountMinor < found.amountMinor && !chargeFeatures(world, found).partialRefund) {
    const whole = formatAmount(found.amountMinor, found.currency);
    const reason = `must be ${whole}, because this provider does not refund part of a charge`;
    refuseField(CODE.FeatureUnavailable, 'Amount', reason);
  }
  const refundedMinor = found.refundedMinor + amountMinor;
  const status = requireTransition(found, refundedMinor === found.amountMinor ? 'refund' : 'refundPart');
  return changeCharge(world, found, 'charge.refund', amountMinor, override, () => ({
    status,
    refundedMinor,
    more: {
      ...found.more,
      refunds: [...found.more.refunds, { amountMinor, dateAdded: world.now, comment }],
    },
  }));
}

/** The amount of a refund, by default all that is left. Refuses more, and a refund of nothing. */
function refundAmount(world: World, charge: Charge, amount: string | null): number {
  const { leftMinor, transferredMinor } = remainingAmounts(charge, world.transfers.by('charge', charge.id));
  const amountMinor = amount === null ? leftMinor : readAmount(amount, charge.currency);
  if (amountMinor > 0 && amountMinor <= leftMinor) return amountMinor;
  const shown = (minor: number): string => formatAmount(minor, charge.currency);
  const after = transferredMinor === 0 ? '' : ` after transfers of ${shown(transferredMinor)}`;
  const reason =
    leftMinor === 0
      ? `cannot be refunded: nothing is left${after}`
      : `must be at most ${shown(leftMinor)} (what is left to refund${after}), not ${shown(amountMinor)}`;
  return refuseField(CODE.InvalidAmountMaximumAvailableRefund, 'Amount', reason);
}

/** A requested refund. A null amount: all that is left. */
export interface RefundInput {
  readonly amount: string | null;
  readonly comment: string | null;
}

/** How a charge is undone: one that took no money yet is voided, unless the request has an amount or a comment. */
export function chooseUndoing(world: World, id: string, { amount, comment }: RefundInput): 'void' | 'refund' {
  const plain = amount === null && comment === null;
  const status = plain ? world.charges.find(id)?.status : undefined;
  return status !== undefined && nextStatus(status, 'void') !== undefined ? 'void' : 'refund';
}

/** Voids an authorisation or a waiting check-out, or refunds a captured charge. In any other status: 409 with code 54. */
export function undoCharge(
  world: World,
  id: string,
  input: RefundInput,
  override: Override | null,
): ChargeResult {
  if (chooseUndoing(world, id, input) === 'void') return voidCharge(world, id, override);
  const found = requireCharge(world, id);
  if (nextStatus(found.status, 'void') === undefined && nextStatus(found.status, 'refund') === undefined) {
    const refundable = statusesAllowing('refund').join(' or ');
    const voidable = statusesAllowing('void').join(' or ');
    const detail = `The charge ${id} is ${found.status}. To refund it, its status must be ${refundable}; to void it, ${voidable}.`;
    refuse(CODE.InvalidChargeStatus, detail);
  }
  return refundCharge(world, id, input.amount, input.comment, override);
}

/** The features of a charge's provider, even if it was removed since. */
function chargeFeatures(world: World, { providerId }: Charge): ProviderFeatures {
  return featuresOf(world.providers.findByProviderId(providerId), providerId);
}

/** The status after an event, or a 409 with the current and the required status. */
function requireTransition(found: Charge, event: ChargeEvent): Charge['status'] {
  const status = nextStatus(found.status, event);
  if (status !== undefined) return status;
  const allowed = statusesAllowing(event).join(' or ');
  const what = event === 'refundPart' ? 'refund' : event;
  const detail = `The charge ${found.id} is ${found.status}. To ${what} it, its status must be ${allowed}.`;
  return refuse(CODE.InvalidChargeStatus, detail);
}

/** Asks the provider to change a charge. If it declines, the status stays and the attempt is recorded. */
function changeCharge(
  world: World,
  found: Charge,
  operation: ProviderOperation,
  amountMinor: number,
  override: Override | null,
  changed: () => Partial<Charge>,
): ChargeResult {
  const { providerId, currency, source } = found;
  const configured = world.providers.findByProviderId(providerId);
  const answer = decideAnswer(
    { operation, providerId, configured, amountMinor, currency, trigger: source.trigger, override },
    world.chance,
  );
  const good = isApproved(answer.outcome);
  const changedOrNot: Charge = good ? { ...found, ...changed() } : addFailedAttempt(world, found, answer);
  const after = { ...changedOrNot, more: addDecision(world, changedOrNot.more, operation, answer.trigger) };
  world.charges.replace(after);
  if (after.status !== 'Authorised') world.jobs.cancel(AUTHORISATION_EXPIRE, found.id);
  if (good) notifyCharge(world, after);
  return { charge: after, answer };
}

export function addFailedAttempt(world: World, found: Charge, answer: ProviderAnswer): Charge {
  const { more, providerId } = found;
  const failedAttempts = [...more.failedAttempts, buildFailedAttempt(world, providerId, answer)];
  return { ...found, more: { ...more, failedAttempts } };
}

/**
 * Notifies receivers of a change. Only the status `Authorised` depends on the dialect of the request that created the charge. A
 * charge can get that status later only after a challenge or a check-out, so their records store the dialect.
 */
export function notifyCharge(world: World, { id, more }: Charge): void {
  const { webhook, authentication, checkout } = more;
  const awaited =
    (authentication === null ? undefined : world.authentications.find(authentication)) ??
    (checkout === null ? undefined : world.checkouts.find(checkout));
  world.webhooks.notify('transaction.status.changed', id, webhook, awaited?.dialect ?? undefined);
}
