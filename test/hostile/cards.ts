import {
  bad,
  card,
  charging,
  CUSTOMER,
  grouped,
  METHOD,
  MISPLACED,
  PAN,
  post,
  PROVIDER,
  put,
  refused,
  type Row,
  row,
  taken,
} from './row.js';

const by = (more: object): string => charging({ PaymentInformation: card(more) });
const numbered = (CardNumber: unknown): string => by({ CardNumber });
const wrong = refused(400, 5, 'PaymentInformation.CardNumber', 'digits with a right check digit are taken');
const length = refused(400, 55, '12 to 19 digits are taken');
const expiring = (ExpiryDate: unknown): string => by({ ExpiryDate });
const expiry = refused(400, 9, 'PaymentInformation.ExpiryDate', 'MM/YY such as 10/30 is taken');
const coded = (Ccv: unknown): string => by({ Ccv });
const ccv = refused(400, 6, 'PaymentInformation.Ccv', 'three digits are taken, four for American Express');
const kept = (more: object): string => post('/vault', { CardNumber: '4111111111111111', ...more });
const until = (ExpireDate: unknown): string => kept({ ExpireDate });
const date = refused(400, 83, 'ExpireDate');
const seconds = refused(400, 83, 'ExpireSeconds');

/** Cards and dates that are none. */
export const CARDS: readonly Row[] = [
  row('a wrong check digit', numbered(`${PAN.slice(0, -1)}7`), wrong),
  row('digits that are exchanged', numbered('4929123456781263'), wrong),
  row('full-width digits', numbered('４９２９１２３４５６７８１２３６'), wrong),
  row('Arabic digits', numbered('٤١١١١١١١١١١١١١١١'), wrong),
  row('one full-width digit', numbered(`４${PAN.slice(1)}`), wrong),
  row('an invisible character', numbered(`${PAN}\u200b`), wrong),
  row('blanks that do not break', numbered(grouped('$&\u00a0')), wrong),
  row('two blanks between groups', numbered(grouped('$&  ')), wrong),
  row('a hyphen at the end', numbered(`${PAN}-`), wrong),
  row('a line feed at the end', numbered(`${PAN}\n`), wrong),
  row('dots between groups', numbered(grouped('$&.')), wrong),
  row('a masked number', numbered('4929********1236'), wrong),
  row('a number as a number', numbered(Number(PAN)), refused(400, 5)),
  row('a list of a number', numbered([PAN]), refused(400, 5)),
  row('eleven digits', numbered('49291234567'), length),
  row('twenty digits', numbered('49291234567812345678'), length),
  row('zeros alone, which pass the check', numbered('0000000000000000'), taken()),
  row('a thousand digits', numbered('4'.repeat(1000)), length),
  row('a megabyte of digits', numbered('4'.repeat(900_000)), refused(400, 5, 'at most 1024 are taken')),
  row('nothing', numbered(''), refused(400, 55)),

  row('month 00', expiring('00/30'), expiry),
  row('month 13', expiring('13/30'), expiry),
  row('a month of one digit', expiring('1/30'), expiry),
  row('a year of four digits', expiring('12/2030'), expiry),
  row('a hyphen for the slash', expiring('12-30'), expiry),
  row('no slash', expiring('1230'), expiry),
  row('blanks around the slash', expiring('12 / 30'), expiry),
  row('a blank behind it', expiring('12/30 '), expiry),
  row('full-width digits in the expiry', expiring('１２/３０'), expiry),
  row('a slash of fractions', expiring('12⁄30'), expiry),
  row('a date', expiring('2030-12-31'), expiry),
  row('an expiry as a number', expiring(1230), expiry),
  row(
    'the card number where the expiry should be',
    expiring(PAN),
    refused(400, 9, 'is "4929******"'),
    MISPLACED,
  ),
  row('last month', expiring('12/25'), refused(402, 14)),
  row('the year 00, which is 2000', expiring('12/00'), refused(402, 14)),
  row('this month, which is good to its end', expiring('01/26'), taken()),
  row(
    'an expiry on a method that lies in the past',
    put(`/payment_method/${METHOD}`, { Card: { ExpiryDate: '12/20' } }),
    refused(402, 14),
  ),

  row('a Ccv of two digits', coded('12'), ccv),
  row('a Ccv of four digits on a card that has three', coded('8471'), ccv),
  row('a Ccv of letters', coded('abc'), ccv),
  row('a Ccv in full-width digits', coded('８４７'), ccv),
  row('a Ccv with a blank', coded('847 '), ccv),
  row('a Ccv as a number', coded(847), ccv),
  row('an empty Ccv', coded(''), ccv),
  row('a Ccv of three digits on American Express', by({ CardNumber: '378282246310005' }), ccv),
  row('a cardholder of 257 characters', by({ Cardholder: 'x'.repeat(257) }), bad('at most 256 are taken')),

  row(
    'seconds and a date',
    kept({ ExpireSeconds: 60, ExpireDate: '2031-01-01T00:00:00Z' }),
    refused(400, 82),
  ),
  row('no seconds', kept({ ExpireSeconds: 0 }), seconds),
  row('negative seconds', kept({ ExpireSeconds: -1 }), seconds),
  row('a part of a second', kept({ ExpireSeconds: 0.5 }), seconds),
  row('seconds in exponents', kept({ ExpireSeconds: '1e3' }), seconds),
  row('seconds that lead beyond the year 9999', kept({ ExpireSeconds: 999_999_999_999 }), seconds),
  row('a list of seconds', kept({ ExpireSeconds: [60] }), seconds),
  row('30 February', until('2031-02-30T00:00:00Z'), date),
  row('29 February of a year that has none', until('2100-02-29T00:00:00Z'), date),
  row('29 February of a leap year', until('2028-02-29T00:00:00Z'), taken('2028-02-29T00:00:00.000Z')),
  row('hour 24', until('2031-01-01T24:00:00Z'), date),
  row('a leap second', until('2030-12-31T23:59:60Z'), date),
  row('no zone', until('2031-01-01T00:00:00'), date),
  row('a zone without a colon', until('2031-01-01T00:00:00+1000'), date),
  row('the words of a browser', until('Tue Jan 01 2031 00:00:00 GMT'), date),
  row('ten decimals of a second', until('2031-01-01T00:00:00.1234567890Z'), date),
  row('the year 0000', until('0000-01-01T00:00:00Z'), date),
  row('the epoch', until('1970-01-01T00:00:00Z'), date),
  row('an instant before the epoch by its zone', until('1970-01-01T00:00:00+00:01'), date),
  row('this very instant, which is past', until('2026-01-01T00:00:00Z'), date),
  row('a millisecond later', until('2026-01-01T00:00:00.001Z'), taken('2026-01-01T00:00:00.001Z')),
  row('the last instant of 9999', until('9999-12-31T23:59:59.999Z'), taken('9999-12-31T23:59:59.999Z')),
  row('the year 9999 and a zone that leads beyond', until('9999-12-31T23:59:59-01:00'), date),
  row('the year 10000', until('10000-01-01T00:00:00Z'), date),
  row('milliseconds, which the sdk dialect alone takes', until(1_924_992_000_000), date),
  row(
    'milliseconds beyond all dates in the sdk dialect',
    post(
      '/vault',
      { CardNumber: '4111111111111111', ExpireDate: 8_640_000_000_000_001 },
      'x-sandbox-dialect: sdk',
    ),
    { status: 400, says: ['"code":83'] },
  ),
  row(
    'a method of a customer that does not exist',
    post('/customer/__proto__/payment_method/card', { ProviderId: PROVIDER, PaymentInformation: card() }),
    refused(404, 52),
  ),
  row(
    'a customer with a default method of somebody else',
    put(`/customer/${CUSTOMER}`, { DefaultPaymentMethodId: 'x' }),
    refused(404, 56),
  ),
];
