import {
  AUTHORISED,
  bad,
  CAPTURED,
  charge,
  charging,
  del,
  post,
  refused,
  type Rows,
  row,
  taken,
} from './row.js';

const of = (amount: unknown, more: object = {}): string => charging({ Amount: amount, ...more });
const raw = (digits: string): string =>
  post('/charge/card', JSON.stringify(charge({ Amount: 0 })).replace('"Amount":0', `"Amount":${digits}`));
const malformed = refused(400, 2, 'Amount', 'it must be a decimal number such as 15.5 or "15.50"');
const tooLarge = refused(400, 2, 'the maximum is 999999999.99');
const decimals = refused(400, 2, 'decimals');
const notPositive = refused(400, 74, 'it must be greater than 0');

/** Numbers that look like amounts. */
export const AMOUNTS: Rows = {
  'a negative zero as a number': row(raw('-0'), notPositive),
  'a negative zero with decimals as a number': row(raw('-0.0'), notPositive),
  'a line feed behind it': row(of('20\n'), malformed),
  'a NUL behind it': row(of('20\0'), bad('a NUL character')),
  'an exponent that makes it large': row(raw('1e400'), malformed),
  'an exponent that makes it small': row(raw('1e-400'), malformed),
  'a superscript': row(of('20²'), malformed),
  'a currency sign': row(of('$20'), malformed),
  'Infinity in a text': row(of('Infinity'), malformed),
  'a list of an amount': row(of(['20']), refused(400, 2, 'must be a decimal number or string, not an array')),
  'a number that a double would round to a whole one': row(raw('0.99999999999999999999'), decimals),
  'a number beyond whole doubles': row(raw('9007199254740993'), tooLarge),
  'a thousand digits': row(of('9'.repeat(1000)), refused(400, 2)),
  'a thousand zeros behind the point': row(of(`1.${'0'.repeat(1000)}`), refused(400, 2)),
  'the most that is taken': row(of('999999999.99'), taken('"Amount":999999999.99')),
  'the least that is taken': row(of('0.01'), taken('"Amount":0.01')),
  'a currency in lower case': row(of('20', { Currency: 'aud' }), taken('"Currency":"AUD"')),
  'a currency with a letter that becomes one of it': row(of('20', { Currency: 'ıdr' }), refused(400, 29)),
  'a currency that is gold': row(of('20', { Currency: 'XAU' }), refused(400, 29)),
  'a currency that is named like a prototype': row(of('20', { Currency: '__proto__' }), refused(400, 29)),
  'a currency with a NUL': row(of('20', { Currency: 'AUD\0' }), bad('a NUL character')),
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
