import { HEADER } from '../../../src/resources/batches/csv.js';
import type { Batch } from '../../../src/records/batch.js';
import { formatResults } from '../../../src/resources/batches/presenter.js';
import { createBatch } from '../../../src/resources/batches/service.js';
import { prepareCard } from '../../../src/resources/payment-methods/prepare.js';
import { createMethod } from '../../../src/resources/payment-methods/service.js';
import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import type { World } from '../../../src/world/world.js';
import { type Client, client, testSandbox } from '../../support/sandbox.js';

export const STEADY = '00000000000000000000000000000001';
export const FLAKY = '00000000000000000000000000000004';
export const APPROVING = '4111111111111111';
export const NO_FUNDS = '4000000000009995';
export const LOST = '4000000000009987';

export const noPause = (): Promise<void> => Promise.resolve();

/** The text of a batch with these rows. */
export const csv = (...rows: string[]): string => [HEADER, ...rows].join('\n');

export { batchOf } from '../../support/bodies.js';

export interface Setup {
  readonly world: World;
  readonly api: Client;
  /** The world's identifier of a stored card. */
  readonly method: (pan?: string, providerId?: string, expiry?: string) => string;
}

/** A world on a manual clock, with a client of its own. */
export function setup(options: InnerSandboxOptions = {}): Setup {
  const sandbox = testSandbox(options);
  const world = sandbox.worlds.open('sk_test_a');
  return {
    world,
    api: client(sandbox),
    method: (pan = APPROVING, providerId = STEADY, expiry = '10/30') =>
      storeMethod(world, pan, providerId, expiry),
  };
}

function storeMethod(world: World, pan: string, providerId: string, expiry: string): string {
  const card = { pan, expiry, ccv: null, cardholder: null };
  const vault = { wanted: false, expiry: { seconds: null, instant: null } };
  const prepared = prepareCard(world, { providerId, card, skipExpiry: true, vault }, null);
  const { made: method } = createMethod(world, prepared, null);
  if (!method) throw new Error('The card was not stored');
  return method.id;
}

/** Accepts a batch as of now, without HTTP. */
export function acceptBatch(world: World, rows: string[]): string {
  const command = { count: rows.length, description: 'Subscriptions', webhook: null, metadata: null };
  return createBatch(world, { ...command, text: csv(...rows) }).id;
}

/** A world that has just accepted a batch of so many rows of one card; the last column of each is its number. */
export function accepted(count: number, options: InnerSandboxOptions = {}) {
  const { world, method } = setup(options);
  const id = method();
  const rows = Array.from({ length: count }, (_, n) => `${id},1,AUD,r${n}`);
  return { world, id, rows, batchId: acceptBatch(world, rows) };
}

export function batchAt(world: World, id: string): Batch {
  const batch = world.batches.find(id);
  if (!batch) throw new Error(`There is no batch ${id}`);
  return batch;
}

/** The lines of Results below the header. */
export function linesOf(results: unknown): string[] {
  return String(results).split('\n').slice(1);
}

export function resultsOf(world: World, id: string): string[] {
  return linesOf(formatResults(world, batchAt(world, id)));
}
