import * as vitest from 'vitest';

import type { InnerSandboxOptions } from '../../src/app/sandbox.js';
import type { World } from '../../src/world/world.js';
import { type Client, client, type TestHost, testHost, type TestSandbox, testSandbox } from './sandbox.js';

type Ended = void | Promise<void>;

/** Tests that take what a set-up of their own made: alone, or after the row of a table. */
export interface Tests<Made> {
  (name: string, body: (made: Made) => Ended): void;
  /** As `test.for` of Vitest does: a test for each row, with what was made in place of a context. */
  for<Row extends readonly unknown[] | [unknown]>(
    rows: readonly Row[],
  ): (name: string, body: (row: Row, made: Made) => Ended) => void;
  for<Value>(values: readonly Value[]): (name: string, body: (value: Value, made: Made) => Ended) => void;
}

/** Tests each of which begins with a set-up of its own: `test('…', async ({ api }) => …)`. */
export function testsOf<Made>(make: () => Made | Promise<Made>): Tests<Made> {
  const test = (name: string, body: (made: Made) => Ended): void =>
    vitest.test(name, async () => body(await make()));
  const forEach =
    <Row>(rows: readonly Row[]) =>
    (name: string, body: (row: Row, made: Made) => Ended): void =>
      vitest.test.for(rows)(name, async (row) => body(row, await make()));
  return Object.assign(test, { for: forEach });
}

export interface Setup {
  readonly sandbox: TestSandbox;
  readonly host: TestHost;
  readonly world: World;
  readonly api: Client;
}

/** A sandbox with one world and its client; on a manual clock unless the options say otherwise. */
export function setup(options: InnerSandboxOptions = {}): Setup {
  const host = testHost();
  const sandbox = testSandbox(options, host);
  return { sandbox, host, world: sandbox.worlds.open('sk_test_a'), api: client(sandbox) };
}

/** Tests that each have a world of their own. */
export const test = testsOf(() => setup());
