import * as z from 'zod';

import {
  optionalQueryBound,
  optionalQueryCurrency,
  optionalQueryInstant,
  optionalQueryWord,
  pageFields,
  sortOrder,
} from '../http/list-fields.js';
import { SUBSCRIPTION_TRANSITIONS, type SubscriptionStatus } from './record.js';
import type { SubscriptionFilter } from './search.js';

const STATUSES = Object.keys(SUBSCRIPTION_TRANSITIONS) as SubscriptionStatus[];

export const SearchSubscriptions = z
  .object({
    AmountGreaterThan: optionalQueryBound().describe('Of more than this.'),
    AmountLessThan: optionalQueryBound().describe('Of less than this.'),
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    Currency: optionalQueryCurrency().describe('Of this currency.'),
    Status: optionalQueryWord(STATUSES).describe('With this status.'),
    ...pageFields(),
    SortBy: sortOrder('Date', 'Status', 'Currency'),
  })
  .transform((asked): SubscriptionFilter => ({
    amountAbove: asked.AmountGreaterThan,
    amountBelow: asked.AmountLessThan,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    currency: asked.Currency,
    status: asked.Status,
    page: { limit: asked.Limit, skip: asked.Skip },
    order: asked.SortBy,
  }));
