import { findNamedType, WALLET_TYPES, type WalletType } from '../../core/cards/payment-type.js';
import { DEFAULT_DIALECT } from '../../core/dialect/dialect.js';
import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { formatAmount } from '../../core/money.js';
import { quoteText } from '../../core/text/text.js';
import type { Override } from '../../outcomes/header.js';
import { AWAIT_PAYER, type Outcome, requireOutcome } from '../../outcomes/outcomes.js';
import type { StoreResult } from '../../outcomes/provider.js';
import {
  AWAIT_TRIGGER,
  type Checkout,
  CHECKOUT_EXPIRE,
  type CheckoutEnding,
  type CheckoutStatus,
} from '../../records/checkout.js';
import type { Metadata, PaymentMethod } from '../../records/payment-method.js';
import { bareProviderId, DEFAULT_CURRENCY } from '../../records/provider.js';
import type { World } from '../../world/world.js';
import type { ChargeFunction } from '../charges/instruments.js';
import { concludeCheckout } from '../charges/later.js';
import { type ChargeDetails, type ChargeResult, makeCharge, readAmount } from '../charges/service.js';
import { prepareMethod } from '../payment-methods/prepare.js';
import { createMethod } from '../payment-methods/service.js';
import { openProvider } from '../providers/service.js';

/** A requested check-out. Its amount is in the digits that were sent. */
export interface CheckoutCommand {
  readonly providerId: string;
  readonly providerType: string | null;
  readonly amount: string;
  readonly currency: string | null;
  readonly redirectUrl: string | null;
}

/** Begins a check-out without a charge. */
export function createCheckout(world: World, command: CheckoutCommand): Checkout {
  const checkout = buildCheckout(world, command);
  world.checkouts.add(checkout);
  world.jobs.schedule(checkout.expires, CHECKOUT_EXPIRE, checkout.id);
  return checkout;
}

/** A new check-out, which is not stored yet. */
function buildCheckout(world: World, command: CheckoutCommand): Checkout {
  const { providerId, providerType, redirectUrl } = command;
  const configured = openProvider(world, providerId);
  const currency = command.currency ?? configured?.currency ?? DEFAULT_CURRENCY;
  const amountMinor = readAmount(command.amount, currency);
  world.requireRoom(world.checkouts, 'check-outs');
  const { nextId: id, next: index } = world.checkouts;
  return {
    id,
    index,
    providerId,
    source: { type: chooseWallet(providerType, configured?.type ?? null), trigger: null },
    externalId: world.chance.identifiers('checkoutExternal').at(index),
    amountMinor,
    currency,
    status: 'PENDING',
    redirectUrl,
    charge: null,
    paymentMethod: null,
    dialect: DEFAULT_DIALECT,
    dateAdded: world.now,
    expires: world.now + world.settings.checkoutTtl,
    dateEnded: null,
  };
}

/** The payment type of a check-out. A brand without a type of its own belongs to a pay-later provider: our assumption. */
function chooseWallet(given: string | null, configured: string | null): WalletType {
  const named = findNamedType(given ?? configured ?? '');
  const wallet = WALLET_TYPES.find((type) => type === named);
  if (wallet !== undefined || given === null) return wallet ?? 'PAYPAL';
  if (named === undefined) return 'OPTTY';
  const wallets = WALLET_TYPES.join(', ').toLowerCase();
  const reason = `must be ${wallets} or the brand of a pay-later provider, not ${quoteText(given)}: ${named} has no page for a payer`;
  return refuseField(CODE.ValidationError, 'ProviderType', reason);
}

/** Returns a check-out. Unknown: 404 with code 50. */
export function requireCheckout(world: World, id: string): Checkout {
  return world.checkouts.find(id) ?? refuseUnknownId(CODE.NoTransactionFound, id, 'check-out', 'CheckoutId');
}

/** Returns the check-out with a wallet's identifier. Unknown: 404 with code 50. */
export function requireExternalCheckout(world: World, externalId: string): Checkout {
  return (
    world.checkouts.by('externalId', externalId).at(0) ??
    refuseUnknownId(CODE.NoTransactionFound, externalId, 'check-out', 'ExternalId')
  );
}

