import * as z from 'zod';

import { optionalQueryInstant, pageMembers, sortOrder } from '../http/list-fields.js';
import type { PaymentLinkFilter } from './search.js';

export const SearchPaymentLinks = z
  .object({
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    ...pageMembers(),
    SortBy: sortOrder('Date', 'Title'),
  })
  .transform((asked): PaymentLinkFilter => ({
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
