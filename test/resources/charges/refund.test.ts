import { describe, expect } from 'vitest';
import { type Answer, type Client, good, warningOf } from '../../support/sandbox.js';
import { charged, MINUTE, stateOf, wholeCharge } from './support.js';
import { expectRefused, NOW } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';

describe.each(['/refund', '/charge'])('DELETE %s/{id}', (path) => {
  const refund = (api: Client, id: string, query = '', body?: string): Promise<Answer> =>
    api.del(`${path}/${id}${query}`, {}, body);

  test('refunds all that is left and answers with the whole charge', async ({ api }) => {
    const id = await charged(api, { Reference: 'order-1' });
    await api.advance(MINUTE);
    const answer = await refund(api, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(
      wholeCharge({
        ChargeId: id,
        Status: 'REFUND',
        Reference: 'order-1',
        RefundedAmount: 15.5,
        Refunds: [{ Amount: 15.5, DateAdded: '2026-01-01T00:01:00.000Z', Comment: null }],
      }),
    );
    expect(await api.read(`/charge/${id}`)).toEqual(answer.body);
  });

  test.for([
    ['?Amount=5.25&Comment=too%20big', 'too big'],
    ['?amount=5.25&comment=too+big', 'too big'],
    ['?AMOUNT=5.250&cOmMeNt=', ''],
    ['?Amount=5.25', null],
  ])('refunds a part as the query %s says', async ([query, Comment], { api }) => {
    const answer = await refund(api, await charged(api), query);
    expect(warningOf(answer)).toBeNull();
    expect(answer.body).toMatchObject({
      Status: 'PARTIAL_REFUND',
      Amount: 15.5,
      RefundedAmount: 5.25,
      Refunds: [{ Amount: 5.25, DateAdded: NOW, Comment }],
    });
  });

  test.for([
    ['{"Amount":5.25,"Comment":"x"}', 5.25, 'x', 'PARTIAL_REFUND'],
    ['{"Amount":"5.25"}', 5.25, null, 'PARTIAL_REFUND'],
    ['{"Comment":"all"}', 15.5, 'all', 'REFUND'],
    ['{"Amount":null,"Comment":null}', 15.5, null, 'REFUND'],
    ['{}', 15.5, null, 'REFUND'],
    ['', 15.5, null, 'REFUND'],
  ])('takes the body %j', async ([body, Amount, Comment, Status], { api }) => {
    const answer = await refund(api, await charged(api), '', body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ Status, RefundedAmount: Amount });
    expect(answer.body['Refunds']).toEqual([{ Amount, DateAdded: NOW, Comment }]);
  });

  test('takes what the query says where a body says something else', async ({ api }) => {
    const id = await charged(api);
    const answer = await refund(api, id, '?Amount=2', '{"Amount":1,"Comment":"body"}');
    expect(answer.body['Refunds']).toEqual([{ Amount: 2, DateAdded: NOW, Comment: 'body' }]);
  });

  test('adds up partial refunds exactly until nothing is left', async ({ api }) => {
    const id = await charged(api, { Amount: 0.6 });
    expect((await refund(api, id, '?Amount=0.1')).body).toMatchObject({
      Status: 'PARTIAL_REFUND',
      RefundedAmount: 0.1,
    });
    await api.advance(MINUTE);
    // 0.1 + 0.2 is no 0.3 in binary fractions.
    expect((await refund(api, id, '?Amount=0.2')).text).toContain('"RefundedAmount":0.3,');
    await api.advance(MINUTE);
    const last = await refund(api, id, '?Comment=rest');
    expect(last.body).toMatchObject({ Status: 'REFUND', RefundedAmount: 0.6, Amount: 0.6 });
    expect(last.body['Refunds']).toEqual([
      { Amount: 0.1, DateAdded: NOW, Comment: null },
      { Amount: 0.2, DateAdded: '2026-01-01T00:01:00.000Z', Comment: null },
      { Amount: 0.3, DateAdded: '2026-01-01T00:02:00.000Z', Comment: 'rest' },
    ]);
  });

  test.for([
    ['a whole charge', '', '?Amount=15.51', '15.5'],
    ['what a partial refund left', '?Amount=5.5', '?Amount=10.01', '10'],
  ])('of more than %s is refused', async ([, first, second, left], { api }) => {
    const id = await charged(api);
    if (first !== '') await refund(api, id, first);
    const before = await stateOf(api);
    const answer = await refund(api, id, second);
    expectRefused(answer, 400, 76, 'Amount');
    expect(answer.body['Details']).toEqual({
      Amount: `must be at most ${left} (what is left to refund), not ${second.slice('?Amount='.length)}`,
    });
    expect(await stateOf(api)).toEqual(before);
  });

  test.for([
    ['?Amount=x', 2],
    ['?Amount=', 2],
    ['?Amount=1.005', 2],
    ['?Amount=0', 74],
    ['?Amount=-1', 74],
  ])('refuses the query %s with code %i', async ([query, code], { api }) => {
    const id = await charged(api);
    const before = await stateOf(api);
    expectRefused(await refund(api, id, query), 400, code, 'Amount');
    expect(await stateOf(api)).toEqual(before);
  });

  test.for([
    ['{"Amount":"x"}', 2],
    ['{"Amount":0}', 74],
    ['{"Amount":[]}', 2],
    ['{"Comment":5}', 90],
    ['[]', 90],
    ['{', 90],
  ])('refuses the body %s with code %i', async ([body, code], { api }) => {
    const id = await charged(api);
    const before = await stateOf(api);
    expectRefused(await refund(api, id, '', body), 400, code);
    expect(await stateOf(api)).toEqual(before);
  });

  test('with a query that is refused uses up nothing that is queued', async ({ api }) => {
    const id = await charged(api);
    await api.queue('charge.refund', ['unable_to_refund']);
    expectRefused(await refund(api, id, '?Amount=x'), 400, 2, 'Amount');
    expect((await refund(api, id, '?Amount=5')).body['Code']).toBe(45);
  });

  test('meets a rule by the Amount of its query', async ({ api }) => {
    const id = await charged(api, { Amount: 100 });
    const when = { operation: 'charge.refund', amount: { gte: 50 } };
    const rules = [{ name: 'large refunds', when, then: { outcome: 'unable_to_refund' } }];
    await api.play({ name: 'large refunds', rules });
    await good(refund(api, id, '?Amount=5'));
    expect((await refund(api, id, '?Amount=60')).body['Code']).toBe(45);
  });

  test('judges decimals by the currency of the charge', async ({ api }) => {
    const yen = await charged(api, { Amount: 500, Currency: 'JPY' });
    const dinar = await charged(api, { Amount: '1.5', Currency: 'BHD' });
    expectRefused(await refund(api, yen, '?Amount=1.5'), 400, 2, 'Amount');
    expect((await refund(api, yen, '?Amount=1.0')).body['RefundedAmount']).toBe(1);
    expect((await refund(api, dinar, '?Amount=0.001')).body['RefundedAmount']).toBe(0.001);
  });

  test('warns of an unknown name, and refuses it in strict mode', async () => {
    const [lax, strict] = [setup(), setup({ strict: true })];
    const taken = await refund(lax.api, await charged(lax.api), '?Amont=5');
    expect(taken.body['Status']).toBe('REFUND');
    expect(warningOf(taken)).toContain('"Amont" (did you mean Amount?)');
    const id = await charged(strict.api);
    expectRefused(await refund(strict.api, id, '?Amont=5'), 400, 90, 'Amont');
    expectRefused(await refund(strict.api, id, '', '{"Amont":5}'), 400, 90, 'Amont');
  });

  test('leaves nothing behind that could expire', async ({ api }) => {
    await refund(api, await charged(api));
    expect((await api.read('/_sandbox/world'))['Counts']).toMatchObject({ QueuedJobs: 0 });
  });
});

test('DELETE /refund needs an identifier', async ({ api }) => {
  expectRefused(await api.del('/refund'), 404, 90);
});
