import { expect, test } from 'vitest';

import { createSandbox, SandboxError } from '../../../src/index.js';

const JSON_HEADERS = { 'content-type': 'application/json' };

test('A function for deliveries that settles is refused at once, and the test that called it may settle', async () => {
  const refusals: unknown[] = [];
  const sandbox = createSandbox({
    clock: 'manual',
    deliver: async () => {
      // Not only before its first await.
      await Promise.resolve();
      await world.settle().catch((error: unknown) => refusals.push(error));
    },
  });
  const world = sandbox.world('sk_test_receiving');
  const Webhook = { Url: 'http://localhost:1/hook' };
  const body = JSON.stringify({ Amount: 20, Token: 'tok_approve', Webhook });
  await world.fetch('/charge/token', { method: 'POST', headers: JSON_HEADERS, body });
  await world.settle();
  expect(refusals).toEqual([expect.any(SandboxError)]);
  expect(refusals).toMatchObject([{ message: expect.stringContaining('cannot wait here') }]);
  expect(await world.deliveries.list()).toMatchObject([{ status: 'delivered', responseStatus: 200 }]);
});
