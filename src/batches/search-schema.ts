import * as z from 'zod';

import { optionalText } from '../http/fields.js';
import { optionalQueryInstant, pageFields } from '../http/list-fields.js';
import type { BatchFilter } from './search.js';

export const SearchBatches = z
  .object({
    Description: optionalText().describe('With this description.'),
    AddedAfter: optionalQueryInstant().describe('Made after this instant.'),
    AddedBefore: optionalQueryInstant().describe('Made before this instant.'),
    ...pageFields(),
  })
  .transform((asked): BatchFilter => ({
    description: asked.Description,
    addedAfter: asked.AddedAfter,
    addedBefore: asked.AddedBefore,
    page: { limit: asked.Limit, skip: asked.Skip },
  }));
