import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { amountWith, currency, optionalText, providerId, text } from '../http/fields.js';
import type { TransferCommand } from './service.js';

/** The most transfers of one request: our own limit. */
const TRANSFERS_MAX = 1000;

const Transfer = z.object({
  Account: text('"acct-1"').describe('The account that the money goes to.'),
  Amount: amountWith(CODE.InvalidTransferAmount),
  Currency: currency(),
  Message: optionalText().describe('A message to the receiver.'),
  Reference: optionalText().describe('Your reference.'),
});

export const CreateTransfers = z
  .object({
    GroupReference: text('"order-1"').describe(
      'Names the whole of the transfers; each group has one of its own.',
    ),
    ProviderId: providerId(),
    ChargeId: text('the ChargeId of a charge').describe('The charge that is paid out.'),
    Transfers: z
      .array(Transfer)
      .max(TRANSFERS_MAX, { error: `has more than ${TRANSFERS_MAX} transfers` })
      .optional()
      .meta({ description: 'Who gets how much of the charge.' }),
  })
  .transform((body): TransferCommand => ({
    groupReference: body.GroupReference,
    providerId: body.ProviderId,
    chargeId: body.ChargeId,
    transfers: (body.Transfers ?? []).map((one) => ({
      account: one.Account,
      amount: one.Amount,
      currency: one.Currency,
      message: one.Message,
      reference: one.Reference,
    })),
  }));
