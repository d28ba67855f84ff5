import * as z from 'zod';

import * as answers from '../http/answers.js';
import { renamed, request } from '../http/field.js';
import { CODE } from '../core/errors.js';
import * as fields from '../http/fields.js';
import * as lists from '../http/list-fields.js';
import { TRANSFER_TRANSITIONS, type TransferStatus } from './record.js';
import type { TransferCommand } from './service.js';

/** The most transfers of one request: our own limit. */
const TRANSFERS_MAX = 1000;

const transfer = () =>
  z.object({
    Account: fields.text('"acct-1"').describe('The account that the money goes to.'),
    Amount: fields.amountWith(CODE.InvalidTransferAmount),
    Currency: fields.currency(),
    Message: fields.optionalText().describe('A message to the receiver.'),
    Reference: fields.optionalText().describe('Your reference.'),
  });

export const CreateTransfers = request(
  () => ({
    GroupReference: fields
      .text('"order-1"')
      .describe('Names the whole of the transfers; each group has one of its own.'),
    ProviderId: fields.providerId(),
    ChargeId: fields.text('the ChargeId of a charge').describe('The charge that is paid out.'),
    Transfers: z
      .array(transfer())
      .max(TRANSFERS_MAX, { error: `has more than ${TRANSFERS_MAX} transfers` })
      .optional()
      .meta({ description: 'Who gets how much of the charge.' }),
  }),
  ({ Transfers = [], ...body }): TransferCommand => ({
    ...renamed(body),
    transfers: Transfers.map((one) => renamed(one)),
  }),
);

const STATUSES = Object.keys(TRANSFER_TRANSITIONS) as TransferStatus[];

export const SearchTransfers = request(
  () => ({
    Reference: fields.optionalText().describe('With exactly this reference.'),
    ProviderId: lists.optionalQueryProviderId().describe('Of this provider.'),
    Status: lists.optionalQueryWord(STATUSES).describe('With this status.'),
    ...lists.dateFields(),
    ...lists.pageFields(),
    SortBy: lists.sortOrder('Date'),
  }),
  lists.listed,
);

export const TransferResponse = answers.component('Transfer', () => ({
  TransferId: answers.id(),
  Status: z.enum(STATUSES),
  Reference: answers.text(),
  GroupReference: z.string(),
  DateAdded: answers.instant(),
  TotalAmount: answers.amount(),
  ProviderId: z.string(),
  Amount: answers.amount(),
  Currency: answers.currency(),
  Account: z.string(),
  ChargeId: answers.id(),
}));
export type TransferResponse = z.output<typeof TransferResponse>;

export const TransferList = z.lazy(() => z.array(TransferResponse));
