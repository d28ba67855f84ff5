import { describe, expect } from 'vitest';

import type { Answer, Client } from '../../support/sandbox.js';
import { authorised, charged, chargeOf, stateOf } from './support.js';

import { NO_FUNDS } from '../../support/bodies.js';
import { expectRefused, NOW, textIn } from '../../support/stored.js';
import { test } from '../../support/tests.js';

const undo = (api: Client, id: string, query = ''): Promise<Answer> => api.del(`/charge/${id}${query}`);

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
  test('voids an authorisation', async ({ api }) => {
    const id = await authorised(api);
    const answer = await undo(api, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ChargeId: id, Status: 'AUTHORISE_CANCELLED', VoidDate: NOW });
    expect((await api.read('/_sandbox/world'))['Counts']).toMatchObject({ QueuedJobs: 0 });
  });

  test.for(['?Amount=5', '?Comment=x'])(
    'refuses an authorisation with %s, which only a refund takes',
    async (query, { api }) => {
      const id = await authorised(api);
      const before = await stateOf(api);
      const answer = await undo(api, id, query);
      expectRefused(answer, 409, 54);
      expect(answer.body['Message']).toContain(
        'is Authorised. To refund it, its status must be SUCCESS or PARTIAL_REFUND',
      );
      expect(await stateOf(api)).toEqual(before);
    },
  );

  test.for(ENDED)(
    'refuses a charge that is %s, and names what it would have to be',
    async ([status, make], { api }) => {
      const id = await make(api);
      const before = await stateOf(api);
      const answer = await undo(api, id);
      expectRefused(answer, 409, 54);
      expect(answer.body['Message']).toBe(
        `Invalid Charge Status: The charge ${id} is ${status}. To refund it, its status must be SUCCESS or PARTIAL_REFUND; to void it, Authorised or PENDING_CHECKOUT.`,
      );
      expectRefused(await undo(api, id, '?Amount=1'), 409, 54);
      expect(await stateOf(api)).toEqual(before);
    },
  );

  test.for([
    ['refund', '4000000000000457', charged, 45, 'SUCCESS'],
    ['void', '4000000000000481', authorised, 48, 'Authorised'],
  ])(
    'keeps the status when the provider declines the %s',
    async ([, CardNumber, make, code, Status], { api }) => {
      const id = await make(api, { PaymentInformation: { CardNumber, ExpiryDate: '12/30' } });
      const answer = await undo(api, id);
      expectRefused(answer, 400, code);
      expect(answer.body['ChargeId']).toBe(id);
      const { body } = await api.get(`/charge/${id}`);
      expect(body).toMatchObject({ Status, FailedAttempts: [{}] });
    },
  );

  test.for([
    ['charge.refund', charged, 45],
    ['charge.void', authorised, 48],
  ])(
    'is a %s for queued outcomes and the journal, as the charge has it',
    async ([Operation, make, code], { api }) => {
      const id = await make(api);
      const outcome = code === 45 ? 'unable_to_refund' : 'unable_to_void';
      await api.queue(Operation, [outcome]);
      expectRefused(await undo(api, id), 400, code);
      const { body } = await api.post('/_sandbox/journal/count', { Match: { Operation, Method: 'DELETE' } });
      expect(body['Count']).toBe(1);
    },
  );
});
