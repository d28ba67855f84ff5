import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { toCamelCase, requestSchema } from '../../http/fields/field.js';
import { CODE } from '../../core/errors.js';
import { requiredCurrency, amountWith } from '../../http/fields/amount-fields.js';
import * as fields from '../../http/fields/fields.js';
import * as lists from '../../http/fields/list-fields.js';
import { TRANSFER_TRANSITIONS, type TransferStatus } from '../../records/transfer.js';
import type { TransferCommand } from './service.js';

/** The maximum number of transfers in a request: our own limit. */
const TRANSFERS_MAX = 1000;

const transferField = () =>
  z.object({
    Account: fields.requiredText('"acct-1"').describe('The account that receives the money.'),
    Amount: amountWith(CODE.InvalidTransferAmount),
    Currency: requiredCurrency(),
    Message: fields.optionalText().describe('A message to the recipient.'),
    Reference: fields.optionalText().describe('Your reference.'),
  });

export const CreateTransfers = requestSchema(
  () => ({
    GroupReference: fields
      .requiredText('"order-1"')
      .describe('Your reference for this group of transfers. It must be unique.'),
    ProviderId: fields.requiredProviderId(),
    ChargeId: fields.requiredText('the ChargeId of a charge').describe('The charge to transfer from.'),
    Transfers: z
      .array(transferField())
      .max(TRANSFERS_MAX, { error: `must have at most ${TRANSFERS_MAX} transfers` })
      .optional()
      .meta({ description: 'The accounts and amounts to transfer.' }),
  }),
  ({ Transfers = [], ...body }): TransferCommand => ({
    ...toCamelCase(body),
    transfers: Transfers.map((transfer) => toCamelCase(transfer)),
  }),
);

const STATUSES = Object.keys(TRANSFER_TRANSITIONS) as TransferStatus[];

export const SearchTransfers = requestSchema(
  () => ({
    Reference: fields.optionalText().describe('Only with exactly this reference.'),
    ProviderId: lists.optionalQueryProviderId().describe('Only records of this provider.'),
    Status: lists.optionalQueryWord(STATUSES).describe('Only records with this status.'),
    ...lists.dateFields(),
    ...lists.pageFields(),
    SortBy: lists.sortOrder('Date'),
  }),
  lists.toListing,
);

export const TransferResponse = answers.component('Transfer', () => ({
  TransferId: answers.id(),
  Status: z.enum(STATUSES),
  Reference: answers.text(),
  GroupReference: z.string(),
  DateAdded: answers.instant(),
  TotalAmount: answers.amount(),
  ProviderId: answers.providerId(),
  Amount: answers.amount(),
  Currency: answers.currency(),
  Account: z.string(),
  ChargeId: answers.id(),
}));
export type TransferResponse = z.output<typeof TransferResponse>;

export const TransferList = z.lazy(() => z.array(TransferResponse));
