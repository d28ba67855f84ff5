import { CODE, requireErrorRow } from '../../core/errors.js';
import { type AmountFault, currencyExponent, parseAmount } from '../../core/money.js';
import type { PaymentMethod } from '../../records/payment-method.js';
import type { BatchRow } from './csv.js';
import type { RowFailure } from '../../records/batch.js';

/** Rows that fail before the provider is asked. */

const REFERENCE_MAX = 1024;

/** A row with invalid content. A retry would not help. */
function contentFailure(code: number, why = ''): RowFailure {
  const { message } = requireErrorRow(code);
  const reason = why === '' ? message : `${message}: ${why}`;
  return Object.freeze({ reason, gatewayCode: null, gatewayMessage: null, retryable: false });
}

// A reason contains no text of the row, so that a batch has few different reasons.
export const UNKNOWN_METHOD = contentFailure(CODE.InvalidPaymentMethodId, 'unknown payment method');
const REMOVED_METHOD = contentFailure(CODE.InvalidPaymentMethodIdRemoved);
const UNKNOWN_CURRENCY = contentFailure(CODE.CurrencyNotSupported, 'not an ISO 4217 code such as AUD');
const LONG_REFERENCE = contentFailure(CODE.InvalidReferenceId, `more than ${REFERENCE_MAX} characters`);
const BAD_AMOUNTS: Readonly<Record<AmountFault, RowFailure>> = {
  malformed: contentFailure(CODE.InvalidAmount, 'not a decimal number such as 15.50'),
  decimals: contentFailure(CODE.InvalidAmount, 'more decimals than the currency has'),
  'too-large': contentFailure(CODE.InvalidAmount, 'more than 999999999.99'),
  'not-positive': contentFailure(CODE.InvalidAmountMustBePositive),
};

/** Whether two failures look the same in Results. */
export function isSameFailure(a: RowFailure, b: RowFailure): boolean {
  return (
    a.reason === b.reason &&
    a.gatewayCode === b.gatewayCode &&
    a.gatewayMessage === b.gatewayMessage &&
    a.retryable === b.retryable
  );
}

/** The failure of a row with invalid content; null if it is valid. */
export function findBadContent(method: PaymentMethod, row: BatchRow): RowFailure | null {
  if (method.dateRemoved !== null) return REMOVED_METHOD;
  const exponent = currencyExponent(row.currency);
  if (exponent === undefined) return UNKNOWN_CURRENCY;
  const amount = parseAmount(row.amount, exponent);
  if (typeof amount !== 'number') return BAD_AMOUNTS[amount];
  return row.reference.length > REFERENCE_MAX ? LONG_REFERENCE : null;
}
