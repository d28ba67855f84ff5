import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { writeBundle } from '../../../src/control/snapshots/state-write.js';
import { BundleKeeper } from '../../../src/node/exec/bundle-keeper.js';
import { readRecordingsFile } from '../../../src/node/replay/recordings.js';
import { folder } from '../../support/folder.js';
import { client, testSandbox } from '../../support/sandbox.js';

const keeperOf = (file: string): BundleKeeper => new BundleKeeper(file, writeBundle);

test('keeps the 500 worlds that were called last, and says how many it dropped', async () => {
  const sandbox = testSandbox();
  const file = join(folder(), 'many.json');
  const keeper = keeperOf(file);
  for (let n = 0; n < 503; n++) {
    const key = `sk_test_${n}`;
    await client(sandbox, key).get(`/charge?Reference=${n}`);
    keeper.keep(sandbox.worlds.open(key));
  }
  await client(sandbox, 'sk_test_3').get('/charge?Reference=again');
  keeper.keep(sandbox.worlds.open('sk_test_3'));
  for (const world of sandbox.worlds.all()) keeper.end(world);
  expect(await keeper.save()).toContain(
    '501 calls of 500 worlds. Too many to keep: 3 earlier worlds are not in it. Open it with: playmoney open',
  );
  const { all } = await readRecordingsFile(file);
  expect(all.at(0)?.trace.entries[0]?.query).toBe('Reference=4');
  expect(all.at(-1)?.trace.entries.map(({ query }) => query)).toEqual(['Reference=3', 'Reference=again']);
});

test('keeps the last 20,000 calls of a single world, and counts the others', async () => {
  const sandbox = testSandbox();
  const file = join(folder(), 'long.json');
  const keeper = keeperOf(file);
  const api = client(sandbox, 'sk_test_long');
  const world = sandbox.worlds.open('sk_test_long');
  for (let n = 0; n < 1_000; n++) await api.get('/charge');
  // The same thousand calls again and again, as if the journal were new each time.
  for (let n = 0; n < 21; n++) {
    Reflect.apply(Reflect.get(keeper, 'add') as (...given: unknown[]) => void, keeper, [
      world,
      [...world.journal.entries()],
      0,
    ]);
  }
  keeper.end(world);
  expect(await keeper.save()).toContain('20000 calls of 1 world.');
  const { Trace } = JSON.parse(readFileSync(file, 'utf8')) as { Trace: { Evicted: number } };
  expect(Trace.Evicted).toBe(2_000);
});

test('warns of full card numbers in any of its worlds', async () => {
  const sandbox = testSandbox();
  const keeper = keeperOf(join(folder(), 'cards.json'));
  const VaultCard = true;
  for (const [key, CardNumber] of [
    ['sk_test_first', '4242424242424242'],
    ['sk_test_second', '4539578763621486'],
  ]) {
    await client(sandbox, key).post('/vault', { CardNumber, ExpiryDate: '12/30', Ccv: '123', VaultCard });
  }
  for (const world of sandbox.worlds.all()) keeper.end(world);
  expect(await keeper.save()).toContain('Warning: this file contains full card numbers');
});
