import * as z from 'zod';

import { optionalText } from '../http/fields.js';
import {
  optionalQueryInstant,
  optionalQueryProviderId,
  optionalQueryWord,
  pageFields,
  sortOrder,
} from '../http/list-fields.js';
import { TRANSFER_TRANSITIONS, type TransferStatus } from './record.js';
import type { TransferFilter } from './search.js';

const STATUSES = Object.keys(TRANSFER_TRANSITIONS) as TransferStatus[];

export const SearchTransfers = z
  .object({
    Reference: optionalText().describe('With exactly this reference.'),
    ProviderId: optionalQueryProviderId().describe('Of this provider.'),
    Status: optionalQueryWord(STATUSES).describe('With this status.'),
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    ...pageFields(),
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
