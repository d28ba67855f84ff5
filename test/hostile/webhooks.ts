import { bad, charging, get, post, type Row, row, SECRET, taken } from './row.js';

const to = (Url: unknown, more: object = {}): string => charging({ Webhook: { Url, ...more } });
const badUrl = bad(
  'Webhook.Url must be an absolute https address; http is taken for loopback and private hosts only',
);
const authorised = (Authorization: string): string => to('https://example.com', { Authorization });
const tooLong = bad('at most 1024 are taken');
const SETTLE = post('/_sandbox/settle', {});
const DELIVERIES = get('/_sandbox/webhooks');

/** Taken, since only the network knows where a name leads; then nothing is sent. */
const withheld = (it: string, url: string, ...says: string[]): Row =>
  row(it, DELIVERIES, taken('"Count":1', '"Status":"withheld"', ...says), { after: [to(url), SETTLE] });
/** No receiver, but one that may be tried. */
const failed = (it: string, url: string, more: object, ...says: string[]): Row =>
  row(it, DELIVERIES, taken('"Count":1', '"Status":"pending"', ...says), { after: [to(url, more), SETTLE] });
const METADATA = 'is a metadata address, which is never delivered to';
const RESERVED = 'is a reserved address, which is never delivered to';
const ITSELF = 'it is the sandbox itself';
const PUBLIC = 'is a public address; start with --webhooks public to deliver there';

/** Receivers that nobody should be made to call. */
export const WEBHOOKS: readonly Row[] = [
  row('a file', to('file:///etc/passwd'), badUrl),
  row('gopher', to('gopher://localhost:6379/_FLUSHALL'), badUrl),
  row('data', to('data:text/plain,x'), badUrl),
  row('a script', to('javascript:alert(1)'), badUrl),
  row('a socket of the system', to('unix:/var/run/docker.sock'), badUrl),
  row('ftp', to('ftp://localhost/x'), badUrl),
  row('a scheme that begins like https', to('httpsx://localhost'), badUrl),
  row('a path alone', to('/hook'), badUrl),
  row('a host alone', to('localhost/hook'), badUrl),
  row('a scheme alone', to('https://'), badUrl),
  row('an address without a scheme', to('//localhost/hook'), badUrl),
  row('a port that no machine has', to('https://example.com:99999/'), badUrl),
  row('a name with a blank', to('https://exa mple.com/'), badUrl),
  row('an IPv6 zone', to('http://[fe80::1%25eth0]/'), badUrl),
  row('http to a metadata address', to('http://169.254.169.254/latest/meta-data'), badUrl),
  row('http to a metadata address as one number', to('http://2852039166/'), badUrl),
  row('http to a metadata address in hexadecimal', to('http://0xa9fea9fe/'), badUrl),
  row('http to a metadata address in octal', to('http://0251.0376.0251.0376/'), badUrl),
  row('http to a metadata address of three parts', to('http://169.254.43518/'), badUrl),
  row('http to a metadata address in full-width digits', to('http://１６９.254.169.254/'), badUrl),
  row('http to a mapped metadata address', to('http://[::ffff:169.254.169.254]/'), badUrl),
  row('http to a public name', to('http://example.com/'), badUrl),
  row('http to a name that ends like a private one', to('http://localhost.example.com/'), badUrl),
  row('http to a name that begins like a private address', to('http://10.0.0.1.example.com/'), badUrl),
  row('http to a private name with a dot after it', to('http://localhost./'), badUrl),
  row('http to a private name as the user of a public one', to('http://localhost@example.com/'), badUrl),
  row('http to a private name before a backslash', to('http://example.com\\@localhost/'), badUrl),
  row('a list of addresses', to(['https://example.com']), bad('Webhook.Url must be text, not a list')),
  row('an address of 2,000 letters', to(`https://example.com/${'x'.repeat(2000)}`), tooLong),
  row(
    'a line break in Authorization',
    authorised('a\r\nX-Other: b'),
    bad('Webhook.Authorization', 'line breaks'),
  ),
  row('a NUL in Authorization', authorised('a\0b'), bad('Webhook.Authorization', 'line breaks')),
  row(
    'a bell in Authorization, which no header can hold',
    authorised('a\u0007b'),
    bad('Webhook.Authorization must be text without line breaks and other control characters'),
  ),
  row('an Authorization of 2,000 letters', authorised('x'.repeat(2000)), tooLong),
  row(
    'a topic that is named like a prototype',
    post('/webhook/subscription', { Url: 'https://example.com', Types: ['__proto__'] }),
    bad('is none of Transaction'),
  ),

  withheld('https to a metadata address', 'https://169.254.169.254/', `169.254.169.254 ${METADATA}`),
  withheld('https to a metadata address as one number', 'https://2852039166/', `169.254.169.254 ${METADATA}`),
  withheld('https to a metadata address in hexadecimal parts', 'https://0xa9.0xfe.0xa9.0xfe/', METADATA),
  withheld('https to a metadata address of two parts', 'https://169.16689662/', METADATA),
  withheld('https to a metadata address in circled digits', 'https://①⑥⑨.254.169.254/', METADATA),
  withheld('https to a mapped metadata address', 'https://[::ffff:a9fe:a9fe]/', METADATA),
  withheld('https to a compatible metadata address', 'https://[::a9fe:a9fe]/', METADATA),
  withheld('https to a translated metadata address', 'https://[64:ff9b::a9fe:a9fe]/', METADATA),
  withheld('https to a 6to4 metadata address', 'https://[2002:a9fe:a9fe::]/', METADATA),
  withheld('https to a metadata address of IPv6', 'https://[fd00:ec2::254]/', METADATA),
  withheld('a name that leads to a metadata address', 'http://metadata.test/', METADATA),
  withheld('a name that leads to a good and a bad address', 'http://half.test/', METADATA),
  withheld('a name that leads to a mapped address', 'http://mapped.test/', METADATA),
  withheld('a name that leads to the own link', 'http://link-local.test/', RESERVED),
  withheld('a name that leads to many machines', 'http://multicast.test/', RESERVED),
  withheld('a name that leads to nowhere', 'http://nowhere.test/', 'its name leads to no address'),
  withheld('a private name that leads to a public address', 'http://public.test/', PUBLIC),
  withheld('https to a public address', 'https://203.0.113.5/', PUBLIC),
  withheld('an address for documentation in IPv6', 'https://[2606:4700::1]/', PUBLIC),
  withheld('broadcast', 'https://255.255.255.255/', RESERVED),
  withheld('port 4 of the sandbox itself', 'http://127.0.0.1:@PORT/charge/card', ITSELF),
  withheld('the sandbox itself, by name', 'http://localhost:@PORT/charge/card', ITSELF),
  withheld('the sandbox itself, as one number', 'http://2130706433:@PORT/', ITSELF),
  withheld('the sandbox itself, as nobody in particular', 'http://0.0.0.0:@PORT/', ITSELF),
  withheld('the sandbox itself, by a mapped address', 'https://[::ffff:127.0.0.1]:@PORT/', ITSELF),
  failed('a password in the address', 'https://user:sesame@127.0.0.1/', { Authorization: 'Bearer' }),
  failed('a password that is no escape', 'http://a:%zz@127.0.0.1/', {}),
  row('the bytes of an Authorization in the list', DELIVERIES, taken('"Count":1'), {
    after: [to('http://127.0.0.1:1/', { Authorization: SECRET }), SETTLE],
  }),
];
