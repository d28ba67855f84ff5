import { CODE, refuse, refuseUnknown } from '../../core/errors.js';
import { sameProvider } from '../../outcomes/built-in.js';
import type { Override } from '../../outcomes/header.js';
import { approvingCard } from '../../outcomes/magic.js';
import { MAGIC_TOKEN_PAN, readMagicToken } from '../../outcomes/magic-tokens.js';
import { bankAccountOf } from '../payment-methods/prepare.js';
import {
  type BankAccountData,
  type CardData,
  cardIn,
  type PaymentMethod,
  type Source,
} from '../../records/payment-method.js';
import { requireMethod } from '../payment-methods/service.js';
import { DEFAULT_CURRENCY } from '../../records/provider.js';
import type { Facts } from '../../scenarios/script/model.js';
import { demands } from '../three-d-secure/charging.js';
import { MAGIC_EXPIRY } from '../tokens/magic.js';
import { cardOf } from '../tokens/rules.js';
import { openToken, spendToken } from '../tokens/service.js';
import { dropCcv } from '../vault/service.js';
import type { World } from '../../world/world.js';
import { charge, type ChargeDetails, type ChargeResult, type Instrument, readAmount } from './service.js';

type Charged = Pick<Instrument, 'providerId' | 'source' | 'customer' | 'paymentMethod'>;

type Asked<C> = C & { readonly amount: string; readonly details: ChargeDetails };
export type Charging<C> = (world: World, command: Asked<C>, override: Override | null) => ChargeResult;

/** An instrument without a stored record, except perhaps a token. */
function bare(providerId: string, source: Source, ccv: boolean, token: string | null = null): Instrument {
  return { providerId, source, ccv, customer: null, paymentMethod: null, token, batch: null };
}

export type CardCharge = Asked<{ readonly providerId: string; readonly card: CardData }>;

export const chargeCard: Charging<CardCharge> = (world, command, override) => {
  const { providerId, card } = command;
  const instrument = bare(providerId, cardOf(world, card), card.ccv !== null);
  return charge(world, instrument, command.amount, command.details, override);
};

/** Refuses an invalid amount before any record is looked up: fields are checked before resources. */
function requireAmount(world: World, { amount, details }: Asked<unknown>): void {
  // The default currency depends on the provider, which is not known yet.
  const currency = details.currency ?? (world.providers.size === 0 ? DEFAULT_CURRENCY : null);
  if (currency !== null) readAmount(amount, currency);
}

/** Charges a single-use token. A declined charge uses it up too, unless it was declined because it needs an authentication. */
export const chargeToken: Charging<{ readonly token: string }> = (world, command, override) => {
  requireAmount(world, command);
  const opened = openToken(world, command.token);
  const instrument = bare(opened.providerId, opened.source, opened.ccv !== null, command.token);
  const result = charge(world, instrument, command.amount, command.details, override);
  // After the authentication, the same token is charged again.
  if (demands(result.answer)) return result;
  spendToken(world, opened);
  if (opened.entry) dropCcv(world, opened.entry);
  return result;
};

/** Charges a network token. The sandbox cannot create one, so a magic token is used instead. It is not used up. */
export const chargeNetworkToken: Charging<{ readonly providerId: string; readonly token: string }> = (
  world,
  command,
  override,
) => {
  requireAmount(world, command);
  const { providerId, token } = command;
  const magic = readMagicToken(token);
  if (magic?.kind !== 'token')
    return refuseUnknown(CODE.InvalidTokenId, token, 'network token', 'network token');
  const { pan, trigger } = magic.token;
  const instrument = bare(providerId, world.cards.describe(pan, MAGIC_EXPIRY, null, trigger), false);
  return charge(world, instrument, command.amount, command.details, override);
};

