import { describe, expect } from 'vitest';
import { good, warningOf } from '../../support/sandbox.js';
import { authorised, DAY, MINUTE, stateOf, wholeCharge } from './support.js';
import { expectRefused } from '../../support/stored.js';
import { test } from '../../support/tests.js';

describe('DELETE /charge/{id}/void', () => {
  test('voids an authorisation and answers with the whole charge', async ({ api }) => {
    const id = await authorised(api, { Reference: 'order-1', Metadata: { a: 'b' }, Descriptor: 'SHOP' });
    await api.advance(MINUTE);
    const answer = await good(api.del(`/charge/${id}/void`));
    expect(answer.body).toEqual(
      wholeCharge({
        ChargeId: id,
        Status: 'AUTHORISE_CANCELLED',
        Reference: 'order-1',
        AuthorisationAmount: 15.5,
        SuccessDate: null,
        VoidDate: '2026-01-01T00:01:00.000Z',
        Descriptor: 'SHOP',
        Metadata: { a: 'b' },
      }),
    );
    expect(await api.read(`/charge/${id}`)).toEqual(answer.body);
  });

  test('works with an empty body that says it is JSON', async ({ api }) => {
    const id = await authorised(api);
    const answer = await api.del(`/charge/${id}/void`, { 'content-type': 'application/json' });
    expect(answer.body['Status']).toBe('AUTHORISE_CANCELLED');
  });

  test.for([
    ['text', 'void it', { 'content-type': 'text/plain' }, 415],
    ['text that is no JSON', 'void it', {}, 400],
    ['a list', [], {}, 400],
  ])('refuses a body that is %s, and the charge stays', async ([, body, headers, status], { api }) => {
    const id = await authorised(api);
    expectRefused(await api.del(`/charge/${id}/void`, headers, body), status, 90);
    expect((await api.read(`/charge/${id}`))['Status']).toBe('Authorised');
  });

  test('ignores fields of a body, and says so', async ({ api }) => {
    const answer = await api.del(`/charge/${await authorised(api)}/void`, {}, { Amount: 1 });
    expect(answer.body['Status']).toBe('AUTHORISE_CANCELLED');
    expect(warningOf(answer)).toBe('ignored unknown field "Amount"');
  });

  test('works with a slash at the end', async ({ api }) => {
    const answer = await api.del(`/charge/${await authorised(api)}/void/`);
    expect(answer.body['Status']).toBe('AUTHORISE_CANCELLED');
  });

  test('works once', async ({ api }) => {
    const id = await authorised(api);
    await api.del(`/charge/${id}/void`);
    const before = await stateOf(api);
    const again = await api.del(`/charge/${id}/void`);
    expectRefused(again, 409, 54);
    expect(again.body).toMatchObject({ Resource: `/charge/${id}/void`, Details: null, IsRetryable: false });
    expect(again.body['Message']).toContain('AUTHORISE_CANCELLED');
    expect(await stateOf(api)).toEqual(before);
  });

  test('leaves nothing behind that could expire', async ({ api }) => {
    const id = await authorised(api);
    const voided = await api.del(`/charge/${id}/void`);
    expect((await api.read('/_sandbox/world'))['Counts']).toMatchObject({ QueuedJobs: 0 });
    await api.advance(8 * DAY);
    expect(await api.read(`/charge/${id}`)).toEqual(voided.body);
  });
});
