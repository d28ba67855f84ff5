import { expect, test } from 'vitest';

import { createSandbox, type SandboxError, type World } from '../../../src/index.js';

/** A sandbox whose function for deliveries waits for something, and what it was refused. */
function setup(wait: (world: (name: string) => World) => Promise<unknown>) {
  const refusals: unknown[] = [];
  const sandbox = createSandbox({
    clock: 'manual',
    deliver: async ({ url }) => {
      // Not only before its first await.
      await Promise.resolve();
      if (url.endsWith('/waits')) await wait(world).catch((error: unknown) => refusals.push(error));
      else await other;
    },
  });
  const world = (name: string) => sandbox.world(`sk_test_${name}`);
  let respond = (): void => {};
  const other = new Promise<void>((resolve) => (respond = resolve));
  const charge = (name: string, path: string) =>
    world(name).fetch('/charge/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        Amount: 20,
        Token: 'tok_approve',
        Webhook: { Url: `http://localhost:1/${path}` },
      }),
    });
  return { world, charge, respond, refusals };
}

const DELIVERED = [{ status: 'delivered', responseStatus: 200 }];

test.each<[string, (world: World) => Promise<unknown>]>([
  ['settles', (world) => world.settle()],
  ['advances the clock', (world) => world.clock.advance('1h')],
  ['changes the clock', (world) => world.clock.set({ mode: 'real' })],
])(
  'A function for deliveries that %s is refused at once, and the test that called it may settle',
  async (_, wait) => {
    const { world, charge, refusals } = setup((named) => wait(named('own')));
    await charge('own', 'waits');
    await world('own').settle();
    expect(refusals as SandboxError[]).toMatchObject([
      { status: 409, message: expect.stringContaining('cannot wait here') },
    ]);
    expect(await world('own').deliveries.list()).toMatchObject(DELIVERED);
  },
);

test('A function for deliveries of one world may settle another one that is busy', async () => {
  const { world, charge, respond, refusals } = setup((named) => {
    const settled = named('busy').settle();
    respond();
    return settled;
  });
  await charge('busy', 'slow');
  await charge('own', 'waits');
  await world('own').settle();
  expect(refusals).toEqual([]);
  expect(await world('busy').deliveries.list()).toMatchObject(DELIVERED);
  expect(await world('own').deliveries.list()).toMatchObject(DELIVERED);
});
