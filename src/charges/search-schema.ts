import * as z from 'zod';

import { Invalid, optional, readAs } from '../http/field.js';
import { optionalText } from '../http/fields.js';
import {
  optionalQueryBound,
  optionalQueryCurrency,
  optionalQueryInstant,
  optionalQueryProviderId,
  optionalQueryWord,
  pageFields,
  sortOrder,
} from '../http/list-fields.js';
import { CHARGE_STATUSES } from './record.js';
import type { ChargeFilter } from './search.js';

const digits = () =>
  optional(
    readAs(z.string(), (value) => {
      const plain = value.replaceAll(/[ -]/g, '');
      return /^[\d*]{1,19}$/.test(plain)
        ? plain
        : new Invalid('must be the leading digits of a card number, or its mask');
    }),
  );

export const SearchCharges = z
  .object({
    Reference: optionalText().describe('With exactly this reference.'),
    ProviderId: optionalQueryProviderId().describe('Of this provider.'),
    CustomerId: optionalText().describe('Of this customer.'),
    PaymentMethodId: optionalText().describe('Of this payment method.'),
    // Client libraries write AUTHORISE.
    Status: optionalQueryWord(CHARGE_STATUSES, { authorise: 'Authorised' }).describe('With this status.'),
    Currency: optionalQueryCurrency().describe('Of this currency.'),
    AmountGreaterThan: optionalQueryBound().describe('Of more than this.'),
    AmountLessThan: optionalQueryBound().describe('Of less than this.'),
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    CardNumber: digits().describe('The leading digits of the card number, or its mask.'),
    CardType: optionalText().describe('The scheme, such as VISA.'),
    Cardholder: optionalText().describe('The name on the card.'),
    PaymentType: optionalText().describe('The way of paying: CARD, BANK_ACCOUNT or PAYTO.'),
    BatchId: optionalText().describe('Made by this batch.'),
    SubscriptionId: optionalText().describe('Made by this subscription.'),
    ...pageFields(),
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
