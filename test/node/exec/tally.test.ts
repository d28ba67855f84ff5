import { join } from 'node:path';

import { expect, test } from 'vitest';

import { writeBundle } from '../../../src/control/snapshots/state-write.js';
import { BundleKeeper } from '../../../src/node/exec/bundle-keeper.js';
import { listTallyWarnings } from '../../../src/node/exec/summary.js';
import { Tally } from '../../../src/node/exec/tally.js';
import { readRecordingsFile } from '../../../src/node/replay/recordings.js';
import { cardOf, STEADY } from '../../support/bodies.js';
import { folder } from '../../support/folder.js';
import { testSandbox } from '../../support/sandbox.js';

const ORIGIN = 'http://localhost';

/** A sandbox whose calls are counted, and kept for a bundle. */
function counted() {
  const sandbox = testSandbox({ worldsByName: true });
  const file = join(folder(), 'failure.json');
  const keeper = new BundleKeeper(file, writeBundle);
  const tally = new Tally(sandbox.worlds, [keeper]);
  const { app } = tally.wrapApp(sandbox);
  const call = async (
    request: string,
    headers: Record<string, string> = { 'x-secretkey': 'sk_test_a' },
    body: string | null = null,
  ) => {
    const [method = '', path = ''] = request.split(' ');
    return app.fetch(new Request(ORIGIN + path, { method, headers, body }), {});
  };
  /** The queries of the calls in the bundle, world by world, and which of the calls a restore undid. */
  const kept = async (): Promise<string[][]> => {
    tally.finish(null);
    await keeper.save();
    const { all } = await readRecordingsFile(file);
    return all.map(({ trace }) =>
      trace.recorded.map(({ query, isUndone }) => `${query}${isUndone ? ' undone' : ''}`),
    );
  };
  return { tally, call, kept, headsOf: () => listTallyWarnings(tally).map(({ head }) => head) };
}

test('keeps a world before a reset, whatever names the world', async () => {
  const { call, kept } = counted();
  const first = await call('GET /charge?Reference=1');
  const named = { 'x-sandbox-world': first.headers.get('x-sandbox-world') ?? '' };
  expect((await call('POST /_sandbox/reset', named)).status).toBe(200);
  await call('GET /charge?Reference=2');
  await call('POST /_sandbox/reset');
  await call('GET /charge?Reference=3');
  expect(await kept()).toEqual([['Reference=1'], ['Reference=2'], ['Reference=3']]);
});

test('a refused reset, a restored state and an emptied journal begin no other world', async () => {
  const { call, kept } = counted();
  await call('GET /charge?Reference=1');
  expect((await call('POST /_sandbox/reset?x')).status).not.toBe(500);
  await call('PUT /_sandbox/snapshots/s');
  await call('GET /charge?Reference=2');
  await call('POST /_sandbox/snapshots/s/restore');
  await call('DELETE /_sandbox/journal');
  await call('GET /charge?Reference=3');
  expect((await kept()).flat()).toEqual(['Reference=1', 'Reference=2 undone', 'Reference=3']);
});

test('warns of no call, and of none of the calls that are intended', async () => {
  const { call, headsOf } = counted();
  await call('GET /_sandbox/world');
  expect(headsOf()).toEqual(['no call reached the server']);
  await call('GET /charge/00000000000000000000000000000000');
  await call('GET /charge', { 'x-secretkey': 'sk_test_revoked' });
  await call('GET /charge', { 'x-secretkey': 'sk_test_a', 'x-sandbox-outcome': 'approve' });
  expect(headsOf()).toEqual([]);
  await call('GET /nowhere');
  await call('GET /charge', {});
  expect(headsOf()).toEqual(['1 call to unknown paths or methods', '1 call without an accepted key (401)']);
});

test('a word that cannot be an identifier is a call to an unknown path, whatever its refusal', async () => {
  const { call, tally } = counted();
  const json = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
  await call('POST /charge/cards', json, '{}');
  await call('GET /customer/all');
  await call('GET /info/providers/all');
  await call('HEAD /vault/all');
  // Neither is a word for nothing, and an unknown record may be intended.
  await call('POST /3ds/preauth/token/tok_expired', json, '{}');
  await call('DELETE /vault/00000000000000000000000000000000');
  expect(tally.unknownPaths.list()).toEqual([
    'POST /charge/cards',
    'GET /customer/all',
    'GET /info/providers/all',
    'HEAD /vault/all',
  ]);
});

test('headers that nothing reads are warnings, each as often as it was sent', async () => {
  const { call, tally, headsOf } = counted();
  const json = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
  const card = { Amount: 20, Currency: 'AUD', ProviderId: STEADY, PaymentInformation: cardOf() };
  for (const name of ['x-sandbox-outcom', 'idempotency-key', 'idempotency-key'])
    await call('POST /charge/card', { ...json, [name]: 'a' }, JSON.stringify(card));
  expect(headsOf()).toEqual(['3 requests with unknown fields, filters or headers']);
  expect(tally.unknown.list()).toEqual([
    'ignored unknown header "x-sandbox-outcom" (did you mean x-sandbox-outcome?)',
    expect.stringMatching(/^ignored unknown header "idempotency-key": .* \(2 times\)$/),
  ]);
});

test('names rules and policies that never matched, each as what they are', async () => {
  const { call, tally, headsOf } = counted();
  const rule = { name: 'same', when: { operation: 'charge.void' }, then: { fault: 'reset' } };
  const policies = ['same', 'other'].map((name) => ({
    name,
    when: { event: 'batch.*', nth: 1 },
    then: { drop: true },
  }));
  const Definition = { name: 'x', rules: [rule], webhooks: { policies } };
  const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
  await call('PUT /_sandbox/scenario', headers, JSON.stringify({ Definition }));
  await call('GET /charge');
  tally.finish(null);
  expect(headsOf()).toEqual(['1 rule never matched', '2 policies never matched']);
});

test('lists a webhook that did not arrive only if no restore undid it', async () => {
  const { call, tally } = counted();
  const charge = async (port: number): Promise<void> => {
    const Webhook = { Url: `http://127.0.0.1:${port}/hook` };
    const body = JSON.stringify({ Amount: 5, Token: 'tok_approve', Webhook });
    const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
    expect((await call('POST /charge/token', headers, body)).status).toBe(201);
    await call('POST /_sandbox/settle');
  };
  await charge(1);
  await call('PUT /_sandbox/snapshots/s');
  await charge(2);
  await call('POST /_sandbox/snapshots/s/restore');
  tally.finish(null);
  expect(tally.undelivered()).toEqual([expect.stringContaining('http://127.0.0.1:1/hook: ')]);
});

test('warns of an order that was charged again after a lost answer, also before a reset, but of no Reference that tests share', async () => {
  const { call, tally, headsOf } = counted();
  const charge = (Reference: string, more: Record<string, string> = {}) =>
    call(
      'POST /charge/card',
      { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json', ...more },
      JSON.stringify({ Amount: 20, Reference, ProviderId: STEADY, PaymentInformation: cardOf() }),
    );
  await charge('order-1');
  await charge('order-1');
  await expect(charge('order-2', { 'x-sandbox-fault': 'empty; phase=after' })).rejects.toThrow(
    'fetch failed',
  );
  await charge('order-2');
  await call('POST /_sandbox/reset');
  tally.finish(null);
  expect(headsOf()).toEqual(['1 order charged again after a lost answer']);
  expect(tally.chargedTwice.list()).toEqual([
    expect.stringMatching(/^order-2 charged twice: AUD 40\.00.*, after a lost answer$/),
  ]);
});
