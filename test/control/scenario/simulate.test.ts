import { describe, expect, test } from 'vitest';

import { account, bankCharge, UNFUNDED } from '../../support/instruments.js';
import { client, testSandbox, type Client } from '../../support/sandbox.js';
import { batchOf, expectRefused, storing, textIn, VISA } from '../../support/stored.js';
import { words } from '../../support/tables.js';

const NOBODY = '0'.repeat(32);

const simulate = (api: Client, Action: unknown, Ref: unknown) =>
  api.post('/_sandbox/simulate', { Action, Ref });

function setup(): Client {
  return client(testSandbox());
}

async function authorised(api: Client): Promise<string> {
  return textIn(await api.charge(storing({ Amount: 5, Capture: false })), 'ChargeId');
}

async function batch(api: Client): Promise<string> {
  const stored = await api.post('/payment_method/card', storing());
  const row = `${textIn(stored, 'PaymentMethodId')},5,AUD,`;
  const made = await api.post('/batch/transaction/payment_method', batchOf([row, row, row, row]));
  return textIn(made, 'BatchId');
}

describe('POST /_sandbox/simulate', () => {
  test('batch.fail breaks a batch half-way: rows done keep their results, the others are never reached', async () => {
    const api = setup();
    const id = await batch(api);
    await api.advance('2200ms');
    const { status, body } = await simulate(api, 'batch.fail', id);
    expect([status, body]).toEqual([200, await api.read(`/batch/${id}/status`)]);
    expect(body).toMatchObject({ Status: 'FAILED', Success: 2, Progress: 0.5 });
    await api.advance('1h');
    const results = textIn(await api.get(`/batch/${id}`), 'Results');
    expect(results.match(/,SUCCESS,/g)).toHaveLength(2);
    expect(results.match(/Processing stopped before this row/g)).toHaveLength(2);
    const again = await simulate(api, 'batch.fail', id);
    expect(expectRefused(again, 409, 101)).toContain('is already FAILED');
  });

  test('authorisation.expire voids an authorisation now, and nothing more happens to it later', async () => {
    const api = setup();
    const id = await authorised(api);
    await api.advance('1h');
    const { status, body } = await simulate(api, 'authorisation.expire', id);
    expect([status, body]).toEqual([200, await api.read(`/charge/${id}`)]);
    expect(body).toMatchObject({ Status: 'AUTHORISE_CANCELLED', VoidDate: '2026-01-01T01:00:00.000Z' });
    expect(await api.read('/_sandbox/clock')).toMatchObject({ NextDue: null });
    const again = await simulate(api, 'authorisation.expire', id);
    expect(expectRefused(again, 409, 54)).toContain('expire requires Authorised');
    expectRefused(await api.post(`/charge/${id}`, { Amount: 5 }), 409, 54);
  });

  test.each([
    [undefined, 'SUCCESS'],
    [UNFUNDED, 'FAILED'],
  ])('charge.settle settles a charge of the account %j now: %s', async (number, Status) => {
    const api = setup();
    const body = bankCharge({ BankPaymentInformation: account(number) });
    const made = await api.post('/charge/bank_account', body);
    const id = textIn(made, 'ChargeId');
    await api.advance('1h');
    const settled = await simulate(api, 'charge.settle', id);
    expect([settled.status, settled.body]).toEqual([200, await api.read(`/charge/${id}`)]);
    expect(settled.body).toMatchObject({ Status });
    expect(await api.read('/_sandbox/clock')).toMatchObject({ NextDue: null });
    const again = await simulate(api, 'charge.settle', id);
    expect(expectRefused(again, 409, 54)).toContain(`is ${Status}; settle requires PENDING`);
  });

  test('vault.expire removes an entry now, and does not return its number', async () => {
    const api = setup();
    const made = await api.post('/vault', { CardNumber: VISA, ExpireSeconds: 3600 });
    const id = textIn(made, 'VaultId');
    const { status, body, text } = await simulate(api, 'vault.expire', id);
    expect([status, body]).toEqual([200, { ...made.body, ExpireDate: '2026-01-01T00:00:00.000Z' }]);
    expect(text).not.toContain(VISA);
    expectRefused(await api.get(`/vault/${id}`), 404, 62);
    expectRefused(await simulate(api, 'vault.expire', id), 404, 62);
    expect(await api.read('/_sandbox/clock')).toMatchObject({ NextDue: null });
  });

  test('token.expire ends a token now, but not one that was used or has expired', async () => {
    const api = setup();
    const token = async () => textIn(await api.post('/_sandbox/tokens', storing()), 'TokenId');
    const [ended, used] = [await token(), await token()];
    const { status, body } = await simulate(api, 'token.expire', ended);
    expect([status, body['TokenId'], body['ExpiresAt']]).toEqual([200, ended, '2026-01-01T00:00:00.000Z']);
    expectRefused(await api.post('/charge/token', { Amount: 5, Token: ended }), 400, 51);
    expectRefused(await simulate(api, 'token.expire', ended), 409, 51);
    await api.post('/charge/token', { Amount: 5, Token: used });
    expect(expectRefused(await simulate(api, 'token.expire', used), 409, 51)).toContain('was already used');
    expect(await api.read('/_sandbox/clock')).toMatchObject({ NextDue: null });
  });

  test.each([
    ['batch.fail', 404, 101],
    ['authorisation.expire', 404, 84],
    ['charge.settle', 404, 84],
    ['payto.activate', 404, 56],
    ['vault.expire', 404, 62],
    ['token.expire', 404, 87],
  ])('%s of a record that is not there is a 404', async (action, status, code) => {
    const api = setup();
    for (const ref of [NOBODY, 'x', await authorised(client(testSandbox(), 'sk_test_b'))])
      expectRefused(await simulate(api, action, ref), status, code);
  });

  test.each([['charge.fail'], ['batch.fial'], ['toString'], [''], [7], [undefined]])(
    'the unknown action %j is a 400 that lists the known ones',
    async (action) => {
      const { text, status, body } = await simulate(setup(), action, NOBODY);
      expect([status, body['Code']]).toEqual([400, 90]);
      const listed = words`
        batch.fail vault.expire authorisation.expire charge.settle payto.activate token.expire
      `;
      expect(typeof action === 'string' ? listed.filter((name) => !text.includes(name)) : []).toEqual([]);
    },
  );

  test.each([[undefined], [''], [5], [{}]])('the Ref %j is a 400', async (ref) => {
    expectRefused(await simulate(setup(), 'vault.expire', ref), 400, 90);
  });

  test('takes no other field, and no query', async () => {
    const api = setup();
    const body = { Action: 'vault.expire', Ref: NOBODY };
    expectRefused(await api.post('/_sandbox/simulate', { ...body, Reff: 'x' }), 400, 90);
    expectRefused(await api.post('/_sandbox/simulate?x=1', body), 400, 90);
  });
});
