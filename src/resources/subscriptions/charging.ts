import { chargeMethod, toChargedMethod } from '../charges/instruments.js';
import { findScriptedOutcome } from '../charges/scripted.js';
import type { Charge } from '../../records/charge.js';
import { type ChargeDetails, PLAIN_DETAILS, storeCharge } from '../charges/service.js';
import { ApiError, requireErrorRow } from '../../core/errors.js';
import { formatAmount } from '../../core/money.js';
import type { ProviderAnswer } from '../../outcomes/provider.js';
import type { PaymentMethod } from '../../records/payment-method.js';
import { requireLiveMethod } from '../payment-methods/service.js';
import type { World } from '../../world/world.js';
import type { Subscription } from '../../records/subscription.js';
import { afterCharge, afterDecline } from '../../records/subscription-schedule.js';
import { storeAndSchedule } from './service.js';

/** The job of a subscription: charges it and schedules the next charge. */
export function chargeSubscription(world: World, id: string): void {
  const found = world.subscriptions.find(id);
  if (found?.status !== 'Active') return;
  const made = chargeOnce(world, found);
  const good = made !== null && made.status !== 'FAILED';
  storeAndSchedule(world, good ? afterCharge(found) : afterDecline(found));
}

/** One charge, approved or declined. An error that a request would receive becomes a decline. Null if the world is full. */
function chargeOnce(world: World, subscription: Subscription): Charge | null {
  const { amountMinor, currency } = subscription;
  const method = world.paymentMethods.find(subscription.paymentMethod);
  if (!method) throw new Error(`The subscription ${subscription.id} has no payment method`);
  const amount = formatAmount(amountMinor, currency);
  const details = instalmentDetails(subscription);
  try {
    requireLiveMethod(method);
    const facts = { amount, currency, reference: null };
    const override = findScriptedOutcome(world, 'subscription.charge', toChargedMethod(method), facts);
    return chargeMethod(world, method, method.providerId, amount, details, override).charge;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return storeRefusedCharge(world, method, subscription, details, error.refusal.code);
  }
}

function instalmentDetails({ id, currency, webhook }: Subscription): ChargeDetails {
  return { ...PLAIN_DETAILS, currency, webhook, initiator: 'MERCHANT', subscription: id };
}

/** Stores a refusal as a declined charge, because no caller waits for the error. Null if the world is full. */
function storeRefusedCharge(
  world: World,
  method: PaymentMethod,
  { amountMinor, currency }: Subscription,
  details: ChargeDetails,
  code: number,
): Charge | null {
  if (!world.charges.hasRoom()) return null;
  const instrument = { ...toChargedMethod(method), ccv: false, token: null, batch: null };
  return storeCharge(world, instrument, amountMinor, currency, details, {
    answer: toDeclinedAnswer(code),
    authentication: null,
  });
}

/** An error in the format of a provider's answer. */
function toDeclinedAnswer(code: number): ProviderAnswer {
  const { name, retryable } = requireErrorRow(code);
  const outcome = { name, code, gatewayCode: null, gatewayMessage: null, retryable, failsOver: false };
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
