import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as httpRequest, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { RecordedBody } from '../../../src/node/record/proxy.js';
import { Recording } from '../../../src/node/record/recording.js';
import { readTraceFile } from '../../../src/node/replay/recordings.js';
import { writeNew } from '../../../src/node/files/whole-file.js';
import { folder } from '../../support/folder.js';
import { portOf } from '../../support/serving.js';
import { freePort } from '../../support/socket.js';
import { cardOf } from '../../support/stored.js';
import { replayed, sender, server } from '../replay/support.js';
import { entriesIn, recorded } from './support.js';

async function gateway(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createServer(answer))}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

describe('a call', () => {
  test('goes on as it came, and is answered as the upstream answered: no redirect is followed', async () => {
    const seen: object[] = [];
    const upstream = await gateway((request, response) => {
      const { method, url, headers } = request;
      void bodyOf(request).then((body) => {
        seen.push({ method, url, body, ...headers });
        response.writeHead(307, 'Over There', { location: '/elsewhere', 'x-trace': 'abc' }).end('{"A":1}');
      });
    });
    const { file } = await recorded(`${upstream}/base`, async (url) => {
      const init = { headers: { ...JSON_HEADERS, 'x-secretkey': 'sk_test_a', 'x-odd': 'ü' } };
      const answer = await fetch(`${url}/charge/%C3%A9?q=a%20b`, {
        ...init,
        method: 'POST',
        body: '{"Amount":1.50}',
        redirect: 'manual',
      });
      expect(answer.status).toBe(307);
      expect(answer.statusText).toBe('Over There');
      expect(answer.headers.get('location')).toBe('/elsewhere');
      expect(answer.headers.get('x-trace')).toBe('abc');
      expect(await answer.text()).toBe('{"A":1}');
    });
    expect(seen).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: '/base/charge/%C3%A9?q=a%20b',
        body: '{"Amount":1.50}',
        'x-secretkey': 'sk_test_a',
        'accept-encoding': 'identity',
        host: upstream.slice('http://'.length),
      }),
    ]);
    expect(entriesIn(file)).toEqual([
      expect.objectContaining({
        Method: 'POST',
        Path: '/charge/%C3%A9',
        Query: 'q=a%20b',
        Headers: JSON_HEADERS,
        Body: { Amount: 1.5 },
        Status: 307,
        Response: { A: 1 },
      }),
    ]);
  });

  test('that the upstream has not answered when the recording ends is recorded without an answer', async () => {
    onTestFinished(() => void vi.useRealTimers());
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const upstream = await gateway(() => arrive());
    const over = new Set<string>();
    const ended = recorded(upstream, async (url) => {
      fetch(`${url}/charge`).catch(() => {});
      await arrived;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    }).finally(() => over.add('recording'));
    while (over.size === 0) {
      await new Promise(setImmediate);
      if (vi.isFakeTimers()) vi.advanceTimersByTime(100);
    }
    const { file, code, err } = await ended;
    expect(code).toBe(0);
    expect(err).toContain(`incomplete answer from ${upstream} (the proxy was stopped)`);
    expect(entriesIn(file)).toMatchObject([{ Path: '/charge', Status: 0, Response: null }]);
  });

  test('without a body announces none', async () => {
    const seen: unknown[] = [];
    const upstream = await gateway((request, response) => {
      seen.push([request.method, request.headers['content-length'], request.headers['transfer-encoding']]);
      response.end('{}');
    });
    await recorded(upstream, async (url) => {
      const { hostname, port } = new URL(url);
      for (const method of ['GET', 'DELETE']) await fetch(url, { method });
      const sent = httpRequest({ hostname, port, method: 'POST', path: '/charge' });
      sent.removeHeader('transfer-encoding');
      sent.useChunkedEncodingByDefault = false;
      await new Promise((resolve) => sent.on('response', (answer) => resolve(answer.resume())).end());
    });
    expect(seen).toEqual([
      ['GET', undefined, undefined],
      ['DELETE', undefined, undefined],
      ['POST', '0', undefined],
    ]);
  });

  test('with a large body and a large answer passes whole, and is recorded without them', async () => {
    const large = JSON.stringify({ Rows: 'x'.repeat(3_000_000) });
    const upstream = await gateway((request, response) => {
      void bodyOf(request).then((body) => response.end(body));
    });
    const { file } = await recorded(upstream, async (url) => {
      const init = { method: 'POST', headers: JSON_HEADERS, body: large };
      expect(await (await fetch(`${url}/batch`, init)).text()).toBe(large);
    });
    expect(entriesIn(file)).toEqual([
      expect.objectContaining({
        Body: null,
        RequestTruncated: true,
        RequestLost: 'longer than 1 MiB',
        Response: null,
        Lost: 'longer than 1 MiB',
      }),
    ]);
    expect(readFileSync(file, 'utf8').length).toBeLessThan(1000);
  });

  test.each<[string, Record<string, string>]>([
    ['x-secretkey', { 'x-secretkey': 'sk_live_abc' }],
    ['x-publickey', { 'x-publickey': 'pk_live_abc' }],
  ])('with a live key in %s is not passed on', async (_, headers) => {
    let calls = 0;
    const upstream = await gateway((_request, response) => {
      calls++;
      response.end('{}');
    });
    const { code, err, file } = await recorded(upstream, async (url) => {
      const answer = await fetch(`${url}/charge`, { headers });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toEqual({
        Message: 'playmoney record: a live key is not forwarded; use a sandbox key',
      });
    });
    expect([calls, code, existsSync(file)]).toEqual([0, 1, false]);
    expect(err).toContain(`playmoney: no calls were recorded, so ${file} was not written\n`);
  });
});

