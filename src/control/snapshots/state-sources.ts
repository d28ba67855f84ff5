import { isMaskedAccount } from '../../core/account.js';
import { isExpiry } from '../../core/time.js';
import type { BankAccount, Card, PayTo, Source } from '../../payment-methods/record.js';
import { kindOf } from '../../http/field.js';
import { anyText, maybeText } from './state-members.js';
import { isPlainObject, misfit, record, type Shape, text, whole, within, word } from './state-shape.js';

/** How what charges come from stands in a document; records name it by its place in Sources. */

const card: Shape<Card> = record<Card>({
  type: word('CARD'),
  // A number that is not masked would go out with every charge.
  masked: text(19, (value) => /^\d{4}\*{4,11}\d{4}$/.test(value), 'a masked card number'),
  iin: text(6, (value) => /^\d{6}$/.test(value), 'six digits'),
  expiry: text(5, isExpiry, 'MM/YY'),
  cardholder: maybeText,
  scheme: anyText,
  funding: word('CREDIT', 'DEBIT'),
  trigger: maybeText,
});

const bankAccount: Shape<BankAccount> = record<BankAccount>({
  type: word('BANK_ACCOUNT'),
  bankCode: anyText,
  masked: text(34, isMaskedAccount, 'a masked account number'),
  accountName: anyText,
  trigger: maybeText,
});

const payTo: Shape<PayTo> = record<PayTo>({
  type: word('PAYTO'),
  payToId: anyText,
  status: word('PENDING', 'ACTIVE'),
  payerName: anyText,
  payId: anyText,
  payIdType: anyText,
  description: maybeText,
  maximumUnits: whole(1, Number.MAX_SAFE_INTEGER),
  trigger: maybeText,
});

const BY_TYPE: { readonly [T in Source['type']]: Shape<Extract<Source, { type: T }>> } = {
  CARD: card,
  BANK_ACCOUNT: bankAccount,
  PAYTO: payTo,
};

const type = word(...(Object.keys(BY_TYPE) as Source['type'][]));

export const source: Shape<Source> = {
  read(value) {
    if (!isPlainObject(value)) return misfit(`must be an object, not ${kindOf(value)}`);
    return BY_TYPE[within('Type', type.read, value['Type'])].read(value);
  },
  write: (given) => (BY_TYPE[given.type] as Shape<Source>).write(given),
};
