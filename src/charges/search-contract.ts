import * as z from 'zod';

import { currencyExponent, parseAmount, UNIT_DECIMALS } from '../core/money.js';
import { Fault, optional, optionalText } from '../wire/fields.js';
import {
  optionalQueryInstant,
  optionalQueryProviderId,
  pageMembers,
  shaped,
  sortOrder,
} from '../wire/list-fields.js';
import { type ChargeStatus, TRANSITIONS } from './model.js';
import type { ChargeFilter } from './search.js';

const STATUSES: ReadonlyMap<string, ChargeStatus> = new Map([
  ...Object.keys(TRANSITIONS).map((status) => [status.toUpperCase(), status as ChargeStatus] as const),
  // The spelling of client libraries.
  ['AUTHORISE', 'Authorised'],
]);

const currency = () =>
  shaped(
    (code) => currencyExponent(code) !== undefined,
    'must be an ISO 4217 code in capital letters such as AUD',
  );

const status = () =>
  optional((value): ChargeStatus | Fault => {
    const known = STATUSES.get(String(value).toUpperCase());
    return (
      known ??
      new Fault(
        'must be one of PENDING, FAILED, SUCCESS, PARTIAL_REFUND, REFUND, Authorised, AUTHORISE_CANCELLED',
      )
    );
  });

const bound = () =>
  optional((value): number | Fault => {
    const digits = String(value);
    if (/^0+(?:\.0+)?$/.test(digits)) return 0;
    const units = parseAmount(digits, UNIT_DECIMALS);
    return typeof units === 'number' ? units : new Fault('must be a decimal such as 1.5');
  });

const digits = () =>
  optional((value): string | Fault => {
    const text = String(value).replaceAll(/[ -]/g, '');
    return /^[\d*]{1,19}$/.test(text)
      ? text
      : new Fault('must be the leading digits of a card number, or its mask');
  });

export const SearchCharges = z
  .object({
    Reference: optionalText(),
    ProviderId: optionalQueryProviderId(),
    CustomerId: optionalText(),
    PaymentMethodId: optionalText(),
    Status: status(),
    Currency: currency(),
    AmountGreaterThan: bound(),
    AmountLessThan: bound(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    CardNumber: digits(),
    CardType: optionalText(),
    Cardholder: optionalText(),
    PaymentType: optionalText(),
    BatchId: optionalText(),
    ...pageMembers(),
    SortBy: sortOrder('Date', 'Amount'),
  })
  .transform((asked): ChargeFilter => ({
    reference: asked.Reference,
    providerId: asked.ProviderId,
    customerId: asked.CustomerId,
    paymentMethodId: asked.PaymentMethodId,
    status: asked.Status,
    currency: asked.Currency,
    amountAbove: asked.AmountGreaterThan,
    amountBelow: asked.AmountLessThan,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    cardNumber: asked.CardNumber,
    scheme: asked.CardType,
    cardholder: asked.Cardholder,
    paymentType: asked.PaymentType,
    batchId: asked.BatchId,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
