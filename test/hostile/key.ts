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
  type Rows,
  row,
  send,
  taken,
} from './row.js';

const missing = refused(401, 40, 'The header x-secretkey is missing.', 'sk_test_');
const notOne = refused(
  401,
  40,
  'must hold exactly one key of at most 256 characters, without spaces or commas',
);
const notAccepted = refused(401, 40, 'The key in x-secretkey is not accepted.', 'starts with sk_test_');
const noAdmin = refused(403, 40, 'admin token');
const notPublic = refused(401, 40, 'must hold exactly one key that starts with pk_test_');
const notForPages = refused(401, 40, 'This call does not accept a public key');
const tokenise = (publicKey: string): string =>
  post('/token/card', { PaymentInformation: card() }, 'x-secretkey', publicKey);
const keyed = (key: string): string => get('/charge', `x-secretkey: ${key}`);

const world = (...headers: string[]): string => get('/_sandbox/world', ...headers);

/** Keys that are none, that are two, and that reach further than they may. */
export const KEYS: Rows = {
  'blanks alone': row(keyed('   '), missing),
  'tabs around a key, which belong to the header and not to it': row(keyed(`\t${KEY}\t`), taken('"Count":2')),
  'two keys in two headers': row(keyed(`${KEY}\r\nx-secretkey: ${NEIGHBOUR}`), notOne),
  'the same key twice in other letters': row(keyed(`${KEY}\r\nX-SecretKey: ${KEY}`), notOne),
  'a good key and an empty one': row(keyed(`${KEY}\r\nx-secretkey:`), notOne),
  'a comma at the end of a key': row(keyed(`${KEY},`), notOne),
  'a key in quotes': row(keyed(`"${KEY}"`), notAccepted),
  'a key with the word Bearer': row(keyed(`Bearer ${KEY}`), notOne),
  'a key in Authorization': row(
    get('/charge', 'x-secretkey', `Authorization: Bearer ${KEY}`),
    refused(401, 40, 'Send that key in x-secretkey'),
  ),
  'a key in the query': row(get(`/charge?x-secretkey=${KEY}`, 'x-secretkey'), missing),
  'a key in a cookie': row(get('/charge', 'x-secretkey', `Cookie: x-secretkey=${KEY}`), missing),
  'a key of 257 characters': row(keyed(KEY.padEnd(257, 'x')), notOne),
  'a key of 20,000 characters': row(keyed(KEY.padEnd(20_000, 'x')), notOne),
  'a key in UTF-8': row(keyed('sk_test_\xc3\xa9'), notOne),
  'a key in Latin-1': row(keyed('sk_test_\xe9'), notOne),
  'a key with a blank that does not break': row(keyed('sk_test_\xc2\xa0a'), notOne),
  'a live key': row(
    keyed('sk_live_51HostileHostile'),
    refused(401, 40, 'The header x-secretkey holds a live key, but this is a sandbox.'),
  ),
  'a live key behind a test key': row(keyed('sk_test_a,sk_live_51HostileHostile'), notOne),
  'a live key in capitals': row(keyed('SK_LIVE_51HOSTILE'), notAccepted),
  'a key that is named like a prototype': row(keyed('__proto__'), notAccepted),
  'a key that is named like a method': row(keyed('constructor'), notAccepted),
  'a public key in place of a secret one': row(keyed('pk_test_a'), refused(401, 40, 'holds a public key')),
  'a public key that lists charges': row(
    get('/charge', 'x-secretkey', 'x-publickey: pk_test_a'),
    notForPages,
  ),
  'a public key that reads the journal': row(
    get('/_sandbox/journal', 'x-secretkey', 'x-publickey: pk_test_a'),
    notForPages,
  ),
  'a public key beside a secret one that is sent twice': row(
    get(
      '/info/providers?Amount=0.0000&Currency=',
      'x-secretkey: secret\r\nx-secretkey: secret\r\nx-publickey: pk_test_a',
    ),
    taken('"HasCardProviders":true'),
  ),
  'a public key that charges beside a secret one': row(
    get('/charge', `x-secretkey: ${KEY}\r\nx-publickey: pk_test_a`),
    notForPages,
  ),
  'a secret key as a public one': row(
    tokenise(`x-publickey: ${KEY}`),
    refused(401, 40, 'It holds a secret key, which must never be in a page'),
  ),
  'two public keys': row(tokenise('x-publickey: pk_test_a\r\nx-publickey: pk_test_b'), notPublic),
  'a live public key': row(tokenise('x-publickey: pk_live_a'), notPublic),
  'a charge of another key': row(get(`/charge/${CAPTURED}`, 'x-secretkey: sk_test_stranger'), taken()),
  'a bad key on an unknown path: the key is first': row(get('/nowhere', 'x-secretkey: nothing'), notAccepted),
  'a bad key with a body that is no JSON': row(
    post('/charge/card', '{', 'x-secretkey: nothing'),
    notAccepted,
  ),
  'a bad key with a body that is too large': row(
    post('/charge/card', '', 'x-secretkey: nothing', 'Content-Length: 99999999'),
    notAccepted,
  ),
  'a payment link that nobody has': row(
    get('/_sandbox/pay/0123/4567', 'x-secretkey'),
    refused(404, 90, 'This address belongs to no world of this server.'),
  ),
  'a path of the control plane behind a payment link': row(
    post('/_sandbox/pay/../reset', {}, 'x-secretkey'),
    refused(404, 90),
  ),

  'no admin token': row(
    get('/_sandbox/world'),
    refused(403, 40, 'send it in the header x-sandbox-admin'),
    GUARDED,
  ),
  'the beginning of the admin token': row(world(`x-sandbox-admin: ${ADMIN.slice(0, -1)}`), noAdmin, GUARDED),
  'the admin token and more': row(world(`x-sandbox-admin: ${ADMIN}x`), noAdmin, GUARDED),
  'the admin token twice': row(
    world(`x-sandbox-admin: ${ADMIN}\r\nx-sandbox-admin: ${ADMIN}`),
    noAdmin,
    GUARDED,
  ),
  'the admin token in the query': row(get(`/_sandbox/world?x-sandbox-admin=${ADMIN}`), noAdmin, GUARDED),
  'no admin token on a path written with an escape': row(get('/%5fsandbox/world'), noAdmin, GUARDED),
  'no admin token on a path with two slashes': row(get('//_sandbox/world'), refused(404, 90), GUARDED),
  'no admin token on a path with a dot': row(get('/./_sandbox/world'), refused(404, 90), GUARDED),
  'no admin token behind a payment link': row(get('/_sandbox/pay/x/../../world'), refused(404, 90), GUARDED),
  'no admin token for HEAD': row(
    get('/_sandbox/state').replace('GET', 'HEAD'),
    { status: 403, says: [] },
    GUARDED,
  ),
  'no admin token for a bundle': row(get('/_sandbox/bundle'), noAdmin, GUARDED),
  'no admin token for a state document': row(send('PUT', '/_sandbox/state', {}), noAdmin, GUARDED),
  'a card that is no test card, where these alone are taken': row(
    charging(),
    refused(400, 5, 'accepts only published test cards'),
    GUARDED,
  ),
};
