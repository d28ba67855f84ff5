import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { createServer as createSecureServer, request as requestHttps } from 'node:https';
import { createServer as createTcp } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { Post } from '../../../src/core/post.js';
import { createSender, type Network } from '../../../src/node/webhooks/send.js';
import { issueAuthority, issueServer } from '../../../src/node/tls/issue.js';
import { NODE_HOST } from '../../../src/node/machine/host.js';
import { createInnerSandbox, type InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { client, good } from '../../support/sandbox.js';
import { type Got, portOf, receiver, sandboxServed } from '../../support/serving.js';
import { freePort } from '../../support/socket.js';
import { cardOf, STEADY } from '../../support/stored.js';
import { words } from '../../support/tables.js';

const NODE_DELIVER = createSender();

const post = (url: string, more: Partial<Post> = {}): Post => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"a":"ü"}',
  reach: 'private',
  signal: new AbortController().signal,
  ...more,
});

/** A failure that is due to the certificate of the receiver. */
const refusedFor = (why: string) => ({ failed: `its certificate ${why}` });

/** A network whose names lead to these addresses, and in which a request is noted and goes nowhere. */
function fakeNetwork(names: Readonly<Record<string, readonly string[]>> = {}) {
  const asked: string[] = [];
  const requests: object[] = [];
  const network: Network = {
    resolve: (name) => {
      asked.push(name);
      const addresses = names[name] ?? [];
      return Promise.resolve(
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
    isAnswered: () => Promise.resolve(true),
    request: (options) => {
      requests.push(options);
      return Promise.reject(new Error('nothing is sent here'));
    },
  };
  return { network, asked, requests, deliver: createSender(network) };
}

describe('a delivery over a socket', () => {
  test('posts the bytes and headers as they are, on a connection of its own', async () => {
    const { port, got } = await receiver();
    const headers = { 'content-type': 'application/json', authorization: 'Basic jö:ß' };
    const posted = await createSender()(post(`http://127.0.0.1:${port}/a/b?c=d`, { headers }));
    expect(posted).toMatchObject({ status: 204 });
    expect(got).toMatchObject([{ method: 'POST', url: '/a/b?c=d', body: '{"a":"ü"}' }]);
    expect(got[0]?.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      connection: 'close',
      'content-length': '10',
    });
    expect(Buffer.from(got[0]?.headers.authorization ?? '', 'latin1').toString()).toBe('Basic jö:ß');
  });

  test('reports the headers of the response', async () => {
    const { port } = await receiver((response) => {
      response.setHeader('x-shard', ['one', 'two']);
      response.writeHead(503, { 'retry-after': '7' }).end();
    });
    expect(await createSender()(post(`http://127.0.0.1:${port}/`))).toMatchObject({
      status: 503,
      headers: { 'x-shard': 'one, two', 'retry-after': '7', connection: 'close' },
    });
  });

  test('reaches a name of this machine', async () => {
    const { port, got } = await receiver();
    expect(await createSender()(post(`http://localhost:${port}/`))).toMatchObject({ status: 204 });
    expect(got[0]?.headers.host).toBe(`localhost:${port}`);
  });

  test('does not follow a redirect', async () => {
    const other = await receiver();
    const { port } = await receiver((response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
    );
    expect(await createSender()(post(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 302 });
    expect(other.got).toEqual([]);
  });

  const deliverTo = (port: number, host = '127.0.0.1', protocol = 'http'): ReturnType<typeof NODE_DELIVER> =>
    NODE_DELIVER(post(`${protocol}://${host}:${port}/`));
  /** A receiver that sends these bytes, and then ends the connection or, with `null`, resets it. */
  const sending = (bytes: string, last: 'end' | 'reset' | 'nothing' = 'end'): Promise<number> =>
    portOf(
      createTcp((socket) => {
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write(bytes, () => {
              if (last === 'end') socket.end();
              if (last === 'reset') socket.resetAndDestroy();
            });
          });
      }),
    );

  test('fails with a sentence that is the same in each run', async () => {
    const refused = { failed: 'nothing listens at its address and port (ECONNREFUSED)' };
    for (const host of ['127.0.0.1', 'localhost', 'shop.localhost', '[::1]'])
      expect(await deliverTo(await freePort(), host)).toEqual(refused);
    const closed = { failed: 'the receiver closed the connection without an answer (ECONNRESET)' };
    expect(await deliverTo(await sending(''))).toEqual(closed);
    expect(await deliverTo(await sending('', 'reset'))).toEqual(closed);
    const strange = { failed: 'the answer of the receiver is not HTTP' };
    for (const bytes of [
      'SSH-2.0-x\r\n',
      'HTTP/1.1 2x0 OK\r\n\r\n',
      'HTTP/1.1 200 OK\r\na b: c\r\n\r\n',
      '\u0015\u0003\u0001',
    ])
      expect(await deliverTo(await sending(bytes))).toEqual(strange);
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
    expect(await deliverTo(await sending(upgrade, 'nothing'))).toEqual({
      failed: 'the receiver answered with an upgrade',
    });
  });

  test.each([
    ['EHOSTUNREACH', 'its address cannot be reached from here'],
    ['ENETUNREACH', 'its address cannot be reached from here'],
    ['ETIMEDOUT', 'its address does not answer'],
    ['EPIPE', 'the receiver closed the connection without an answer'],
    ['EACCES', 'the connection failed'],
  ])('fails with a sentence without address and port for %s', async (code, sentence) => {
    const error = Object.assign(new Error(`connect ${code} 10.0.0.9:4444 - Local (10.0.0.1:50312)`), {
      code,
    });
    const deliver = createSender({
      ...fakeNetwork().network,
      request: (options) => Promise.resolve(requestHttp(options).destroy(error)),
    });
    expect(await deliver(post(`http://127.0.0.1:${await freePort()}/`))).toEqual({
      failed: `${sentence} (${code})`,
    });
  });

  test.each([
    ['EAI_AGAIN', 'its name cannot be resolved at present; is the network or a VPN off? (EAI_AGAIN)'],
    ['ENOTFOUND', 'its name is unknown (ENOTFOUND)'],
    ['EAI_FAIL', 'its name cannot be resolved (EAI_FAIL)'],
  ])('fails with a sentence if the look-up of its name ends with %s', async (code, failed) => {
    const error = Object.assign(new Error(`getaddrinfo ${code} shop.internal`), { code });
    const { network } = fakeNetwork();
    const deliver = createSender({ ...network, resolve: () => Promise.reject(error) });
    expect(await deliver(post('http://shop.internal/'))).toEqual({ failed, cause: 'name' });
  });

  test.each([
    ['a body that is reset', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{', 'reset', 200, '{'],
    ['a body that ends early', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{', 'end', 200, '{'],
    ['a reset in place of the body', 'HTTP/1.1 201 OK\r\ncontent-length: 9\r\n\r\n', 'reset', 201, ''],
    ['a 204 with a body', 'HTTP/1.1 204 No Content\r\n\r\n{"ok":true}', 'end', 204, ''],
    ['a 204 with a length', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok', 'end', 204, ''],
    ['a 304 with a body', 'HTTP/1.1 304 Not Modified\r\n\r\nok', 'end', 304, ''],
    ['chunks that are none', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'end', 200, ''],
    ['more than its length', 'HTTP/1.1 202 OK\r\ncontent-length: 2\r\n\r\nokok', 'end', 202, 'ok'],
    [
      'a hint before it',
      'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
      'end',
      200,
      '',
    ],
  ] as const)('has the status that arrived, with %s', async (_, bytes, last, status, body) => {
    expect(await deliverTo(await sending(bytes, last))).toMatchObject({ status, body });
  });

  test('has the status that arrived if its time is over before the body', async () => {
    const port = await sending('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n', 'nothing');
    const time = new AbortController();
    let headersCame = (): void => {};
    const came = new Promise<void>((resolve) => (headersCame = resolve));
    const deliver = createSender({
      ...fakeNetwork().network,
      request: (options) => {
        const request = requestHttp(options);
        request.on('response', () => setImmediate(headersCame));
        return Promise.resolve(request);
      },
    });
    const under = deliver(post(`http://127.0.0.1:${port}/`, { signal: time.signal }));
    await came;
    time.abort();
    expect(await under).toMatchObject({ status: 200, body: '' });
  });

  test('is broken off when its time is over, and lets go of the connection', async () => {
    const sockets: string[] = [];
    const silent = createTcp((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {});
      socket.on('close', () => sockets.push('closed'));
    });
    const port = await portOf(silent);
    const time = new AbortController();
    const under = createSender()(post(`http://127.0.0.1:${port}/`, { signal: time.signal }));
    await new Promise((resolve) => silent.once('connection', resolve));
    time.abort();
    expect(await under).toMatchObject({ failed: expect.stringContaining('aborted') as string });
    while (sockets.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(sockets).toEqual(['closed']);
  });

  test('does not wait for a body, and reads little of an endless one', async () => {
    let written = 0;
    const ended: string[] = [];
    const { port } = await receiver((response) => {
      response.writeHead(200);
      const more = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        if (response.write(Buffer.alloc(65_536))) setImmediate(more);
        else response.once('drain', more);
      };
      response.on('close', () => ended.push('closed'));
      more();
    });
    expect(await createSender()(post(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
    while (ended.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('a receiver behind TLS', () => {
  const fixture = (name: string): string =>
    readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');

  test('on a private address may have any certificate, which the log notes', async () => {
    const server = createSecureServer(
      { cert: fixture('localhost-cert.pem'), key: fixture('localhost-key.pem') },
      (request, response) => request.resume().on('end', () => response.writeHead(204).end()),
    );
    const port = await portOf(server);
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await createSender()(post(`https://${host}:${port}/`))).toMatchObject({
        status: 204,
        note: expect.stringMatching(/^its certificate is not trusted \(\w+\)/) as string,
      });
    }
  });

  const DAY_MS = 86_400_000;
  const before = (days: number) => new Date(Date.now() - days * DAY_MS);
  const VALID = { from: before(1), to: before(-1) };
  const PAST = { from: before(9), to: before(1) };
  const authority = issueAuthority(VALID);
  const issued = (name: string, validity = VALID) => issueServer(authority, [name], validity);
  const SELF_SIGNED = { certificate: fixture('localhost-cert.pem'), key: fixture('localhost-key.pem') };

  test.each([
    ['trusted', issued('shop.example'), true, { status: 204 }],
    ['self-signed', SELF_SIGNED, false, refusedFor('is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)')],
    [
      'of an unknown authority',
      issued('shop.example'),
      false,
      refusedFor('is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'),
    ],
    ['expired', issued('shop.example', PAST), true, refusedFor('has expired (CERT_HAS_EXPIRED)')],
    [
      'for another name',
      issued('other.example'),
      true,
      refusedFor('is for another name (ERR_TLS_CERT_ALTNAME_INVALID)'),
    ],
  ])(
    'on a public address must have a certificate that is valid; one that is %s',
    async (_, { certificate, key }, isTrusted, expected) => {
      const server = createSecureServer({ cert: certificate, key }, (request, response) =>
        request.resume().on('end', () => response.writeHead(204).end()),
      );
      const port = await portOf(server);
      const deliver = createSender({
        ...fakeNetwork({ 'shop.example': ['93.184.216.34'] }).network,
        // The name stands for an address of the internet, and the socket leads to this machine.
        request: (options) =>
          Promise.resolve(
            requestHttps({
              ...options,
              agent: false,
              host: '127.0.0.1',
              ...(isTrusted ? { ca: [authority.certificate] } : {}),
            }),
          ),
      });
      const posted = await deliver(post(`https://shop.example:${port}/`, { reach: 'public' }));
      expect(posted).toMatchObject(expected);
    },
  );

  test('that speaks plain HTTP is a failed attempt', async () => {
    const { port } = await receiver();
    expect(await createSender()(post(`https://127.0.0.1:${port}/`))).toEqual({
      failed: 'the receiver speaks no TLS; is it http?',
    });
  });
});

describe('what is never delivered to', () => {
  test.each([
    ['a metadata address', 'http://169.254.169.254/latest/meta-data', 'metadata'],
    ['one in decimal', 'http://2852039166/', 'metadata'],
    ['one in octal', 'http://0251.0376.0251.0376/', 'metadata'],
    ['one in hexadecimal', 'http://0xA9FEA9FE/', 'metadata'],
    ['one with fewer parts', 'http://169.254.43518/', 'metadata'],
    ['one with full-width digits', 'http://１６９.254.169.254/', 'metadata'],
    ['one within IPv6', 'http://[::ffff:169.254.169.254]/', 'metadata'],
    ['one within IPv6, in groups', 'http://[::ffff:a9fe:a9fe]/', 'metadata'],
    ['one behind NAT64', 'http://[64:ff9b::a9fe:a9fe]/', 'metadata'],
    ['one of IPv6', 'http://[fd00:ec2::254]/', 'metadata'],
    ['a link-local one', 'http://[fe80::1]/', 'reserved'],
    ['a multicast one', 'http://224.0.0.1/', 'reserved'],
    ['a broadcast one', 'http://255.255.255.255/', 'reserved'],
  ])('%s: %s', async (_, url, kind) => {
    const { deliver, asked, requests } = fakeNetwork();
    for (const reach of ['private', 'public'] as const) {
      expect(await deliver(post(url, { reach }))).toMatchObject({
        withheld: expect.stringContaining(`is a ${kind} address`) as string,
      });
    }
    expect([asked, requests]).toEqual([[], []]);
  });

  test.each([
    ['a name that leads there', ['169.254.169.254'], 'metadata'],
    ['a name that leads there as well', ['127.0.0.1', '169.254.169.254'], 'metadata'],
    ['a name that leads there over IPv6', ['::ffff:169.254.169.254'], 'metadata'],
    ['a name that leads nowhere', [], 'no address'],
  ])('%s', async (_, addresses, reason) => {
    const { deliver, requests } = fakeNetwork({ 'evil.test': addresses });
    expect(await deliver(post('http://evil.test/', { reach: 'public' }))).toMatchObject({
      withheld: expect.stringContaining(reason) as string,
    });
    expect(requests).toEqual([]);
  });

  test.each(words`
    http://127.0.0.1:0/ http://localhost:0/ https://hooks.example.com:00/
  `)('port 0, for which Node takes the port of the protocol: %s', async (url) => {
    const { deliver, asked, requests } = fakeNetwork();
    expect(await deliver(post(url, { reach: 'public' }))).toEqual({
      withheld: 'its port is 0, and Node would connect to another one',
    });
    expect([asked, requests]).toEqual([[], []]);
  });

  test('a public address, unless that is wished', async () => {
    const { deliver, requests } = fakeNetwork({ 'hooks.example.com': ['127.0.0.1', '93.184.216.34'] });
    for (const url of ['https://93.184.216.34/', 'https://hooks.example.com/']) {
      expect(await deliver(post(url))).toEqual({
        withheld: '93.184.216.34 is a public address; start with --webhooks public to deliver there',
      });
      await expect(deliver(post(url, { reach: 'public' }))).rejects.toThrow('nothing is sent here');
    }
    expect(requests).toMatchObject([
      { rejectUnauthorized: true },
      { rejectUnauthorized: true, servername: 'hooks.example.com' },
    ]);
  });

  test('the sandbox itself, by whatever name', async () => {
    const server = await sandboxServed();
    for (const host of words`
      127.0.0.1 localhost 127.9.9.9 [::1] 0.0.0.0 2130706433 [::ffff:127.0.0.1]
    `) {
      expect(await createSender()(post(`http://${host}:${server.port}/charge/card`))).toEqual({
        withheld: 'it is the sandbox itself',
      });
    }
  });

  test('the address that was checked is the one connected to, even if the name resolves differently by then', async () => {
    const { port, got } = await receiver();
    let asked = 0;
    const network: Network = {
      resolve: () => {
        asked++;
        return Promise.resolve([{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
      },
      isAnswered: () => Promise.resolve(true),
      request: (options) => Promise.resolve(requestHttp(options)),
    };
    expect(await createSender(network)(post(`http://rebinding.test:${port}/`))).toMatchObject({
      status: 204,
    });
    expect([asked, got[0]?.headers.host]).toEqual([1, `rebinding.test:${port}`]);
  });
});

describe('a sandbox on Node', () => {
  const HOOKED = (url: string, n: number): object => ({
    Amount: 5,
    ProviderId: STEADY,
    Reference: `r${n}`,
    PaymentInformation: cardOf(),
    Webhook: { Url: url },
  });
  /** `npm run test:package` has 1,000. */
  const COUNT = Number(process.env['DELIVERIES'] ?? 200);

  function sandboxOf(options: InnerSandboxOptions = {}) {
    const sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' }, ...options });
    onTestFinished(() => sandbox.close());
    return client(sandbox);
  }

  function expectEachInOrder(got: readonly Got[]): void {
    const references = got.map(
      ({ body }) => (JSON.parse(body) as { data: { reference: string } }).data.reference,
    );
    expect(references).toEqual(Array.from({ length: COUNT }, (_, n) => `r${n}`));
  }

  test(`delivers ${COUNT} to a prompt receiver, each once and in order`, async () => {
    const { port, got } = await receiver();
    const api = sandboxOf();
    for (let n = 0; n < COUNT; n++) await api.charge(HOOKED(`http://127.0.0.1:${port}/`, n));
    await good(api.post('/_sandbox/settle', { Timeout: '60s' }));
    expectEachInOrder(got);
    expect(await api.read('/_sandbox/webhooks?Status=delivered')).toMatchObject({ Count: COUNT, Lost: 0 });
  });

  test(`loses none of ${COUNT} to a dead receiver, and delivers each once when it is back`, async () => {
    const port = await freePort();
    const api = sandboxOf();
    for (let n = 0; n < COUNT; n++) await api.charge(HOOKED(`http://127.0.0.1:${port}/`, n));
    await api.post('/_sandbox/settle', { Timeout: '60s' });
    expect(await api.read('/_sandbox/webhooks?Status=pending')).toMatchObject({ Count: COUNT });
    expect((await api.advance('5s')).body).toMatchObject({ Deliveries: COUNT });
    const { got } = await receiver(undefined, port);
    expect((await api.advance('5m')).body).toMatchObject({ Deliveries: COUNT });
    expectEachInOrder(got);
    expect((await api.advance('7d')).body).toMatchObject({ Deliveries: 0 });
    expect(got).toHaveLength(COUNT);
  });

  test('withholds what goes to a public address, and says so in the log', async () => {
    const api = sandboxOf();
    await api.charge(HOOKED('https://127.0.0.1/hook', 1));
    // No call names such an address, but a document may.
    const { text } = await api.get('/_sandbox/state');
    await good(api.put('/_sandbox/state', text.replaceAll('//127.0.0.1/', '//93.184.216.34/')));
    await api.advance('5s');
    expect(await api.read('/_sandbox/webhooks?Status=withheld')).toMatchObject({
      Count: 1,
      Deliveries: [{ Note: expect.stringContaining('is a public address') as string }],
    });
  });

  test('delivers while the clock is real, after the answer and without another call', async () => {
    let arrived: () => void = () => {};
    const came = new Promise<void>((resolve) => (arrived = resolve));
    const { port, got } = await receiver((response) => {
      response.writeHead(200).end();
      arrived();
    });
    for (const mode of ['real', 'manual'] as const) {
      const api = sandboxOf({ clock: { mode } });
      await api.charge(HOOKED(`http://127.0.0.1:${port}/`, 1));
      await came;
    }
    expect(got.length).toBeGreaterThan(0);
  });
});
