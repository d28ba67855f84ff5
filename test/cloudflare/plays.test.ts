import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createSandbox } from '../../src/node/sandbox.js';
import type { Recorded } from '../support/trace.js';
import { type Edge, startEdge } from './edge.js';
import { BY_TIME, keyOf, type Order, play, PLAYS } from '../runtimes/plays.js';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.end());

async function inProcess(name: string, key: string): Promise<Recorded[]> {
  using sandbox = createSandbox({ testCardsOnly: true, webhooks: 'public' });
  return play(name, sandbox.fetch, 'http://localhost', BY_TIME, key);
}

/** Takes a world out of memory whenever none of its calls is under way. */
const evictingWith = (key: string): Order => ({
  ...BY_TIME,
  end: async (underWay) => {
    if (underWay === 0) await edge.evict(key);
  },
});

/** What the Worker alone returns: elsewhere a public key follows from the secret one. */
const PUBLIC_KEY = /,"PublicKey":"pk_test_[\da-f]{12}"/;

function expectSame(answers: readonly Recorded[], expected: readonly Recorded[]): void {
  const found = answers.map((one) => ({ ...one, text: one.text.replace(PUBLIC_KEY, '') }));
  for (const [n, answer] of expected.entries()) expect(found[n], answer.call).toEqual(answer);
  expect(found.length).toBe(expected.length);
}

describe.concurrent('on Cloudflare', () => {
  test.each(PLAYS)('%s has the same bytes as on Node, in process', async (name) => {
    const key = keyOf(name);
    const [found, expected] = await Promise.all([play(name, edge.send, edge.url), inProcess(name, key)]);
    expectSame(found, expected);
  });

  test.each(PLAYS)('%s has the same bytes if its world leaves memory after each call', async (name) => {
    const key = keyOf(`${name}-evicted`);
    const [found, expected] = await Promise.all([
      play(name, edge.send, edge.url, evictingWith(key), key),
      inProcess(name, key),
    ]);
    expectSame(found, expected);
  });
});
