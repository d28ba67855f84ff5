import { expect, test } from 'vitest';

import { client, good, testSandbox } from '../../support/sandbox.js';
import { batchOf, storing, textIn } from '../../support/stored.js';

/** What became of a batch of 50 rows. */
async function play(batches: object, rows = 50): Promise<object> {
  const api = client(testSandbox());
  await good(api.play({ name: 'x', batches }));
  const id = textIn(await api.post('/payment_method/card', storing()), 'PaymentMethodId');
  const batch = batchOf(Array.from({ length: rows }, (_, i) => `${id},1.00,AUD,r${i}`));
  const BatchId = textIn(await api.post('/batch/transaction/payment_method', batch), 'BatchId');
  await api.advance('10m');
  const { Status, Success, Progress } = await api.read(`/batch/${BatchId}/status`);
  return { Status, Success, Progress };
}

test.each([{ failAt: { row: 20 } }, { failAt: 0.4 }])(
  '%j processes the rows 1 to 20 of 50',
  async (batches) => {
    expect(await play(batches)).toMatchObject({ Status: 'FAILED', Success: 20 });
  },
);

test.each([{ stuckAt: { row: 20 } }, { stuckAt: 0.4 }])(
  '%j stays in progress after row 20',
  async (batches) => {
    expect(await play(batches)).toEqual({ Status: 'IN_PROGRESS', Success: 20, Progress: 0.4 });
  },
);

test('a batch with fewer rows ends as usual, and one with as many fails at its end', async () => {
  expect(await play({ failAt: { row: 20 } }, 19)).toMatchObject({ Status: 'SUCCESS', Success: 19 });
  expect(await play({ failAt: { row: 20 } }, 20)).toMatchObject({ Status: 'FAILED', Success: 20 });
});

test.each([{ row: -1 }, { row: 1.5 }, { rows: 20 }, 20, 'half'])('failAt %j is refused', async (failAt) => {
  const { status, body } = await client(testSandbox()).play({ name: 'x', batches: { failAt } });
  expect([status, body['Code']]).toEqual([400, 90]);
});