test('no key, card number or Ccv gets into the file, and the masked calls can be sent again', async () => {
  const key = 'a-key-that-looks-like-none';
  const upstream = await server({ keys: ['any'] });
  const echoing = await gateway((request, response) => {
    void bodyOf(request).then(async (body) => {
      const init = { method: request.method ?? '', headers: JSON_HEADERS, body: body === '' ? null : body };
      const answer = await fetch(upstream.url + request.url, {
        ...init,
        headers: { ...init.headers, 'x-secretkey': String(request.headers['x-secretkey']) },
      });
      const fields = (await answer.json()) as object;
      response.writeHead(answer.status, JSON_HEADERS);
      response.end(JSON.stringify({ ...fields, Caller: request.headers['x-secretkey'] }));
    });
  });
  const { file } = await recorded(echoing, async (url) => {
    const send = sender({ url }, key);
    await send('POST /charge/card', {
      Amount: 5,
      PaymentInformation: { ...cardOf('4539578763621486'), Ccv: '987' },
    });
    await send('GET /charge?CardNumber=4539578763621486');
    await send('POST /charge/card', '{"CardNumber": "4539578763621486", "Ccv": 987,');
  });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('"Caller":"***"');
  for (const secret of [key, '4539578763621486', '987"', ':987']) expect(text).not.toContain(secret);
  const { out } = await replayed(file, await server(), { ignores: ['Caller'] });
  expect(out).toMatch(/3 calls .*: 2 equal, 1 not sent\.\n$/);
});

test('calls of the sandbox itself, and what browsers ask before a call, pass and are not recorded', async () => {
  const upstream = await server();
  const { file } = await recorded(upstream.url, async (url) => {
    expect((await sender({ url })('GET /_sandbox/clock')).status).toBe(200);
    expect((await fetch(`${url}/charge`, { method: 'OPTIONS' })).status).toBe(204);
    await sender({ url })('GET /charge');
  });
  expect(entriesIn(file)).toHaveLength(1);
});

test('calls that no trace can hold pass, and are told once for each kind', async () => {
  const upstream = await gateway((request, response) => {
    response.writeHead(request.url === '/odd' ? 700 : 200, JSON_HEADERS).end('{}');
  });
  const { file, err } = await recorded(upstream, async (url) => {
    for (const [path, method] of [
      ['/charge', 'GET'],
      ['/odd', 'POST'],
      ['/odd', 'GET'],
      ['/charge', 'PROPFIND'],
    ] as const)
      await new Promise((resolve, reject) => {
        const sent = httpRequest(url + path, { method }, (answer) => answer.resume().on('end', resolve));
        sent.on('error', reject).end();
      });
  });
  expect(entriesIn(file)).toHaveLength(1);
  expect(err.split('\n').filter((line) => line.includes('left out'))).toEqual([
    'playmoney: calls with the status 700, which is above 599, are passed on, but left out here',
    'playmoney: calls with the method PROPFIND are passed on, but left out here',
  ]);
});

test('a header that no trace may hold is passed on and left out of the file', async () => {
  const seen: unknown[] = [];
  const upstream = await gateway((request, response) => {
    seen.push(request.headers['x-sandbox-odd_1'], request.headers['content-type']);
    response.end('{}');
  });
  const headers = { 'x-sandbox-odd_1': 'a', 'content-type': 'text/é', 'x-sandbox-outcome': 'approve' };
  const { file } = await recorded(upstream, async (url) => {
    await fetch(`${url}/charge`, { headers });
  });
  expect(seen).toEqual(['a', 'text/é']);
  const { entries } = await readTraceFile(file);
  expect(entries[0]?.headers).toEqual({ 'x-sandbox-outcome': 'approve' });
});

test('a recording takes ten thousand calls, and counts those beyond', async () => {
  const recording = new Recording();
  const passed = {
    method: 'GET',
    target: '/charge',
    headers: ['x-secretkey', 'sk_test_a'],
    sent: new RecordedBody(),
    status: 200,
    answered: new RecordedBody(),
    answerHeaders: [],
    failure: null,
    isConnected: true,
  };
  for (let n = 0; n < 10_003; n++) recording.keep(passed, 0);
  expect([recording.calls, recording.left]).toEqual([10_000, 3]);
  const file = join(folder(), 'long.json');
  await writeNew(file, 'recording', (write) => recording.write(write, 0));
  expect((await readTraceFile(file)).entries).toHaveLength(10_000);
});

