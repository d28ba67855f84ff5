import { describe, expect, test } from 'vitest';

import { client, testSandbox } from '../../support/sandbox.js';
import { batchOf, storing, textIn } from '../../support/stored.js';

interface Row {
  readonly Row: number;
  readonly Reference: string;
  readonly Status: string;
  readonly ChargeId: string | null;
  readonly FailureReason: string | null;
  readonly GatewayErrorCode: string | null;
  readonly IsRetryable: boolean | null;
}

/** A batch of five rows, of which the second is declined and the third is of nobody. */
async function setup() {
  const api = client(testSandbox());
  const stored = await api.post('/payment_method/card', storing());
  const method = textIn(stored, 'PaymentMethodId');
  await api.queue('batch.row', ['insufficient_funds'], { Reference: 'b' });
  const rows = [`${method},1,AUD,a`, `${method},2,AUD,b`, 'nobody,3,AUD,c', `${method},4,AUD,"d, e"`];
  const made = await api.post('/batch/transaction/payment_method', batchOf([...rows, `${method},5,AUD,f`]));
  const id = textIn(made, 'BatchId');
  const read = async (query = '') =>
    (await api.read(`/_sandbox/records/batches/${id}/rows${query}`)) as unknown as {
      readonly Count: number;
      readonly Rows: readonly Row[];
      readonly Reasons: readonly { readonly Reason: string; readonly Count: number }[];
    };
  const fail = () => api.post('/_sandbox/simulate', { Action: 'batch.fail', Ref: id });
  return { api, id, read, fail };
}

const brief = ({ Row, Reference, Status, FailureReason }: Row) => [Row, Reference, Status, FailureReason];

describe('GET /_sandbox/records/batches/{id}/rows', () => {
  test('lists what became of each row, and why', async () => {
    const { api, read } = await setup();
    await api.advance('2300ms');
    const { Count, Rows } = await read();
    expect(Count).toBe(5);
    expect(Rows.map(brief)).toEqual([
      [1, 'a', 'SUCCESS', null],
      [2, 'b', 'FAILED', 'Insufficient Funds'],
      [3, 'c', 'FAILED', 'Invalid PaymentMethodId: unknown payment method'],
      [4, 'd, e', 'IN_PROGRESS', null],
      [5, 'f', 'IN_PROGRESS', null],
    ]);
    expect(Rows[1]).toMatchObject({ GatewayErrorCode: expect.any(String), IsRetryable: true });
    // The declined row has a charge as well.
    const charges = await api.read('/charge');
    expect(charges['Charges']).toMatchObject([
      { ChargeId: Rows[1]?.ChargeId },
      { ChargeId: Rows[0]?.ChargeId },
    ]);
    expect(Rows.slice(2).map(({ ChargeId }) => ChargeId)).toEqual([null, null, null]);
  });

  test('agrees with Results at every moment, also for rows that were never reached', async () => {
    const { api, id, read, fail } = await setup();
    const compare = async (): Promise<void> => {
      const results = String((await api.read(`/batch/${id}`))['Results'])
        .split('\n')
        .slice(1);
      const { Rows, Reasons } = await read();
      const failed = Rows.filter(({ Status }) => Status === 'FAILED').map(
        ({ FailureReason }) => FailureReason,
      );
      expect(
        Reasons.flatMap(({ Reason, Count }) => Array(Count).fill(Reason) as string[]).toSorted(),
      ).toEqual(failed.toSorted());
      expect(Rows.map(({ Status }) => Status)).toEqual(
        results.map((line) => /,(RECEIVED|CREATED|IN_PROGRESS|SUCCESS|FAILED),/.exec(line)?.[1]),
      );
      for (const [n, { FailureReason }] of Rows.entries())
        expect(results[n]).toContain(FailureReason ?? ',,,');
    };
    for (const by of ['1s', '1s', '250ms']) {
      await compare();
      await api.advance(by);
    }
    await fail();
    await compare();
    const { Count, Rows } = await read('?Status=FAILED&Skip=1&Limit=2');
    expect([Count, ...Rows.map(({ Row }) => Row)]).toEqual([4, 3, 4]);
    expect(Rows[1]).toMatchObject({ FailureReason: 'Processing stopped before this row', IsRetryable: true });
  });
});

describe('the timeline of a batch that failed', () => {
  test.each([
    ['before its first row', '1500ms', '00:00:01.500', 'Ended as FAILED after 0 of 5 rows'],
    ['after its last row', '2250ms', '00:00:02.250', 'Ended as FAILED after 2 of 5 rows'],
  ])('says when and that it failed %s', async (_, by, at, Text) => {
    const { api, id, fail } = await setup();
    await api.advance(by);
    await fail();
    await api.advance('1h');
    const { Timeline } = await api.read(`/_sandbox/records/batches/${id}`);
    expect(Timeline).toContainEqual(
      expect.objectContaining({ At: `2026-01-01T${at}Z`, What: 'failed', Text }),
    );
  });
});
