import * as z from 'zod';

import { optionalQueryInstant, pageFields, sortOrder } from '../http/list-fields.js';
import type { PaymentLinkFilter } from './search.js';

export const SearchPaymentLinks = z
  .object({
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    ...pageFields(),
    SortBy: sortOrder('Date', 'Title'),
  })
  .transform((asked): PaymentLinkFilter => ({
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
