import * as z from 'zod';

import { optionalText } from '../http/fields.js';
import { optionalQueryInstant, pageMembers } from '../http/list-fields.js';
import type { BatchFilter } from './search.js';

export const SearchBatches = z
  .object({
    Description: optionalText(),
    AddedAfter: optionalQueryInstant(),
    AddedBefore: optionalQueryInstant(),
    ...pageMembers(),
  })
  .transform((asked): BatchFilter => ({
    description: asked.Description,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
  }));
