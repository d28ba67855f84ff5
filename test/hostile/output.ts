import { AUTHORISED, charge, get, KEY, PAN, post, refused, type Row, row, taken, utf8 } from './row.js';

const refer = (Reference: string): string => post('/charge/card', charge({ Reference }));
const MARKUP = '</script><img src=x onerror=alert(1)>';
const wrong = (more: object): string => post('/charge/card', charge(more));

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
    post('/charge/card', charge({ 'a\r\nSet-Cookie: b': 1 })),
    taken('x-sandbox-warning: ', 'a%0D%0ASet-Cookie: b'),
  ),
  row(
    'a member of a thousand letters',
    post('/charge/card', charge({ ['x'.repeat(1000)]: 1 })),
    taken('x-sandbox-warning: '),
  ),
  row(
    'a hundred members of emoji',
    post('/charge/card', charge(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`😀${i}`, 1])))),
    taken('%F0%9F%98%80', 'and 95 more'),
  ),
  row(
    'a member that is named by a card number',
    post('/charge/card', charge({ [PAN]: 1 })),
    taken('4929********1236'),
  ),
  row(
    'a member that is named by a card number in blanks',
    post('/charge/card', charge({ [PAN.replaceAll(/\d{4}(?=\d)/g, '$& ')]: 1 })),
    taken('x-sandbox-warning'),
  ),
  row(
    'a member that is named by a card number behind letters',
    post('/charge/card', charge({ [`n${PAN}n`]: 1 })),
    taken('x-sandbox-warning'),
    { misplaces: true },
  ),
  row(
    'a member whose card number stands where it is cut',
    post('/charge/card', charge({ [`${'x'.repeat(50)} ${PAN}`]: 1 })),
    taken('x-sandbox-warning'),
    { misplaces: true },
  ),
  row('a card number as amount', wrong({ Amount: PAN }), refused(400, 2, '4929********1236'), {
    misplaces: true,
  }),
  row(
    'a card number as amount, as a number',
    post('/charge/card', charge({ Amount: Number(PAN) })),
    refused(400, 2),
    { misplaces: true },
  ),
  row(
    'a card number that is cut in an amount',
    wrong({ Amount: `${'x'.repeat(28)} ${PAN}` }),
    refused(400, 2),
    { misplaces: true },
  ),
  row('a card number as provider', wrong({ ProviderId: PAN }), refused(400, 39, '4929********1236'), {
    misplaces: true,
  }),
  row(
    'a card number that is cut in a provider',
    wrong({ ProviderId: `${'x'.repeat(30)} ${PAN}` }),
    refused(400, 39),
    { misplaces: true },
  ),
  row('a card number as currency', wrong({ Currency: PAN }), refused(400, 29), { misplaces: true }),
  row('a card number as token', post('/charge/token', { Amount: 5, Token: PAN }), refused(400, 51), {
    misplaces: true,
  }),
  row(
    'a card number as customer',
    post('/charge/customer', { Amount: 5, ProviderId: '00000000000000000000000000000001', CustomerId: PAN }),
    refused(404, 52, '4929********1236'),
    { misplaces: true },
  ),
  row(
    'a card number as method, in hyphens',
    post('/charge/payment_method', {
      Amount: 5,
      Currency: 'AUD',
      PaymentMethodId: PAN.replaceAll(/\d{4}(?=\d)/g, '$&-'),
    }),
    refused(404, 56),
    { misplaces: true },
  ),
  row(
    'a card number as outcome',
    post('/charge/card', charge(), `x-sandbox-outcome: ${PAN}`),
    refused(400, 90),
  ),
  row('a card number as fault', post('/charge/card', charge(), `x-sandbox-fault: ${PAN}`), refused(400, 90)),
  row(
    'a card number as dialect',
    post('/charge/card', charge(), `x-sandbox-dialect: ${PAN}`),
    refused(400, 90),
  ),
  row('a card number as host', get('/charge', `Host: ${PAN}.com`), refused(403, 90)),
  row(
    'a card number as origin',
    post('/charge/card', charge(), `Origin: http://${PAN}.com`),
    refused(403, 90),
  ),
  row('a card number as type', post('/charge/card', charge(), `Content-Type: text/${PAN}`), refused(415, 90)),
  row('a card number as key', get('/charge', `x-secretkey: ${PAN}`), refused(401, 40)),
  row(
    'a card number as snapshot',
    post(`/_sandbox/snapshots/${PAN}/restore`, {}),
    refused(404, 90, '4929********1236'),
  ),
  row(
    'a card number as action',
    post('/_sandbox/simulate', { Action: PAN, Ref: AUTHORISED }),
    refused(400, 90),
  ),
  row('a card number as scenario', post('/_sandbox/reset', { Scenario: PAN }), refused(404, 90)),
  row('a card number as duration', post('/_sandbox/clock/advance', { By: PAN }), refused(400, 90)),
  row(
    'a card number in a scenario',
    post('/_sandbox/outcomes', { Operation: 'charge.create', Outcomes: [PAN] }),
    refused(400, 90),
  ),
  row(
    'a Ccv as a member of its own',
    post('/charge/card', charge({ Cvv: '847', cvc2: '847', 'C-V-V': '847' })),
    taken('x-sandbox-warning'),
  ),
  row('a key as a member', post('/charge/card', charge({ [KEY]: 1 })), taken('x-sandbox-warning'), {
    misplaces: true,
  }),
  row(
    'a key as customer',
    post('/charge/customer', { Amount: 5, ProviderId: '00000000000000000000000000000001', CustomerId: KEY }),
    refused(404, 52),
    { misplaces: true },
  ),
  row('a key as host', get('/charge', `Host: ${KEY}.com`), refused(403, 90)),
  row(
    'a card number in a refusal of the sdk dialect',
    post('/charge/card', charge({ Amount: PAN }), 'x-sandbox-dialect: sdk'),
    { status: 400, says: ['"code":2'] },
    { misplaces: true },
  ),
  row(
    'markup as the title of a payment page',
    get('/_sandbox/checkout?Key=%3C/script%3E%3Cimg%20src=x%20onerror=alert(1)%3E'),
    taken("default-src 'none'", 'nosniff'),
  ),
  row('markup in a payment link', post('/payment_link', { Title: MARKUP, Amount: 5 }), taken()),
  row('a page in a frame', get('/_sandbox/errors'), taken("frame-ancestors 'none'", 'nosniff')),
];
