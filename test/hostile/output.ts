import {
  AUTHORISED,
  bad,
  charge,
  charging,
  get,
  grouped,
  KEY,
  PAN,
  post,
  PROVIDER,
  refused,
  type Rows,
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
export const OUTPUT: Rows = {
  'an answer within a reference': row(
    refer('a\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
    taken(String.raw`a\r\n\r\nHTTP/1.1 200 OK`),
  ),
  'line separators of Unicode': row(refer('\u2028\u2029'), taken(utf8('\u2028\u2029'))),
  'a DEL, and the end of Unicode': row(refer('\u007f\u{10ffff}'), taken(utf8('\u{10ffff}'))),
  'a member that would be a header': row(
    charging({ 'a\r\nSet-Cookie: b': 1 }),
    taken('x-sandbox-warning: ', 'a%0D%0ASet-Cookie: b'),
  ),
  'a member of a thousand letters': row(named('x'.repeat(1000)), taken('x-sandbox-warning: ')),
  'a hundred members of emoji': row(
    post('/charge/card', charge(Object.fromEntries(times(100, (i) => [`😀${i}`, 1])))),
    taken('%F0%9F%98%80', 'and 95 more'),
  ),
  'a member that is named by a card number': row(named(PAN), taken('4929********1236')),
  'a member that is named by a card number in blanks': row(named(grouped('$& ')), warned),
  'a member that is named by a card number behind letters': row(named(`n${PAN}n`), warned),
  'a member whose card number stands where it is cut': row(named(`${'x'.repeat(50)} ${PAN}`), warned),
  'a card number as amount': row(charging({ Amount: PAN }), refused(400, 2, '4929********1236')),
  'a card number as amount, as a number': row(charging({ Amount: Number(PAN) }), refused(400, 2)),
  'a card number that is cut in an amount': row(
    charging({ Amount: `${'x'.repeat(28)} ${PAN}` }),
    refused(400, 2),
  ),
  'a card number as provider': row(charging({ ProviderId: PAN }), refused(400, 39, '4929********1236')),
  'a card number that is cut in a provider': row(
    charging({ ProviderId: `${'x'.repeat(30)} ${PAN}` }),
    refused(400, 39),
  ),
  'a card number as currency': row(charging({ Currency: PAN }), refused(400, 29)),
  'a card number as token': row(post('/charge/token', { Amount: 5, Token: PAN }), refused(400, 51)),
  'a card number as customer': row(
    post('/charge/customer', { Amount: 5, ProviderId: PROVIDER, CustomerId: PAN }),
    refused(404, 52, '4929********1236'),
  ),
  'a card number as method, in hyphens': row(
    post('/charge/payment_method', { Amount: 5, Currency: 'AUD', PaymentMethodId: grouped('$&-') }),
    refused(404, 56),
  ),
  'a card number as outcome': row(charging({}, `x-sandbox-outcome: ${PAN}`), bad()),
  'a card number as fault': row(charging({}, `x-sandbox-fault: ${PAN}`), bad()),
  'a card number as dialect': row(charging({}, `x-sandbox-dialect: ${PAN}`), bad()),
  'a card number as host': row(get('/charge', `Host: ${PAN}.com`), refused(403, 90)),
  'a card number as origin': row(charging({}, `Origin: http://${PAN}.com`), refused(403, 90)),
  'a card number as type': row(charging({}, `Content-Type: text/${PAN}`), refused(415, 90)),
  'a card number as key': row(get('/charge', `x-secretkey: ${PAN}`), refused(401, 40)),
  'a card number as snapshot': row(
    post(`/_sandbox/snapshots/${PAN}/restore`, {}),
    refused(404, 90, '4929********1236'),
  ),
  'a card number as action': row(post('/_sandbox/simulate', { Action: PAN, Ref: AUTHORISED }), bad()),
  'a card number as scenario': row(post('/_sandbox/reset', { Scenario: PAN }), refused(404, 90)),
  'a card number as duration': row(post('/_sandbox/clock/advance', { By: PAN }), bad()),
  'a card number in a scenario': row(
    post('/_sandbox/outcomes', { Operation: 'charge.create', Outcomes: [PAN] }),
    bad(),
  ),
  'a Ccv as a member of its own': row(charging({ Cvv: '847', cvc2: '847', 'C-V-V': '847' }), warned),
  'a key as a member': row(named(KEY), warned),
  'a key as customer': row(
    post('/charge/customer', { Amount: 5, ProviderId: PROVIDER, CustomerId: KEY }),
    refused(404, 52),
  ),
  'a key as host': row(get('/charge', `Host: ${KEY}.com`), refused(403, 90)),
  'a card number in a refusal of the sdk dialect': row(charging({ Amount: PAN }, 'x-sandbox-dialect: sdk'), {
    status: 400,
    says: ['"code":2'],
  }),
  'markup as the title of a payment page': row(
    get('/_sandbox/checkout?Key=%3C/script%3E%3Cimg%20src=x%20onerror=alert(1)%3E'),
    taken("default-src 'none'", 'nosniff'),
  ),
  'markup in a payment link': row(post('/payment_link', { Title: MARKUP, Amount: 5 }), taken()),
  'a page in a frame': row(get('/_sandbox/errors'), taken("frame-ancestors 'none'", 'nosniff')),
};
