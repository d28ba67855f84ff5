import * as z from 'zod';

import { optionalText } from '../http/fields.js';
import { optionalQueryFlag, optionalQueryInstant, pageFields, sortOrder } from '../http/list-fields.js';
import type { CustomerFilter } from './search.js';

export const SearchCustomers = z
  .object({
    Reference: optionalText().describe('With exactly this reference.'),
    Email: optionalText().describe('With this e-mail address.'),
    Name: optionalText().describe('A part of first and last name, in any case.'),
    Search: optionalText().describe('A part of any name, address, reference.'),
    CustomerId: optionalText().describe('Of this customer.'),
    PaymentMethodId: optionalText().describe('Of this payment method.'),
    IncludeRemoved: optionalQueryFlag().describe('Removed customers as well.'),
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    ...pageFields(),
    SortBy: sortOrder('Date'),
  })
  .transform((asked): CustomerFilter => ({
    reference: asked.Reference,
    email: asked.Email,
    name: asked.Name,
    search: asked.Search,
    customerId: asked.CustomerId,
    paymentMethodId: asked.PaymentMethodId,
    includeRemoved: asked.IncludeRemoved ?? false,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