/** The names of a check-out in a request. */
interface CheckoutNames {
  readonly checkoutId: string | null;
  readonly externalId: string | null;
}

/** The check-out that a request names, by either name or both; null if it names none. */
function findNamedCheckout(world: World, { checkoutId, externalId }: CheckoutNames): Checkout | null {
  if (checkoutId === null) return externalId === null ? null : requireExternalCheckout(world, externalId);
  const found = requireCheckout(world, checkoutId);
  if (externalId === null || externalId === found.externalId) return found;
  return refuseField(CODE.ValidationError, 'ExternalId', 'belongs to another check-out than CheckoutId');
}

/** A requested charge. Null: as in the check-out that it names. */
interface RequestedCharge {
  readonly names: CheckoutNames;
  readonly providerId: string | null;
  readonly providerType: string | null;
  readonly amount: string | null;
  readonly redirectUrl: string | null;
  readonly details: ChargeDetails;
}

/** A charge of the check-out with an identifier; null begins one. */
export interface CheckoutCharge extends Omit<CheckoutCommand, 'currency'> {
  readonly checkoutId: string | null;
  readonly details: ChargeDetails;
}

/** Adds what a charge has from its check-out, before the rules of a scenario look at it. */
export function completeCharge(world: World, { names, ...asked }: RequestedCharge): CheckoutCharge {
  const found = findNamedCheckout(world, names);
  if (found === null) {
    const { providerId, amount } = asked;
    if (providerId !== null && amount !== null) return { ...asked, providerId, amount, checkoutId: null };
    const missing = providerId === null ? 'ProviderId' : 'Amount';
    const detail = 'Send CheckoutId or ExternalId, or begin a check-out with ProviderId and Amount.';
    return refuseField(CODE.ValidationError, missing, 'is required without CheckoutId', detail);
  }
  const { providerId, currency, amountMinor, source } = found;
  const { amount: given, providerType, redirectUrl } = asked;
  const amount = formatAmount(amountMinor, currency);
  requireSame('Currency', asked.details.currency, currency);
  requireSame('Amount', given, amount, given !== null && readAmount(given, currency) === amountMinor);
  const sameProvider = bareProviderId(asked.providerId ?? '') === bareProviderId(providerId);
  requireSame('ProviderId', asked.providerId, providerId, sameProvider);
  const sameType = providerType !== null && chooseWallet(providerType, null) === source.type;
  requireSame('ProviderType', providerType, source.type, sameType);
  if (found.redirectUrl !== null) requireSame('RedirectUrl', redirectUrl, found.redirectUrl);
  return { ...asked, checkoutId: found.id, providerId, amount, details: { ...asked.details, currency } };
}

/** Refuses what contradicts the check-out. Null is not given. */
function requireSame(
  field: 'Amount' | 'Currency' | 'ProviderId' | 'ProviderType' | 'RedirectUrl',
  given: string | null,
  accepted: string,
  isSame = given === accepted,
): void {
  if (given === null || isSame) return;
  const code = field === 'Amount' ? CODE.InvalidAmount : CODE.ValidationError;
  refuseField(code, field, `must be ${accepted}, as in the check-out, not ${given}`);
}

/** The decision about a charge, unless a test decides: the payer's, who may not have decided yet. After an approval the provider does. */
const DECISIONS: Readonly<Record<CheckoutStatus, Override | null>> = {
  PENDING: decision(AWAIT_PAYER, AWAIT_TRIGGER),
  APPROVED: null,
  DECLINED: decision(requireOutcome('customer_cancellation'), 'checkout:declined'),
  CANCELLED: decision(requireOutcome('customer_cancellation'), 'checkout:cancelled'),
  EXPIRED: decision(requireOutcome('response_received_too_late'), 'checkout:expired'),
};

function decision(outcome: Outcome, trigger: string): Override {
  return { outcome, delayMs: 0, trigger, isDone: false };
}

