import * as z from 'zod';

import { Fault, optional } from '../http/fields.js';
import {
  optionalQueryInstant,
  optionalQueryProviderId,
  pageMembers,
  sortOrder,
} from '../http/list-fields.js';
import { TOKEN_STATUSES, type TokenStatus } from './record.js';
import type { TokenFilter } from './search.js';

const status = () =>
  optional((value): TokenStatus | Fault => {
    const word = String(value).toUpperCase();
    return (
      TOKEN_STATUSES.find((one) => one === word) ?? new Fault(`must be one of ${TOKEN_STATUSES.join(', ')}`)
    );
  });

export const SearchTokens = z
  .object({
    ProviderId: optionalQueryProviderId(),
    Status: status(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    ...pageMembers(),
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
