import { afterEach, describe, expect, test, vi } from 'vitest';

import { Edge } from './edge.js';

/** What the Worker does with its worlds, where that needs nothing of the platform. */

const CHARGE = { Amount: 20, Token: 'tok_approve' };
const HOUR_MS = 3_600_000;
const ONE = '0'.repeat(31) + 1;

const messageOf = (answer: { body: Readonly<Record<string, unknown>> }): string =>
  String(answer.body['Message']);

afterEach(() => {
  vi.useRealTimers();
});

test('a call leaves no timer', async () => {
  const edge = new Edge();
  await edge.call('POST /charge/token', CHARGE);
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  for (let n = 0; n < 5; n++) expect((await edge.call('GET /charge')).status).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
});

describe('what is stored', () => {
  test('a snapshot has rows of its own, which are written once', async () => {
    const edge = new Edge();
    await edge.call('POST /charge/token', CHARGE);
    await edge.call('PUT /_sandbox/snapshots/one');
    expect(edge.storage.named('snapshot')).toEqual(['snapshot-0-0']);
    await edge.call('POST /charge/token', CHARGE);
    expect(edge.storage.written.toSorted()).toEqual([expect.stringMatching('^call-'), 'part-0']);
    await edge.call('PUT /_sandbox/snapshots/two');
    await edge.call('PUT /_sandbox/snapshots/one');
    expect(edge.storage.named('snapshot')).toEqual(['snapshot-1-0', 'snapshot-2-0']);
    edge.evict();
    const { body } = await edge.call('GET /_sandbox/snapshots');
    expect((body['Snapshots'] as { Name: string }[]).map(({ Name }) => Name)).toEqual(['one', 'two']);
    await edge.call('DELETE /_sandbox/snapshots/two');
    expect(edge.storage.named('snapshot')).toEqual(['snapshot-2-0']);
    await edge.call('POST /_sandbox/snapshots/one/restore');
    expect((await edge.call('GET /charge')).body['Count']).toBe(2);
  });
});
