import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { restoreSnapshot, type Snapshot, takeSnapshot } from '../../src/snapshot.js';
import { type TestSandbox, testSandbox } from '../support/sandbox.js';
import { type Mutation, mutated, mutations, type Sent } from './mutation.js';
import { stateText } from './state-text.js';
import { validRequests } from './valid-requests.js';
import { ERROR_MEMBERS } from '../support/stored.js';

/** How many mutated requests are sent: `npm run test:fuzz -- --runs 100000` sends more. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 400);
const SEED = process.env['FUZZ_SEED'];
/** More requests take more time than a test is given otherwise. */
const TIMEOUT_MS = 20_000 + RUNS * 50;

const KEY = 'sk_test_fuzzed';
const NEIGHBOUR = 'sk_test_neighbour';
/** What a broken provider, a lost one and the sandbox's own limits answer; another status from 500 on is a bug. */
const NAMED = new Set([502, 503, 504]);
/** A refusal after which the world is not as it was: a decline is stored. */
const STORED = new Set([402, ...NAMED]);
const SDK_MEMBERS = ERROR_MEMBERS.map((name) => name.charAt(0).toLowerCase() + name.slice(1));

let sandbox: TestSandbox;
let valid: readonly { readonly sent: Sent; readonly before: Snapshot }[];
let neighbour = '';

const stateOf = (key: string): string => stateText(takeSnapshot(sandbox.worlds.open(key)));

beforeAll(async () => {
  sandbox = testSandbox();
  valid = await validRequests(sandbox, KEY);
  neighbour = stateOf(NEIGHBOUR);
});

async function expectWellAnswered(place: number, changes: readonly Mutation[]): Promise<void> {
  const one = valid[place % valid.length];
  if (one === undefined) throw new Error('There is no valid request');
  restoreSnapshot(sandbox.worlds, KEY, one.before);
  const before = stateOf(KEY);
  const { method, path, headers, body } = mutated(one.sent, changes);
  const init = body === null ? { method, headers } : { method, headers, body };
  const response = await sandbox.fetch(new Request(`http://localhost${path}`, init));
  const text = await response.text();
  const { status } = response;
  expect(status < 500 || NAMED.has(status), `${status} ${text}`).toBe(true);
  if (status >= 400) {
    expectErrorBody(text, status);
    if (!STORED.has(status)) expect(stateOf(KEY)).toBe(before);
  }
  expect(stateOf(NEIGHBOUR)).toBe(neighbour);
  if (status === 200 && method === 'PUT' && path === '/_sandbox/state') await expectUsable();
}

/** A world that was taken from a document must be as good as any: what is due in it happens, and what is in it is shown. */
async function expectUsable(): Promise<void> {
  const headers = { 'x-secretkey': KEY, 'content-type': 'application/json' };
  const ask = async (method: string, path: string, body: string | null = null): Promise<void> => {
    const response = await sandbox.fetch(new Request(`http://localhost${path}`, { method, headers, body }));
    const text = await response.text();
    expect(response.status < 500, `${method} ${path}: ${response.status} ${text}`).toBe(true);
  };
  await ask('POST', '/_sandbox/clock/advance', '{"By":"40d"}');
  for (const path of ['/charge', '/customer', '/payment_method', '/batch', '/token', '/subscription'])
    await ask('GET', path);
  for (const path of ['/payment_link', '/transfer', '/_sandbox/webhooks', '/_sandbox/scenario'])
    await ask('GET', path);
}

function expectErrorBody(text: string, status: number): void {
  const error = JSON.parse(text) as Record<string, unknown>;
  expect(error['HttpStatus'] ?? error['httpStatus']).toBe(status);
  expect(error['Message'] ?? error['message']).toMatch(/\S/);
  const members = 'Code' in error ? ERROR_MEMBERS : SDK_MEMBERS;
  expect(Object.keys(error)).toEqual(expect.arrayContaining(members));
}

describe('a valid request of any operation, changed at will', () => {
  test('every one is answered as it is', async () => {
    for (const place of valid.keys()) await expectWellAnswered(place, []);
  });

  test(
    'is taken, or refused in the known form with nothing changed',
    async () => {
      const anyRequest = fc.nat({ max: 10_000 });
      await fc.assert(fc.asyncProperty(anyRequest, mutations, expectWellAnswered), {
        numRuns: RUNS,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      });
    },
    TIMEOUT_MS,
  );
});
