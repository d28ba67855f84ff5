import type { PaymentType } from '../../core/cards/payment-type.js';
import { iinOf } from '../../core/cards/card.js';
import { isObject } from '../../core/text/text.js';
import { MAGIC_CARDS } from '../../outcomes/magic.js';

/** Fields of answers that only client libraries read, and that follow from the others. */

/** Our own words: no source has any. */
const DISPLAY_TYPES: Readonly<Record<PaymentType, string>> = {
  CARD: 'Card',
  GOOGLEPAY: 'Google Pay',
  APPLEPAY: 'Apple Pay',
  BANK_ACCOUNT: 'Bank account',
  PAYTO: 'PayTo',
  PAYPAL: 'PayPal',
  PAYID: 'PayID',
  OPTTY: 'Optty',
  SHIFT: 'Shift',
  PESAPAL: 'Pesapal',
  PAYBYACCOUNT: 'Pay by Account',
  UPI: 'UPI',
  PAYGLOCAL: 'PayGlocal',
};

/** The made-up bank of all test cards. No card here is an international one. */
const TEST_ISSUER = { country: 'Australia', issuer: 'Playmoney Test Bank', countryCode: 'AU' };
const UNKNOWN_ISSUER = { country: null, issuer: null, countryCode: null };
const TEST_IINS: ReadonlySet<unknown> = new Set(MAGIC_CARDS.map(({ number }) => iinOf(number)));

/** Fills in the fields of one object of an answer in the sdk dialect. */
export function fillKnownFields(answer: Record<string, unknown>): void {
  const { cardIin, type, cardType, paymentInformation } = answer;
  if ('iinData' in answer && typeof cardIin === 'string') {
    const issuer = TEST_IINS.has(cardIin) ? TEST_ISSUER : UNKNOWN_ISSUER;
    answer['iinData'] = { scheme: type, ...issuer, cardType };
  }
  if (isObject(paymentInformation) && 'type' in paymentInformation) {
    const displayType = DISPLAY_TYPES[paymentInformation.type as PaymentType];
    answer['paymentInformation'] = { ...paymentInformation, displayType };
  }
}
