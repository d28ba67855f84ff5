import { expect, onTestFinished, test, vi } from 'vitest';

import { createSandbox, serve } from '../../src/index.js';
import { World } from '../../src/client/world.js';
import { reportFailure } from '../../src/testing/failure.js';

async function reported(world: World): Promise<string> {
  const print = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => print.mockRestore());
  await reportFailure('it pays', world);
  return String(print.mock.lastCall?.[0]);
}

test('a failed test whose client does not use fetch is told to open a port, unless there is one', async () => {
  const sandbox = createSandbox();
  const server = await serve(sandbox);
  onTestFinished(async () => {
    await server.close();
    sandbox.close();
  });
  const within = sandbox.world('sk_test_shop');
  expect(await reported(within)).toMatch(
    /no call reached the sandbox .* does not use fetch, such as node:http or axios, needs a port: open one with serve\(sandbox\)\.$/,
  );
  const { key } = within;
  const outside = new World({ url: server.url, key, adminToken: null, fetch: (request) => fetch(request) });
  expect(await reported(outside)).toMatch(/the key that your program uses\.$/);
});

test('a failed test shows which of its calls a restore undid', async () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const world = sandbox.world('sk_test_shop');
  const before = await world.snapshot();
  await world.fetch('/charge');
  await world.restore(before);
  await world.fetch('/customer');
  expect((await reported(world)).split('\n')).toEqual([
    'it pays: 2 calls reached the sandbox:',
    expect.stringMatching(/\/charge {2}200 {2}\(undone\)$/),
    expect.stringMatching(/\/customer {2}200$/),
  ]);
});
