import * as z from 'zod';

import { optionalText } from '../http/fields.js';
import { optionalQueryInstant, optionalQueryProviderId, pageFields, sortOrder } from '../http/list-fields.js';
import type { MethodFilter } from './search.js';

export const SearchMethods = z
  .object({
    ProviderId: optionalQueryProviderId().describe('Of this provider.'),
    CustomerId: optionalText().describe('Of this customer.'),
    PaymentType: optionalText().describe('The way of paying: CARD, BANK_ACCOUNT or PAYTO.'),
    CardType: optionalText().describe('The scheme, such as VISA.'),
    Search: optionalText().describe('A part of any name, address, reference.'),
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    ...pageFields(),
    SortBy: sortOrder('Date'),
  })
  .transform((asked): MethodFilter => ({
    providerId: asked.ProviderId,
    customerId: asked.CustomerId,
    paymentType: asked.PaymentType,
    scheme: asked.CardType,
    search: asked.Search,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
