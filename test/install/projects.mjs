// The files of small projects that use the package, as its users write them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { shopProject } from './shop.mjs';
import { VITEST } from './tools.mjs';
import { typed } from './typed.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** The project of a row of the matrix. */
export function projectOf(row) {
  const [name, version] = row.with.split(' ');
  if (name in WITH) return WITH[name](version, row);
  return row.vitest === 'none' ? SCRIPT_PROJECT : fixtureProject(row);
}

/** The projects that use a package besides vitest. */
const WITH = {
  '@types/node': nodeTestProject,
  jsdom: pageProject,
  jest: jestProject,
  '@playwright/test': playwrightProject,
  testcontainers: containerProject,
  shop: shopProject,
};

/** A project whose tests use the fixture: the test file of the README. */
function fixtureProject({ manager, vitest }) {
  // npm 10 cannot install vitest 4.1, even into an empty project: https://github.com/npm/cli/issues/9787.
  const version = manager === 'npm 10' && vitest === '4' ? '4.0' : vitest;
  return {
    packages: [`vitest@${version}`],
    files: {
      'checkout.test.js': testFileOf('README.md'),
      'typed.ts': typed('playmoney', 'playmoney/vitest'),
    },
    commands: [[[VITEST, 'run'], /Tests {2}1 passed/]],
    // The declarations of vitest need packages that few projects have.
    compilerOptions: { skipLibCheck: true },
  };
}

/** A project that tests a page in jsdom: the test file of the manual. */
function pageProject(version, { vitest }) {
  const testing = ['@testing-library/dom', '@testing-library/user-event'];
  return {
    packages: [`vitest@${vitest}`, `jsdom@${version}`, ...testing],
    files: {
      'checkout.test.js': testFileOf('docs/guides/front-end.md'),
      'typed.ts': typed('playmoney/page', 'playmoney/vitest'),
    },
    commands: [[[VITEST, 'run'], /Tests {2}2 passed/]],
    compilerOptions: { skipLibCheck: true },
  };
}

/** A project with Node's own test runner, whose types are in a package. */
function nodeTestProject(version) {
  return {
    packages: [`@types/node@${version}`],
    files: {
      'shop.test.js': `import { expect, test } from 'playmoney/node-test';\n${SHOP_TEST}`,
      'typed.ts': typed('playmoney', 'playmoney/node-test'),
      'typed.cts': typed('playmoney', 'playmoney/node-test'),
    },
    commands: [[['--test'], /pass 1$/m]],
    compilerOptions: { types: ['node'] },
  };
}

/** A project with plain Jest, which requires. The oldest version has the types that are global. */
function jestProject(version) {
  const types = version === '29' ? '@types/jest' : '@jest/globals';
  const entry = version === '29' ? 'playmoney/jest, global' : 'playmoney/jest';
  return {
    packages: [
      ...['jest', types, 'jest-environment-jsdom'].map((name) => `${name}@${version}`),
      'jest-fixed-jsdom',
      '@types/node@20',
    ],
    files: {
      'shop.test.js': `const { test } = require('playmoney/jest');\n${SHOP_TEST}${JEST_LATE_TEST}`,
      'page.test.js': JEST_PAGE_TEST,
      'package.json': PACKAGE_OF_COMMONJS,
      'typed.mts': typed('playmoney', entry),
      'typed.cts': typed('playmoney', entry),
    },
    commands: [[['node_modules/jest/bin/jest.js'], /Tests: +3 passed/]],
    compilerOptions: { types: version === '29' ? ['node', 'jest'] : ['node'] },
  };
}

/** A project with Playwright. `npm run test:package` runs tests with a page, which need a browser. */
function playwrightProject(version) {
  return {
    packages: [`@playwright/test@${version}`, '@types/node@20'],
    files: {
      'shop.spec.js': `import { expect, test } from 'playmoney/playwright';\n${SHOP_TEST}`,
      'typed.ts': typed('playmoney', 'playmoney/playwright'),
      'typed.cts': typed('playmoney', 'playmoney/playwright'),
    },
    commands: [[['node_modules/@playwright/test/cli.js', 'test'], /1 passed/]],
    compilerOptions: { types: ['node'] },
  };
}

