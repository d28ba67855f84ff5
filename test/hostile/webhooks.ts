import { bad, charging, get, post, type Row, type Rows, row, SECRET, taken } from './row.js';

const to = (Url: unknown, more: object = {}): string => charging({ Webhook: { Url, ...more } });
const badUrl = bad(
  'it must be an absolute https URL with a host name; only loopback and private hosts may use http or an IP address',
);
const authorised = (Authorization: string): string => to('https://example.com', { Authorization });
const tooLong = bad('the maximum is 1024');
const SETTLE = post('/_sandbox/settle', {});
const DELIVERIES = get('/_sandbox/webhooks');

/** Taken, since only the network knows where a name leads; then nothing is sent. */
const withheld = (url: string, ...says: string[]): Row =>
  row(DELIVERIES, taken('"Count":1', '"Status":"withheld"', ...says), { after: [to(url), SETTLE] });
/** No receiver, but one that may be tried. */
const failed = (url: string, more: object, ...says: string[]): Row =>
  row(DELIVERIES, taken('"Count":1', '"Status":"pending"', ...says), { after: [to(url, more), SETTLE] });
const METADATA = 'is a metadata address, and webhooks are never sent there';
const RESERVED = 'is a reserved address, and webhooks are never sent there';
const ITSELF = 'it is the sandbox itself';
const PUBLIC = 'is a public address; start with --webhooks public to deliver there';

/** Receivers that nobody should be made to call. */
export const WEBHOOKS: Rows = {
  'a file': row(to('file:///etc/passwd'), badUrl),
  gopher: row(to('gopher://localhost:6379/_FLUSHALL'), badUrl),
  data: row(to('data:text/plain,x'), badUrl),
  'a script': row(to('javascript:alert(1)'), badUrl),
  'a socket of the system': row(to('unix:/var/run/docker.sock'), badUrl),
  ftp: row(to('ftp://localhost/x'), badUrl),
  'a scheme that begins like https': row(to('httpsx://localhost'), badUrl),
  'a path alone': row(to('/hook'), badUrl),
  'a host alone': row(to('localhost/hook'), badUrl),
  'a scheme alone': row(to('https://'), badUrl),
  'an address without a scheme': row(to('//localhost/hook'), badUrl),
  'a port that no machine has': row(to('https://example.com:99999/'), badUrl),
  'a name with a blank': row(to('https://exa mple.com/'), badUrl),
  'an IPv6 zone': row(to('http://[fe80::1%25eth0]/'), badUrl),
  'http to a metadata address': row(to('http://169.254.169.254/latest/meta-data'), badUrl),
  'http to a metadata address as one number': row(to('http://2852039166/'), badUrl),
  'http to a metadata address in hexadecimal': row(to('http://0xa9fea9fe/'), badUrl),
  'http to a metadata address in full-width digits': row(to('http://１６９.254.169.254/'), badUrl),
  'http to a mapped metadata address': row(to('http://[::ffff:169.254.169.254]/'), badUrl),
  'http to a public name': row(to('http://example.com/'), badUrl),
  'http to a name that ends like a private one': row(to('http://localhost.example.com/'), badUrl),
  'http to a name that begins like a private address': row(to('http://10.0.0.1.example.com/'), badUrl),
  'http to a private name with a dot after it': row(to('http://localhost./'), badUrl),
  'http to a private name as the user of a public one': row(to('http://localhost@example.com/'), badUrl),
  'http to a private name before a backslash': row(to('http://example.com\\@localhost/'), badUrl),
  'a list of addresses': row(to(['https://example.com']), bad('Webhook.Url must be a string, not an array')),
  'an address of 2,000 letters': row(to(`https://example.com/${'x'.repeat(2000)}`), tooLong),
  'a line break in Authorization': row(
    authorised('a\r\nX-Other: b'),
    bad('Webhook.Authorization', 'line breaks'),
  ),
  'an Authorization of 2,000 letters': row(authorised('x'.repeat(2000)), tooLong),
  'a topic that is named like a prototype': row(
    post('/webhook/subscription', { Url: 'https://example.com', Types: ['__proto__'] }),
    bad('must be one of Transaction'),
  ),

  'https to a metadata address': row(to('https://169.254.169.254/'), badUrl),
  'https to a metadata address as one number': row(to('https://2852039166/'), badUrl),
  'https to a metadata address in circled digits': row(to('https://①⑥⑨.254.169.254/'), badUrl),
  'https to a mapped metadata address': row(to('https://[::ffff:a9fe:a9fe]/'), badUrl),
  'https to a compatible metadata address': row(to('https://[::a9fe:a9fe]/'), badUrl),
  'https to a translated metadata address': row(to('https://[64:ff9b::a9fe:a9fe]/'), badUrl),
  'https to a 6to4 metadata address': row(to('https://[2002:a9fe:a9fe::]/'), badUrl),
  'https to a public address': row(to('https://203.0.113.5/'), badUrl),
  'https to a public address as one number': row(to('https://3405803781/'), badUrl),
  'https to a public address in IPv6': row(to('https://[2606:4700::1]/'), badUrl),
  'https to a mapped loopback address': row(to('https://[::ffff:127.0.0.1]/'), badUrl),
  'https to broadcast': row(to('https://255.255.255.255/'), badUrl),

  'https to a metadata address of IPv6': withheld('https://[fd00:ec2::254]/', METADATA),
  'a name that leads to a metadata address': withheld('http://metadata.test/', METADATA),
  'a name that leads to a good and a bad address': withheld('http://half.test/', METADATA),
  'a name that leads to a mapped address': withheld('http://mapped.test/', METADATA),
  'a name that leads to the own link': withheld('http://link-local.test/', RESERVED),
  'a name that leads to many machines': withheld('http://multicast.test/', RESERVED),
  'a name that leads to nowhere': withheld('http://nowhere.test/', 'its name has no address'),
  'a private name that leads to a public address': withheld('http://public.test/', PUBLIC),
  'port 4 of the sandbox itself': withheld('http://127.0.0.1:@PORT/charge/card', ITSELF),
  'the sandbox itself, by name': withheld('http://localhost:@PORT/charge/card', ITSELF),
  'the sandbox itself, as one number': withheld('http://2130706433:@PORT/', ITSELF),
  'the sandbox itself, as nobody in particular': withheld('http://0.0.0.0:@PORT/', ITSELF),
  'a password in the address': failed('https://user:sesame@127.0.0.1/', { Authorization: 'Bearer' }),
  'a password that is no escape': failed('http://a:%zz@127.0.0.1/', {}),
  'the bytes of an Authorization in the list': row(DELIVERIES, taken('"Count":1'), {
    after: [to('http://127.0.0.1:1/', { Authorization: SECRET }), SETTLE],
  }),
};
