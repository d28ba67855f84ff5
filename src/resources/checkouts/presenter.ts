import { formatInstant } from '../../core/time/time.js';
import { presentAmount, presentInstant } from '../../http/fields/summaries.js';
import type { Checkout } from '../../records/checkout.js';
import type { World } from '../../world/world.js';
import type { CheckoutResponse, DecisionResponse } from './schema.js';

/** A check-out. Its page is at the origin of the call. */
export function presentCheckout(world: World, checkout: Checkout, origin: string): CheckoutResponse {
  const { id, status, currency } = checkout;
  return {
    CheckoutId: id,
    ExternalId: checkout.externalId,
    ProviderId: checkout.providerId,
    Type: checkout.source.type,
    Amount: presentAmount(checkout.amountMinor, currency),
    Currency: currency,
    Status: status,
    Url: status === 'PENDING' ? `${origin}/_sandbox/wallet/${world.keyHash}/${id}` : null,
    RedirectUrl: checkout.redirectUrl,
    ChargeId: checkout.charge,
    PaymentMethodId: checkout.paymentMethod,
    DateAdded: formatInstant(checkout.dateAdded),
    ExpiresAt: formatInstant(checkout.expires),
    DateEnded: presentInstant(checkout.dateEnded),
  };
}

/** A check-out for the page of its wallet. The payer returns to the shop with the identifiers, which prove nothing. */
export function presentDecision(world: World, found: Checkout): DecisionResponse {
  const { id, externalId, charge, status, redirectUrl } = found;
  const fields = { checkoutId: id, externalId, chargeId: charge };
  return {
    Status: status,
    ChargeStatus: charge === null ? null : (world.charges.find(charge)?.status ?? null),
    ReturnUrl: redirectUrl && addToQuery(redirectUrl, fields),
    Fields: fields,
  };
}

function addToQuery(address: string, fields: Readonly<Record<string, string | null>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
