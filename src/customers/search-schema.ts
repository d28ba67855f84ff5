import * as z from 'zod';

import { optionalText } from '../http/fields.js';
import { optionalQueryFlag, optionalQueryInstant, pageMembers, sortOrder } from '../http/list-fields.js';
import type { CustomerFilter } from './search.js';

export const SearchCustomers = z
  .object({
    Reference: optionalText(),
    Email: optionalText(),
    Name: optionalText(),
    Search: optionalText(),
    CustomerId: optionalText(),
    PaymentMethodId: optionalText(),
    IncludeRemoved: optionalQueryFlag(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    ...pageMembers(),
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
