import {
  ADMIN,
  CAPTURED,
  card,
  charging,
  get,
  GUARDED,
  KEY,
  NEIGHBOUR,
  post,
  refused,
  type Row,
  row,
  send,
  taken,
} from './row.js';

const missing = refused(401, 40, 'The header x-secretkey is missing.', 'sk_test_');
const notOne = refused(
  401,
  40,
  'must hold one key of at most 256 characters, without blanks and commas, once',
);
const notAccepted = refused(401, 40, 'The key in x-secretkey is not accepted.', 'starts with sk_test_');
const noAdmin = refused(403, 40, 'admin token');
const notPublic = refused(401, 40, 'must hold one key that starts with pk_test_');
const tokensAlone = refused(401, 40, 'A public key reaches POST /token/card alone');
const tokenise = (publicKey: string): string =>
  post('/token/card', { PaymentInformation: card() }, 'x-secretkey', publicKey);
const keyed = (key: string): string => get('/charge', `x-secretkey: ${key}`);

const world = (...headers: string[]): string => get('/_sandbox/world', ...headers);

/** Keys that are none, that are two, and that reach further than they may. */
export const KEYS: readonly Row[] = [
  row('blanks alone', keyed('   '), missing),
  row('tabs around a key, which belong to the header and not to it', keyed(`\t${KEY}\t`), taken('"Count":2')),
  row('two keys in two headers', keyed(`${KEY}\r\nx-secretkey: ${NEIGHBOUR}`), notOne),
  row('the same key twice in other letters', keyed(`${KEY}\r\nX-SecretKey: ${KEY}`), notOne),
  row('a good key and an empty one', keyed(`${KEY}\r\nx-secretkey:`), notOne),
  row('a comma at the end of a key', keyed(`${KEY},`), notOne),
  row('a key in quotes', keyed(`"${KEY}"`), notAccepted),
  row('a key with the word Bearer', keyed(`Bearer ${KEY}`), notOne),
  row('a key in Authorization', get('/charge', 'x-secretkey', `Authorization: Bearer ${KEY}`), missing),
  row('a key in the query', get(`/charge?x-secretkey=${KEY}`, 'x-secretkey'), missing),
  row('a key in a cookie', get('/charge', 'x-secretkey', `Cookie: x-secretkey=${KEY}`), missing),
  row('a key of 257 characters', keyed(KEY.padEnd(257, 'x')), notOne),
  row('a key of 20,000 characters', keyed(KEY.padEnd(20_000, 'x')), notOne),
  row('a key in UTF-8', keyed('sk_test_\xc3\xa9'), notOne),
  row('a key in Latin-1', keyed('sk_test_\xe9'), notOne),
  row('a key with a blank that does not break', keyed('sk_test_\xc2\xa0a'), notOne),
  row(
    'a live key',
    keyed('sk_live_51HostileHostile'),
    refused(401, 40, 'A live key was sent to a sandbox in x-secretkey.'),
  ),
  row('a live key behind a test key', keyed('sk_test_a,sk_live_51HostileHostile'), notOne),
  row('a live key in capitals', keyed('SK_LIVE_51HOSTILE'), notAccepted),
  row('a key that is named like a prototype', keyed('__proto__'), notAccepted),
  row('a key that is named like a method', keyed('constructor'), notAccepted),
  row('a public key in place of a secret one', keyed('pk_test_a'), refused(401, 40, 'A public key was sent')),
  row(
    'a public key that lists charges',
    get('/charge', 'x-secretkey', 'x-publickey: pk_test_a'),
    tokensAlone,
  ),
  row(
    'a public key that reads the journal',
    get('/_sandbox/journal', 'x-secretkey', 'x-publickey: pk_test_a'),
    tokensAlone,
  ),
  row(
    'a secret key as a public one',
    tokenise(`x-publickey: ${KEY}`),
    refused(401, 40, 'A secret key was sent, which must never stand in a page'),
  ),
  row('two public keys', tokenise('x-publickey: pk_test_a\r\nx-publickey: pk_test_b'), notPublic),
  row('a live public key', tokenise('x-publickey: pk_live_a'), notPublic),
  row('a charge of another key', get(`/charge/${CAPTURED}`, 'x-secretkey: sk_test_stranger'), taken()),
  row('a bad key on an unknown path: the key is first', get('/nowhere', 'x-secretkey: nothing'), notAccepted),
  row(
    'a bad key with a body that is no JSON',
    post('/charge/card', '{', 'x-secretkey: nothing'),
    notAccepted,
  ),
  row(
    'a bad key with a body that is too large',
    post('/charge/card', '', 'x-secretkey: nothing', 'Content-Length: 99999999'),
    notAccepted,
  ),
  row(
    'a payment link that nobody has',
    get('/_sandbox/pay/0123', 'x-secretkey'),
    refused(404, 116, 'There is no payment link 0123.'),
  ),
  row(
    'a path of the control plane behind a payment link',
    post('/_sandbox/pay/../reset', {}, 'x-secretkey'),
    refused(404, 116),
  ),

  row(
    'no admin token',
    get('/_sandbox/world'),
    refused(403, 40, 'send its admin token in x-sandbox-admin'),
    GUARDED,
  ),
  row('the beginning of the admin token', world(`x-sandbox-admin: ${ADMIN.slice(0, -1)}`), noAdmin, GUARDED),
  row('the admin token and more', world(`x-sandbox-admin: ${ADMIN}x`), noAdmin, GUARDED),
  row(
    'the admin token twice',
    world(`x-sandbox-admin: ${ADMIN}\r\nx-sandbox-admin: ${ADMIN}`),
    noAdmin,
    GUARDED,
  ),
  row('the admin token in the query', get(`/_sandbox/world?x-sandbox-admin=${ADMIN}`), noAdmin, GUARDED),
  row('no admin token on a path written with an escape', get('/%5fsandbox/world'), noAdmin, GUARDED),
  row('no admin token on a path with two slashes', get('//_sandbox/world'), refused(404, 90), GUARDED),
  row('no admin token on a path with a dot', get('/./_sandbox/world'), refused(404, 90), GUARDED),
  row('no admin token behind a payment link', get('/_sandbox/pay/x/../../world'), refused(404, 90), GUARDED),
  row(
    'no admin token for HEAD',
    get('/_sandbox/state').replace('GET', 'HEAD'),
    { status: 403, says: [] },
    GUARDED,
  ),
  row('no admin token for a state document', send('PUT', '/_sandbox/state', {}), noAdmin, GUARDED),
  row(
    'a card that is no test card, where these alone are taken',
    charging(),
    refused(400, 5, 'takes published test cards only'),
    GUARDED,
  ),
];