/** Charges an Apple Pay payment: a test card of its network, by default Visa. */
export const chargeApple: Charging<{ readonly providerId: string; readonly network: string | null }> = (
  world,
  command,
  override,
) => {
  const pan = approvingCard(command.network ?? '') ?? MAGIC_TOKEN_PAN;
  const card = world.cards.describe(pan, MAGIC_EXPIRY, null, null);
  return charge(world, bare(command.providerId, card, false), command.amount, command.details, override);
};

/** Charges a customer's default payment method, by default through its own provider. */
export const chargeCustomer: Charging<{ readonly customerId: string; readonly providerId: string | null }> = (
  world,
  command,
  override,
) => {
  requireAmount(world, command);
  const { customerId } = command;
  const customer =
    world.customers.find(customerId) ??
    refuseUnknown(CODE.InvalidCustomerId, customerId, 'customer', 'CustomerId');
  if (customer.dateRemoved !== null) {
    return refuse(CODE.InvalidCustomerIdRemoved, 'The customer was removed and cannot be charged.');
  }
  const method =
    customer.defaultMethod === null ? undefined : world.paymentMethods.find(customer.defaultMethod);
  // A removed method is no longer the default.
  if (!method || method.dateRemoved !== null) {
    return refuse(CODE.CustomerHasNoDefaultPaymentMethodId, 'Add a payment method to the customer first.');
  }
  const providerId = command.providerId ?? method.providerId;
  return chargeMethod(world, method, providerId, command.amount, command.details, override);
};

export const chargePaymentMethod: Charging<{ readonly paymentMethodId: string }> = (
  world,
  command,
  override,
) => {
  requireAmount(world, command);
  const method = requireMethod(world, command.paymentMethodId);
  return chargeMethod(world, method, method.providerId, command.amount, command.details, override);
};

/** Charges a payment method. This uses up the Ccv of its vault entry. */
export function chargeMethod(
  world: World,
  method: PaymentMethod,
  providerId: string,
  amount: string,
  details: ChargeDetails,
  override: Override | null,
  batch: string | null = null,
): ChargeResult {
  const entry = method.vault === null ? undefined : world.vault.find(method.vault);
  // Another provider has no token for the card, so it needs the card number from the vault.
  if (!entry && !sameProvider(method.providerId, providerId)) {
    const detail = `The payment method belongs to the provider ${method.providerId} and is not in the vault, so the provider ${providerId} cannot charge it.`;
    refuse(CODE.InvalidPaymentMethod, detail);
  }
  const ccv = (entry?.ccv ?? null) !== null;
  const { id, source, customer } = method;
  const instrument = { providerId, source, customer, paymentMethod: id, ccv, token: null, batch };
  const result = charge(world, instrument, amount, details, override);
  if (entry) dropCcv(world, entry);
  return result;
}

export function methodAsCharged({ id, providerId, source, customer }: PaymentMethod): Charged {
  return { providerId, source, customer, paymentMethod: id };
}

/** Charges a bank account. The charge is PENDING until the bank settles it, some days later. */
export const chargeBankAccount: Charging<{
  readonly providerId: string;
  readonly account: BankAccountData;
}> = (world, command, override) => {
  const instrument = bare(command.providerId, bankAccountOf(world, command.account), false);
  return charge(world, instrument, command.amount, command.details, override);
};

/** The scripted outcome of a charge without an HTTP request, or null. Faults and delays have no effect on it. */
export function scriptedOutcome(
  world: World,
  operation: Facts['operation'],
  { providerId, source, customer, paymentMethod }: Charged,
  asked: Pick<Facts, 'amount' | 'currency' | 'reference'>,
): Override | null {
  if (world.script.isIdle) return null;
  const facts: Facts = {
    ...asked,
    operation,
    providerId,
    cardNumber: cardIn(source)?.masked ?? null,
    customerId: customer,
    paymentMethodId: paymentMethod,
    now: world.now,
    header: () => undefined,
  };
  const verdict = world.script.decide(facts, world.chance);
  if (!verdict?.outcome) return null;
  return { outcome: verdict.outcome, delayMs: 0, trigger: verdict.trigger, isDone: false };
}
