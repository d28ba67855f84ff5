import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { connect, createSandbox } from '../../../src/index.js';
import { writeBundleFile } from '../../../src/node/bundles/bundle-file.js';
import { FileError } from '../../../src/node/files/file-error.js';
import { folder } from '../../support/folder.js';
import { replayed, sender, server } from '../replay/support.js';

const CHARGE = { method: 'POST', headers: { 'content-type': 'application/json' } };
const body = JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference: 'order-1' });

test('writes the bundle of a world in process, which a server replays without a difference', async () => {
  using sandbox = createSandbox({ clock: 'manual', seed: 'mine' });
  const world = sandbox.world('sk_test_recorded');
  await world.fetch('/charge/token', { ...CHARGE, body });
  await world.fetch('/charge?Reference=order-1');
  const file = join(folder(), 'failed.json');
  writeFileSync(file, 'of an earlier run');
  await writeBundleFile(world, file);
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({ Format: 'playmoney-bundle', Seed: 'mine', Scenario: null });
  expect(text).not.toContain('sk_test_recorded');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await replayed(file, await server());
  expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/: 2 equal\.\n$/) as string });
});

test('writes the bundle of a world on a server, with its admin token', async () => {
  const { url } = await server({ adminToken: 'sesame' });
  await sender({ url }, 'sk_test_shop')('POST /charge/token', JSON.parse(body));
  const file = join(folder(), 'failed.json');
  await writeBundleFile(connect(url, { key: 'sk_test_shop', adminToken: 'sesame' }), file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    State: { Format: 'playmoney-state' },
    Trace: { Entries: [{ Path: '/charge/token', Body: { Reference: 'order-1' } }] },
  });
});

test('names the file that cannot be written', async () => {
  using sandbox = createSandbox();
  const writing = writeBundleFile(sandbox.world(), '/nowhere/failed.json');
  await expect(writing).rejects.toThrow(FileError);
  await expect(writing).rejects.toThrow('cannot write /nowhere/failed.json: its folder does not exist');
});
