import { expect, test } from 'vitest';

import { WEBHOOKS_ARE_OFF } from '../../../src/webhooks/delivery.js';
import { type Client, client, good, testSandbox } from '../../support/sandbox.js';

const AT = '2026-01-01T00:00:00.000Z';
const JSON_HEADERS = { 'content-type': 'application/json' };
const CHARGE = { Amount: 5, Token: 'tok_approve', Webhook: { Url: 'http://127.0.0.1:9/hook' } };

function journalOf(...entries: readonly object[]): object {
  const common = { At: AT, Query: '', RequestHeaders: JSON_HEADERS, Status: 201 };
  const Entries = entries.map((entry) => ({ ...common, ...entry }));
  return { Format: 'playmoney-journal', Version: 1, Worlds: [{ World: 'x', Entries }] };
}

/** A world with a charge that was captured two days after it was made. */
async function recorded(): Promise<Client> {
  const api = client(testSandbox(), 'sk_test_recorded');
  const { body } = await good(api.post('/charge/token', { ...CHARGE, Capture: false, Reference: 'order-1' }));
  await api.advance('2d');
  await good(api.post(`/charge/${String(body['ChargeId'])}`, { Amount: 5 }));
  return api;
}

const WITHHELD = expect.stringMatching(/^Webhooks are withheld: /) as string;

test('opens each kind of file in a new world, and leaves all others alone', async () => {
  const original = await recorded();
  const files = {
    bundle: await original.read('/_sandbox/bundle'),
    state: await original.read('/_sandbox/state'),
    trace: await original.read('/_sandbox/journal/export?Format=trace'),
    HAR: await original.read('/_sandbox/journal/export?Format=har'),
  };
  const sandbox = testSandbox();
  const api = client(sandbox);
  await api.charge({});
  const before = await api.read('/_sandbox/world');
  for (const [n, [kind, file]] of Object.entries(files).entries()) {
    const { body } = await good(api.post('/_sandbox/open', file));
    const Key = `sk_test_a-${n + 1}`;
    const Different = { bundle: null, state: null }[kind] === undefined ? 0 : null;
    const Calls = kind === 'state' ? 0 : 2;
    expect(body).toMatchObject({
      Kind: kind,
      Worlds: [{ Key, Calls, Different, Now: '2026-01-03T00:00:00.000Z' }],
    });
    expect((body['Warnings'] as unknown[])[0]).toEqual(WITHHELD);
    const opened = client(sandbox, Key);
    expect(await opened.read('/charge')).toMatchObject({
      Charges: [{ Reference: 'order-1', Status: 'SUCCESS' }],
    });
    expect(await opened.read('/_sandbox/journal')).toMatchObject({ Count: Calls + 1 });
  }
  expect(await api.read('/_sandbox/world')).toEqual(before);
});

test('sends the calls of a file at their instants, and calls neither receivers nor the control API', async () => {
  const sandbox = testSandbox();
  const file = journalOf(
    { Method: 'POST', Path: '/charge/token', RequestBody: CHARGE },
    { Method: 'POST', Path: '/_sandbox/reset', RequestBody: {} },
    { At: '2026-01-03T00:00:00.000Z', Method: 'POST', Path: '/charge/token', RequestBody: CHARGE },
  );
  const { body } = await client(sandbox).post('/_sandbox/open', file);
  expect(body).toMatchObject({ Worlds: [{ Calls: 3, Different: 1 }] });
  expect((body['Warnings'] as unknown[]).at(-1)).toMatch(
    /^1 of the 3 calls of \w{12} were answered differently/,
  );
  const api = client(sandbox, 'sk_test_a-1');
  const off = { Status: 'withheld', Note: WEBHOOKS_ARE_OFF };
  expect(await api.read('/charge')).toMatchObject({ Count: 2 });
  expect(await api.read('/_sandbox/clock')).toMatchObject({ Now: '2026-01-03T00:00:00.000Z' });
  expect(await api.read('/_sandbox/webhooks')).toMatchObject({ Deliveries: [off, off] });
});

test('the key of a new world does not show a key that is secret', async () => {
  const sandbox = testSandbox({ keys: ['any', 'shops-own-secret'] });
  const api = client(sandbox, 'shops-own-secret');
  const { body } = await good(api.post('/_sandbox/open', journalOf({ Method: 'GET', Path: '/charge' })));
  const [{ Key, World }] = body['Worlds'] as [{ Key: string; World: string }];
  expect(Key).toMatch(/^sk_test_[0-9a-f]{12}-1$/);
  expect(World).not.toBe(Key);
  expect(JSON.stringify(await api.read('/_sandbox/worlds'))).not.toContain('shops-own-secret');
});
