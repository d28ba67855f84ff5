import type * as z from 'zod';

import { currencyExponent, parseAmount } from '../core/money.js';
import { DEFAULT_CURRENCY } from '../providers/record.js';
import * as m from './members.js';
import type { ValidationError } from '../core/validation-error.js';
import { refused } from './members.js';
import type { ProviderNames } from './provider-names.js';
import { Cardholder, CardNumber, ExpiryDate, id, Metadata, providerIdOf, text } from './seed-members.js';
import { SEED_STATUSES, type SeedCharge } from './seed-model.js';
import { OutcomeName, refuseTogether } from './then.js';
import { providerMember } from './when.js';

/** The charges that a world begins with, as they are written in a scenario file. */

/** What the provider said of a failed charge, unless told otherwise. */
const DEFAULT_DECLINE = 'do_not_honor';

const AMOUNT_TAKES = 'an amount in major units such as 15.5';

const Amount = m.member(
  { type: ['number', 'string'], description: AMOUNT_TAKES },
  (value): string | ValidationError => {
    const digits = typeof value === 'number' ? String(value) : value;
    const isDecimal = typeof digits === 'string' && /^\d{1,12}(?:\.\d{1,12})?$/.test(digits);
    return isDecimal ? digits : refused(value, AMOUNT_TAKES);
  },
);

const CURRENCY_TAKES = `an ISO 4217 code such as ${DEFAULT_CURRENCY}, which it is unless told otherwise`;

const Currency = m.member(
  { type: 'string', description: CURRENCY_TAKES },
  (value): string | ValidationError =>
    typeof value === 'string' && currencyExponent(value) !== undefined
      ? value
      : refused(value, CURRENCY_TAKES),
);

const shapeOf = (names: ProviderNames) => ({
  chargeId: id('its ChargeId').optional(),
  amount: Amount,
  currency: Currency.optional(),
  status: m.oneOf(SEED_STATUSES, 'its status; SUCCESS unless told otherwise').optional(),
  refunded: Amount.optional(),
  outcome: OutcomeName.optional(),
  reference: text('its Reference'),
  metadata: Metadata,
  paymentMethodId: id('the payment method that was charged').optional(),
  provider: providerMember(names).optional(),
  cardNumber: CardNumber.optional(),
  expiryDate: ExpiryDate.optional(),
  cardholder: Cardholder,
});

type Given = z.output<ReturnType<typeof objectOf>>;

const objectOf = (names: ProviderNames) => m.object(shapeOf(names));

export const chargeMember = (names: ProviderNames) =>
  objectOf(names).transform((given, context): SeedCharge => {
    const { currency = DEFAULT_CURRENCY, status = 'SUCCESS' } = given;
    const amountMinor = minorOf(given.amount, currency, 'amount', context);
    return {
      chargeId: given.chargeId ?? null,
      amountMinor,
      currency,
      status,
      refundedMinor: refundedOf(given, { status, currency, amountMinor }, context),
      outcome: outcomeOf(given, status, context),
      reference: given.reference ?? null,
      metadata: given.metadata ?? null,
      instrument: instrumentOf(given, context),
    };
  });

function minorOf(digits: string, currency: string, member: string, context: z.RefinementCtx): number {
  const exponent = currencyExponent(currency) ?? 2;
  const minor = parseAmount(digits, exponent);
  if (typeof minor === 'number') return minor;
  const takes = {
    malformed: AMOUNT_TAKES,
    decimals: `at most ${exponent} decimals of ${currency}`,
    'too-large': 'at most 999999999.99',
    'not-positive': 'an amount above zero',
  }[minor];
  const { message } = refused(digits, takes);
  context.issues.push({ code: 'custom', message, input: digits, path: [member] });
  return 0;
}

function refundedOf(
  given: Given,
  { status, currency, amountMinor }: Pick<SeedCharge, 'status' | 'currency' | 'amountMinor'>,
  context: z.RefinementCtx,
): number {
  const { refunded } = given;
  if (status !== 'PARTIAL_REFUND') {
    if (refunded !== undefined) {
      return refuseTogether(
        context,
        `stands beside the status ${status}; PARTIAL_REFUND alone takes it`,
        'refunded',
      );
    }
    return status === 'REFUND' ? amountMinor : 0;
  }
  if (refunded === undefined) {
    return refuseTogether(context, 'has the status PARTIAL_REFUND; it takes refunded beside it');
  }
  const minor = minorOf(refunded, currency, 'refunded', context);
  if (minor < amountMinor || amountMinor === 0) return minor;
  return refuseTogether(
    context,
    'is not less than the amount; a whole refund has the status REFUND',
    'refunded',
  );
}

function outcomeOf(
  { outcome }: Given,
  status: SeedCharge['status'],
  context: z.RefinementCtx,
): string | null {
  if (status === 'FAILED') {
    if (outcome !== 'approve') return outcome ?? DEFAULT_DECLINE;
    return refuseTogether(context, 'is approve, with which no charge fails', 'outcome');
  }
  if (outcome === undefined) return null;
  return refuseTogether(context, `stands beside the status ${status}; FAILED alone takes it`, 'outcome');
}

/** Of a payment method the rest is known. */
const OF_METHOD = ['provider', 'cardNumber', 'expiryDate', 'cardholder'] as const;

function instrumentOf(given: Given, context: z.RefinementCtx): SeedCharge['instrument'] {
  const { paymentMethodId, cardNumber, expiryDate } = given;
  if (paymentMethodId !== undefined) {
    const beside = OF_METHOD.find((member) => given[member] !== undefined);
    if (beside === undefined) return paymentMethodId;
    return refuseTogether(context, 'stands beside paymentMethodId, whose it is', beside);
  }
  if (cardNumber === undefined || expiryDate === undefined) {
    return refuseTogether(context, 'has no card; it takes paymentMethodId, or cardNumber and expiryDate');
  }
  const { provider, cardholder = null } = given;
  return { pan: cardNumber, expiry: expiryDate, cardholder, providerId: providerIdOf(provider) };
}
