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
  type Row,
  row,
  SECRET,
  taken,
  times,
  utf8,
} from './row.js';

const broken = (...says: string[]) => bad('The body is not acceptable JSON', ...says);
const as = (type: string): string => charging({}, `Content-Type: ${type}`);
const untyped = (...says: string[]) => refused(415, 90, 'send Content-Type: application/json', ...says);
const wide = (text: string, encoding: 'utf16le'): string =>
  Buffer.from(`\ufeff${text}`, encoding).toString('latin1');
const TEXT = JSON.stringify(charge());

const chargeText = (text: string, ...headers: string[]): string => post('/charge/card', text, ...headers);
const NO_OBJECT = bad('The body must be a JSON object');
const ENCODED = 'The body came with the Content-Encoding';

/** Bodies that are no JSON, that two readers could read differently, and such as would break one. */
export const BODIES: readonly Row[] = [
  row(
    'a card number twice',
    post('/vault', `{"CardNumber":"4111111111111111","CardNumber":"${PAN}"}`),
    broken('a second member "CardNumber"', 'line 1, column 34'),
  ),
  row(
    'a card number twice, once in escapes',
    post('/vault', String.raw`{"CardNumber":"4111111111111111","Card\u004eumber":"1"}`),
    broken('a second member'),
  ),
  row('a prototype with members of its own', chargingWith('"__proto__":{"Amount":"1"}'), broken('__proto__')),
  row('a prototype deep in a map', chargingWith('"Metadata":{"a":"b","__proto__":"c"}'), broken('__proto__')),
  row(
    'a constructor with a prototype',
    chargingWith('"constructor":{"prototype":{"a":1}}'),
    broken('constructor'),
  ),
  row(
    'a member that is called toString',
    chargingWith('"toString":"x"'),
    taken('ignored unknown members: toString'),
  ),
  row('a byte order mark', chargeText(`\xef\xbb\xbf${TEXT}`), broken('byte order mark')),
  row('UTF-16 with its mark', chargeText(wide(TEXT, 'utf16le')), broken('not UTF-8 at offset 0')),
  row('UTF-16 without a mark', chargeText(TEXT.replaceAll(/./g, '$&\0')), broken('control character')),
  row('Latin-1', chargingWith('"Reference":"\xe9"'), broken('not UTF-8')),
  row('a surrogate in UTF-8', chargingWith('"Reference":"\xed\xa0\x80"'), broken('not UTF-8')),
  row(
    'half a surrogate pair in an escape',
    chargingWith(String.raw`"Reference":"\udc00"`),
    broken('surrogate'),
  ),
  row('a NUL in a text', chargingWith('"Reference":"a\0b"'), broken('control character')),
  row('a NUL behind the body', chargeText(`${TEXT}\0`), broken('expected the end of the text')),
  row('a second document', chargeText(`${TEXT}\n${TEXT}`), broken('line 2, column 1')),
  row('a line of JSON in front of a script', chargeText(`)]}',\n${TEXT}`), broken('line 1, column 1')),
  row('a comment', chargeText(`/* a */${TEXT}`), broken('line 1, column 1')),
  row('a comma at the end', chargeText(`${TEXT.slice(0, -1)},}`), broken('expected a member name')),
  row('names without quotes', chargeText('{Amount:1}'), broken('line 1, column 2')),
  row('a text in single quotes', chargeText(`{"Amount":'1'}`), broken('line 1, column 11')),
  row('a list in place of an object', chargeText(`[${TEXT}]`), NO_OBJECT),
  row('a card number alone', post('/vault', PAN), NO_OBJECT),
  row('a card number alone in a text', post('/vault', `"${PAN}"`), NO_OBJECT),
  row('a form', post('/vault', `CardNumber=${PAN}&Ccv=847`), broken('line 1, column 1')),
  row(
    'XML with an entity of the system',
    post('/vault', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    broken('line 1, column 1'),
  ),
  row('YAML', post('/vault', `CardNumber: "${PAN}"`), broken('line 1, column 1')),
  row('a body that is cut', post('/vault', `{"CardNumber":"${PAN}","Ccv":"847`), broken('closing quote')),
  row('nothing', chargeText('', 'Content-Length: 0'), broken('The text is empty')),
  row('a megabyte of opening brackets', chargeText('['.repeat(1_000_000)), broken('nested too deep')),
  row(
    'objects in objects',
    chargingWith(`"Order":${'{"a":'.repeat(40)}1${'}'.repeat(40)}`),
    broken('at most 32 levels'),
  ),
  row(
    'a member more than an object may have',
    chargeText(`{${times(1001, (i) => `"m${i}":1`).join()}}`),
    broken('more members than an object may have'),
  ),
  row(
    'an element more than a list may have',
    chargingWith(`"Order":{"Items":[${'1,'.repeat(10_000)}1]}`),
    broken('more elements than an array may have'),
  ),
  row('a number of 401 digits', chargeText(`{"Amount":${'1'.repeat(401)}}`), broken('number longer than')),
  row('a number of which nothing is left', chargingWith('"CustomerCode":1e-400'), bad('CustomerCode')),
  row(
    '-0 where a number is asked for',
    post('/batch/transaction/payment_method', '{"Count":-0,"Description":"d","Batch":"x"}'),
    bad('Count'),
  ),
  row(
    'a text of a megabyte',
    chargingWith(`"Reference":"${'a'.repeat(1_000_000)}"`),
    bad('Reference has 1000000 characters, at most 1024 are taken'),
  ),
  row(
    'the byte above the limit, stated',
    requestText('POST /charge/card', [HOST, SECRET, JSON_TYPE, 'Content-Length: 1048577']),
    refused(413, 90, 'larger than the 1048576 bytes'),
  ),
  row(
    'the byte above the limit, in chunks',
    requestText('POST /vault', [HOST, SECRET, JSON_TYPE, 'Transfer-Encoding: chunked']) +
      chunk(' '.repeat(1_048_577)),
    refused(413, 90, 'larger than the 1048576 bytes'),
  ),
  row('all the bytes that are taken', chargeText(TEXT.padEnd(1_048_576)), taken('"Status":"SUCCESS"')),
  row(
    'a small limit, and a byte more',
    chargeText('{}'.padEnd(2049)),
    refused(413, 90, 'larger than the 2048 bytes'),
    GUARDED,
  ),
  row(
    'a batch above its limit',
    post('/batch/transaction/payment_method', '{}'.padEnd(4097)),
    refused(413, 90, 'larger than the 4096 bytes'),
    GUARDED,
  ),
  row(
    'a length above the limit that waits to be told to go on',
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
  row(
    'gzip',
    chargeText(gzipSync(TEXT).toString('latin1'), 'Content-Encoding: gzip'),
    refused(415, 90, `${ENCODED} gzip; send it without one.`),
  ),
  row(
    'a bomb of gzip',
    chargeText(gzipSync('['.repeat(10_000_000)).toString('latin1'), 'Content-Encoding: gzip'),
    refused(415, 90, `${ENCODED} gzip; send it without one.`),
  ),
  row(
    'an encoding that nobody has',
    chargeText('\x01\x02', 'Content-Encoding: sandbox'),
    refused(415, 90, `${ENCODED} sandbox; send it without one.`),
  ),
  row(
    'a form by its type',
    as('application/x-www-form-urlencoded'),
    untyped('application/x-www-form-urlencoded'),
  ),
  row('a text by its type, which needs no preflight', as('text/plain;charset=UTF-8'), untyped('text/plain')),
  row('another charset', as('application/json; charset=utf-16'), untyped('utf-16')),
  row('UTF-7', as('application/json; charset=utf-7'), untyped('utf-7')),
  row('two charsets', as('application/json; charset=utf-8; charset=utf-16'), untyped()),
  row('two types', as('application/json, text/html'), untyped()),
  row('two headers with a type', as('application/json\r\nContent-Type: text/plain'), taken()),
  row('a type of JSON that is another', as('application/json5'), untyped()),
  row('an empty type', as(''), untyped()),
  row('no type', charging({}, 'content-type'), untyped('no Content-Type')),
  row('members in another case', chargeText(TEXT.toLowerCase()), bad('Amount is required')),
  row(
    'a member twice in other letters, where letters do not matter',
    chargeText(chargeWith('"amount":"1"'), 'x-sandbox-dialect: sdk'),
    { status: 400, says: ['"code":90', 'given as Amount and as amount'] },
  ),
  row('null in place of an object', chargeText('null'), NO_OBJECT),
  row(
    'a list where a text should be',
    chargingWith('"Reference":["a"]'),
    bad('Reference must be text, not a list'),
  ),
  row(
    'an object where a text should be',
    post('/charge/token', { Amount: 1, Token: { toString: 'tok_approve' } }),
    bad('Token must be text, not an object'),
  ),
  row(
    'a text where a flag should be',
    charging({ Capture: 'false' }),
    bad('Capture must be true or false, not text'),
  ),
  row('a map with a list in it', charging({ Metadata: { a: ['b'] } }), bad('Metadata')),
  row(
    'a map with 51 keys',
    post('/charge/card', charge({ Metadata: Object.fromEntries(times(51, (i) => [`k${i}`, 'v'])) })),
    bad('has 51 keys, at most 50 are taken'),
  ),
  row(
    'an unknown member where these are refused',
    post('/vault', { CardNumber: '4111111111111111', Colour: 'red' }),
    bad('Unknown members: Colour'),
    GUARDED,
  ),
  row(
    'a body on a refund, which the query goes before',
    del(`/refund/${CAPTURED}?Amount=1`, JSON_TYPE, 'Content-Length: 12') + '{"Amount":2}',
    taken('"RefundedAmount":1'),
  ),
  row(
    'a broken body on a void',
    del(`/charge/${AUTHORISED}/void`, JSON_TYPE, 'Content-Length: 1') + '{',
    bad('The body is not acceptable JSON'),
  ),
  row(
    'a body on a void',
    del(`/charge/${AUTHORISED}/void`, JSON_TYPE, 'Content-Length: 12') + '{"Amount":2}',
    taken('AUTHORISE_CANCELLED'),
  ),
  row('a capture by a list', post(`/charge/${AUTHORISED}`, '[]'), NO_OBJECT),
  row('a state document that is a list', put('/_sandbox/state', '[]'), bad()),
  row(
    'a reset with a seed of a megabyte',
    post('/_sandbox/reset', { Seed: 'x'.repeat(1_000_000) }),
    bad('Seed must be a text of 1 to 256 characters'),
  ),
  row(
    'a body in UTF-8 that is fine',
    chargeText(utf8(JSON.stringify(charge({ Reference: 'é漢😀' })))),
    taken(utf8('é漢😀')),
  ),
  row('an OPTIONS with a body', ask('OPTIONS', '/charge/card', JSON_TYPE, 'Content-Length: 1') + '{', {
    status: 204,
    says: [],
  }),
];
