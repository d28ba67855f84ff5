import * as z from 'zod';

import {
  optionalQueryInstant,
  optionalQueryProviderId,
  optionalQueryWord,
  pageFields,
  sortOrder,
} from '../http/list-fields.js';
import { TOKEN_STATUSES } from './record.js';
import type { TokenFilter } from './search.js';

export const SearchTokens = z
  .object({
    ProviderId: optionalQueryProviderId().describe('Of this provider.'),
    Status: optionalQueryWord(TOKEN_STATUSES).describe('With this status.'),
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    ...pageFields(),
    SortBy: sortOrder('Date'),
  })
  .transform((asked): TokenFilter => ({
    providerId: asked.ProviderId,
    status: asked.Status,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
