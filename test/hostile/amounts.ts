import { AUTHORISED, CAPTURED, charge, charging, del, post, refused, type Row, row, taken } from './row.js';

const of = (amount: unknown, more: object = {}): string => charging({ Amount: amount, ...more });
const raw = (digits: string): string =>
  post('/charge/card', JSON.stringify(charge({ Amount: 0 })).replace('"Amount":0', `"Amount":${digits}`));
const malformed = refused(400, 2, 'Amount', 'a decimal such as 15.5 or "15.50" is taken');
const tooLarge = refused(400, 2, 'at most 999999999.99 is taken');
const decimals = refused(400, 2, 'decimals');
const notPositive = refused(400, 74, 'it must be greater than 0');

/** Numbers that look like amounts. */
export const AMOUNTS: readonly Row[] = [
  row('zero', of('0'), notPositive),
  row('zero with decimals', of('0.00'), notPositive),
  row('a negative amount', of('-20'), notPositive),
  row('a negative zero as a number', raw('-0'), notPositive),
  row('a negative zero with decimals as a number', raw('-0.0'), notPositive),
  row('a plus sign', of('+20'), malformed),
  row('a comma for the point', of('20,00'), malformed),
  row('a comma for thousands', of('1,000.00'), malformed),
  row('a blank before it', of(' 20'), malformed),
  row('a line feed behind it', of('20\n'), malformed),
  row('a NUL behind it', of('20\0'), malformed),
  row('an exponent in a text', of('2e1'), malformed),
  row('an exponent in a number', raw('2e1'), malformed),
  row('an exponent that makes it large', raw('1e400'), malformed),
  row('an exponent that makes it small', raw('1e-400'), malformed),
  row('hexadecimal', of('0x14'), malformed),
  row('a leading zero', of('020'), malformed),
  row('a point without digits before it', of('.5'), malformed),
  row('a point without digits behind it', of('5.'), malformed),
  row('two points', of('5.0.0'), malformed),
  row('full-width digits', of('２０'), malformed),
  row('Arabic digits', of('٢٠'), malformed),
  row('a superscript', of('20²'), malformed),
  row('a currency sign', of('$20'), malformed),
  row('NaN in a text', of('NaN'), malformed),
  row('Infinity in a text', of('Infinity'), malformed),
  row('an empty text', of(''), malformed),
  row('a list of an amount', of(['20']), refused(400, 2, 'must be a decimal number or text, not a list')),
  row('true', of(true), refused(400, 2, 'must be a decimal number or text, not true or false')),
  row('an object', of({ valueOf: 20 }), refused(400, 2, 'must be a decimal number or text, not an object')),
  row('three decimals of a currency that has two', of('20.001'), decimals),
  row('a decimal of a currency that has none', of('20.5', { Currency: 'JPY' }), decimals),
  row('four decimals of a currency that has three', of('20.0001', { Currency: 'BHD' }), decimals),
  row('a number that a double would round', raw('10.000000000000000001'), decimals),
  row('a number that a double would round to a whole one', raw('0.99999999999999999999'), decimals),
  row('a cent above the most', of('1000000000.00'), tooLarge),
  row('a number beyond whole doubles', raw('9007199254740993'), tooLarge),
  row('sixty digits', of('9'.repeat(60)), tooLarge),
  row('a thousand digits', of('9'.repeat(1000)), refused(400, 2)),
  row('a thousand zeros behind the point', of(`1.${'0'.repeat(1000)}`), refused(400, 2)),
  row('the most that is taken', of('999999999.99'), taken('"Amount":999999999.99')),
  row('the least that is taken', of('0.01'), taken('"Amount":0.01')),
  row('a currency in lower case', of('20', { Currency: 'aud' }), refused(400, 29, 'AUD')),
  row('a currency that is gold', of('20', { Currency: 'XAU' }), refused(400, 29)),
  row('a currency that is named like a prototype', of('20', { Currency: '__proto__' }), refused(400, 29)),
  row('a currency with a NUL', of('20', { Currency: 'AUD\0' }), refused(400, 29)),
  row('a currency in Cyrillic letters', of('20', { Currency: 'АUD' }), refused(400, 29)),
  row('a currency as a number', of('20', { Currency: 36 }), refused(400, 29)),
  row(
    'a capture of more than was authorised',
    post(`/charge/${AUTHORISED}`, { Amount: '50.01' }),
    refused(400, 77),
  ),
  row('a capture of nothing', post(`/charge/${AUTHORISED}`, { Amount: 0 }), notPositive),
  row('a refund of more than is left', del(`/refund/${CAPTURED}?Amount=50.01`), refused(400, 76)),
  row('a refund of a fraction of a cent', del(`/refund/${CAPTURED}?Amount=0.001`), decimals),
];
