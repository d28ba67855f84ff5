import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { Fault, currency, optionalText, providerId, readAmountText, required, text } from '../http/fields.js';
import type { TransferCommand } from './service.js';

/** The most transfers of one request: our own limit. */
const TRANSFERS_MAX = 1000;

/** Like the amount of a charge, but a wrong one has a code of its own. */
const amount = () =>
  required((value): string | Fault => {
    const read = readAmountText(value);
    return read instanceof Fault ? new Fault(read.message, CODE.InvalidTransferAmount) : read;
  }, '15.50');

const Transfer = z.object({
  Account: text('"acct-1"'),
  Amount: amount(),
  Currency: currency(),
  Message: optionalText(),
  Reference: optionalText(),
});

export const CreateTransfers = z
  .object({
    GroupReference: text('"order-1"'),
    ProviderId: providerId(),
    ChargeId: text('the ChargeId of a charge'),
    Transfers: z
      .array(Transfer)
      .max(TRANSFERS_MAX, { error: `has more than ${TRANSFERS_MAX} transfers` })
      .optional(),
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
