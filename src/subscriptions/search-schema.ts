import * as z from 'zod';

import { Fault, optional } from '../http/fields.js';
import {
  optionalQueryBound,
  optionalQueryCurrency,
  optionalQueryInstant,
  pageMembers,
  sortOrder,
} from '../http/list-fields.js';
import { SUBSCRIPTION_TRANSITIONS, type SubscriptionStatus } from './record.js';
import type { SubscriptionFilter } from './search.js';

const STATUSES = Object.keys(SUBSCRIPTION_TRANSITIONS) as SubscriptionStatus[];

/** In any case: one client library writes the words, another enumerations of its own. */
const status = () =>
  optional((value): SubscriptionStatus | Fault => {
    const asked = String(value).toLowerCase();
    const known = STATUSES.find((one) => one.toLowerCase() === asked);
    return known ?? new Fault(`must be one of ${STATUSES.join(', ')}`);
  });

export const SearchSubscriptions = z
  .object({
    AmountGreaterThan: optionalQueryBound(),
    AmountLessThan: optionalQueryBound(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    Currency: optionalQueryCurrency(),
    Status: status(),
    ...pageMembers(),
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
