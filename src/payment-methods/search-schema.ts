import * as z from 'zod';

import { optionalText } from '../http/fields.js';
import {
  optionalQueryInstant,
  optionalQueryProviderId,
  pageMembers,
  sortOrder,
} from '../http/list-fields.js';
import type { MethodFilter } from './search.js';

export const SearchMethods = z
  .object({
    ProviderId: optionalQueryProviderId(),
    CustomerId: optionalText(),
    PaymentType: optionalText(),
    CardType: optionalText(),
    Search: optionalText(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    ...pageMembers(),
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
