import * as z from 'zod';

import type { ChargeStatus } from '../../records/charge.js';
import { currencyExponent, parseAmount, toMajor } from '../../core/money.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { DEFAULT_CURRENCY } from '../../records/provider.js';
import * as f from '../file/field.js';
import { orNull, refuseInput, describeWrongValue, refuseTogether, mustBe } from '../file/field.js';
import type { ProviderNames } from '../file/provider-names.js';
import { currencyField } from '../file/providers.js';
import { Cardholder, CardNumber, ExpiryDate, seedId, Metadata, seedText } from './seed-fields.js';
import { OutcomeName } from '../file/effects.js';
import { requireChargeOutcome } from '../file/then.js';
import { providerField } from '../file/when.js';

/** The statuses of seeded charges. A pending one would wait forever. */
const SEED_STATUSES = [
  'SUCCESS',
  'FAILED',
  'PARTIAL_REFUND',
  'REFUND',
  'Authorised',
  'AUTHORISE_CANCELLED',
] as const satisfies readonly ChargeStatus[];

/** The outcome of a failed charge unless the file names one. */
const DEFAULT_DECLINE = 'do_not_honor';

const AMOUNT_ACCEPTED = 'an amount in major units such as 15.5';
const amountWords = mustBe(AMOUNT_ACCEPTED);

/** The digits of an amount. How many decimals are allowed depends on the currency. */
const Amount = f
  .codecField(f.numberOrDigits(amountWords), z.string(), amountWords, {
    read: (value) => (/^\d{1,12}(?:\.\d{1,12})?$/.test(String(value)) ? String(value) : undefined),
    write: Number,
  })
  .describe(AMOUNT_ACCEPTED);

const chargeShape = (names: ProviderNames) =>
  f.object({
    chargeId: seedId('its ChargeId'),
    amount: Amount,
    currency: currencyField().describe('its currency, an ISO 4217 code').default(DEFAULT_CURRENCY),
    status: f.choice(SEED_STATUSES).describe('its status').default('SUCCESS'),
    refunded: orNull(Amount),
    outcome: orNull(OutcomeName.superRefine(requireChargeOutcome)),
    reference: seedText('its Reference'),
    metadata: Metadata,
    paymentMethodId: seedId('the payment method that was charged'),
    provider: orNull(providerField(names)),
    cardNumber: orNull(CardNumber),
    expiryDate: orNull(ExpiryDate),
    cardholder: Cardholder,
  });

type WrittenCharge = z.output<ReturnType<typeof chargeShape>>;

/** A charge of the file. Fields that are left out are null. */
export interface SeedCharge extends Pick<
  WrittenCharge,
  'chargeId' | 'currency' | 'status' | 'outcome' | 'reference' | 'metadata'
> {
  readonly amountMinor: number;
  readonly refundedMinor: number;
  /** The identifier of a payment method, or a card and its provider. */
  readonly instrument:
    | string
    | {
        readonly pan: string;
        readonly expiry: string;
        readonly cardholder: string | null;
        readonly providerId: string;
      };
}

export const chargeField = (names: ProviderNames) =>
  z.codec(chargeShape(names), z.custom<SeedCharge>(), {
    decode: (given, context): SeedCharge => {
      const { chargeId, amount, status, reference, metadata } = given;
      const amountMinor = readMinor(amount, given.currency, 'amount', context);
      return {
        chargeId,
        amountMinor,
        currency: given.currency,
        status,
        refundedMinor: readRefunded(given, amountMinor, context),
        outcome: readDecline(given, context),
        reference,
        metadata,
        instrument: readInstrument(given, context),
      };
    },
    encode: ({ amountMinor, refundedMinor, instrument, ...rest }) => {
      const majorOf = (minor: number): string => String(toMajor(minor, currencyExponent(rest.currency) ?? 2));
      const card = typeof instrument === 'string' ? null : instrument;
      return {
        ...rest,
        amount: majorOf(amountMinor),
        refunded: rest.status === 'PARTIAL_REFUND' ? majorOf(refundedMinor) : null,
        paymentMethodId: typeof instrument === 'string' ? instrument : null,
        provider: card && card.providerId,
        cardNumber: card && card.pan,
        expiryDate: card && card.expiry,
        cardholder: card && card.cardholder,
      };
    },
  });

type ParseContext = z.core.ParsePayload;

function readMinor(digits: string, code: string, field: string, context: ParseContext): number {
  const exponent = currencyExponent(code) ?? 2;
  const minor = parseAmount(digits, exponent);
  if (typeof minor === 'number') return minor;
  const accepted = {
    malformed: AMOUNT_ACCEPTED,
    decimals:
      exponent === 0 ? `a whole number of ${code}` : `an amount of ${code} with at most ${exponent} decimals`,
    'too-large': 'at most 999999999.99',
    'not-positive': 'greater than 0',
  }[minor];
  refuseInput(context, describeWrongValue(digits, accepted), digits, field);
  return 0;
}

function readRefunded(
  { refunded, status, currency: code }: WrittenCharge,
  amountMinor: number,
  context: ParseContext,
): number {
  const refuseField = (message: string): never => refuseTogether(context, message, 'refunded');
  if (status !== 'PARTIAL_REFUND') {
    if (refunded === null) return status === 'REFUND' ? amountMinor : 0;
    return refuseField(`is only allowed with the status PARTIAL_REFUND, not ${status}`);
  }
  if (refunded === null) {
    return refuseTogether(context, 'must have refunded, because its status is PARTIAL_REFUND');
  }
  const minor = readMinor(refunded, code, 'refunded', context);
  if (minor < amountMinor || amountMinor === 0) return minor;
  return refuseField('must be less than the amount; for a full refund use the status REFUND');
}

function readDecline({ outcome, status }: WrittenCharge, context: ParseContext): string | null {
  if (status === 'FAILED') {
    if (outcome !== 'approve') return outcome ?? DEFAULT_DECLINE;
    return refuseTogether(context, 'must be a decline, not approve, because the status is FAILED', 'outcome');
  }
  if (outcome === null) return null;
  return refuseTogether(context, `is only allowed with the status FAILED, not ${status}`, 'outcome');
}

/** The fields that a payment method has already. */
const METHOD_FIELDS = ['provider', 'cardNumber', 'expiryDate', 'cardholder'] as const;

function readInstrument(given: WrittenCharge, context: ParseContext): SeedCharge['instrument'] {
  const { paymentMethodId, cardNumber, expiryDate, cardholder, provider } = given;
  if (paymentMethodId !== null) {
    const double = METHOD_FIELDS.find((field) => given[field] !== null);
    if (double === undefined) return paymentMethodId;
    return refuseTogether(context, 'cannot be combined with paymentMethodId, which has its own', double);
  }
  if (cardNumber === null || expiryDate === null) {
    return refuseTogether(context, 'must have paymentMethodId, or cardNumber and expiryDate');
  }
  return { pan: cardNumber, expiry: expiryDate, cardholder, providerId: provider ?? DEFAULT_PROVIDER_ID };
}
