import * as z from 'zod';

import { BatchStatusResponse, SearchBatches } from '../batches/schema.js';
import { ChargeResponse, SearchCharges } from '../charges/schema.js';
import { SearchEntries } from '../control/records/records.js';
import { CODE } from '../core/errors.js';
import { CustomerResponse, SearchCustomers } from '../customers/schema.js';
import { PaymentMethodResponse, SearchMethods } from '../payment-methods/schema.js';
import { VaultEntryResponse } from '../vault/schema.js';
import { count, instant, page } from '../http/answers.js';
import { type OperationRow, row, type Section } from './operation.js';

const TimelineItem = z
  .strictObject({
    At: instant(),
    What: z.enum(['added', 'changed', 'failed', 'ended', 'due', 'call', 'webhook']),
    Text: z.string(),
    EntryId: count().nullable(),
    DeliveryId: z.string().nullable(),
  })
  .meta({ id: 'TimelineItem' });

/** The two calls that look at records of a kind. */
function looks(
  [kind, kinds]: readonly [one: string, several: string],
  path: string,
  what: string,
  query: z.ZodType,
  record: z.ZodType,
): OperationRow[] {
  const at = `/_sandbox/records/${path}`;
  const one = z.strictObject({ Record: record, Timeline: z.array(TimelineItem) });
  return [
    row('get', at, `look${kinds}`, `Look at ${what}`, page('Records', record), { query }),
    row('get', `${at}/{id}`, `look${kind}`, `Look at one of the ${what}, with what happened to it`, one, {
      errors: [[CODE.ValidationError, 404]],
    }),
  ];
}

export const LOOKING_ON: Section = {
  tag: 'Looking on',
  text: 'A world from outside its story: these calls stand in no journal, no scenario sees them, and no identifier moves.',
  rows: [
    ...looks(['Charge', 'Charges'], 'charges', 'charges', SearchCharges, ChargeResponse),
    ...looks(['Customer', 'Customers'], 'customers', 'customers', SearchCustomers, CustomerResponse),
    ...looks(
      ['Method', 'Methods'],
      'payment-methods',
      'payment methods',
      SearchMethods,
      PaymentMethodResponse,
    ),
    ...looks(['VaultEntry', 'VaultEntries'], 'vault', 'vault entries', SearchEntries, VaultEntryResponse),
    ...looks(['Batch', 'Batches'], 'batches', 'batches', SearchBatches, BatchStatusResponse),
    row(
      'get',
      '/_sandbox/charges',
      'searchWorldCharges',
      'Search charges as the service does, without a trace',
      page('Charges', ChargeResponse),
      { query: SearchCharges },
    ),
    row('get', '/_sandbox/live', 'lookOn', 'Be told what happens, as it happens', 'text/event-stream', {
      text: 'Server-sent events: exchange, world, replaced and skipped.',
      errors: [CODE.RetryLater],
    }),
  ],
};
