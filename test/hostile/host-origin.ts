import { ask, bad, charging, get, post, refused, type Row, type Rows, row, taken } from './row.js';

const from = (host: string): string => get('/charge', `Host: ${host}`);
const strange = (host: string) =>
  refused(403, 90, `This server does not answer requests for the host ${host}.`, `--allowed-host ${host}`);
const malformed = bad(
  'The Host header is malformed; it must be a name or an address, optionally with a port up to 65535.',
);
const twoHosts = bad('The request has more than one Host header; send only one.');
const pageAt = (origin: string): string => charging({}, `Origin: ${origin}`);
const barred = (origin: string) =>
  refused(403, 90, `The origin ${origin} may not call this server.`, '--allowed-origin');

const stranger = (host: string): Row => row(from(host), strange(host));
const illFormed = (host: string): Row => row(from(host), malformed);
const foreign = (origin: string): Row => row(pageAt(origin), barred(origin));
const ELSEWHERE = 'Origin: https://evil.com';
const barredElsewhere = barred('https://evil.com');

/** Names that a stranger could own, and pages of strangers. */
export const HOST_ORIGIN: Rows = {
  'a name that ends like a reserved one': row(from('eviltest'), taken('"Count":2')),
  'a name below one that ends like a reserved one': stranger('a.eviltest'),
  'a reserved name with a dot after it': stranger('api.test.'),
  'localhost with a dot after it': stranger('localhost.'),
  'a dot alone': stranger('.'),
  'a name of dots': row(from('..localhost'), taken()),
  'an address in hexadecimal with dots': stranger('0x7f.0.0.1'),
  'an address in octal': stranger('0177.0.0.1'),
  'an address with a dot after it': stranger('127.0.0.1.'),
  'an IPv6 address with a zone': illFormed('[fe80::1%25eth0]'),
  'an IPv6 address with a name behind it': illFormed('[::1].evil.com'),
  'an IPv6 address without a closing bracket': illFormed('[::1:4010'),
  'a user before the name': illFormed('localhost@evil.com'),
  'a path behind the name': illFormed('localhost/evil.com'),
  'a backslash behind the name': illFormed('localhost\\evil.com'),
  'an escape in the name': illFormed('local%68ost'),
  'a negative port': illFormed('localhost:-1'),
  'two ports': illFormed('localhost:1:2'),
  'a tab before a second name': illFormed('localhost\tevil.com'),
  'a port that is no number': illFormed('localhost:x'),
  'an empty port': illFormed('localhost:'),
  'an IPv6 address without brackets': illFormed('::1'),
  'two names with a comma': illFormed('localhost, localhost'),
  'a name with a blank': illFormed('a b'),
  'a name in Latin-1': illFormed('\u00e9'),
  'an empty name': illFormed(''),
  'two Hosts': row(from('localhost\r\nHost: evil.com'), twoHosts),
  'two Hosts in other letters': row(from('localhost\r\nhOST: localhost'), twoHosts),
  'no Host': row(get('/charge', 'host'), bad('The request has no Host header; send one.')),
  'a stranger': stranger('evil.com'),
  'a name in UTF-8': illFormed('localhos\xc5\xa3'),
  'a name of 20,000 letters': row(
    from(`${'a'.repeat(20_000)}.com`),
    refused(403, 90, 'does not answer requests for the host'),
  ),
  'a stranger with a bad key: the gate is first': row(
    get('/charge', 'Host: evil.com', 'x-secretkey: nothing'),
    strange('evil.com'),
  ),
  'a stranger that names a good host elsewhere': row(
    get('/charge', 'Host: evil.com', 'X-Forwarded-Host: localhost', 'Forwarded: host=localhost'),
    strange('evil.com'),
  ),
  'a stranger on a probe that needs no key': row(
    get('/_sandbox/health', 'Host: rebind.network'),
    strange('rebind.network'),
  ),
  'a stranger that asks for a preflight': row(
    ask('OPTIONS', '/charge/card', 'Host: evil.com'),
    strange('evil.com'),
  ),

  'a page from a file': row(
    pageAt('null'),
    refused(403, 90, 'The origin null may not call this server.', '--allowed-origin null'),
  ),
  'an empty origin': row(pageAt(''), refused(403, 90)),
  'an origin with a user': foreign('http://localhost@evil.com'),
  'an origin with a path': foreign('http://localhost/evil'),
  'an origin with a slash at its end': foreign('http://localhost/'),
  'an extension of a browser': foreign('chrome-extension://abcdefghijklmnop'),
  'an origin in capitals, as no browser writes it': foreign('HTTP://LOCALHOST'),
  'an origin that is a name alone': foreign('localhost'),
  'an origin with an IPv6 zone': foreign('http://[fe80::1%25lo]'),
  'an address in octal that looks like loopback': foreign('http://127.0.0.1.nip.io'),
  'two origins in one header': foreign('http://localhost http://evil.com'),
  'two Origin headers': row(pageAt('http://localhost\r\nOrigin: http://evil.com'), refused(403, 90)),
  'an origin of 20,000 letters': row(
    pageAt(`http://${'a'.repeat(20_000)}.com`),
    refused(403, 90, 'may not call this server'),
  ),
  'a stranger that reads the journal': row(get('/_sandbox/journal', ELSEWHERE), barredElsewhere),
  'a stranger that loads the sdk': row(get('/_sandbox/sdk.js', ELSEWHERE), barredElsewhere),
  'a stranger that resets with a form, which needs no preflight': row(
    post('/_sandbox/reset', 'a=b', ELSEWHERE, 'Content-Type: text/plain'),
    barredElsewhere,
  ),
  'a stranger that deletes': row(
    ask('DELETE', '/vault/e0000000000000000000000000000001', ELSEWHERE),
    barredElsewhere,
  ),
};
