import { CODE, refuse, refuseUnknownId } from '../../core/errors.js';
import { isSameProvider } from '../../outcomes/built-in.js';
import type { Override } from '../../outcomes/header.js';
import { readMagicToken } from '../../outcomes/magic-tokens.js';
import {
  type BankAccountData,
  type CardData,
  findCard,
  type PaymentMethod,
  type Source,
} from '../../records/payment-method.js';
import { requireMethod } from '../payment-methods/service.js';
import { DEFAULT_CURRENCY } from '../../records/provider.js';
import type { CallFacts } from '../../scenarios/script/model.js';
import { demandsAuthentication } from '../three-d-secure/charging.js';
import { inventSource, type WalletPayment } from '../tokens/magic.js';
import { toBankAccount, toCard } from '../tokens/rules.js';
import { openToken, spendToken } from '../tokens/service.js';
import { dropCcv } from '../vault/service.js';
import type { World } from '../../world/world.js';
import { makeCharge, type ChargeDetails, type ChargeResult, type Instrument, readAmount } from './service.js';

type ChargedMethod = Pick<Instrument, 'providerId' | 'source' | 'customer' | 'paymentMethod'>;

type ChargeCommand<C> = C & { readonly amount: string; readonly details: ChargeDetails };
export type ChargeFunction<C> = (
  world: World,
  command: ChargeCommand<C>,
  override: Override | null,
) => ChargeResult;

/** An instrument without a stored record, except perhaps a token. */
function bareInstrument(
  providerId: string,
  source: Source,
  ccv: boolean,
  token: string | null = null,
): Instrument {
  return { providerId, source, ccv, customer: null, paymentMethod: null, token, batch: null };
}

export type CardCharge = ChargeCommand<{ readonly providerId: string; readonly card: CardData }>;

export const chargeCard: ChargeFunction<CardCharge> = (world, command, override) => {
  const { providerId, card } = command;
  const instrument = bareInstrument(providerId, toCard(world, card), card.ccv !== null);
  return makeCharge(world, instrument, command.amount, command.details, override);
};

/** Refuses an invalid amount before any record is looked up: fields are checked before resources. */
function requireAmount(world: World, { amount, details }: ChargeCommand<unknown>): void {
  // The default currency depends on the provider, which is not known yet.
  const currency = details.currency ?? (world.providers.size === 0 ? DEFAULT_CURRENCY : null);
  if (currency !== null) readAmount(amount, currency);
}

/** Charges a single-use token. A declined charge uses it up too, unless it was declined because it needs an authentication. */
export const chargeToken: ChargeFunction<{ readonly token: string }> = (world, command, override) => {
  requireAmount(world, command);
  const opened = openToken(world, command.token);
  const instrument = bareInstrument(opened.providerId, opened.source, opened.ccv !== null, command.token);
  const result = makeCharge(world, instrument, command.amount, command.details, override);
  // After the authentication, the same token is charged again.
  if (demandsAuthentication(result.answer)) return result;
  spendToken(world, opened);
  if (opened.entry) dropCcv(world, opened.entry);
  return result;
};

/** Charges a network token. The sandbox cannot create one, so a magic token is used instead. It is not used up. */
export const chargeNetworkToken: ChargeFunction<{ readonly providerId: string; readonly token: string }> = (
  world,
  command,
  override,
) => {
  requireAmount(world, command);
  const { providerId, token } = command;
  const magic = readMagicToken(token);
  if (magic?.kind !== 'token' || magic.token.pan === null)
    return refuseUnknownId(CODE.InvalidTokenId, token, 'network token', 'network token');
  const instrument = bareInstrument(providerId, inventSource(world, magic.token), false);
  return makeCharge(world, instrument, command.amount, command.details, override);
};

export type WalletCharge = ChargeCommand<WalletPayment & { readonly providerId: string }>;

/** Charges a payment that its payer approved at a wallet. */
export const chargeWallet: ChargeFunction<WalletCharge> = (world, command, override) => {
  const instrument = bareInstrument(command.providerId, inventSource(world, command), false);
  return makeCharge(world, instrument, command.amount, command.details, override);
};

/** Charges a customer's default payment method, by default through its own provider. */
export const chargeCustomer: ChargeFunction<{
  readonly customerId: string;
  readonly providerId: string | null;
}> = (world, command, override) => {
  requireAmount(world, command);
  const { customerId } = command;
  const customer =
    world.customers.find(customerId) ??
    refuseUnknownId(CODE.InvalidCustomerId, customerId, 'customer', 'CustomerId');
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

export const chargePaymentMethod: ChargeFunction<{ readonly paymentMethodId: string }> = (
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
  if (!entry && !isSameProvider(method.providerId, providerId)) {
    const detail = `The payment method belongs to the provider ${method.providerId} and is not in the vault, so the provider ${providerId} cannot charge it.`;
    refuse(CODE.InvalidPaymentMethod, detail);
  }
  const ccv = (entry?.ccv ?? null) !== null;
  const { id, source, customer } = method;
  const instrument = { providerId, source, customer, paymentMethod: id, ccv, token: null, batch };
  const result = makeCharge(world, instrument, amount, details, override);
  if (entry) dropCcv(world, entry);
  return result;
}

export function toChargedMethod({ id, providerId, source, customer }: PaymentMethod): ChargedMethod {
  return { providerId, source, customer, paymentMethod: id };
}

/** Charges a bank account. The charge is PENDING until the bank settles it, some days later. */
export const chargeBankAccount: ChargeFunction<{
  readonly providerId: string;
  readonly account: BankAccountData;
}> = (world, command, override) => {
  const instrument = bareInstrument(command.providerId, toBankAccount(world, command.account), false);
  return makeCharge(world, instrument, command.amount, command.details, override);
};

/** The scripted outcome of a charge without an HTTP request, or null. Faults and delays have no effect on it. */
export function findScriptedOutcome(
  world: World,
  operation: CallFacts['operation'],
  { providerId, source, customer, paymentMethod }: ChargedMethod,
  ownFacts: Pick<CallFacts, 'amount' | 'currency' | 'reference'>,
): Override | null {
  if (world.script.decidesNothing) return null;
  const facts: CallFacts = {
    ...ownFacts,
    operation,
    providerId,
    cardNumber: findCard(source)?.masked ?? null,
    customerId: customer,
    paymentMethodId: paymentMethod,
    now: world.now,
    header: () => undefined,
  };
  const verdict = world.script.decide(facts, world.chance);
  if (!verdict?.outcome) return null;
  return { outcome: verdict.outcome, delayMs: 0, trigger: verdict.trigger, isDone: false };
}
