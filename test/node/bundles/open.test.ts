import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readOptions } from '../../../src/node/options/option.js';
import { OPEN, START } from '../../../src/node/options/option-table.js';
import { writeBundle } from '../../../src/control/snapshots/state-write.js';
import { BundleKeeper } from '../../../src/node/exec/bundle-keeper.js';
import { openBundle } from '../../../src/node/bundles/open.js';
import { folder } from '../../support/folder.js';
import { testHost } from '../../support/host.js';
import { client, testSandbox } from '../../support/sandbox.js';

test('opens each world under a key of its own, and a new one beside it with the same beginnings', async () => {
  const recorded = testSandbox({ clock: { mode: 'manual' }, seed: 'shared' });
  const settings = { Dialect: 'sdk', Strict: true, TokenTtl: '3m' };
  await client(recorded, 'sk_test_a').post('/_sandbox/reset', { Name: 'first test', Settings: settings });
  await client(recorded, 'sk_test_b').post('/_sandbox/reset', { Seed: 'other' });
  const file = join(folder(), 'bundles.json');
  const keeper = new BundleKeeper(file, writeBundle);
  for (const key of ['sk_test_a', 'sk_test_b']) {
    await client(recorded, key).post('/charge/token', { Amount: 5, Token: 'tok_approve' });
    keeper.end(recorded.worlds.open(key));
  }
  await keeper.save();

  const opened = await openBundle(file, readOptions(START, new Map(), {}));
  const sandbox = testSandbox();
  await opened.restore(sandbox);
  for (const [n, key] of ['sk_test_a', 'sk_test_b'].entries()) {
    const original = recorded.worlds.open(key);
    const suffix = n === 0 ? '' : `_${n + 1}`;
    for (const opening of ['sk_test_local', 'sk_test_replay']) {
      const world = sandbox.worlds.find(`${opening}${suffix}`);
      expect(world?.chance.base).toEqual(original.chance.base);
      const { seed, name, dialect, strict, tokenTtl } = original.settings;
      expect(world?.settings).toMatchObject({ seed, name, dialect, strict, tokenTtl });
    }
    expect(sandbox.worlds.find(`sk_test_local${suffix}`)?.charges.size).toBe(1);
    expect(sandbox.worlds.find(`sk_test_replay${suffix}`)?.charges.size).toBe(0);
  }
  expect(opened.note('http://127.0.0.1:1')).toMatch(
    /Its 2 worlds are restored, .*:\n {2}sk_test_local: first test, 1 call, the seed shared and no scenario\n {2}sk_test_local_2: \w{12}, 1 call, the seed other and no scenario\n/,
  );
});

test.each<[string[], string[]]>([
  [[], []],
  [['private'], ['http://127.0.0.1:9/hook']],
])('calls the receivers that a file names only if --webhooks says so: %j', async (asked, expected) => {
  const recorded = testSandbox();
  const charge = {
    Amount: 5,
    Token: 'tok_approve',
    Capture: false,
    Webhook: { Url: 'http://127.0.0.1:9/hook' },
  };
  await client(recorded, 'sk_test_a').post('/charge/token', charge);
  const file = join(folder(), 'bundle.json');
  const { text } = await client(recorded, 'sk_test_a').get('/_sandbox/bundle');
  writeFileSync(file, text);

  const given = readOptions(OPEN, new Map(asked.length === 0 ? [] : [['webhooks', asked]]), {});
  const { options, restore, note } = await openBundle(file, given);
  const called: string[] = [];
  const deliver = ({ url }: { url: string }) => {
    called.push(url);
    return Promise.resolve({ status: 200 });
  };
  const sandbox = testSandbox({ webhooks: options.webhooks }, { ...testHost(), deliver });
  await restore(sandbox);
  // The authorisation in the file expires.
  await client(sandbox, 'sk_test_local').advance('8d');
  expect(called).toEqual(expected);
  const isSaid = note('http://127.0.0.1:1').includes(
    'receivers are not called; `--webhooks private` calls them',
  );
  expect(isSaid).toBe(asked.length === 0);
});

test.each([
  [
    '/_sandbox/state',
    /has the state of a world, without its calls\. The world of sk_test_local is restored/,
    false,
  ],
  ['/_sandbox/journal/export?Format=trace', /is a trace: it has the calls, but not the state/, true],
])('opens %s', async (path, said, isReplayed) => {
  const recorded = testSandbox();
  await client(recorded, 'sk_test_a').post('/charge/token', { Amount: 5, Token: 'tok_approve' });
  const file = join(folder(), 'file.json');
  writeFileSync(file, (await client(recorded, 'sk_test_a').get(path)).text);
  const { restore, note } = await openBundle(file, readOptions(OPEN, new Map(), {}));
  const sandbox = testSandbox();
  await restore(sandbox);
  expect(sandbox.worlds.find('sk_test_local')?.charges.size).toBe(1);
  const text = note('http://127.0.0.1:1');
  expect(text).toMatch(said);
  expect(text.includes('playmoney replay')).toBe(isReplayed);
});
