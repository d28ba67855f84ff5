// The files of small projects that use the package, as its users write them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = 'node_modules/vitest/vitest.mjs';

/** A project whose tests use the fixture: the test file of the README. */
export function fixtureProject({ manager, vitest }) {
  // npm 10 cannot install vitest 4.1, even into an empty project: https://github.com/npm/cli/issues/9787.
  const version = manager === 'npm 10' && vitest === '4' ? '4.0' : vitest;
  return {
    packages: [`vitest@${version}`],
    files: { 'checkout.test.js': readmeTestFile(), 'typed.ts': typed(['playmoney', 'playmoney/vitest']) },
    command: [VITEST, 'run'],
    expected: /Tests {2}2 passed/,
    // The declarations of vitest need packages that few projects have.
    compilerOptions: { skipLibCheck: true },
  };
}

/** A project without a test runner: a script that serves a sandbox and charges a card there. */
export function scriptProject() {
  return {
    packages: [],
    files: { 'shop.mjs': SCRIPT, 'typed.ts': typed(['playmoney']) },
    command: ['shop.mjs'],
    expected: /^charged 201$/m,
    compilerOptions: {},
  };
}

function readmeTestFile() {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const blocks = Array.from(readme.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, block]) => block);
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

function typed(entries) {
  return entries.map((entry) => TYPED[entry]).join('\n');
}
