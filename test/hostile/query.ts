import { ask, bad, CAPTURED, get, grouped, PAN, refused, type Rows, row, taken, times } from './row.js';

const find = (query: string): string => get(`/charge?${query}`);
const refund = (query: string): string => ask('DELETE', `/refund/${CAPTURED}?${query}`);
const ignored = (filters = '') => taken(`x-sandbox-warning: ignored unknown filter${filters}`);

/** Queries that say two things, or nothing that is known. */
export const QUERIES: Rows = {
  'a filter twice, once escaped': row(find('Reference=a&%52eference=b'), bad('Reference was sent twice')),
  'a filter as an array': row(find('Status[]=SUCCESS'), ignored(' "Status[]"')),
  'a filter as an object': row(find('Status[$ne]=SUCCESS'), taken('x-sandbox-warning')),
  'filters parted by a semicolon': row(find('Limit=1;Skip=1'), bad('Limit')),
  'a limit that is an array': row(find('Limit=1,2'), bad('Limit')),
  'a limit in hexadecimal': row(find('Limit=0x10'), bad('Limit')),
  'a limit with a plus sign': row(find('Limit=%2B5'), bad('Limit')),
  'a limit with blanks': row(find('Limit=%205'), bad('Limit')),
  'a limit in Arabic digits': row(find(`Limit=${encodeURIComponent('٥')}`), bad('Limit')),
  'a limit of 400 digits': row(find(`Limit=${'9'.repeat(400)}`), bad('Limit')),
  'a limit without end': row(find('Limit=Infinity'), bad('Limit')),
  'a skip of -0': row(find('Skip=-0'), bad('Skip')),
  'a skip beyond whole numbers': row(find('Skip=9007199254740993'), bad('Skip')),
  'an amount in exponents': row(find('AmountGreaterThan=1e1'), bad('AmountGreaterThan')),
  'a day that does not exist': row(find('AddedAfter=2025-02-29T00:00:00Z'), bad('AddedAfter')),
  'a second that does not exist': row(find('AddedAfter=2026-01-01T00:00:60Z'), bad('AddedAfter')),
  'a zone that does not exist': row(find('AddedAfter=2026-01-01T00:00:00%2B24:00'), bad('AddedAfter')),
  'a date before 1970': row(find('AddedBefore=1969-12-31T23:59:59Z'), bad('AddedBefore')),
  'a date after 9999': row(find('AddedBefore=10000-01-01T00:00:00Z'), bad('AddedBefore')),
  'a date of six digits and a sign': row(find('AddedBefore=%2B010000-01-01T00:00:00Z'), bad('AddedBefore')),
  'a zone that leads before 1970': row(find('AddedAfter=1970-01-01T00:00:00%2B23:59'), bad('AddedAfter')),
  'a status in another case, which is the same': row(find('Status=sUcCeSs'), taken('"Count":1')),
  'a sort order of a prototype': row(find('SortBy=__proto__'), bad('SortBy')),
  'a sort order with two signs': row(find('SortBy=--Date'), bad('SortBy')),
  'card digits with a star, as a mask has them': row(find('CardNumber=4111%2A'), taken('"Count":0')),
  'a full card number twice': row(
    find(`CardNumber=${PAN}&cardnumber=${PAN}`),
    bad('CardNumber was sent twice'),
  ),
  'a full card number, escaped': row(find(`CardNumber=%34${PAN.slice(1)}`), taken('"Count":0')),
  'a full card number under an escaped name': row(find(`%43ardNumber=${PAN}`), taken('"Count":0')),
  'a full card number and a letter': row(find(`CardNumber=${PAN}x`), bad('CardNumber')),
  'a full card number in blanks': row(find(`CardNumber=${grouped('$&+')}`), taken('"Count":0')),
  'a thousand filters that nobody knows': row(
    find(times(1000, (i) => `f${i}=1`).join('&')),
    taken('and 995 more'),
  ),
  'a filter of 20,000 letters': row(find(`${'f'.repeat(20_000)}=1`), ignored()),
  'a filter with a line break': row(find('a%0d%0aSet-Cookie:%20x=1'), ignored(' "a%0D%0ASet-Cookie: x"\r\n')),
  'a reference of 20,000 letters': row(
    find(`Reference=${'a'.repeat(20_000)}`),
    bad('Reference', 'the maximum is 1024'),
  ),
  'a name of 20,000 stars': row(
    get(`/customer?Name=${'*'.repeat(20_000)}`),
    bad('Name', 'the maximum is 1024'),
  ),
  'a refund by two amounts': row(refund('Amount=1&amount=2'), bad('Amount was sent twice')),
  'a refund by an amount of nothing': row(refund('Amount='), refused(400, 2, 'Amount')),
  'a refund by a negative amount': row(refund('Amount=-1'), refused(400, 74)),
  'a refund by an amount with a plus sign': row(refund('Amount=+1'), refused(400, 2)),
  'a query on a call of the control plane that takes none': row(
    ask('POST', '/_sandbox/reset?Seed=2'),
    bad('Unknown filter "Seed"'),
  ),
  'a second question mark': row(find('Limit=1?Skip=1'), bad('Limit')),
};
