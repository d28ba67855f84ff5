import { afterAll, beforeAll, expect, test } from 'vitest';

import { forFile, linkedConsumer, VITEST } from './consumer.js';
import { startProgram, type Started } from '../node/cli/program.js';

const FILES = 8;
const TESTS = 1000;

const consumer = forFile(linkedConsumer());
let server: Started;

beforeAll(async () => {
  server = await startProgram(['--port', '0', '--clock', 'manual', '--quiet']);
});
afterAll(() => server.child.kill());

/** Tests that would fail if another one's charges, clock or queue came into their world. */
const testFile = (tests: number): string => `
  import { test } from 'playmoney/vitest';
  import { expect } from 'vitest';

  test.concurrent.for(Array.from({ length: ${tests} }, (_, n) => n))('test %i', async (n, { sandbox }) => {
    const charges = 1 + (n % 3);
    await sandbox.outcomes.queue('charge.create', ['do_not_honor']);
    await sandbox.clock.advance(\`\${n + 1}m\`);
    const statuses = [];
    for (let made = 0; made <= charges; made++) {
      const answer = await fetch(\`\${sandbox.url}/charge/token\`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-secretkey': sandbox.key },
        body: JSON.stringify({ Amount: 5 + n, Token: 'tok_approve', Reference: 'the same everywhere' }),
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([400, ...Array.from({ length: charges }, () => 201)]);
    const made = await sandbox.charges({ status: 'SUCCESS' });
    expect(made.map(({ Amount }) => Amount)).toEqual(made.map(() => 5 + n));
    expect(made).toHaveLength(charges);
    expect(await sandbox.clock.now()).toBe(new Date(Date.UTC(2026, 0, 1, 0, n + 1)).toISOString());
    expect(await sandbox.journal.count({ operation: 'charge.create' })).toBe(charges + 1);
    await expect(sandbox).not.toHaveCharged({ Amount: 4 + n });
  });
`;

test(`${TESTS} tests of ${FILES} files share one server, and nothing else`, async () => {
  for (let n = 0; n < FILES; n++) consumer.write(`file-${n}.test.js`, testFile(TESTS / FILES));
  const args = [VITEST, 'run', `--maxWorkers=${FILES}`, '--testTimeout=60000'];
  const { code, output } = await consumer.run(args, { PLAYMONEY_URL: server.url });
  expect(output).toContain(`${TESTS} passed`);
  expect(code).toBe(0);
  const health = (await (await fetch(`${server.url}/_sandbox/health`)).json()) as { Worlds: number };
  expect(health.Worlds).toBe(TESTS);
});
