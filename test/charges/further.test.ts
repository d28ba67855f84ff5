import { describe, expect, test } from 'vitest';

import type { Answer, Client } from '../support/sandbox.js';
import { authorised, cardCharge, charged, chargeOf, setup, type Setup, stateOf } from './support.js';
import { good, warningOf } from '../support/sandbox.js';
import { expectRefused, NO_FUNDS, NOW, textIn, UNKNOWN_ID, WHOLE_CAPTURE } from '../support/stored.js';

describe('POST /charge/{id}/capture', () => {
  test('does what POST /charge/{id} does', async () => {
    const { api } = setup();
    const id = await authorised(api);
    const answer = await good(api.post(`/charge/${id}/capture`, { Amount: 10 }));
    expect(answer.body).toMatchObject({
      ChargeId: id,
      Status: 'SUCCESS',
      Amount: 10,
      AuthorisationAmount: 15.5,
    });
    expect(await api.read(`/charge/${id}`)).toEqual(answer.body);
  });

  test.each<[string, (api: Client) => Promise<string>, unknown, number, number]>([
    ['a captured charge', charged, { Amount: 5 }, 409, 54],
    ['more than was authorised', authorised, { Amount: 15.51 }, 400, 77],
    ['a part where the provider takes the whole alone', wholeOnly, { Amount: 5 }, 400, 78],
    ['no amount', authorised, {}, 400, 90],
    ['an unknown charge', () => Promise.resolve(UNKNOWN_ID), { Amount: 5 }, 404, 84],
  ])('refuses %s and changes nothing', async (_, make, body, status, code) => {
    const { api } = setup();
    const id = await make(api);
    const before = await stateOf(api);
    expectRefused(await api.post(`/charge/${id}/capture`, body), status, code);
    expect(await stateOf(api)).toEqual(before);
  });

  test('leaves the authorisation when the provider declines', async () => {
    const { api } = setup();
    const id = await authorised(api, {
      PaymentInformation: { CardNumber: '4000000000000473', ExpiryDate: '12/30' },
    });
    const answer = await api.post(`/charge/${id}/capture`, { Amount: 15.5 });
    expectRefused(answer, 402, 47);
    expect(answer.body['ChargeId']).toBe(id);
    expect((await api.read(`/charge/${id}`))['Status']).toBe('Authorised');
  });

  test('takes no other method', async () => {
    const { api } = setup();
    const answer = await api.get(`/charge/${await authorised(api)}/capture`);
    expectRefused(answer, 405, 90);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

function wholeOnly(api: Client): Promise<string> {
  return authorised(api, { ProviderId: WHOLE_CAPTURE });
}

const undo = (api: Client, id: string, query = ''): Promise<Answer> => api.del(`/charge/${id}${query}`);

/** Sends a DELETE with a JSON body, which the plain client has no call for. */
async function undoWith({ sandbox }: Setup, id: string, body: string): Promise<Answer['body']> {
  const response = await sandbox.fetch(
    new Request(`http://localhost/charge/${id}`, {
      method: 'DELETE',
      headers: { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' },
      body,
    }),
  );
  return (await response.json()) as Answer['body'];
}

/** A charge in each status that nothing can be undone of. */
const ENDED: [status: string, make: (api: Client) => Promise<string>][] = [
  ['FAILED', async (api) => textIn(await api.charge(chargeOf(NO_FUNDS)), 'ChargeId')],
  [
    'REFUND',
    async (api) => {
      const id = await charged(api);
      await api.del(`/refund/${id}`);
      return id;
    },
  ],
  [
    'AUTHORISE_CANCELLED',
    async (api) => {
      const id = await authorised(api);
      await api.del(`/charge/${id}/void`);
      return id;
    },
  ],
];

describe('DELETE /charge/{id}', () => {
  test('refunds all of a captured charge', async () => {
    const { api } = setup();
    const id = await charged(api);
    const answer = await undo(api, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ChargeId: id,
      Status: 'REFUND',
      RefundedAmount: 15.5,
      Refunds: [{ Amount: 15.5, DateAdded: NOW, Comment: null }],
    });
    expect(await api.read(`/charge/${id}`)).toEqual(answer.body);
  });

  test.each([
    ['?Amount=5&Comment=a+b', 5, 'a b'],
    ['?amount=5.00', 5, null],
    ['?comment=Refund%20comment', 15.5, 'Refund comment'],
    ['?', 15.5, null],
  ])('refunds as the query %s says', async (query, Amount, Comment) => {
    const { api } = setup();
    const answer = await undo(api, await charged(api), query);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ RefundedAmount: Amount, Refunds: [{ Amount, Comment }] });
    expect(warningOf(answer)).toBeNull();
  });

  test('refunds as its body says', async () => {
    const made = setup();
    const body = await undoWith(made, await charged(made.api), '{"Amount":"5.50","Comment":"late"}');
    expect(body).toMatchObject({ Status: 'PARTIAL_REFUND', Refunds: [{ Amount: 5.5, Comment: 'late' }] });
  });

  test('refunds the rest of a charge that was refunded in part', async () => {
    const { api } = setup();
    const id = await charged(api);
    await undo(api, id, '?Amount=5');
    expect((await undo(api, id)).body).toMatchObject({ Status: 'REFUND', RefundedAmount: 15.5 });
  });

  test('voids an authorisation', async () => {
    const { api } = setup();
    const id = await authorised(api);
    const answer = await undo(api, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ChargeId: id, Status: 'AUTHORISE_CANCELLED', VoidDate: NOW });
    expect((await api.read('/_sandbox/world'))['Counts']).toMatchObject({ QueuedJobs: 0 });
  });

  test.each(['?Amount=5', '?Comment=x'])(
    'refuses an authorisation with %s, which only a refund takes',
    async (query) => {
      const { api } = setup();
      const id = await authorised(api);
      const before = await stateOf(api);
      const answer = await undo(api, id, query);
      expectRefused(answer, 409, 54);
      expect(answer.body['Message']).toContain('is Authorised; refund needs SUCCESS or PARTIAL_REFUND');
      expect(await stateOf(api)).toEqual(before);
    },
  );

  test.each(ENDED)(
    'refuses a charge that is %s, and names what it would have to be',
    async (status, make) => {
      const { api } = setup();
      const id = await make(api);
      const before = await stateOf(api);
      const answer = await undo(api, id);
      expectRefused(answer, 409, 54);
      expect(answer.body['Message']).toBe(
        `Invalid Charge Status: The charge ${id} is ${status}; refund needs SUCCESS or PARTIAL_REFUND, void needs Authorised.`,
      );
      expectRefused(await undo(api, id, '?Amount=1'), 409, 54);
      expect(await stateOf(api)).toEqual(before);
    },
  );

  test.each([
    ['?Amount=15.51', 400, 76],
    ['?Amount=x', 400, 2],
    ['?Amount=0', 400, 74],
    ['?Amount=1&amount=2', 400, 90],
  ])('refuses %s and changes nothing', async (query, status, code) => {
    const { api } = setup();
    const id = await charged(api);
    const before = await stateOf(api);
    expectRefused(await undo(api, id, query), status, code, 'Amount');
    expect(await stateOf(api)).toEqual(before);
  });

  test('does not know a charge that was never made', async () => {
    expectRefused(await undo(setup().api, UNKNOWN_ID), 404, 84);
  });

  test('warns once of an unknown name', async () => {
    const { api } = setup();
    const answer = await undo(api, await charged(api), '?Amont=5');
    expect(warningOf(answer)).toBe('ignored unknown filters: Amont (did you mean Amount?)');
  });

  test.each([
    ['refund', '4000000000000457', charged, 45, 'SUCCESS'],
    ['void', '4000000000000481', authorised, 48, 'Authorised'],
  ])('keeps the status when the provider declines the %s', async (_, CardNumber, make, code, Status) => {
    const { api } = setup();
    const id = await make(api, { PaymentInformation: { CardNumber, ExpiryDate: '12/30' } });
    const answer = await undo(api, id);
    expectRefused(answer, 402, code);
    expect(answer.body['ChargeId']).toBe(id);
    const { body } = await api.get(`/charge/${id}`);
    expect(body).toMatchObject({ Status, FailedAttempts: [{}] });
  });

  test.each([
    ['charge.refund', charged, 45],
    ['charge.void', authorised, 48],
  ])('is a %s for queued outcomes and the journal, as the charge has it', async (Operation, make, code) => {
    const { api } = setup();
    const id = await make(api);
    const outcome = code === 45 ? 'unable_to_refund' : 'unable_to_void';
    await api.post('/_sandbox/outcomes', { Operation, Outcomes: [outcome] });
    expectRefused(await undo(api, id), 402, code);
    const { body } = await api.post('/_sandbox/journal/count', { Match: { Operation, Method: 'DELETE' } });
    expect(body['Count']).toBe(1);
  });

  test('meets a charge that became due while the route was loaded for the first time', async () => {
    const made = setup({ clock: { mode: 'real' } });
    const id = textIn(await made.api.charge(cardCharge({ Capture: false })), 'ChargeId');
    made.host.wall += 8 * 86_400_000;
    expectRefused(await undo(made.api, id), 409, 54);
  });
});
