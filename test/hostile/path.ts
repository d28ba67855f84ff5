import { ask, AUTHORISED, CAPTURED, get, post, refused, type Row, row, taken } from './row.js';

const unknown = refused(404, 90, 'There is no such path.');
const noCharge = refused(404, 84);

/** Paths that name something else than they seem to. */
export const PATHS: readonly Row[] = [
  row('a slash that is escaped', get('/charge%2Fcard'), unknown),
  row('a slash that is escaped within an identifier', get(`/charge/x%2F..%2F${CAPTURED}`), noCharge),
  row(
    'an identifier that is escaped, which is the same',
    get(`/charge/%64${CAPTURED.slice(1)}`),
    taken(CAPTURED),
  ),
  row('an identifier that is escaped twice', get(`/charge/%2564${CAPTURED.slice(1)}`), noCharge),
  row('an identifier in capitals', get(`/charge/${CAPTURED.toUpperCase()}`), noCharge),
  row('an identifier with a NUL behind it', get(`/charge/${CAPTURED}%00`), noCharge),
  row('an identifier with a line break behind it', get(`/charge/${CAPTURED}%0d%0aX:%20y`), noCharge),
  row('an identifier with a blank before it', get(`/charge/%20${CAPTURED}`), noCharge),
  row('an identifier in full-width digits', get('/charge/%EF%BC%91%EF%BC%92'), noCharge),
  row('an overlong escape of a slash', get('/charge/%c0%af'), noCharge),
  row('a surrogate in an escape', get('/charge/%ed%a0%80'), noCharge),
  row('an escape of IIS', get('/charge/%u0041'), noCharge),
  row('half an escape', get('/charge/%4'), noCharge),
  row('an identifier that is named like a prototype', get('/charge/__proto__'), noCharge),
  row('a customer that is named like a method', get('/customer/hasOwnProperty'), refused(404, 52)),
  row('a batch that is named like a prototype', get('/batch/constructor/status'), refused(404, 101)),
  row('two dots', get('/charge/../vault'), unknown),
  row('two dots that are escaped', get('/charge/%2e%2e/vault'), unknown),
  row('one dot', get('/./charge'), unknown),
  row('two slashes', get('//charge'), unknown),
  row('a backslash', get('/charge\\card'), unknown),
  row('a parameter of the path', get('/charge;jsessionid=1'), unknown),
  row('a parameter behind an identifier', get(`/charge/${CAPTURED};v=1`), noCharge),
  row(
    'a fragment',
    get(`/charge/${CAPTURED}#part`),
    refused(400, 90, 'The request line is malformed; a path that begins with / and holds no # is taken.'),
  ),
  row('an extension', get(`/charge/${CAPTURED}.json`), noCharge),
  row('another case', get('/CHARGE'), unknown),
  row('a version', get('/v1/charge'), unknown),
  row('a path of 30,000 letters', get(`/${'a'.repeat(30_000)}`), unknown),
  row('ten thousand slashes', get('/'.repeat(10_000)), unknown),
  row('ten thousand dots', get('/..'.repeat(5_000)), unknown),
  row('a whole address as path', get('/http://evil.com/charge'), unknown),
  row(
    'a whole address of another scheme',
    get('file:///etc/passwd'),
    refused(400, 90, 'The request line is malformed; a path that begins with /'),
  ),
  row(
    'a whole address of this server',
    get('http://localhost/charge'),
    refused(400, 90, 'The request line is malformed; a path that begins with /'),
  ),
  row('an authority alone', get('//evil.com'), unknown),
  row(
    'a method that the path does not take, with a body',
    post(`/refund/${CAPTURED}`, {}),
    refused(405, 90, 'POST is not taken here; DELETE is.'),
  ),
  row(
    'a method in a header',
    post(`/charge/${AUTHORISED}`, { Amount: '50' }, 'X-HTTP-Method-Override: DELETE'),
    taken('"Status":"SUCCESS"'),
  ),
  row('a method in the query', get(`/charge/${AUTHORISED}?_method=DELETE`), taken('"Status":"Authorised"')),
  row('a HEAD of an unknown charge', ask('HEAD', '/charge/x'), { status: 404, says: [] }),
  row(
    'a snapshot outside the folder',
    ask('PUT', '/_sandbox/snapshots/..%2f..%2fetc'),
    refused(400, 90, 'letters, digits, dots, hyphens and underscores'),
  ),
  row(
    'a snapshot with a NUL',
    ask('PUT', '/_sandbox/snapshots/a%00'),
    refused(400, 90, 'letters, digits, dots'),
  ),
  row(
    'a snapshot named like a prototype that nobody saved',
    ask('GET', '/_sandbox/snapshots/__proto__'),
    refused(404, 90, 'This world has no snapshot "__proto__".'),
  ),
  row('a scenario outside the folder', ask('GET', '/_sandbox/scenarios/..%2f..%2fpackage.json'), unknown),
];