/** Charges a check-out. Until its payer decides, the charge waits, unless an outcome was asked for. */
export const chargeCheckout: ChargeFunction<CheckoutCharge> = (world, command, override) => {
  const { amount, details, checkoutId } = command;
  const checkout =
    checkoutId === null
      ? buildCheckout(world, { ...command, currency: details.currency })
      : requireUncharged(requireCheckout(world, checkoutId));
  const { id, providerId, source, status, expires } = checkout;
  const instrument = { ...BARE, providerId, source };
  const decided = override ?? DECISIONS[status];
  const result = makeCharge(world, instrument, amount, { ...details, checkout: id }, decided);
  const { charge } = result;
  const redirectUrl = checkout.redirectUrl ?? command.redirectUrl;
  const charged = { ...checkout, redirectUrl, charge: charge.id, dialect: details.dialect };
  if (checkoutId === null) {
    world.checkouts.add(charged);
    world.jobs.schedule(expires, CHECKOUT_EXPIRE, id);
  } else world.checkouts.replace(charged);
  if (status === 'PENDING' && charge.status !== 'PENDING_CHECKOUT') finishCheckout(world, charged, result);
  return result;
};

const BARE = { ccv: false, customer: null, paymentMethod: null, token: null, batch: null };

function requireUncharged(checkout: Checkout): Checkout {
  if (checkout.charge === null) return checkout;
  const detail = `The check-out already has the charge ${checkout.charge}. Read it with GET /charge/{id}.`;
  return refuse(CODE.InvalidCharge, detail, { httpStatus: 409 });
}

/** Ends a check-out whose charge was decided by a test at once. */
function finishCheckout(world: World, checkout: Checkout, { answer }: ChargeResult): void {
  const against = (['DECLINED', 'EXPIRED'] as const).find(
    (status) => DECISIONS[status]?.outcome === answer.outcome,
  );
  markEnded(world, checkout, against ?? 'APPROVED');
}

function markEnded(world: World, checkout: Checkout, status: CheckoutEnding): Checkout {
  const ended = { ...checkout, status, dateEnded: world.now };
  world.checkouts.replace(ended);
  world.jobs.cancel(CHECKOUT_EXPIRE, checkout.id);
  return ended;
}

/** Ends a check-out, and the charge that waits for it. One that has ended: 409 with code 54. */
export function endCheckout(world: World, id: string, ending: CheckoutEnding): Checkout {
  const found = requireCheckout(world, id);
  if (found.status !== 'PENDING')
    refuse(CODE.InvalidChargeStatus, `The check-out is ${found.status}; only a PENDING one can be ended.`);
  const ended = markEnded(world, found, ending);
  const charge = found.charge === null ? undefined : world.charges.find(found.charge);
  if (charge !== undefined) concludeCheckout(world, charge, DECISIONS[ending]);
  return ended;
}

/** Stores the wallet of an approved check-out as a payment method. */
export function storeCheckout(
  world: World,
  command: { readonly names: CheckoutNames; readonly metadata: Metadata | null },
  override: Override | null,
): StoreResult<PaymentMethod> {
  const found =
    findNamedCheckout(world, command.names) ??
    refuseField(CODE.ValidationError, 'CheckoutId', 'is required without ExternalId');
  const reason = whyNotStorable(found);
  if (reason !== null) return refuse(CODE.InvalidPaymentMethod, reason, { httpStatus: 409 });
  const prepared = prepareMethod(world, found.providerId, found.source, null, override);
  const result = createMethod(world, prepared, command.metadata);
  if (result.made !== null) world.checkouts.replace({ ...found, paymentMethod: result.made.id });
  return result;
}

function whyNotStorable({ status, paymentMethod }: Checkout): string | null {
  if (paymentMethod !== null)
    return `The check-out was already stored as the payment method ${paymentMethod}.`;
  return status === 'APPROVED' ? null : `The check-out is ${status}; only an APPROVED one can be stored.`;
}
