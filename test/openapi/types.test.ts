import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.js';

/** What an author writes with the types: it compiles, and what is wrong in it is found. */
const USE = `
import type { components, operations, paths } from './types.js';

type ChargeCard = operations['chargeCard'];
type Charge = components['schemas']['Charge'];

export const body: ChargeCard['requestBody']['content']['application/json'] = {
  Amount: '15.50',
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: null },
  Metadata: { order: '1' },
};

export function told(charge: ChargeCard['responses']['201']['content']['application/json']): string {
  const same: Charge = charge;
  return same.Status === 'SUCCESS' ? same.PaymentInformation.Card?.CardNumber ?? 'no card' : 'not paid';
}

export const asked: NonNullable<paths['/charge']['get']['parameters']['query']> = { Status: 'REFUND', Limit: 10 };

export const queued: operations['queueOutcomes']['requestBody']['content']['application/json'] = {
  Operation: 'charge.create',
  Outcomes: ['insufficient_funds', { Fault: 'reset', Phase: 'after', Delay: '2s' }],
};

export const active: operations['useScenario']['requestBody']['content']['application/json'] = {
  Definition: { name: 'mine', rules: [] },
};

export const why = (error: components['schemas']['Error']): number => error.Code;

// @ts-expect-error a charge has an amount
export const lacking: ChargeCard['requestBody']['content']['application/json'] = { ProviderId: '1' };

// @ts-expect-error no charge is in this state
export const odd: Charge['Status'] = 'PAID';
`;

const ROOT = join(import.meta.dirname, '../..');
/** Where what is not bundled is found from. */
const MAKER = join(ROOT, 'node_modules/.playmoney/make-types.mjs');
const folder = temporaryFolder();

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'make-types.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: MAKER,
    // It needs the compiler's API, which the compiler of this project does not have; an older one stands in for it.
    alias: { typescript: 'typescript-5' },
    external: ['typescript-5', '@redocly/*'],
    logLevel: 'error',
  });
  const [from, to] = [join(ROOT, 'docs/openapi.json'), join(folder, 'types.ts')];
  execFileSync(process.execPath, [MAKER, from, to]);
});

afterAll(() => {
  rmSync(join(MAKER, '..'), { recursive: true, force: true });
});

test('openapi-typescript makes types of the description, with which a client is written', () => {
  writeFileSync(join(folder, 'use.ts'), USE);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  const compile = (): string =>
    execFileSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, join(folder, 'use.ts')],
      { encoding: 'utf8', cwd: folder },
    );
  expect(compile).not.toThrow();
});
