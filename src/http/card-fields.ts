import * as z from 'zod';

import { ccvFault, parsePan, shownTo } from '../core/card.js';
import { CODE } from '../core/errors.js';
import { isExpiry } from '../core/time.js';
import type { CardData } from '../payment-methods/record.js';
import { Fault, optional, optionalText, readText, required, type Member } from './fields.js';

/** The members that describe a card. */

/** The longest name of a cardholder. */
const CARDHOLDER_MAX = 256;

export const optionalCardholder = (): Member<string | null> => optionalText(CARDHOLDER_MAX);

function readPan(value: unknown): string | Fault {
  const read = readText(value);
  if (read instanceof Fault) return new Fault(read.message, CODE.InvalidCardNumber);
  const parsed = parsePan(read);
  if (parsed.pan !== undefined) return parsed.pan;
  return parsed.fault === 'length'
    ? new Fault('has a wrong length, 12 to 19 digits are taken', CODE.InvalidCardLength)
    : new Fault('is not a card number: digits with a right check digit are taken', CODE.InvalidCardNumber);
}

export const pan = (): Member<string> => required(readPan, '"4111111111111111"');

const CCV_SHAPE = 'three digits are taken, four for American Express';

/** Whether three or four digits are right depends on the scheme; here only that it is one of both. */
export const optionalCcv = (): Member<string | null> =>
  optional((value) => {
    const read = readText(value);
    if (read instanceof Fault) return new Fault(`${read.message}; ${CCV_SHAPE}`, CODE.InvalidCcv);
    const fits = !ccvFault(read, 'VISA') || !ccvFault(read, 'AMEX');
    return fits ? read : new Fault(`is malformed, ${CCV_SHAPE}`, CODE.InvalidCcv);
  });

function readExpiry(value: unknown): string | Fault {
  const read = readText(value);
  if (!(read instanceof Fault) && isExpiry(read)) return read;
  const shown = read instanceof Fault ? read.message : `is ${JSON.stringify(shownTo(read, 10))}`;
  return new Fault(`${shown}, MM/YY such as 10/30 is taken`, CODE.InvalidExpiryDate);
}

export const expiry = (): Member<string> => required(readExpiry, '"10/30"');
export const optionalExpiry = (): Member<string | null> => optional(readExpiry);

/** The card of a request. */
export const paymentInformation = () =>
  z
    .object({
      CardNumber: pan(),
      ExpiryDate: expiry(),
      Ccv: optionalCcv(),
      Cardholder: optionalCardholder(),
    })
    .transform(({ CardNumber, ExpiryDate, Ccv, Cardholder }, context): CardData => {
      if (ccvMisfits(CardNumber, Ccv)) return ccvRefused(context);
      return { pan: CardNumber, expiry: ExpiryDate, ccv: Ccv, cardholder: Cardholder };
    });

/** The issue of a Ccv whose length does not fit the card's scheme. */
export function ccvRefused(context: z.RefinementCtx): never {
  context.issues.push({
    code: 'custom',
    message: `does not fit the card, ${CCV_SHAPE}`,
    input: undefined,
    path: ['Ccv'],
    params: { code: CODE.InvalidCcv },
  });
  return z.NEVER;
}

/** American Express alone begins with 34 or 37; it has four digits. */
export function ccvMisfits(cardNumber: string, ccv: string | null): boolean {
  if (ccv === null) return false;
  const amex = cardNumber.startsWith('34') || cardNumber.startsWith('37');
  return ccvFault(ccv, amex ? 'AMEX' : 'VISA');
}
