import type { Context } from 'hono';

import type { Charge } from '../../records/charge.js';
import { formatAmount } from '../../core/money.js';
import { findCard, type PaymentMethod, type Source } from '../../records/payment-method.js';
import { DEFAULT_CURRENCY } from '../../records/provider.js';
import { readMagicToken } from '../../outcomes/magic-tokens.js';
import type { CallFacts, Operation } from '../../scenarios/script/model.js';
import type { World } from '../../world/world.js';
import { type Env, headerOf, requireWorld } from '../exchange.js';

/** The fields that the command of any operation may have. */
interface AnyCommand {
  readonly providerId?: string | null;
  readonly customerId?: string;
  readonly paymentMethodId?: string;
  readonly token?: string;
  readonly card?: { readonly pan: string };
  readonly pan?: string;
  readonly details?: CommandDetails;
  readonly terms?: CommandDetails;
}

interface CommandDetails {
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly reference?: string | null;
}

/** The values of a call that the conditions of a scenario test: its own fields, or else those of its records. */
export function readCallFacts(c: Context<Env>, operation: Operation, input: unknown): CallFacts {
  const world = requireWorld(c);
  const command = (input as (AnyCommand & CommandDetails) | undefined) ?? {};
  const { providerId, customerId, paymentMethodId, token, card, pan, terms } = command;
  const details = command.details ?? terms ?? command;
  const id = c.req.param('id');
  const charge = id === undefined ? undefined : world.charges.find(id);
  // Identifiers are unique across the kinds of records, so the one in the path is enough.
  const named = findPaymentMethod(world, paymentMethodId ?? id);
  const method = named ?? findDefaultMethod(world, customerId);
  const through = token === undefined ? undefined : findTokenFacts(world, token);
  const provider = providerId ?? through?.providerId ?? method?.providerId ?? charge?.providerId ?? null;
  const isCustomer = id !== undefined && world.customers.find(id) !== undefined;
  return {
    operation,
    now: world.now,
    providerId: provider,
    cardNumber: card?.pan ?? pan ?? through?.cardNumber ?? findMaskedCard((method ?? charge)?.source),
    amount: trimAmount(command.amount ?? terms?.amount) ?? chargedAmount(charge),
    currency: details.currency ?? charge?.currency ?? findDefaultCurrency(world, operation, provider),
    reference: details.reference ?? charge?.reference ?? null,
    customerId: customerId ?? (isCustomer ? id : ((method ?? charge)?.customer ?? null)),
    paymentMethodId: paymentMethodId ?? (named && id) ?? null,
    header: (name) => headerOf(c, name),
  };
}

function findPaymentMethod(world: World, methodId: string | undefined): PaymentMethod | undefined {
  return methodId === undefined ? undefined : world.paymentMethods.find(methodId);
}

/** The payment method of a charge of a customer that names none. */
function findDefaultMethod(world: World, customerId: string | undefined): PaymentMethod | undefined {
  const customer = customerId === undefined ? undefined : world.customers.find(customerId);
  const id = customer?.defaultMethod ?? null;
  return id === null ? undefined : world.paymentMethods.find(id);
}

function findTokenFacts(
  world: World,
  token: string,
): Pick<CallFacts, 'providerId' | 'cardNumber'> | undefined {
  const magic = readMagicToken(token);
  if (magic?.kind === 'token') return { providerId: magic.token.providerId, cardNumber: magic.token.pan };
  const stored = world.tokens.find(token);
  if (stored === undefined) return undefined;
  const { providerId, secret, source } = stored;
  return { providerId, cardNumber: secret?.pan ?? findMaskedCard(source) };
}

/** The currency of a charge that names none: that of its provider. */
function findDefaultCurrency(world: World, operation: Operation, providerId: string | null): string | null {
  if (operation !== 'charge.create') return null;
  const configured = providerId === null ? null : world.providers.findByProviderId(providerId);
  return configured?.currency ?? DEFAULT_CURRENCY;
}

/** A decimal text without trailing zeros: `15.50` is `15.5`. */
function trimAmount(digits: string | null | undefined): string | null {
  if (digits === null || digits === undefined) return null;
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

function chargedAmount(charge: Charge | undefined): string | null {
  return charge === undefined ? null : formatAmount(charge.amountMinor, charge.currency);
}

function findMaskedCard(source: Source | undefined): string | null {
  return source === undefined ? null : (findCard(source)?.masked ?? null);
}
