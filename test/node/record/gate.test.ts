import { createServer, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';

import { expect, test } from 'vitest';

import { portOf } from '../../support/serving.js';
import { recorded } from './support.js';

interface Called {
  readonly status: number;
  readonly text: string;
}

/** Calls with headers that fetch does not send. */
function call(url: string, sent: string, headers: OutgoingHttpHeaders): Promise<Called> {
  const [method, path] = sent.split(' ');
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (piece: Buffer) => (text += piece.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    request.on('error', reject).end();
  });
}

const EVIL = { origin: 'https://evil.example' };
const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };
const WORLDS = 'GET /_sandbox/worlds';
const CHARGE = 'POST /charge/card';

/** Calls, the statuses of their answers and what those contain. */
const CALLS: readonly (readonly [
  name: string,
  call: string,
  headers: OutgoingHttpHeaders,
  status: number,
  text: string,
])[] = [
  ['a name that was rebound', WORLDS, { host: 'evil.test.example' }, 403, '--allowed-host evil.test.example'],
  ['a malformed host', 'GET /charge', { host: 'a b' }, 400, 'Host header is malformed'],
  ['a page elsewhere', CHARGE, EVIL, 403, '--allowed-origin https://evil.example'],
  ['a page that reads worlds', WORLDS, EVIL, 403, '--allowed-origin'],
  ['a page that escapes the path', 'GET /x/../%5Fsandbox/worlds', EVIL, 403, '--allowed-origin'],
  ['a form elsewhere', CHARGE, CROSS_SITE, 403, '--allowed-origin ORIGIN'],
  ['a script tag elsewhere', WORLDS, CROSS_SITE, 403, '--allowed-origin ORIGIN'],
  ['a local name', 'GET /charge', { host: 'localhost' }, 200, '{}'],
  ['an allowed name', 'GET /charge', { host: 'shop.example:80' }, 200, '{}'],
  ['the name that it is bound to', 'GET /charge', { host: '127.0.0.1' }, 200, '{}'],
  ['a page of this machine', CHARGE, { origin: 'http://localhost:3000' }, 200, '{}'],
  ['an allowed page', CHARGE, { origin: 'https://shop.example' }, 200, '{}'],
];

test('a recording has the gate of a server: pages and names that it does not allow reach nothing', async () => {
  const reached: unknown[] = [];
  const upstream = createServer((request, response) => {
    reached.push(request.url);
    response.end('{}');
  });
  const allowed = { allowedHosts: ['shop.example'], allowedOrigins: ['https://shop.example'] };
  const answers: (Called & { name: string })[] = [];
  const { err } = await recorded(
    `http://127.0.0.1:${await portOf(upstream)}`,
    async (url) => {
      for (const [name, sent, headers] of CALLS) {
        answers.push({ name, ...(await call(url, sent, { host: new URL(url).host, ...headers })) });
      }
    },
    allowed,
  );
  expect(answers).toEqual(
    CALLS.map(([name, , , status, text]) => ({
      name,
      status,
      text: expect.stringContaining(text) as string,
    })),
  );
  expect(reached).toEqual(
    CALLS.filter(([, , , status]) => status === 200).map(([, sent]) => sent.split(' ')[1]),
  );
  // A browser shows its page no reason.
  expect(err).toContain('playmoney: This server does not answer requests for the host evil.test.example.');
});

test('a recording listens on the address of --host, and warns if other machines reach it', async () => {
  const upstream = createServer((_, response) => response.end('{}'));
  const { out, err } = await recorded(
    `http://127.0.0.1:${await portOf(upstream)}`,
    async (url) => void (await fetch(`${url}/charge`)),
    { host: '0.0.0.0' },
  );
  expect(out).toMatch(/^playmoney listening on http:\/\/127\.0\.0\.1:\d+\n/);
  expect(err).toContain(
    'Warning: --host 0.0.0.0 lets other machines use this proxy, and the upstream through it.\n',
  );
});
