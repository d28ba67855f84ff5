import * as z from 'zod';

import { parseAccount } from '../core/account.js';
import { CODE } from '../core/errors.js';
import type { BankAccountData } from '../payment-methods/record.js';
import { Invalid, readAs } from './field.js';
import { text, TEXT_MAX } from './fields.js';

/** The fields that describe a bank account. */

/** The longest name of an account's holder. */
const ACCOUNT_NAME_MAX = 256;
/** What banks are known by: BSB, sort code, routing number, IFSC, BIC. */
const BANK_CODE = /^[\dA-Z](?:[ -]?[\dA-Z]){2,10}$/i;

/** A text of which no part is shown where it is refused. */
function detail(sample: string, takes: string, read: (text: string) => string | undefined) {
  return readAs(
    z.string(),
    (value) => (value.length > TEXT_MAX ? undefined : read(value)) ?? new Invalid(takes),
  ).meta({ code: CODE.InvalidPaymentDetails, sample, wrong: takes });
}

const bankCode = () =>
  detail('"062-000"', 'must be 3 to 11 letters or digits, such as the BSB 062-000', (given) =>
    BANK_CODE.test(given) ? given : undefined,
  );

const accountNumber = () =>
  detail('"000123456"', 'must be 4 to 34 letters or digits, such as 000123456', parseAccount);

/** The bank account of a request. */
export const bankPaymentInformation = () =>
  z
    .object({
      BankCode: bankCode().describe('A BSB, sort code, routing number, IFSC or BIC.'),
      AccountNumber: accountNumber().describe('4 to 34 letters or digits.'),
      AccountName: text('"Jo Smith"', ACCOUNT_NAME_MAX).describe('The name of the account’s holder.'),
    })
    .transform((body): BankAccountData => ({
      bankCode: body.BankCode,
      accountNumber: body.AccountNumber,
      accountName: body.AccountName,
    }))
    .meta({ description: 'A bank account.' });
