import * as z from 'zod';

import { Fault, optional, optionalText } from '../http/fields.js';
import {
  optionalQueryBound,
  optionalQueryCurrency,
  optionalQueryInstant,
  optionalQueryProviderId,
  pageMembers,
  sortOrder,
} from '../http/list-fields.js';
import { type ChargeStatus, TRANSITIONS } from './record.js';
import type { ChargeFilter } from './search.js';

const STATUSES: ReadonlyMap<string, ChargeStatus> = new Map([
  ...Object.keys(TRANSITIONS).map((status) => [status.toUpperCase(), status as ChargeStatus] as const),
  // The spelling of client libraries.
  ['AUTHORISE', 'Authorised'],
]);

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
    Currency: optionalQueryCurrency(),
    AmountGreaterThan: optionalQueryBound(),
    AmountLessThan: optionalQueryBound(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    CardNumber: digits(),
    CardType: optionalText(),
    Cardholder: optionalText(),
    PaymentType: optionalText(),
    BatchId: optionalText(),
    SubscriptionId: optionalText(),
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
    subscriptionId: asked.SubscriptionId,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
