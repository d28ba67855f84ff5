import { ask, bad, charging, get, post, refused, type Row, row, taken } from './row.js';

const from = (host: string): string => get('/charge', `Host: ${host}`);
const strange = (host: string) =>
  refused(403, 90, `The host ${host} is not served.`, `--allowed-host ${host}`);
const malformed = bad('The Host header is malformed; a name or an address with an optional port is taken.');
const pageAt = (origin: string): string => charging({}, `Origin: ${origin}`);
const barred = (origin: string) =>
  refused(403, 90, `The origin ${origin} may not call this server.`, '--allowed-origin');

const stranger = (it: string, host: string): Row => row(it, from(host), strange(host));
const illFormed = (it: string, host: string): Row => row(it, from(host), malformed);
const foreign = (it: string, origin: string): Row => row(it, pageAt(origin), barred(origin));
const ELSEWHERE = 'Origin: https://evil.com';
const barredElsewhere = barred('https://evil.com');

/** Names that a stranger could own, and pages of strangers. */
export const HOST_ORIGIN: readonly Row[] = [
  row('a name that ends like a reserved one', from('eviltest'), taken('"Count":2')),
  stranger('a name below one that ends like a reserved one', 'a.eviltest'),
  stranger('a reserved name with a dot after it', 'api.test.'),
  stranger('localhost with a dot after it', 'localhost.'),
  stranger('a dot alone', '.'),
  row('a name of dots', from('..localhost'), taken()),
  stranger('an address in hexadecimal with dots', '0x7f.0.0.1'),
  stranger('an address in octal', '0177.0.0.1'),
  stranger('an address of three parts', '127.0.1'),
  stranger('an address with a dot after it', '127.0.0.1.'),
  stranger('an address with a letter', '127.0.0.1a'),
  illFormed('an IPv6 address with a zone', '[fe80::1%25eth0]'),
  illFormed('an IPv6 address with a raw zone', '[fe80::1%eth0]:4010'),
  illFormed('an IPv6 address with a name behind it', '[::1].evil.com'),
  illFormed('an IPv6 address without a closing bracket', '[::1:4010'),
  illFormed('brackets without an address', '[]'),
  illFormed('a name in brackets', '[localhost]'),
  illFormed('a user before the name', 'localhost@evil.com'),
  illFormed('a user and a password before the name', 'a:b@localhost'),
  illFormed('a path behind the name', 'localhost/evil.com'),
  illFormed('a fragment behind the name', 'localhost#evil.com'),
  illFormed('a query behind the name', 'localhost?evil.com'),
  illFormed('a backslash behind the name', 'localhost\\evil.com'),
  illFormed('an escape in the name', 'local%68ost'),
  illFormed('a negative port', 'localhost:-1'),
  illFormed('two ports', 'localhost:1:2'),
  illFormed('a port of six digits', 'localhost:100000'),
  illFormed('a tab before a second name', 'localhost\tevil.com'),
  illFormed('two names with a semicolon', 'localhost;evil.com'),
  illFormed('a name in UTF-8', 'localhos\xc5\xa3'),
  row('a name of 20,000 letters', from(`${'a'.repeat(20_000)}.com`), refused(403, 90, 'is not served')),
  row(
    'a stranger with a bad key: the gate is first',
    get('/charge', 'Host: evil.com', 'x-secretkey: nothing'),
    strange('evil.com'),
  ),
  row(
    'a stranger that names a good host elsewhere',
    get('/charge', 'Host: evil.com', 'X-Forwarded-Host: localhost', 'Forwarded: host=localhost'),
    strange('evil.com'),
  ),
  row(
    'a stranger on a probe that needs no key',
    get('/_sandbox/health', 'Host: rebind.network'),
    strange('rebind.network'),
  ),
  row(
    'a stranger that asks for a preflight',
    ask('OPTIONS', '/charge/card', 'Host: evil.com'),
    strange('evil.com'),
  ),

  row(
    'a page from a file',
    pageAt('null'),
    refused(403, 90, 'The origin null may not call this server.', '--allowed-origin null'),
  ),
  row('an empty origin', pageAt(''), refused(403, 90)),
  foreign('an origin with a user', 'http://localhost@evil.com'),
  foreign('an origin with a path', 'http://localhost/evil'),
  foreign('an origin with a slash at its end', 'http://localhost/'),
  foreign('an origin of another scheme', 'ftp://localhost'),
  foreign('an extension of a browser', 'chrome-extension://abcdefghijklmnop'),
  foreign('an origin in capitals, as no browser writes it', 'HTTP://LOCALHOST'),
  foreign('an origin that is a name alone', 'localhost'),
  foreign('an origin with an IPv6 zone', 'http://[fe80::1%25lo]'),
  foreign('an address in octal that looks like loopback', 'http://127.0.0.1.nip.io'),
  foreign('two origins in one header', 'http://localhost http://evil.com'),
  row('two Origin headers', pageAt('http://localhost\r\nOrigin: http://evil.com'), refused(403, 90)),
  row(
    'an origin of 20,000 letters',
    pageAt(`http://${'a'.repeat(20_000)}.com`),
    refused(403, 90, 'may not call this server'),
  ),
  row('a stranger that reads the journal', get('/_sandbox/journal', ELSEWHERE), barredElsewhere),
  row('a stranger that loads the sdk', get('/_sandbox/sdk.js', ELSEWHERE), barredElsewhere),
  row(
    'a stranger that resets with a form, which needs no preflight',
    post('/_sandbox/reset', 'a=b', ELSEWHERE, 'Content-Type: text/plain'),
    barredElsewhere,
  ),
  row(
    'a stranger that deletes',
    ask('DELETE', '/vault/e0000000000000000000000000000001', ELSEWHERE),
    barredElsewhere,
  ),
];
