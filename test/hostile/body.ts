import { gzipSync } from 'node:zlib';

import { requestText } from '../node/http/support.js';
import {
  ask,
  AUTHORISED,
  bad,
  CAPTURED,
  charge,
  charging,
  chargingWith,
  chargeWith,
  chunk,
  CLOSE,
  del,
  GUARDED,
  HOST,
  JSON_TYPE,
  PAN,
  post,
  put,
  refused,
  type Rows,
  row,
  SECRET,
  taken,
  times,
  utf8,
} from './row.js';

const broken = (...says: string[]) => bad('The body is not valid JSON', ...says);
const as = (type: string): string => charging({}, `Content-Type: ${type}`);
const untyped = (...says: string[]) =>
  refused(415, 90, 'send it with Content-Type: application/json', ...says);
const wide = (text: string, encoding: 'utf16le'): string =>
  Buffer.from(`\ufeff${text}`, encoding).toString('latin1');
const TEXT = JSON.stringify(charge());

const chargeText = (text: string, ...headers: string[]): string => post('/charge/card', text, ...headers);
const NO_OBJECT = bad('The body must be a JSON object');
const ENCODED = 'The body was sent with the Content-Encoding';

/** Bodies that are no JSON, that two readers could read differently, and such as would break one. */
export const BODIES: Rows = {
  'a card number twice': row(
    post('/vault', `{"CardNumber":"4111111111111111","CardNumber":"${PAN}"}`),
    broken('the field "CardNumber" twice', 'line 1, column 34'),
  ),
  'a card number twice, once in escapes': row(
    post('/vault', String.raw`{"CardNumber":"4111111111111111","Card\u004eumber":"1"}`),
    broken('twice in an object'),
  ),
  'a prototype with members of its own': row(chargingWith('"__proto__":{"Amount":"1"}'), broken('__proto__')),
  'a prototype deep in a map': row(chargingWith('"Metadata":{"a":"b","__proto__":"c"}'), broken('__proto__')),
  'a constructor with a prototype': row(
    chargingWith('"constructor":{"prototype":{"a":1}}'),
    broken('constructor'),
  ),
  'a member that is called toString': row(
    chargingWith('"toString":"x"'),
    taken('ignored unknown field "toString"'),
  ),
  'a byte order mark': row(chargeText(`\xef\xbb\xbf${TEXT}`), broken('byte order mark')),
  'UTF-16 with its mark': row(chargeText(wide(TEXT, 'utf16le')), broken('not UTF-8 at offset 0')),
  'UTF-16 without a mark': row(chargeText(TEXT.replaceAll(/./g, '$&\0')), broken('control character')),
  'Latin-1': row(chargingWith('"Reference":"\xe9"'), broken('not UTF-8')),
  'a surrogate in UTF-8': row(chargingWith('"Reference":"\xed\xa0\x80"'), broken('not UTF-8')),
  'half a surrogate pair in an escape': row(
    chargingWith(String.raw`"Reference":"\udc00"`),
    broken('surrogate'),
  ),
  'a NUL in a text': row(chargingWith('"Reference":"a\0b"'), broken('control character')),
  'a NUL behind the body': row(chargeText(`${TEXT}\0`), broken('expected the end of the text')),
  'a second document': row(chargeText(`${TEXT}\n${TEXT}`), broken('line 2, column 1')),
  'a line of JSON in front of a script': row(chargeText(`)]}',\n${TEXT}`), broken('line 1, column 1')),
  'a comment': row(chargeText(`/* a */${TEXT}`), broken('line 1, column 1')),
  'a comma at the end': row(chargeText(`${TEXT.slice(0, -1)},}`), broken('expected a field name')),
  'names without quotes': row(chargeText('{Amount:1}'), broken('line 1, column 2')),
  'a text in single quotes': row(chargeText(`{"Amount":'1'}`), broken('line 1, column 11')),
  'a list in place of an object': row(chargeText(`[${TEXT}]`), NO_OBJECT),
  'a card number alone': row(post('/vault', PAN), NO_OBJECT),
  'a card number alone in a text': row(post('/vault', `"${PAN}"`), NO_OBJECT),
  'a form': row(post('/vault', `CardNumber=${PAN}&Ccv=847`), broken('line 1, column 1')),
  YAML: row(post('/vault', `CardNumber: "${PAN}"`), broken('line 1, column 1')),
  'a body that is cut': row(post('/vault', `{"CardNumber":"${PAN}","Ccv":"847`), broken('closing quote')),
  nothing: row(chargeText('', 'Content-Length: 0'), broken('Found an empty text')),
  'a megabyte of opening brackets': row(chargeText('['.repeat(1_000_000)), broken('nested too deep')),
  'objects in objects': row(
    chargingWith(`"Order":${'{"a":'.repeat(40)}1${'}'.repeat(40)}`),
    broken('the maximum is 32 levels'),
  ),
  'a member more than an object may have': row(
    chargeText(`{${times(1001, (i) => `"m${i}":1`).join()}}`),
    broken('more than 1000 fields in an object'),
  ),
  'an element more than a list may have': row(
    chargingWith(`"Order":{"Items":[${'1,'.repeat(10_000)}1]}`),
    broken('more than 10000 elements in an array'),
  ),
  'a number of 401 digits': row(chargeText(`{"Amount":${'1'.repeat(401)}}`), broken('number longer than')),
  'a number of which nothing is left': row(chargingWith('"CustomerCode":1e-400'), bad('CustomerCode')),
  '-0 where a number is asked for': row(
    post('/batch/transaction/payment_method', '{"Count":-0,"Description":"d","Batch":"x"}'),
    bad('Count'),
  ),
  'a text of a megabyte': row(
    chargingWith(`"Reference":"${'a'.repeat(1_000_000)}"`),
    bad('Reference is 1000000 characters long; the maximum is 1024'),
  ),
  'the byte above the limit, stated': row(
    requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, 'Content-Length: 1048577']),
    refused(413, 90, 'the maximum is 1048576 bytes'),
  ),
  'the byte above the limit, in chunks': row(
    requestText('POST /vault', [HOST, SECRET, JSON_TYPE, 'Transfer-Encoding: chunked']) +
      chunk(' '.repeat(1_048_577)),
    refused(413, 90, 'the maximum is 1048576 bytes'),
  ),
  'all the bytes that are taken': row(chargeText(TEXT.padEnd(1_048_576)), taken('"Status":"SUCCESS"')),
  'a small limit, and a byte more': row(
    chargeText('{}'.padEnd(2049)),
    refused(413, 90, 'the maximum is 2048 bytes'),
    GUARDED,
  ),
  'a batch above its limit': row(
    post('/batch/transaction/payment_method', '{}'.padEnd(4097)),
    refused(413, 90, 'the maximum is 4096 bytes'),
    GUARDED,
  ),
  'a length above the limit that waits to be told to go on': row(
    requestText('POST /vault', [
      HOST,
      SECRET,
      JSON_TYPE,
      CLOSE,
      'Expect: 100-continue',
      'Content-Length: 99999999',
    ]),
    [{ status: 100, says: [] }, refused(413, 90)],
  ),
  gzip: row(
    chargeText(gzipSync(TEXT).toString('latin1'), 'Content-Encoding: gzip'),
    refused(415, 90, `${ENCODED} gzip; send it uncompressed, without that header.`),
  ),
  'an encoding that nobody has': row(
    chargeText('\x01\x02', 'Content-Encoding: sandbox'),
    refused(415, 90, `${ENCODED} sandbox; send it uncompressed, without that header.`),
  ),
  'a form by its type': row(
    as('application/x-www-form-urlencoded'),
    untyped('application/x-www-form-urlencoded'),
  ),
  'a text by its type, which needs no preflight': row(as('text/plain;charset=UTF-8'), untyped('text/plain')),
  'another charset': row(as('application/json; charset=utf-16'), untyped('utf-16')),
  'UTF-7': row(as('application/json; charset=utf-7'), untyped('utf-7')),
  'two charsets': row(as('application/json; charset=utf-8; charset=utf-16'), untyped()),
  'two types': row(as('application/json, text/html'), untyped()),
  'two headers with a type': row(as('application/json\r\nContent-Type: text/plain'), taken()),
  'a type of JSON that is another': row(as('application/json5'), untyped()),
  'an empty type': row(as(''), untyped()),
  'no type': row(charging({}, 'content-type'), untyped('without a Content-Type')),
  'members in another case': row(chargeText(TEXT.toLowerCase()), bad('Amount is required')),
  'a member twice in other letters, where letters do not matter': row(
    chargeText(chargeWith('"amount":"1"'), 'x-sandbox-dialect: sdk'),
    { status: 400, says: ['"code":90', 'sent as Amount and as amount'] },
  ),
  'null in place of an object': row(chargeText('null'), NO_OBJECT),
  'a list where a text should be': row(
    chargingWith('"Reference":["a"]'),
    bad('Reference must be a string, not an array'),
  ),
  'a map with 51 keys': row(
    post('/charge/card', charge({ Metadata: Object.fromEntries(times(51, (i) => [`k${i}`, 'v'])) })),
    bad('has 51 keys; the maximum is 50'),
  ),
  'an unknown member where these are refused': row(
    post('/vault', { CardNumber: '4111111111111111', Colour: 'red' }),
    bad('Unknown field "Colour"'),
    GUARDED,
  ),
  'a body on a refund, which the query goes before': row(
    del(`/refund/${CAPTURED}?Amount=1`, JSON_TYPE, 'Content-Length: 12') + '{"Amount":2}',
    taken('"RefundedAmount":1'),
  ),
  'a broken body on a void': row(
    del(`/charge/${AUTHORISED}/void`, JSON_TYPE, 'Content-Length: 1') + '{',
    bad('The body is not valid JSON'),
  ),
  'a body on a void': row(
    del(`/charge/${AUTHORISED}/void`, JSON_TYPE, 'Content-Length: 12') + '{"Amount":2}',
    taken('AUTHORISE_CANCELLED'),
  ),
  'a state document that is a list': row(put('/_sandbox/state', '[]'), bad()),
  'a body in UTF-8 that is fine': row(
    chargeText(utf8(JSON.stringify(charge({ Reference: 'é漢😀' })))),
    taken(utf8('é漢😀')),
  ),
  'an OPTIONS with a body': row(ask('OPTIONS', '/charge/card', JSON_TYPE, 'Content-Length: 1') + '{', {
    status: 204,
    says: [],
  }),
};
