import {
  AUTHORISED,
  bad,
  charge,
  charging,
  get,
  grouped,
  KEY,
  MISPLACED,
  PAN,
  post,
  PROVIDER,
  refused,
  type Row,
  row,
  taken,
  times,
  utf8,
} from './row.js';

const refer = (Reference: string): string => charging({ Reference });
const MARKUP = '</script><img src=x onerror=alert(1)>';
/** A charge with a member of this name. */
const named = (name: string): string => charging({ [name]: 1 });
const warned = taken('x-sandbox-warning');

/** What a caller sent, where it comes out again. */
export const OUTPUT: readonly Row[] = [
  row(
    'an answer within a reference',
    refer('a\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
    taken(String.raw`a\r\n\r\nHTTP/1.1 200 OK`),
  ),
  row('line separators of Unicode', refer('\u2028\u2029'), taken(utf8('\u2028\u2029'))),
  row('a DEL, and the end of Unicode', refer('\u007f\u{10ffff}'), taken(utf8('\u{10ffff}'))),
  row(
    'a member that would be a header',
    charging({ 'a\r\nSet-Cookie: b': 1 }),
    taken('x-sandbox-warning: ', 'a%0D%0ASet-Cookie: b'),
  ),
  row('a member of a thousand letters', named('x'.repeat(1000)), taken('x-sandbox-warning: ')),
  row(
    'a hundred members of emoji',
    post('/charge/card', charge(Object.fromEntries(times(100, (i) => [`😀${i}`, 1])))),
    taken('%F0%9F%98%80', 'and 95 more'),
  ),
  row('a member that is named by a card number', named(PAN), taken('4929********1236')),
  row('a member that is named by a card number in blanks', named(grouped('$& ')), warned),
  row('a member that is named by a card number behind letters', named(`n${PAN}n`), warned, MISPLACED),
  row(
    'a member whose card number stands where it is cut',
    named(`${'x'.repeat(50)} ${PAN}`),
    warned,
    MISPLACED,
  ),
  row('a card number as amount', charging({ Amount: PAN }), refused(400, 2, '4929********1236'), MISPLACED),
  row('a card number as amount, as a number', charging({ Amount: Number(PAN) }), refused(400, 2), MISPLACED),
  row(
    'a card number that is cut in an amount',
    charging({ Amount: `${'x'.repeat(28)} ${PAN}` }),
    refused(400, 2),
    MISPLACED,
  ),
  row(
    'a card number as provider',
    charging({ ProviderId: PAN }),
    refused(400, 39, '4929********1236'),
    MISPLACED,
  ),
  row(
    'a card number that is cut in a provider',
    charging({ ProviderId: `${'x'.repeat(30)} ${PAN}` }),
    refused(400, 39),
    MISPLACED,
  ),
  row('a card number as currency', charging({ Currency: PAN }), refused(400, 29), MISPLACED),
  row(
    'a card number as token',
    post('/charge/token', { Amount: 5, Token: PAN }),
    refused(400, 51),
    MISPLACED,
  ),
  row(
    'a card number as customer',
    post('/charge/customer', { Amount: 5, ProviderId: PROVIDER, CustomerId: PAN }),
    refused(404, 52, '4929********1236'),
    MISPLACED,
  ),
  row(
    'a card number as method, in hyphens',
    post('/charge/payment_method', { Amount: 5, Currency: 'AUD', PaymentMethodId: grouped('$&-') }),
    refused(404, 56),
    MISPLACED,
  ),
  row('a card number as outcome', charging({}, `x-sandbox-outcome: ${PAN}`), bad()),
  row('a card number as fault', charging({}, `x-sandbox-fault: ${PAN}`), bad()),
  row('a card number as dialect', charging({}, `x-sandbox-dialect: ${PAN}`), bad()),
  row('a card number as host', get('/charge', `Host: ${PAN}.com`), refused(403, 90)),
  row('a card number as origin', charging({}, `Origin: http://${PAN}.com`), refused(403, 90)),
  row('a card number as type', charging({}, `Content-Type: text/${PAN}`), refused(415, 90)),
  row('a card number as key', get('/charge', `x-secretkey: ${PAN}`), refused(401, 40)),
  row(
    'a card number as snapshot',
    post(`/_sandbox/snapshots/${PAN}/restore`, {}),
    refused(404, 90, '4929********1236'),
  ),
  row('a card number as action', post('/_sandbox/simulate', { Action: PAN, Ref: AUTHORISED }), bad()),
  row('a card number as scenario', post('/_sandbox/reset', { Scenario: PAN }), refused(404, 90)),
  row('a card number as duration', post('/_sandbox/clock/advance', { By: PAN }), bad()),
  row(
    'a card number in a scenario',
    post('/_sandbox/outcomes', { Operation: 'charge.create', Outcomes: [PAN] }),
    bad(),
  ),
  row('a Ccv as a member of its own', charging({ Cvv: '847', cvc2: '847', 'C-V-V': '847' }), warned),
  row('a key as a member', named(KEY), warned, MISPLACED),
  row(
    'a key as customer',
    post('/charge/customer', { Amount: 5, ProviderId: PROVIDER, CustomerId: KEY }),
    refused(404, 52),
    MISPLACED,
  ),
  row('a key as host', get('/charge', `Host: ${KEY}.com`), refused(403, 90)),
  row(
    'a card number in a refusal of the sdk dialect',
    charging({ Amount: PAN }, 'x-sandbox-dialect: sdk'),
    { status: 400, says: ['"code":2'] },
    MISPLACED,
  ),
  row(
    'markup as the title of a payment page',
    get('/_sandbox/checkout?Key=%3C/script%3E%3Cimg%20src=x%20onerror=alert(1)%3E'),
    taken("default-src 'none'", 'nosniff'),
  ),
  row('markup in a payment link', post('/payment_link', { Title: MARKUP, Amount: 5 }), taken()),
  row('a page in a frame', get('/_sandbox/errors'), taken("frame-ancestors 'none'", 'nosniff')),
];
