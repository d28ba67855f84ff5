import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { VERSION } from '../src/core/version.js';
import { EXAMPLES } from './support/examples.js';
import { folder } from './support/folder.js';
import { client, testSandbox } from './support/sandbox.js';
import { expectRefused } from './support/stored.js';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

test('GET /version returns the version of this package, when it was released, and the region', async () => {
  const { status, body } = await client(testSandbox()).get('/version');
  expect([status, body]).toEqual([
    200,
    { Version: VERSION, Released: '2026-01-01T00:00:00.000Z', Region: 'au' },
  ]);
});

test('GET /version needs a key', async () => {
  expectRefused(await client(testSandbox(), null).get('/version'), 401, 40);
});

test('The lock file has the version of package.json.', () => {
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: Record<string, object> };
  expect(lock.version).toBe(VERSION);
  expect(lock.packages['']).toMatchObject({ version: VERSION });
});

test.each([
  ...[
    'README.md',
    'docs/guides/ci.md',
    'integrations/testcontainers/playmoney-container.ts',
    ...EXAMPLES.map((name) => `examples/${name}/package.json`),
  ].map((page): [string, RegExp] => [page, /\bplaymoney[-:](\d+\.\d+\.\d+(?:-\w+(?:\.\d+)*)?)/g]),
  ['integrations/python/pyproject.toml', /^version = "(.*)"$/gm],
])('%s names the version of package.json.', (page, pattern) => {
  const named = Array.from(read(page).matchAll(pattern), ([, version]) => version);
  expect(new Set(named)).toEqual(new Set([VERSION]));
});

test('package.json names what its entries work with as optional, with ranges; only vitest has none, because npm 10 fails to resolve one, even in an empty project.', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(read('package.json')) as {
    peerDependencies: Record<string, string>;
    peerDependenciesMeta: Record<string, object>;
  };
  expect(Object.keys({ ...peerDependencies, vitest: '' })).toEqual(Object.keys(peerDependenciesMeta));
  expect(peerDependencies).not.toHaveProperty('vitest');
  for (const range of Object.values(peerDependencies)) expect(range).toMatch(/^>=\d+(?:\.\d+)?$/);
  for (const meta of Object.values(peerDependenciesMeta)) expect(meta).toEqual({ optional: true });
});

test('CHANGELOG.md begins with the unreleased changes; the version below them is the one in package.json.', () => {
  const [first, newest = VERSION] = Array.from(
    read('CHANGELOG.md').matchAll(/^## (\S+)/gm),
    ([, name]) => name,
  );
  expect(first).toBe('Unreleased');
  expect(newest).toBe(VERSION);
});

test('The pytest plugin has the licence of the project: its folder is packed by itself.', () => {
  expect(read('integrations/python/LICENSE')).toBe(read('LICENSE'));
});

test('What is published has the address of its repository: npm refuses it until `npm run address` has written it.', () => {
  const copy = folder();
  for (const name of ['build/address.mjs', 'package.json', 'integrations/python/README.md'])
    cpSync(join(import.meta.dirname, '..', name), join(copy, name));
  const run = (...args: string[]): unknown => {
    const options = { cwd: copy, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, ['build/address.mjs', ...args], options);
    return [status, stderr];
  };
  expect((JSON.parse(read('package.json')) as { scripts: object }).scripts).toMatchObject({
    prepublishOnly: 'node build/address.mjs --check',
  });
  const advice =
    'package.json has no repository, homepage, bugs. Run: npm run address -- https://github.com/OWNER/playmoney';
  expect(run('--check')).toEqual([1, `${advice}\n`]);
  expect(run('playmoney')).toEqual([1, expect.stringContaining('not "playmoney"')]);
  expect(run('https://github.com/shop/playmoney')).toEqual([0, '']);
  expect(run('--check')).toEqual([0, '']);
  expect(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))).toEqual({
    ...(JSON.parse(read('package.json')) as object),
    homepage: 'https://github.com/shop/playmoney#readme',
    bugs: { url: 'https://github.com/shop/playmoney/issues' },
    repository: { type: 'git', url: 'git+https://github.com/shop/playmoney.git' },
  });
  const readme = readFileSync(join(copy, 'integrations/python/README.md'), 'utf8');
  expect(readme).toContain(`](https://github.com/shop/playmoney/blob/v${VERSION}/docs/guides/pytest.md)`);
});
