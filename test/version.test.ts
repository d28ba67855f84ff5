import { expect, test } from 'vitest';

import { VERSION } from '../src/version.js';
import { client, testSandbox } from './support/sandbox.js';
import { expectRefused } from './support/stored.js';

test('GET /version tells the version of this package, when it was released, and the region', async () => {
  const { status, body } = await client(testSandbox()).get('/version');
  expect([status, body]).toEqual([
    200,
    { Version: VERSION, Released: '2026-01-01T00:00:00.000Z', Region: 'au' },
  ]);
});

test('GET /version needs a key', async () => {
  expectRefused(await client(testSandbox(), null).get('/version'), 401, 40);
});