test('answers in the spelling of client libraries are replayed in their dialect', async () => {
  const upstream = await server({ dialect: 'sdk' });
  const { file } = await recorded(upstream.url, async (url) => {
    await sender({ url })('POST /charge/token', { amount: 5, token: 'tok_approve' });
  });
  expect(entriesIn(file)).toEqual([
    expect.objectContaining({ Headers: { ...JSON_HEADERS, 'x-sandbox-dialect': 'sdk' } }),
  ]);
  expect(await replayed(file, await server())).toMatchObject({ code: 0 });
});

describe('an upstream', () => {
  test('that nobody can reach is refused before anything listens: 1', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { code, out, err } = await recorded(url, () => Promise.reject(new Error('not reached')));
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^playmoney: cannot connect to http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED.*\)\n$/);
  });

  test('that nobody vouches for is refused, and trusted with --ca', async () => {
    const fixture = (name: string): string => join(import.meta.dirname, '../../fixtures', name);
    const [ca, key] = [fixture('localhost-cert.pem'), fixture('localhost-key.pem')];
    const secure = createSecureServer({ cert: readFileSync(ca), key: readFileSync(key) }, (_, response) => {
      response.end('{}');
    });
    const url = `https://127.0.0.1:${await portOf(secure)}`;
    const refused = await recorded(url, () => Promise.resolve());
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/trust its certificate with --ca FILE\)\n$/);
    // A certificate for another name is not helped by trusting it.
    const misnamed = await recorded(url.replace('127.0.0.1', '0.0.0.0'), () => Promise.resolve(), { ca });
    expect(misnamed.err).toMatch(/does not match certificate's altnames: [^;]*\)\n$/);
    const { code, file } = await recorded(
      url,
      async (proxy) => expect((await fetch(`${proxy}/charge`)).status).toBe(200),
      { ca },
    );
    expect(code).toBe(0);
    expect(entriesIn(file)).toHaveLength(1);
  });

  test('that is gone meanwhile is answered 502 for, and the call is not recorded', async () => {
    const gone = createServer((_, response) => response.end('{}'));
    const port = await portOf(gone);
    const { file, err } = await recorded(`http://127.0.0.1:${port}`, async (url) => {
      await (await fetch(`${url}/charge`)).text();
      await new Promise((resolve) => gone.close(resolve));
      const answer = await fetch(`${url}/charge`);
      expect(answer.status).toBe(502);
      expect(await answer.text()).toContain('no answer from http://127.0.0.1:');
    });
    expect(err).toMatch(/incomplete answer from \S+ \(.*ECONNREFUSED/);
    expect(entriesIn(file)).toHaveLength(1);
  });

  test.each<[string, RequestListener, number, object]>([
    ['closes without an answer', (request) => void request.socket.destroy(), 502, { Status: 0 }],
    ['does not answer in time', () => {}, 502, { Status: 0 }],
    [
      'breaks its answer off',
      (_, response) =>
        void response.writeHead(201, { 'content-length': 99 }).write('{"A":', () => response.destroy()),
      0,
      { Status: 201, Fault: 'truncate', Response: null, Lost: 'cut off' },
    ],
  ])('that %s is recorded as such', async (_, answer, status, entry) => {
    const { file } = await recorded(
      await gateway(answer),
      async (url) => expect((await sender({ url })('GET /charge')).status).toBe(status),
      { timeout: 300 },
    );
    expect(entriesIn(file)).toEqual([expect.objectContaining(entry)]);
  });
});

describe('the file', () => {
  test('is an existing file: 2, and it stays as it is', async () => {
    const out = join(folder(), 'trace.json');
    writeFileSync(out, 'mine');
    const { code, err } = await recorded((await server()).url, () => Promise.resolve(), { out });
    expect([code, err]).toEqual([2, `playmoney: ${out} already exists; choose another name for the trace\n`]);
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });

  test('lies in a folder that is there: 2', async () => {
    const out = join(folder(), 'none', 'trace.json');
    const { code, err } = await recorded((await server()).url, () => Promise.resolve(), { out });
    expect(code).toBe(2);
    expect(err).toContain(`playmoney: cannot write ${out}: the folder `);
  });
});

test('what is printed says where it listens, and how to go on', async () => {
  const { url } = await server();
  const { file, out, err } = await recorded(url, async (proxy) => {
    await sender({ url: proxy })('GET /charge');
  });
  expect(out).toMatch(/^playmoney listening on http:\/\/127\.0\.0\.1:\d+\n/);
  expect(out.split('\n')[1]).toBe(
    `${file}: 1 call to ${url}. Send them to a sandbox with: playmoney replay ${file} --against http://127.0.0.1:4010`,
  );
  expect(err).toBe(`Forwards calls to ${url}. Ctrl+C (SIGINT or SIGTERM) ends it and writes ${file}.\n`);
});
