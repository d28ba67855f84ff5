import { errorRow } from '../core/errors.js';
import type { PaymentMethod } from '../payment-methods/record.js';
import { DEFAULT_CURRENCY } from '../providers/record.js';
import type { ProviderAnswer } from '../outcomes/provider.js';
import type { World } from '../world.js';
import type { Charge } from './record.js';
import { type ChargeDetails, storeCharge } from './service.js';

/**
 * Stores what was refused before any provider was asked as a declined charge: no caller was there to be told. Null where
 * the world has no room for it.
 */
export function storeRefused(
  world: World,
  method: PaymentMethod,
  amountMinor: number,
  details: ChargeDetails,
  code: number,
): Charge | null {
  if (!world.charges.hasRoom()) return null;
  const instrument = {
    providerId: method.providerId,
    source: method.source,
    ccv: false,
    customer: method.customer,
    paymentMethod: method.id,
    token: null,
    batch: null,
  };
  return storeCharge(
    world,
    instrument,
    amountMinor,
    details.currency ?? DEFAULT_CURRENCY,
    details,
    refusal(code),
  );
}

/** A refusal in the shape of a provider's answer. */
function refusal(code: number): ProviderAnswer {
  const { name, retryable, httpStatus } = errorRow(code);
  const outcome = { name, code, gatewayCode: null, gatewayMessage: null, retryable, httpStatus };
  return {
    outcome,
    trigger: null,
    ccvCheck: false,
    latencyMs: 0,
    delayMs: 0,
    hangUp: false,
    timedOut: false,
  };
}
