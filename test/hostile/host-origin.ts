import { ask, charge, get, post, refused, type Row, row, taken } from './row.js';

const from = (host: string): string => get('/charge', `Host: ${host}`);
const strange = (host: string) =>
  refused(403, 90, `The host ${host} is not served.`, `--allowed-host ${host}`);
const malformed = refused(
  400,
  90,
  'The Host header is malformed; a name or an address with an optional port is taken.',
);
const pageAt = (origin: string): string => post('/charge/card', charge(), `Origin: ${origin}`);
const barred = (origin: string) =>
  refused(403, 90, `The origin ${origin} may not call this server.`, '--allowed-origin');

/** Names that a stranger could own, and pages of strangers. */
export const HOST_ORIGIN: readonly Row[] = [
  row('a name that ends like a reserved one', from('eviltest'), taken('"Count":2')),
  row('a name below one that ends like a reserved one', from('a.eviltest'), strange('a.eviltest')),
  row('a reserved name with a dot after it', from('api.test.'), strange('api.test.')),
  row('localhost with a dot after it', from('localhost.'), strange('localhost.')),
  row('a dot alone', from('.'), strange('.')),
  row('a name of dots', from('..localhost'), taken()),
  row('an address in hexadecimal with dots', from('0x7f.0.0.1'), strange('0x7f.0.0.1')),
  row('an address in octal', from('0177.0.0.1'), strange('0177.0.0.1')),
  row('an address of three parts', from('127.0.1'), strange('127.0.1')),
  row('an address with a dot after it', from('127.0.0.1.'), strange('127.0.0.1.')),
  row('an address with a letter', from('127.0.0.1a'), strange('127.0.0.1a')),
  row('an IPv6 address with a zone', from('[fe80::1%25eth0]'), malformed),
  row('an IPv6 address with a raw zone', from('[fe80::1%eth0]:4010'), malformed),
  row('an IPv6 address with a name behind it', from('[::1].evil.com'), malformed),
  row('an IPv6 address without a closing bracket', from('[::1:4010'), malformed),
  row('brackets without an address', from('[]'), malformed),
  row('a name in brackets', from('[localhost]'), malformed),
  row('a user before the name', from('localhost@evil.com'), malformed),
  row('a user and a password before the name', from('a:b@localhost'), malformed),
  row('a path behind the name', from('localhost/evil.com'), malformed),
  row('a fragment behind the name', from('localhost#evil.com'), malformed),
  row('a query behind the name', from('localhost?evil.com'), malformed),
  row('a backslash behind the name', from('localhost\\evil.com'), malformed),
  row('an escape in the name', from('local%68ost'), malformed),
  row('a negative port', from('localhost:-1'), malformed),
  row('two ports', from('localhost:1:2'), malformed),
  row('a port of six digits', from('localhost:100000'), malformed),
  row('a tab before a second name', from('localhost\tevil.com'), malformed),
  row('two names with a semicolon', from('localhost;evil.com'), malformed),
  row('a name in UTF-8', from('localhos\xc5\xa3'), malformed),
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
  row('an origin with a user', pageAt('http://localhost@evil.com'), barred('http://localhost@evil.com')),
  row('an origin with a path', pageAt('http://localhost/evil'), barred('http://localhost/evil')),
  row('an origin with a slash at its end', pageAt('http://localhost/'), barred('http://localhost/')),
  row('an origin of another scheme', pageAt('ftp://localhost'), barred('ftp://localhost')),
  row(
    'an extension of a browser',
    pageAt('chrome-extension://abcdefghijklmnop'),
    barred('chrome-extension://abcdefghijklmnop'),
  ),
  row(
    'an origin in capitals, as no browser writes it',
    pageAt('HTTP://LOCALHOST'),
    barred('HTTP://LOCALHOST'),
  ),
  row('an origin that is a name alone', pageAt('localhost'), barred('localhost')),
  row('an origin with an IPv6 zone', pageAt('http://[fe80::1%25lo]'), barred('http://[fe80::1%25lo]')),
  row(
    'an address in octal that looks like loopback',
    pageAt('http://127.0.0.1.nip.io'),
    barred('http://127.0.0.1.nip.io'),
  ),
  row(
    'two origins in one header',
    pageAt('http://localhost http://evil.com'),
    barred('http://localhost http://evil.com'),
  ),
  row('two Origin headers', pageAt('http://localhost\r\nOrigin: http://evil.com'), refused(403, 90)),
  row(
    'an origin of 20,000 letters',
    pageAt(`http://${'a'.repeat(20_000)}.com`),
    refused(403, 90, 'may not call this server'),
  ),
  row(
    'a stranger that reads the journal',
    get('/_sandbox/journal', 'Origin: https://evil.com'),
    barred('https://evil.com'),
  ),
  row(
    'a stranger that loads the sdk',
    get('/_sandbox/sdk.js', 'Origin: https://evil.com'),
    barred('https://evil.com'),
  ),
  row(
    'a stranger that resets with a form, which needs no preflight',
    post('/_sandbox/reset', 'a=b', 'Origin: https://evil.com', 'Content-Type: text/plain'),
    barred('https://evil.com'),
  ),
  row(
    'a stranger that deletes',
    ask('DELETE', '/vault/e0000000000000000000000000000001', 'Origin: https://evil.com'),
    barred('https://evil.com'),
  ),
];
