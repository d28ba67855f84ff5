import { gzipSync } from 'node:zlib';

import { requestText } from '../node/http/support.js';
import {
  ask,
  AUTHORISED,
  CAPTURED,
  charge,
  chargeWith,
  CLOSE,
  chunk,
  del,
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
  utf8,
} from './row.js';

const bad = (...says: string[]) => refused(400, 90, 'The body is not acceptable JSON', ...says);
const as = (type: string): string => post('/charge/card', charge(), `Content-Type: ${type}`);
const untyped = (...says: string[]) => refused(415, 90, 'send Content-Type: application/json', ...says);
const wide = (text: string, encoding: 'utf16le'): string =>
  Buffer.from(`\ufeff${text}`, encoding).toString('latin1');
const TEXT = JSON.stringify(charge());

/** Bodies that are no JSON, that two readers could read differently, and such as would break one. */
export const BODIES: readonly Row[] = [
  row(
    'a card number twice',
    post('/vault', `{"CardNumber":"4111111111111111","CardNumber":"${PAN}"}`),
    bad('a second member "CardNumber"', 'line 1, column 34'),
  ),
  row(
    'a card number twice, once in escapes',
    post('/vault', String.raw`{"CardNumber":"4111111111111111","Card\u004eumber":"1"}`),
    bad('a second member'),
  ),
  row(
    'a prototype with members of its own',
    post('/charge/card', chargeWith('"__proto__":{"Amount":"1"}')),
    bad('__proto__'),
  ),
  row(
    'a prototype deep in a map',
    post('/charge/card', chargeWith('"Metadata":{"a":"b","__proto__":"c"}')),
    bad('__proto__'),
  ),
  row(
    'a constructor with a prototype',
    post('/charge/card', chargeWith('"constructor":{"prototype":{"a":1}}')),
    bad('constructor'),
  ),
  row(
    'a member that is called toString',
    post('/charge/card', chargeWith('"toString":"x"')),
    taken('ignored unknown members: toString'),
  ),
  row('a byte order mark', post('/charge/card', `\xef\xbb\xbf${TEXT}`), bad('byte order mark')),
  row('UTF-16 with its mark', post('/charge/card', wide(TEXT, 'utf16le')), bad('not UTF-8 at offset 0')),
  row('UTF-16 without a mark', post('/charge/card', TEXT.replaceAll(/./g, '$&\0')), bad('control character')),
  row('Latin-1', post('/charge/card', chargeWith('"Reference":"\xe9"')), bad('not UTF-8')),
  row(
    'a surrogate in UTF-8',
    post('/charge/card', chargeWith('"Reference":"\xed\xa0\x80"')),
    bad('not UTF-8'),
  ),
  row(
    'half a surrogate pair in an escape',
    post('/charge/card', chargeWith(String.raw`"Reference":"\udc00"`)),
    bad('surrogate'),
  ),
  row('a NUL in a text', post('/charge/card', chargeWith('"Reference":"a\0b"')), bad('control character')),
  row('a NUL behind the body', post('/charge/card', `${TEXT}\0`), bad('expected the end of the text')),
  row('a second document', post('/charge/card', `${TEXT}\n${TEXT}`), bad('line 2, column 1')),
  row('a line of JSON in front of a script', post('/charge/card', `)]}',\n${TEXT}`), bad('line 1, column 1')),
  row('a comment', post('/charge/card', `/* a */${TEXT}`), bad('line 1, column 1')),
  row('a comma at the end', post('/charge/card', `${TEXT.slice(0, -1)},}`), bad('expected a member name')),
  row('names without quotes', post('/charge/card', '{Amount:1}'), bad('line 1, column 2')),
  row('a text in single quotes', post('/charge/card', `{"Amount":'1'}`), bad('line 1, column 11')),
  row(
    'a list in place of an object',
    post('/charge/card', `[${TEXT}]`),
    refused(400, 90, 'The body must be a JSON object'),
  ),
  row('a card number alone', post('/vault', PAN), refused(400, 90, 'The body must be a JSON object')),
  row(
    'a card number alone in a text',
    post('/vault', `"${PAN}"`),
    refused(400, 90, 'The body must be a JSON object'),
  ),
  row('a form', post('/vault', `CardNumber=${PAN}&Ccv=847`), bad('line 1, column 1')),
  row(
    'XML with an entity of the system',
    post('/vault', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    bad('line 1, column 1'),
  ),
  row('YAML', post('/vault', `CardNumber: "${PAN}"`), bad('line 1, column 1')),
  row('a body that is cut', post('/vault', `{"CardNumber":"${PAN}","Ccv":"847`), bad('closing quote')),
  row('nothing', post('/charge/card', '', 'Content-Length: 0'), bad('The text is empty')),
  row('a megabyte of opening brackets', post('/charge/card', '['.repeat(1_000_000)), bad('nested too deep')),
  row(
    'objects in objects',
    post('/charge/card', chargeWith(`"Order":${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)),
    bad('at most 32 levels'),
  ),
  row(
    'a member more than an object may have',
    post('/charge/card', `{${Array.from({ length: 1001 }, (_, i) => `"m${i}":1`).join()}}`),
    bad('more members than an object may have'),
  ),
  row(
    'an element more than a list may have',
    post('/charge/card', chargeWith(`"Order":{"Items":[${'1,'.repeat(10_000)}1]}`)),
    bad('more elements than an array may have'),
  ),
  row(
    'a number of 401 digits',
    post('/charge/card', `{"Amount":${'1'.repeat(401)}}`),
    bad('number longer than'),
  ),
  row(
    'a number of which nothing is left',
    post('/charge/card', chargeWith('"CustomerCode":1e-400')),
    refused(400, 90, 'CustomerCode'),
  ),
  row(
    '-0 where a number is asked for',
    post('/batch/transaction/payment_method', '{"Count":-0,"Description":"d","Batch":"x"}'),
    refused(400, 90, 'Count'),
  ),
  row(
    'a text of a megabyte',
    post('/charge/card', chargeWith(`"Reference":"${'a'.repeat(1_000_000)}"`)),
    refused(400, 90, 'Reference has 1000000 characters, at most 1024 are taken'),
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
  row(
    'all the bytes that are taken',
    post('/charge/card', TEXT.padEnd(1_048_576)),
    taken('"Status":"SUCCESS"'),
  ),
  row(
    'a small limit, and a byte more',
    post('/charge/card', '{}'.padEnd(2049)),
    refused(413, 90, 'larger than the 2048 bytes'),
    { to: 'guarded' },
  ),
  row(
    'a batch above its limit',
    post('/batch/transaction/payment_method', '{}'.padEnd(4097)),
    refused(413, 90, 'larger than the 4096 bytes'),
    { to: 'guarded' },
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
    post('/charge/card', gzipSync(TEXT).toString('latin1'), 'Content-Encoding: gzip'),
    refused(415, 90, 'The body came with the Content-Encoding gzip; send it without one.'),
  ),
  row(
    'a bomb of gzip',
    post('/charge/card', gzipSync('['.repeat(10_000_000)).toString('latin1'), 'Content-Encoding: gzip'),
    refused(415, 90, 'The body came with the Content-Encoding gzip; send it without one.'),
  ),
  row(
    'an encoding that nobody has',
    post('/charge/card', '\x01\x02', 'Content-Encoding: sandbox'),
    refused(415, 90, 'The body came with the Content-Encoding sandbox; send it without one.'),
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
  row('no type', post('/charge/card', charge(), 'content-type'), untyped('no Content-Type')),
  row(
    'members in another case',
    post('/charge/card', TEXT.toLowerCase()),
    refused(400, 90, 'Amount is required'),
  ),
  row(
    'a member twice in other letters, where letters do not matter',
    post('/charge/card', chargeWith('"amount":"1"'), 'x-sandbox-dialect: sdk'),
    { status: 400, says: ['"code":90', 'given as Amount and as amount'] },
  ),
  row(
    'null in place of an object',
    post('/charge/card', 'null'),
    refused(400, 90, 'The body must be a JSON object'),
  ),
  row(
    'a list where a text should be',
    post('/charge/card', chargeWith('"Reference":["a"]')),
    refused(400, 90, 'Reference must be text, not a list'),
  ),
  row(
    'an object where a text should be',
    post('/charge/token', { Amount: 1, Token: { toString: 'tok_approve' } }),
    refused(400, 90, 'Token must be text, not an object'),
  ),
  row(
    'a text where a flag should be',
    post('/charge/card', charge({ Capture: 'false' })),
    refused(400, 90, 'Capture must be true or false, not text'),
  ),
  row(
    'a map with a list in it',
    post('/charge/card', charge({ Metadata: { a: ['b'] } })),
    refused(400, 90, 'Metadata'),
  ),
  row(
    'a map with 51 keys',
    post(
      '/charge/card',
      charge({ Metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) }),
    ),
    refused(400, 90, 'has 51 keys, at most 50 are taken'),
  ),
  row(
    'an unknown member where these are refused',
    post('/vault', { CardNumber: '4111111111111111', Colour: 'red' }),
    refused(400, 90, 'Unknown members: Colour'),
    { to: 'guarded' },
  ),
  row(
    'a body on a refund, which the query goes before',
    del(`/refund/${CAPTURED}?Amount=1`, JSON_TYPE, 'Content-Length: 12') + '{"Amount":2}',
    taken('"RefundedAmount":1'),
  ),
  row(
    'a broken body on a void',
    del(`/charge/${AUTHORISED}/void`, JSON_TYPE, 'Content-Length: 1') + '{',
    refused(400, 90, 'The body is not acceptable JSON'),
  ),
  row(
    'a body on a void',
    del(`/charge/${AUTHORISED}/void`, JSON_TYPE, 'Content-Length: 12') + '{"Amount":2}',
    taken('AUTHORISE_CANCELLED'),
  ),
  row(
    'a capture by a list',
    post(`/charge/${AUTHORISED}`, '[]'),
    refused(400, 90, 'The body must be a JSON object'),
  ),
  row('a state document that is a list', put('/_sandbox/state', '[]'), refused(400, 90)),
  row(
    'a reset with a seed of a megabyte',
    post('/_sandbox/reset', { Seed: 'x'.repeat(1_000_000) }),
    refused(400, 90, 'Seed must be a text of 1 to 256 characters'),
  ),
  row(
    'a body in UTF-8 that is fine',
    post('/charge/card', utf8(JSON.stringify(charge({ Reference: 'é漢😀' })))),
    taken(utf8('é漢😀')),
  ),
  row('an OPTIONS with a body', ask('OPTIONS', '/charge/card', JSON_TYPE, 'Content-Length: 1') + '{', {
    status: 204,
    says: [],
  }),
];
