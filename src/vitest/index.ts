import { expect, type TestAPI, test as base } from 'vitest';

import type { SandboxOptions, WebhookEvent, World } from '../index.js';
import { plainLine } from '../core/text.js';
import { callsOf } from './failure.js';
import { type Gateway, keyOf, openGateway } from './gateway.js';
import { type ExpectedBody, type ExpectedCharge, haveCharged, haveDelivered } from './matchers.js';

export type { ExpectedBody, ExpectedCharge };

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Passes if the world has a charge with these fields, named as the service returns them. Failed charges match only if a
     * Status is expected.
     *
     * @example
     * await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 15.5 });
     */
    toHaveCharged(expected: ExpectedCharge): Promise<void>;
    /**
     * Passes if a webhook of the event was delivered with these fields in its body. Webhooks that are due are sent first.
     *
     * @example
     * await expect(sandbox).toHaveDelivered('batch.status.changed', { data: { status: 'SUCCESS' } });
     */
    toHaveDelivered(event: WebhookEvent, body?: ExpectedBody): Promise<void>;
  }
}

type Gateways = Map<SandboxOptions, Gateway>;

/** The fixtures of a test. */
export interface SandboxFixture {
  /**
   * The test's own world, with a manual clock. Call it at `sandbox.url` with `sandbox.key`, or with `sandbox.fetch`.
   */
  readonly sandbox: World;
}

expect.extend({
  toHaveCharged(world: World, expected: ExpectedCharge) {
    return haveCharged(this, world, expected);
  },
  toHaveDelivered(world: World, event: WebhookEvent, body?: ExpectedBody) {
    return haveDelivered(this, world, event, body);
  },
});

/**
 * Like `test`, with other options for the sandbox. If PLAYMONEY_URL names a server, only `scenario` and `seed` are allowed.
 *
 * @example
 * const test = createTest({ dialect: 'sdk' });
 */
export function createTest(options: SandboxOptions = {}): TestAPI<SandboxFixture> {
  return base.extend<SandboxFixture & { readonly playmoneyGateways: Gateways }>({
    // Keyed by options, because vitest 3 shares this fixture among all tests of a file, even those of different `createTest` calls.
    playmoneyGateways: [
      // Vitest reads the fixtures that this one depends on from its first parameter. There are none.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const gateways: Gateways = new Map();
        await use(gateways);
        for (const gateway of gateways.values()) gateway.close();
      },
      { scope: 'file' },
    ],
    sandbox: async ({ playmoneyGateways, task, onTestFailed }, use) => {
      const gateway = playmoneyGateways.get(options) ?? openGateway(options, process.env);
      playmoneyGateways.set(options, gateway);
      const world = await gateway.open(keyOf(task, gateway.prefix));
      onTestFailed(async () => {
        // Vitest shows it with the failure.
        console.error(await callsOf(task.name, world).catch((error: unknown) => plainLine(String(error))));
      });
      await use(world);
    },
  });
}

/**
 * Vitest's `test` with the fixture `sandbox`, in process or on the server that PLAYMONEY_URL names.
 *
 * @example
 * test('the customer learns that the card was declined', async ({ sandbox }) => {
 *   await sandbox.outcomes.queue('charge.create', ['insufficient_funds']);
 *   await expect(checkout(sandbox.url, sandbox.key)).rejects.toThrow('declined');
 *   await expect(sandbox).not.toHaveCharged({ Reference: 'order-1' });
 * });
 */
export const test: TestAPI<SandboxFixture> = createTest();
