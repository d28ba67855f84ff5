import {
  AUTHORISATION_EXPIRE,
  type Charge,
  type ChargeMore,
  NOTHING_MORE,
  orNothingMore,
  UNSET_IN_CHARGE,
} from '../charges/record.js';
import { CODE, errorRow } from '../core/errors.js';
import { knownOutcome } from '../outcomes/outcomes.js';
import type { SeedCharge } from '../scenarios/seed-charges.js';
import { cardOf } from '../tokens/rules.js';
import type { World } from '../world.js';

/** Puts a charge of seed data into a fresh world as if it had just been made; its payment method is there already. */
export function addCharge(world: World, charge: SeedCharge): void {
  const { status, amountMinor } = charge;
  const isAuthorised = status === 'Authorised' || status === 'AUTHORISE_CANCELLED';
  const isPaid = status === 'SUCCESS' || status === 'PARTIAL_REFUND' || status === 'REFUND';
  const { nextId: id } = world.charges;
  const { providerId, ...paidWith } = instrumentOf(world, charge);
  world.charges.add({
    ...UNSET_IN_CHARGE,
    id,
    index: world.charges.next,
    providerId,
    amountMinor,
    currency: charge.currency,
    status,
    reference: charge.reference,
    authorisedMinor: isAuthorised ? amountMinor : null,
    refundedMinor: charge.refundedMinor,
    ...paidWith,
    dateAdded: world.now,
    successDate: isPaid ? world.now : null,
    more: moreOf(world, charge, providerId),
  });
  if (status !== 'Authorised') return;
  world.jobs.schedule(world.now + world.settings.authorisationTtl, AUTHORISATION_EXPIRE, id);
}

function instrumentOf(
  world: World,
  { instrument }: SeedCharge,
): Pick<Charge, 'providerId' | 'source'> & Partial<Pick<Charge, 'customer' | 'paymentMethod'>> {
  if (typeof instrument !== 'string') {
    const { providerId } = instrument;
    return { providerId, source: cardOf(world, { ...instrument, ccv: null }) };
  }
  const method = world.paymentMethods.find(instrument);
  if (method === undefined)
    throw new Error('Failed to charge a payment method: the file has none of its id.');
  const { id, providerId, source, customer } = method;
  return { providerId, source, customer, paymentMethod: id };
}

function moreOf(world: World, charge: SeedCharge, providerId: string): ChargeMore {
  const { outcome, refundedMinor, metadata, status } = charge;
  const voidDate = status === 'AUTHORISE_CANCELLED' ? world.now : null;
  const { code, gatewayCode, gatewayMessage } = knownOutcome(outcome ?? 'approve');
  const attempt = {
    providerId,
    dateAttempted: world.now,
    message: errorRow(code ?? CODE.UnknownError).message,
    gatewayCode,
    gatewayMessage,
  };
  const refund = { amountMinor: refundedMinor, dateAdded: world.now, comment: null };
  return orNothingMore({
    ...NOTHING_MORE,
    metadata,
    voidDate,
    failedAttempts: outcome === null ? NOTHING_MORE.failedAttempts : [attempt],
    refunds: refundedMinor === 0 ? NOTHING_MORE.refunds : [refund],
  });
}
