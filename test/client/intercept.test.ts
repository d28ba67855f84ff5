import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createSandbox, type Sandbox } from '../../src/index.js';
import { charging } from './support.js';
import { words } from '../support/tables.js';

const API = 'https://api.example.com';
const KEY = { 'x-secretkey': 'sk_test_intercept' };

let sandbox: Sandbox;
let other: Server;
let otherUrl: string;
const before = globalThis.fetch;

beforeAll(async () => {
  other = createServer((_, response) => response.end('another server'));
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(() => other.close());

beforeEach(() => {
  sandbox = createSandbox({ clock: 'manual' });
});
afterEach(() => {
  sandbox.close();
  if (globalThis.fetch !== before) throw new Error('The global fetch is not what it was before the test.');
});

describe('intercepted', () => {
  test('are texts, URLs and requests, with their options', async () => {
    const restore = sandbox.intercept(API);
    const answers = [
      await fetch(`${API}/charge`, { headers: KEY }),
      await fetch(new URL(`${API}/charge#part`), { headers: KEY }),
      await fetch(new Request(`${API}/charge`, { headers: KEY })),
      await fetch(new Request(`${API}/charge`, { headers: { 'x-secretkey': 'sk_test_invalid' } }), {
        headers: KEY,
      }),
    ];
    restore();
    expect(answers.map(({ status, url }) => [status, url])).toEqual(
      answers.map(() => [200, `${API}/charge`]),
    );
  });

  test('are bodies of every kind', async () => {
    const restore = sandbox.intercept(API, { key: 'sk_test_bodies' });
    const text = JSON.stringify({ Amount: 5, Token: 'tok_approve' });
    const headers = { 'content-type': 'application/json' };
    const inits = [
      { body: text },
      { body: new TextEncoder().encode(text) },
      { body: new Blob([text]).stream(), duplex: 'half' },
    ].map((init): RequestInit => ({ method: 'POST', headers, ...init }));
    const statuses: number[] = [];
    for (const init of inits) {
      statuses.push((await fetch(`${API}/charge/token`, init)).status);
    }
    for (const init of [inits[0], { ...inits[2], body: new Blob([text]).stream() }]) {
      statuses.push((await fetch(new Request(`${API}/charge/token`, init))).status);
    }
    restore();
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
    expect(await sandbox.world('sk_test_bodies').charges()).toHaveLength(5);
  });

  test('are only those below a base with a path', async () => {
    const restore = sandbox.intercept(`${otherUrl}/v1/`, { key: 'sk_test_path' });
    const asked = ['/v1/charge', '/v1/charge?Reference=a', '/v1', '/v10/charge', '/charge'];
    const answers = await Promise.all(asked.map(async (path) => (await fetch(`${otherUrl}${path}`)).text()));
    restore();
    expect(answers.map((text) => (text === 'another server' ? 'other' : 'sandbox'))).toEqual(words`
      sandbox sandbox sandbox other other
    `);
    const entries = await sandbox.world('sk_test_path').journal.entries();
    expect(entries.map(({ path, query }) => `${path}?${query}`).toSorted()).toEqual([
      '/?',
      '/charge?',
      '/charge?Reference=a',
    ]);
  });

  test.each(['', 'api.example.com/v1', '/pay', 'ftp://api.example.com', 'https:', null])(
    'cannot be those of %j, which is no address',
    (base) => {
      expect(() => sandbox.intercept(base as string)).toThrow(
        new TypeError(
          `The base is ${JSON.stringify(base)}; it must be an address such as https://api.example.com/v1.`,
        ),
      );
    },
  );

  test('have answers whose copies have the address, too', async () => {
    const restore = sandbox.intercept(API);
    const copy = (await fetch(`${API}/charge`, { headers: KEY })).clone();
    restore();
    expect([copy.url, copy.clone().url]).toEqual([`${API}/charge`, `${API}/charge`]);
  });

  test('have the key that was given in place of their own, or else their own', async () => {
    const forced = sandbox.intercept(API, { key: 'sk_test_forced' });
    await fetch(`${API}/charge/token`, { ...charging('one'), headers: { ...charging('').headers, ...KEY } });
    forced();
    const free = sandbox.intercept(API);
    await fetch(`${API}/charge/token`, { ...charging('two'), headers: { ...charging('').headers, ...KEY } });
    expect((await fetch(`${API}/charge`)).status).toBe(401);
    free();
    const referencesOf = async (key: string): Promise<(string | null)[]> =>
      (await sandbox.world(key).charges()).map(({ Reference }) => Reference);
    expect(await referencesOf('sk_test_forced')).toEqual(['one']);
    expect(await referencesOf('sk_test_intercept')).toEqual(['two']);
  });

  test('reject as fetch does when an answer is lost, and when they are aborted', async () => {
    const restore = sandbox.intercept(API, { key: 'sk_test_lost' });
    const lost = fetch(`${API}/charge`, { headers: { 'x-sandbox-fault': 'reset' } });
    await expect(lost).rejects.toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'ECONNRESET' },
    });
    const hanging = { headers: { 'x-sandbox-fault': 'hang' }, signal: AbortSignal.timeout(1) };
    await expect(fetch(`${API}/charge`, hanging)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(fetch(new Request(`${API}/charge`, hanging))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    restore();
  });
});

describe('left alone', () => {
  test('are other addresses, and texts that are not addresses', async () => {
    const restore = sandbox.intercept(API);
    expect(await (await fetch(otherUrl)).text()).toBe('another server');
    expect(await (await fetch('data:text/plain,hello')).text()).toBe('hello');
    await expect(fetch('/relative')).rejects.toThrow(TypeError);
    restore();
  });
});

describe('several', () => {
  const statusOf = async (path = '/charge'): Promise<string> => {
    const answer = await fetch(`${otherUrl}${path}`);
    return answer.headers.get('x-sandbox-world') ?? 'other';
  };
  const nameOf = async (key: string): Promise<string> => (await sandbox.world(key).state()).world;

  test('answer the last one first, and may end in any order', async () => {
    const [one, two] = [await nameOf('sk_test_one'), await nameOf('sk_test_two')];
    const endOne = sandbox.intercept(otherUrl, { key: 'sk_test_one' });
    const endTwo = sandbox.intercept(otherUrl, { key: 'sk_test_two' });
    expect(await statusOf()).toBe(two);
    endOne();
    expect(await statusOf()).toBe(two);
    endTwo();
    expect(await statusOf()).toBe('other');
    const again = [
      sandbox.intercept(otherUrl, { key: 'sk_test_one' }),
      sandbox.intercept(otherUrl, { key: 'sk_test_two' }),
    ];
    again[1]?.();
    expect(await statusOf()).toBe(one);
    again[0]?.();
    again[0]?.();
  });

  test('of different addresses do not meet', async () => {
    const endLong = sandbox.intercept(`${otherUrl}/a`, { key: 'sk_test_a' });
    const endShort = sandbox.intercept(API, { key: 'sk_test_b' });
    expect(await statusOf('/a/charge')).toBe(await nameOf('sk_test_a'));
    expect((await fetch(`${API}/charge`)).headers.get('x-sandbox-world')).toBe(await nameOf('sk_test_b'));
    endLong();
    expect(await statusOf('/a/charge')).toBe('other');
    endShort[Symbol.dispose]();
  });

  test('of which one ends while a call is under way let that call end', async () => {
    const end = sandbox.intercept(API, { key: 'sk_test_under_way' });
    const answering = fetch(`${API}/charge`);
    end();
    expect((await answering).status).toBe(200);
  });

  test('go together with what others put above them', async () => {
    const end = sandbox.intercept(API, { key: 'sk_test_below' });
    const below = globalThis.fetch;
    const above: typeof fetch = (input, init) => below(input, init);
    globalThis.fetch = above;
    end();
    expect(globalThis.fetch).toBe(above);
    expect(await (await fetch(otherUrl)).text()).toBe('another server');
    globalThis.fetch = before;
  });
});
