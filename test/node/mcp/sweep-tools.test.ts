import { expect, test } from 'vitest';

import { sweep } from '../../../src/index.js';
import { SweepTools } from '../../../src/node/mcp/sweep-tools.js';
import { blindRetry } from '../../sweep/support.js';

const NAME = 'charged twice at charge.create order-1';

test('An agent gets the findings of a sweep, and an explanation of each.', async () => {
  const tools = new SweepTools('npm test', () => sweep(blindRetry, { faults: ['lost'], pairs: false }));
  expect(tools.list.map(({ name }) => name)).toEqual(['sweep', 'explainFinding']);
  expect(tools.list[0]?.['description']).toContain('`npm test`');
  await expect(tools.run('explainFinding', { Name: NAME })).rejects.toThrow('Call sweep first.');
  expect(await tools.run('sweep', {})).toEqual({
    Body: {
      Safe: false,
      Summary: 'A customer can be charged twice if an answer is lost. Fix this first.',
      Headline: 'sweep: NOT SAFE. 1 point, 1 run: 1 charged twice',
      Findings: [
        { Name: NAME, Faults: ['lost'], Risk: 'A customer can be charged twice if an answer is lost.' },
      ],
      NotProved: [],
      LeftOut: [],
    },
  });
  const { Body } = await tools.run('explainFinding', { Name: NAME });
  expect(Body).toMatchObject({
    Text: expect.arrayContaining(['   In your code: test/sweep/support.ts:17']) as unknown,
    Scenario: expect.stringContaining('fault: reset') as unknown,
  });
  await expect(tools.run('explainFinding', { Name: 'x' })).rejects.toThrow(
    `There is no finding "x". Findings: "${NAME}".`,
  );
});

test('An agent is told why there is no report, and can try again.', async () => {
  let runs = 0;
  const tools = new SweepTools('npm test', async () => {
    runs++;
    throw new Error('sweep: the clean run failed: it ended with exit code 5');
  });
  await expect(tools.run('sweep', {})).rejects.toThrow('ended with exit code 5');
  await expect(tools.run('sweep', {})).rejects.toThrow('ended with exit code 5');
  expect(runs).toBe(2);
});
