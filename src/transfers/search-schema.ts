import * as z from 'zod';

import { Fault, optional, optionalText } from '../http/fields.js';
import {
  optionalQueryInstant,
  optionalQueryProviderId,
  pageMembers,
  sortOrder,
} from '../http/list-fields.js';
import { TRANSFER_TRANSITIONS, type TransferStatus } from './record.js';
import type { TransferFilter } from './search.js';

const STATUSES = Object.keys(TRANSFER_TRANSITIONS) as TransferStatus[];

const status = () =>
  optional((value): TransferStatus | Fault => {
    const asked = String(value).toUpperCase();
    return STATUSES.find((one) => one === asked) ?? new Fault(`must be one of ${STATUSES.join(', ')}`);
  });

export const SearchTransfers = z
  .object({
    Reference: optionalText(),
    ProviderId: optionalQueryProviderId(),
    Status: status(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    ...pageMembers(),
    SortBy: sortOrder('Date'),
  })
  .transform((asked): TransferFilter => ({
    reference: asked.Reference,
    providerId: asked.ProviderId,
    status: asked.Status,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