/** A project with Testcontainers. Its containers need an engine. */
function containerProject(version) {
  return {
    packages: [`testcontainers@${version}`],
    files: {
      'shop.mjs': `import { PlaymoneyContainer } from 'playmoney/testcontainers';\nconsole.log(typeof PlaymoneyContainer);\n`,
      'typed.ts': typed('playmoney', 'playmoney/testcontainers'),
    },
    commands: [[['shop.mjs'], /^function$/m]],
    compilerOptions: { skipLibCheck: true },
  };
}

function testFileOf(page) {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = Array.from(text.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, block]) => block);
  return blocks.find((block) => block.includes('playmoney/vitest'));
}

/** A test of any runner. */
const SHOP_TEST = `
test('sells', async ({ sandbox }) => {
  const body = JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference: 'order-1' });
  await sandbox.fetch('/charge/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 20 });
});
`;

/** Code of the package that is loaded late: scenarios, a state, YAML, a page. */
const JEST_LATE_TEST = `
test('loads late', async () => {
  const { createSandbox } = require('playmoney');
  const sandbox = createSandbox({ clock: 'manual', scenario: 'rate-limited' });
  const world = sandbox.world();
  expect((await world.state()).scenario).toBe('rate-limited');
  expect(await world.importState(await world.exportState())).toMatchObject({ seed: '1' });
  expect((await world.scenario.list()).length).toBeGreaterThan(10);
  expect((await world.fetch('/_sandbox/openapi.json')).status).toBe(200);
  sandbox.close();
});
`;

/** A test of a page, which requires; jsdom has its own timers in Jest. */
const JEST_PAGE_TEST = `/** @jest-environment jest-fixed-jsdom */
const { test } = require('playmoney/jest');
const { mountCardForm } = require('playmoney/page');

test('a page gets a token', async ({ sandbox }) => {
  const options = { publicKey: sandbox.key.replace('sk_', 'pk_'), providerId: '00000000000000000000000000000001' };
  const token = await new Promise((onToken, onError) => {
    const form = mountCardForm(document.body, { ...options, baseUrl: sandbox.url, onToken, onError });
    form.setCard({ cardNumber: '4242424242424242', expiryDate: '12/99' });
    form.element.requestSubmit();
  });
  expect(token.Type).toBe('CARD');
});
`;

const PACKAGE_OF_COMMONJS = JSON.stringify({ name: 'shop', version: '1.0.0', private: true });

const SCRIPT = `import { createSandbox, serve } from 'playmoney';

const sandbox = createSandbox({ clock: 'manual' });
const server = await serve(sandbox);
const headers = { 'content-type': 'application/json', 'x-secretkey': 'sk_test_shop' };
const body = JSON.stringify({ Amount: 20, Token: 'tok_approve' });
const answer = await fetch(server.url + '/charge/token', { method: 'POST', headers, body });
console.log('charged', answer.status);
await server.close();
sandbox.close();
`;

/** The same for programs that cannot import. */
const REQUIRING_SCRIPT = `const { createSandbox, serve } = require('playmoney');

(async () => {
${SCRIPT.replace(/^.*\n\n/, '')}
})();
`;

/** A page that loads the script by a tag, and takes its types from `compilerOptions.types`. */
const PAGE_WITH_SCRIPT_TAG = `payfurl.init('sandbox', 'pk_test_shop').onFailure(({ code, error }) => console.log(code, error));
// @ts-expect-error the environment is a text
payfurl.init(1, 'pk_test_shop');
`;

/** A project without a test runner: scripts that serve a sandbox and charge a card there. */
const SCRIPT_PROJECT = {
  packages: [],
  files: {
    'shop.mjs': SCRIPT,
    'required.cjs': REQUIRING_SCRIPT,
    'typed.ts': typed('playmoney', 'playmoney/page'),
    // In a project of ES modules, a file that requires.
    'typed.cts': typed('playmoney', 'playmoney/page'),
    'typed.page.ts': PAGE_WITH_SCRIPT_TAG,
  },
  commands: [
    [['shop.mjs'], /^charged 201$/m],
    [['--no-experimental-require-module', 'required.cjs'], /^charged 201$/m],
  ],
  compilerOptions: { types: ['playmoney/page'] },
};
