import { ask, CAPTURED, get, PAN, refused, type Row, row, taken } from './row.js';

const bad = (member: string, ...says: string[]) => refused(400, 90, member, ...says);

/** Queries that say two things, or nothing that is known. */
export const QUERIES: readonly Row[] = [
  row(
    'a filter twice',
    get('/charge?Reference=a&Reference=b'),
    bad('Reference is given twice; send it once.'),
  ),
  row(
    'a filter twice, once escaped',
    get('/charge?Reference=a&%52eference=b'),
    bad('Reference is given twice'),
  ),
  row(
    'a filter as an array',
    get('/charge?Status[]=SUCCESS'),
    taken('x-sandbox-warning: ignored unknown filters: Status[]'),
  ),
  row('a filter as an object', get('/charge?Status[$ne]=SUCCESS'), taken('x-sandbox-warning')),
  row('filters parted by a semicolon', get('/charge?Limit=1;Skip=1'), bad('Limit')),
  row('a limit that is an array', get('/charge?Limit=1,2'), bad('Limit')),
  row('a limit in exponents', get('/charge?Limit=1e2'), bad('Limit')),
  row('a limit in hexadecimal', get('/charge?Limit=0x10'), bad('Limit')),
  row('a limit with a plus sign', get('/charge?Limit=%2B5'), bad('Limit')),
  row('a limit with blanks', get('/charge?Limit=%205'), bad('Limit')),
  row('a limit in Arabic digits', get(`/charge?Limit=${encodeURIComponent('٥')}`), bad('Limit')),
  row('a limit of 400 digits', get(`/charge?Limit=${'9'.repeat(400)}`), bad('Limit')),
  row('a limit that is no number', get('/charge?Limit=NaN'), bad('Limit')),
  row('a limit without end', get('/charge?Limit=Infinity'), bad('Limit')),
  row('a skip that is negative', get('/charge?Skip=-1'), bad('Skip')),
  row('a skip of -0', get('/charge?Skip=-0'), bad('Skip')),
  row('a skip beyond whole numbers', get('/charge?Skip=9007199254740993'), bad('Skip')),
  row('an amount in exponents', get('/charge?AmountGreaterThan=1e1'), bad('AmountGreaterThan')),
  row('an amount that is negative', get('/charge?AmountLessThan=-1'), bad('AmountLessThan')),
  row('a day that does not exist', get('/charge?AddedAfter=2025-02-29T00:00:00Z'), bad('AddedAfter')),
  row('a second that does not exist', get('/charge?AddedAfter=2026-01-01T00:00:60Z'), bad('AddedAfter')),
  row('a zone that does not exist', get('/charge?AddedAfter=2026-01-01T00:00:00%2B24:00'), bad('AddedAfter')),
  row('a date before 1970', get('/charge?AddedBefore=1969-12-31T23:59:59Z'), bad('AddedBefore')),
  row('a date after 9999', get('/charge?AddedBefore=10000-01-01T00:00:00Z'), bad('AddedBefore')),
  row(
    'a date of six digits and a sign',
    get('/charge?AddedBefore=%2B010000-01-01T00:00:00Z'),
    bad('AddedBefore'),
  ),
  row(
    'a zone that leads before 1970',
    get('/charge?AddedAfter=1970-01-01T00:00:00%2B23:59'),
    bad('AddedAfter'),
  ),
  row('a status in another case, which is the same', get('/charge?Status=sUcCeSs'), taken('"Count":1')),
  row('a sort order of a prototype', get('/charge?SortBy=__proto__'), bad('SortBy')),
  row('a sort order with two signs', get('/charge?SortBy=--Date'), bad('SortBy')),
  row('card digits with a star, as a mask has them', get('/charge?CardNumber=4111%2A'), taken('"Count":0')),
  row(
    'a whole card number twice',
    get(`/charge?CardNumber=${PAN}&cardnumber=${PAN}`),
    bad('CardNumber is given twice'),
  ),
  row('a whole card number, escaped', get(`/charge?CardNumber=%34${PAN.slice(1)}`), taken('"Count":0')),
  row('a whole card number under an escaped name', get(`/charge?%43ardNumber=${PAN}`), taken('"Count":0')),
  row('a whole card number and a letter', get(`/charge?CardNumber=${PAN}x`), bad('CardNumber')),
  row(
    'a whole card number in blanks',
    get(`/charge?CardNumber=${PAN.replaceAll(/\d{4}(?=\d)/g, '$&+')}`),
    taken('"Count":0'),
  ),
  row(
    'a thousand filters that nobody knows',
    get(`/charge?${Array.from({ length: 1000 }, (_, i) => `f${i}=1`).join('&')}`),
    taken('and 995 more'),
  ),
  row(
    'a filter of 20,000 letters',
    get(`/charge?${'f'.repeat(20_000)}=1`),
    taken('x-sandbox-warning: ignored unknown filters'),
  ),
  row(
    'a filter with a line break',
    get('/charge?a%0d%0aSet-Cookie:%20x=1'),
    taken('x-sandbox-warning: ignored unknown filters: a%0D%0ASet-Cookie: x\r\n'),
  ),
  row('a reference with a NUL', get('/charge?Reference=a%00b'), taken('"Count":0')),
  row('a reference that is no UTF-8', get('/charge?Reference=%ff%fe'), taken('"Count":0')),
  row(
    'a reference of 20,000 letters',
    get(`/charge?Reference=${'a'.repeat(20_000)}`),
    bad('Reference', 'at most 1024'),
  ),
  row('a name of 20,000 stars', get(`/customer?Name=${'*'.repeat(20_000)}`), bad('Name', 'at most 1024')),
  row(
    'a refund by two amounts',
    ask('DELETE', `/refund/${CAPTURED}?Amount=1&amount=2`),
    bad('Amount is given twice'),
  ),
  row(
    'a refund by an amount of nothing',
    ask('DELETE', `/refund/${CAPTURED}?Amount=`),
    refused(400, 2, 'Amount'),
  ),
  row('a refund by a negative amount', ask('DELETE', `/refund/${CAPTURED}?Amount=-1`), refused(400, 74)),
  row(
    'a refund by an amount with a plus sign',
    ask('DELETE', `/refund/${CAPTURED}?Amount=+1`),
    refused(400, 2),
  ),
  row(
    'a query on a call of the control plane that takes none',
    ask('POST', '/_sandbox/reset?Seed=2'),
    bad('Unknown filters: Seed'),
  ),
  row('a second question mark', get('/charge?Limit=1?Skip=1'), bad('Limit')),
  row('a filter where unknown ones are refused', get('/charge?Foo=1'), bad('Unknown filters: Foo'), {
    to: 'guarded',
  }),
];
