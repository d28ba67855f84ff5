import { chargeMethod } from '../charges/instruments.js';
import type { Charge } from '../charges/record.js';
import { storeRefused } from '../charges/refused.js';
import { scriptedOutcome } from '../charges/scripted.js';
import { type ChargeDetails, PLAIN_DETAILS } from '../charges/service.js';
import { ApiError } from '../core/errors.js';
import { currencyExponent, formatAmount } from '../core/money.js';
import { cardIn, type PaymentMethod } from '../payment-methods/record.js';
import { requireLive } from '../payment-methods/service.js';
import type { Override } from '../outcomes/header.js';
import type { World } from '../world.js';
import type { Subscription } from './record.js';
import { afterCharge, afterDecline } from './schedule.js';
import { arrange } from './service.js';

/** The job of a subscription: charges it at the due instant, and schedules what is due next. */
export function chargeSubscription(world: World, id: string): void {
  const found = world.subscriptions.find(id);
  if (found?.status !== 'Active') return;
  const made = chargeOnce(world, found);
  const good = made !== null && made.status !== 'FAILED';
  arrange(world, good ? afterCharge(found) : afterDecline(found));
}

/** One charge, approved or not: what is refused otherwise is a decline here. Null: the world has no room for it. */
function chargeOnce(world: World, subscription: Subscription): Charge | null {
  const { amountMinor, currency } = subscription;
  const method = world.paymentMethods.find(subscription.paymentMethod);
  if (!method) throw new Error(`The subscription ${subscription.id} has no payment method`);
  const amount = formatAmount(amountMinor, currencyExponent(currency) ?? 2);
  const details = detailsOf(subscription);
  try {
    requireLive(method);
    const override = scripted(world, method, amount, currency);
    return chargeMethod(world, method, method.providerId, amount, details, override).charge;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return storeRefused(world, method, amountMinor, details, error.refusal.code);
  }
}

function detailsOf({ id, currency, webhook }: Subscription): ChargeDetails {
  return { ...PLAIN_DETAILS, currency, webhook, initiator: 'MERCHANT', subscription: id };
}

/** What the world's script says of a charge that no request is behind: an outcome. Faults and delays need a wire. */
function scripted(world: World, method: PaymentMethod, amount: string, currency: string): Override | null {
  if (world.script.isIdle) return null;
  return scriptedOutcome(world, {
    operation: 'subscription.charge',
    providerId: method.providerId,
    cardNumber: cardIn(method.source)?.masked ?? null,
    amount,
    currency,
    reference: null,
    customerId: method.customer,
    paymentMethodId: method.id,
  });
}
