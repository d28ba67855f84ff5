import { beforeEach, describe, expect, test } from 'vitest';

import type { Journal } from '../../../src/journal/journal.js';
import { WAITERS_MAX } from '../../../src/journal/completed-call.js';
import { sandboxServed } from '../../support/serving.js';
import { openWire, requestText, type Wire } from './support.js';

const KEY = 'sk_test_a';
const HEADERS = ['Host: localhost', `x-secretkey: ${KEY}`, 'Content-Type: application/json'];
const AWAIT = requestText(
  'POST /_sandbox/journal/await',
  HEADERS,
  JSON.stringify({ Match: { Path: '/charge' }, Timeout: '60s' }),
);

let server: Awaited<ReturnType<typeof sandboxServed>>;
let journal: Journal;

/** A world in which all places but one are taken by those who wait. */
beforeEach(async () => {
  server = await sandboxServed();
  ({ journal } = server.sandbox.worlds.open(KEY));
  for (let n = 1; n < WAITERS_MAX; n++)
    void journal.waitForEntries({ path: '/never' }, 1, forever()).catch(() => {});
});

function forever(signal?: AbortSignal) {
  return { timeoutMs: 60_000, timer: () => () => {}, ...(signal && { signal }) };
}

/** Whether nobody more may wait; asks by waiting, and gives the place up again. */
function isFull(): boolean {
  const gone = new AbortController();
  try {
    void journal.waitForEntries({ path: '/never' }, 1, forever(gone.signal));
    return false;
  } catch {
    return true;
  } finally {
    gone.abort();
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function lastPlaceTaken(): Promise<Wire> {
  const wire = await openWire(server.port);
  wire.send(AWAIT);
  await until(isFull);
  return wire;
}

describe('a wait over a socket', () => {
  test.each([
    ['resets the connection', (wire: Wire) => wire.socket.resetAndDestroy()],
    ['closes it', (wire: Wire) => wire.socket.end()],
  ])('gives its place up at once when its client %s', async (_, leave) => {
    leave(await lastPlaceTaken());
    // Long before its minute is over, or the test would be.
    await until(() => !isFull());
    const next = await openWire(server.port);
    next.send(AWAIT);
    await until(isFull);
    await fetch(`${server.url}/charge`, { headers: { 'x-secretkey': KEY } });
    expect(await next.until('"Entries"')).toContain('HTTP/1.1 200 OK');
    next.socket.destroy();
  });

  test('that ends in time leaves nothing behind on a connection that is used again', async () => {
    const wire = await lastPlaceTaken();
    await fetch(`${server.url}/charge`, { headers: { 'x-secretkey': KEY } });
    await wire.until('"Entries"');
    wire.send(requestText('GET /_sandbox/world', HEADERS));
    expect(await wire.until('"Counts"')).toContain('"World"');
    expect(isFull()).toBe(false);
    wire.socket.destroy();
  });
});
