import {
  bad,
  card,
  charging,
  CUSTOMER,
  grouped,
  METHOD,
  PAN,
  post,
  PROVIDER,
  put,
  refused,
  type Rows,
  row,
  taken,
} from './row.js';

const by = (more: object): string => charging({ PaymentInformation: card(more) });
const numbered = (CardNumber: unknown): string => by({ CardNumber });
const wrong = refused(400, 5, 'PaymentInformation.CardNumber', 'is not a valid card number');
const length = refused(400, 55, 'it must have 12 to 19 digits');
const expiring = (ExpiryDate: unknown): string => by({ ExpiryDate });
const expiry = refused(400, 9, 'PaymentInformation.ExpiryDate', 'must be MM/YY, such as 10/30');
const coded = (Ccv: unknown): string => by({ Ccv });
const ccv = refused(400, 6, 'PaymentInformation.Ccv', 'must have three digits, or four for American Express');
const kept = (more: object): string => post('/vault', { CardNumber: '4111111111111111', ...more });
const until = (ExpireDate: unknown): string => kept({ ExpireDate });
const date = refused(400, 83, 'ExpireDate');
const seconds = refused(400, 83, 'ExpireSeconds');

/** Cards and dates that are none. */
export const CARDS: Rows = {
  'a wrong check digit': row(numbered(`${PAN.slice(0, -1)}7`), wrong),
  'digits that are exchanged': row(numbered('4929123456781263'), wrong),
  'full-width digits': row(numbered('４９２９１２３４５６７８１２３６'), wrong),
  'Arabic digits': row(numbered('٤١١١١١١١١١١١١١١١'), wrong),
  'one full-width digit': row(numbered(`４${PAN.slice(1)}`), wrong),
  'an invisible character': row(numbered(`${PAN}\u200b`), wrong),
  'blanks that do not break': row(numbered(grouped('$&\u00a0')), wrong),
  'two blanks between groups': row(numbered(grouped('$&  ')), wrong),
  'a hyphen at the end': row(numbered(`${PAN}-`), wrong),
  'a line feed at the end': row(numbered(`${PAN}\n`), wrong),
  'dots between groups': row(numbered(grouped('$&.')), wrong),
  'a masked number': row(numbered('4929********1236'), wrong),
  'a number as a number': row(numbered(Number(PAN)), refused(400, 5)),
  'a list of a number': row(numbered([PAN]), refused(400, 5)),
  'eleven digits': row(numbered('49291234567'), length),
  'twenty digits': row(numbered('49291234567812345678'), length),
  'zeros alone, which pass the check': row(numbered('0000000000000000'), taken()),
  'a thousand digits': row(numbered('4'.repeat(1000)), length),
  'a megabyte of digits': row(numbered('4'.repeat(900_000)), refused(400, 5, 'the maximum is 1024')),
  nothing: row(numbered(''), refused(400, 55)),

  'month 00': row(expiring('00/30'), expiry),
  'month 13': row(expiring('13/30'), expiry),
  'a month of one digit': row(expiring('1/30'), expiry),
  'a year of four digits': row(expiring('12/2030'), expiry),
  'a hyphen for the slash': row(expiring('12-30'), expiry),
  'no slash': row(expiring('1230'), expiry),
  'blanks around the slash': row(expiring('12 / 30'), expiry),
  'a blank behind it': row(expiring('12/30 '), expiry),
  'full-width digits in the expiry': row(expiring('１２/３０'), expiry),
  'a slash of fractions': row(expiring('12⁄30'), expiry),
  'a date': row(expiring('2030-12-31'), expiry),
  'an expiry as a number': row(expiring(1230), expiry),
  'the card number where the expiry should be': row(expiring(PAN), refused(400, 9, 'is "4929******"')),
  'last month': row(expiring('12/25'), refused(400, 14)),
  'the year 00, which is 2000': row(expiring('12/00'), refused(400, 14)),
  'this month, which is good to its end': row(expiring('01/26'), taken()),
  'an expiry on a method that lies in the past': row(
    put(`/payment_method/${METHOD}`, { Card: { ExpiryDate: '12/20' } }),
    refused(400, 14),
  ),

  'a Ccv of two digits': row(coded('12'), ccv),
  'a Ccv of four digits on a card that has three': row(coded('8471'), ccv),
  'a Ccv of letters': row(coded('abc'), ccv),
  'a Ccv in full-width digits': row(coded('８４７'), ccv),
  'a Ccv with a blank': row(coded('847 '), ccv),
  'a Ccv as a number': row(coded(847), ccv),
  'an empty Ccv': row(coded(''), ccv),
  'a Ccv of three digits on American Express': row(by({ CardNumber: '378282246310005' }), ccv),
  'a cardholder of 257 characters': row(by({ Cardholder: 'x'.repeat(257) }), bad('the maximum is 256')),

  'seconds and a date': row(
    kept({ ExpireSeconds: 60, ExpireDate: '2031-01-01T00:00:00Z' }),
    refused(400, 82),
  ),
  'no seconds': row(kept({ ExpireSeconds: 0 }), seconds),
  'negative seconds': row(kept({ ExpireSeconds: -1 }), seconds),
  'a part of a second': row(kept({ ExpireSeconds: 0.5 }), seconds),
  'seconds in exponents': row(kept({ ExpireSeconds: '1e3' }), seconds),
  'seconds that lead beyond the year 9999': row(kept({ ExpireSeconds: 999_999_999_999 }), seconds),
  'a list of seconds': row(kept({ ExpireSeconds: [60] }), seconds),
  '30 February': row(until('2031-02-30T00:00:00Z'), date),
  '29 February of a year that has none': row(until('2100-02-29T00:00:00Z'), date),
  '29 February of a leap year': row(until('2028-02-29T00:00:00Z'), taken('2028-02-29T00:00:00.000Z')),
  'hour 24': row(until('2031-01-01T24:00:00Z'), date),
  'a leap second': row(until('2030-12-31T23:59:60Z'), date),
  'no zone': row(until('2031-01-01T00:00:00'), date),
  'a zone without a colon': row(until('2031-01-01T00:00:00+1000'), date),
  'the words of a browser': row(until('Tue Jan 01 2031 00:00:00 GMT'), date),
  'ten decimals of a second': row(until('2031-01-01T00:00:00.1234567890Z'), date),
  'the year 0000': row(until('0000-01-01T00:00:00Z'), date),
  'the epoch': row(until('1970-01-01T00:00:00Z'), date),
  'an instant before the epoch by its zone': row(until('1970-01-01T00:00:00+00:01'), date),
  'this very instant, which is past': row(until('2026-01-01T00:00:00Z'), date),
  'a millisecond later': row(until('2026-01-01T00:00:00.001Z'), taken('2026-01-01T00:00:00.001Z')),
  'the last instant of 9999': row(until('9999-12-31T23:59:59.999Z'), taken('9999-12-31T23:59:59.999Z')),
  'the year 9999 and a zone that leads beyond': row(until('9999-12-31T23:59:59-01:00'), date),
  'the year 10000': row(until('10000-01-01T00:00:00Z'), date),
  'milliseconds, which the sdk dialect alone takes': row(until(1_924_992_000_000), date),
  'milliseconds beyond all dates in the sdk dialect': row(
    post(
      '/vault',
      { CardNumber: '4111111111111111', ExpireDate: 8_640_000_000_000_001 },
      'x-sandbox-dialect: sdk',
    ),
    { status: 400, says: ['"code":83'] },
  ),
  'a method of a customer that does not exist': row(
    post('/customer/__proto__/payment_method/card', { ProviderId: PROVIDER, PaymentInformation: card() }),
    refused(404, 52),
  ),
  'a customer with a default method of somebody else': row(
    put(`/customer/${CUSTOMER}`, { DefaultPaymentMethodId: 'x' }),
    refused(404, 56),
  ),
};
