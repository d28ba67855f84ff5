import { AUTHORISED, CAPTURED, charge, charging, del, post, refused, type Rows, row, taken } from './row.js';

const of = (amount: unknown, more: object = {}): string => charging({ Amount: amount, ...more });
const raw = (digits: string): string =>
  post('/charge/card', JSON.stringify(charge({ Amount: 0 })).replace('"Amount":0', `"Amount":${digits}`));
const malformed = refused(400, 2, 'Amount', 'it must be a decimal number such as 15.5 or "15.50"');
const tooLarge = refused(400, 2, 'the maximum is 999999999.99');
const decimals = refused(400, 2, 'decimals');
const notPositive = refused(400, 74, 'it must be greater than 0');

/** Numbers that look like amounts. */
export const AMOUNTS: Rows = {
  zero: row(of('0'), notPositive),
  'zero with decimals': row(of('0.00'), notPositive),
  'a negative amount': row(of('-20'), notPositive),
  'a negative zero as a number': row(raw('-0'), notPositive),
  'a negative zero with decimals as a number': row(raw('-0.0'), notPositive),
  'a plus sign': row(of('+20'), malformed),
  'a comma for the point': row(of('20,00'), malformed),
  'a comma for thousands': row(of('1,000.00'), malformed),
  'a blank before it': row(of(' 20'), malformed),
  'a line feed behind it': row(of('20\n'), malformed),
  'a NUL behind it': row(of('20\0'), malformed),
  'an exponent in a text': row(of('2e1'), malformed),
  'an exponent in a number': row(raw('2e1'), malformed),
  'an exponent that makes it large': row(raw('1e400'), malformed),
  'an exponent that makes it small': row(raw('1e-400'), malformed),
  hexadecimal: row(of('0x14'), malformed),
  'a leading zero': row(of('020'), malformed),
  'a point without digits before it': row(of('.5'), malformed),
  'a point without digits behind it': row(of('5.'), malformed),
  'two points': row(of('5.0.0'), malformed),
  'full-width digits': row(of('２０'), malformed),
  'Arabic digits': row(of('٢٠'), malformed),
  'a superscript': row(of('20²'), malformed),
  'a currency sign': row(of('$20'), malformed),
  'NaN in a text': row(of('NaN'), malformed),
  'Infinity in a text': row(of('Infinity'), malformed),
  'an empty text': row(of(''), malformed),
  'a list of an amount': row(of(['20']), refused(400, 2, 'must be a decimal number or string, not an array')),
  true: row(of(true), refused(400, 2, 'must be a decimal number or string, not a boolean')),
  'an object': row(of({ valueOf: 20 }), refused(400, 2, 'must be a decimal number or string, not an object')),
  'three decimals of a currency that has two': row(of('20.001'), decimals),
  'a decimal of a currency that has none': row(of('20.5', { Currency: 'JPY' }), decimals),
  'four decimals of a currency that has three': row(of('20.0001', { Currency: 'BHD' }), decimals),
  'a number that a double would round': row(raw('10.000000000000000001'), decimals),
  'a number that a double would round to a whole one': row(raw('0.99999999999999999999'), decimals),
  'a cent above the most': row(of('1000000000.00'), tooLarge),
  'a number beyond whole doubles': row(raw('9007199254740993'), tooLarge),
  'sixty digits': row(of('9'.repeat(60)), tooLarge),
  'a thousand digits': row(of('9'.repeat(1000)), refused(400, 2)),
  'a thousand zeros behind the point': row(of(`1.${'0'.repeat(1000)}`), refused(400, 2)),
  'the most that is taken': row(of('999999999.99'), taken('"Amount":999999999.99')),
  'the least that is taken': row(of('0.01'), taken('"Amount":0.01')),
  'a currency in lower case': row(of('20', { Currency: 'aud' }), taken('"Currency":"AUD"')),
  'a currency with a letter that becomes one of it': row(of('20', { Currency: 'ıdr' }), refused(400, 29)),
  'a currency that is gold': row(of('20', { Currency: 'XAU' }), refused(400, 29)),
  'a currency that is named like a prototype': row(of('20', { Currency: '__proto__' }), refused(400, 29)),
  'a currency with a NUL': row(of('20', { Currency: 'AUD\0' }), refused(400, 29)),
  'a currency in Cyrillic letters': row(of('20', { Currency: 'АUD' }), refused(400, 29)),
  'a currency as a number': row(of('20', { Currency: 36 }), refused(400, 29)),
  'a capture of more than was authorised': row(
    post(`/charge/${AUTHORISED}`, { Amount: '50.01' }),
    refused(400, 77),
  ),
  'a capture of nothing': row(post(`/charge/${AUTHORISED}`, { Amount: 0 }), notPositive),
  'a refund of more than is left': row(del(`/refund/${CAPTURED}?Amount=50.01`), refused(400, 76)),
  'a refund of a fraction of a cent': row(del(`/refund/${CAPTURED}?Amount=0.001`), decimals),
};
