// The files of small projects that use the package, as its users write them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = 'node_modules/vitest/vitest.mjs';

/** The project of a row of the matrix. */
export function projectOf(row) {
  if (row.vitest === 'none') return SCRIPT_PROJECT;
  return row.dom === 'none' ? fixtureProject(row) : pageProject(row);
}

/** A project whose tests use the fixture: the test file of the README. */
function fixtureProject({ manager, vitest }) {
  // npm 10 cannot install vitest 4.1, even into an empty project: https://github.com/npm/cli/issues/9787.
  const version = manager === 'npm 10' && vitest === '4' ? '4.0' : vitest;
  return {
    packages: [`vitest@${version}`],
    files: {
      'checkout.test.js': testFileOf('README.md'),
      'typed.ts': typed(['playmoney', 'playmoney/vitest']),
    },
    commands: [[VITEST, 'run']],
    expected: /Tests {2}2 passed/,
    // The declarations of vitest need packages that few projects have.
    compilerOptions: { skipLibCheck: true },
  };
}

/** A project that tests a page in jsdom: the test file of the manual. */
function pageProject({ vitest, dom }) {
  const testing = ['@testing-library/dom', '@testing-library/user-event'];
  return {
    packages: [`vitest@${vitest}`, dom.replace(' ', '@'), ...testing],
    files: {
      'checkout.test.js': testFileOf('docs/guides/front-end.md'),
      'typed.ts': typed(['playmoney/page', 'playmoney/vitest']),
    },
    commands: [[VITEST, 'run']],
    expected: /Tests {2}2 passed/,
    compilerOptions: { skipLibCheck: true },
  };
}

function testFileOf(page) {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = Array.from(text.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, block]) => block);
  return blocks.find((block) => block.includes('playmoney/vitest'));
}

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

/** What a strict project does with the types of each entry. A line that must be refused shows that types are not \`any\`. */
const TYPED = {
  playmoney: `import { createSandbox, type JournalEntry, type World } from 'playmoney';

export async function journalOf(world: World): Promise<readonly JournalEntry[]> {
  await createSandbox({ clock: 'manual' }).world('sk_test_shop').clock.advance('7d');
  // @ts-expect-error there is no such operation
  await world.outcomes.queue('charge.make', ['approve']);
  return world.journal.entries({ operation: 'charge.create' });
}
`,
  'playmoney/page': `import { createPayfurl, mountCardForm, type Paid, PlaymoneyError } from 'playmoney/page';

window.payfurl = createPayfurl({ baseUrl: 'http://127.0.0.1:4010' });
const show = ({ token }: Paid): void => console.log(token satisfies string | undefined);
payfurl.init('sandbox', 'pk_test_shop').addCardLeastCost('payment', 20, 'AUD').onSuccess(show).execute();
// @ts-expect-error there is no amount
payfurl.addDropIn('payment');
const card = { publicKey: 'pk_test_shop', providerId: '1', card: { cardNumber: '4242', expiryDate: '12/30' } };
playmoney.tokenise(card).catch((error: unknown) => error instanceof PlaymoneyError && error.code);
mountCardForm('#card', { ...card, onToken: ({ TokenId }) => console.log(TokenId) }).unmount();
`,
  'playmoney/vitest': `import { createTest, test } from 'playmoney/vitest';
import { expect } from 'vitest';

createTest({ dialect: 'sdk' })('has its own options', async ({ sandbox }) => {
  await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 20 });
});
test('is typed', async ({ sandbox }) => {
  // @ts-expect-error there is no such event
  await expect(sandbox).not.toHaveDelivered('batch.changed');
});
`,
};

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
    'typed.ts': typed(['playmoney', 'playmoney/page']),
    // In a project of ES modules, a file that requires.
    'typed.cts': typed(['playmoney', 'playmoney/page']),
    'typed.page.ts': PAGE_WITH_SCRIPT_TAG,
  },
  commands: [['shop.mjs'], ['--no-experimental-require-module', 'required.cjs']],
  expected: /^charged 201$/m,
  compilerOptions: { types: ['playmoney/page'] },
};

function typed(entries) {
  return entries.map((entry) => TYPED[entry]).join('\n');
}
