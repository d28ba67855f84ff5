import { describe, expect } from 'vitest';
import { good, warningOf } from '../../support/sandbox.js';
import { authorised, charged, DAY, MINUTE, stateOf, withLiteral, wholeCharge } from './support.js';
import { OTHER, UNKNOWN_ID, WHOLE_CAPTURE } from '../../support/bodies.js';
import { expectRefused, NOW, textIn } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';

describe.each(['', '/capture'])('POST /charge/{id}%s', (suffix) => {
  test('captures the whole authorisation and answers with the whole charge', async ({ api }) => {
    const id = await authorised(api, { Reference: 'order-1' });
    await api.advance(MINUTE);
    const answer = await good(api.post(`/charge/${id}${suffix}`, { Amount: '15.50' }));
    expect(answer.body).toEqual(
      wholeCharge({
        ChargeId: id,
        Reference: 'order-1',
        AuthorisationAmount: 15.5,
        SuccessDate: '2026-01-01T00:01:00.000Z',
      }),
    );
    expect(await api.read(`/charge/${id}`)).toEqual(answer.body);
  });

  test('changes nothing but what a capture is about', async ({ api }) => {
    const made = await api.post('/charge/token', {
      Amount: 9,
      Token: 'tok_approve',
      Capture: false,
      Initiator: 'MERCHANT',
      Descriptor: 'SHOP',
      Metadata: { a: 'b' },
    });
    const answer = await api.post(`/charge/${textIn(made, 'ChargeId')}${suffix}`, { Amount: 9 });
    expect(answer.body).toEqual({ ...made.body, Status: 'SUCCESS', SuccessDate: NOW });
  });

  test.for([
    ['AUD', 15.5, '10', 10],
    ['AUD', 15.5, '0.01', 0.01],
    ['AUD', 15.5, '"15.49"', 15.49],
    ['JPY', 500, '"499.0"', 499],
    ['BHD', 1.5, '1.499', 1.499],
  ])(
    'captures less of %s %d: %s, and releases the rest',
    async ([Currency, Amount, literal, captured], { api }) => {
      const id = await authorised(api, { Amount, Currency });
      const answer = await api.post(`/charge/${id}${suffix}`, withLiteral({}, 'Amount', literal));
      expect(answer.body).toMatchObject({
        Status: 'SUCCESS',
        Amount: captured,
        AuthorisationAmount: Amount,
        RefundedAmount: null,
        SuccessDate: NOW,
      });
      expectRefused(await api.post(`/charge/${id}${suffix}`, { Amount: 1 }), 409, 54);
      expectRefused(await api.del(`/charge/${id}/void`), 409, 54);
    },
  );

  test.for([
    ['15.51', 77],
    ['15.50', 200],
    ['999999999.99', 77],
  ])('of %s is judged against what was authorised: %i', async ([Amount, code], { api }) => {
    const id = await authorised(api);
    const before = await stateOf(api);
    const answer = await api.post(`/charge/${id}${suffix}`, { Amount });
    if (code === 200) {
      expect(answer.status).toBe(200);
      return;
    }
    expectRefused(answer, 400, code, 'Amount');
    expect(answer.body['Message']).toContain('15.5');
    expect(await stateOf(api)).toEqual(before);
  });

  test.for([
    ['a text', '"x"', 2],
    ['an exponent', '1e1', 2],
    ['too many decimals', '1.005', 2],
    ['a list', '[]', 2],
    ['an object', '{}', 2],
    ['zero', '0', 74],
    ['negative', '-1', 74],
    ['null', 'null', 90],
  ])('refuses an Amount that is %s', async ([, literal, code], { api }) => {
    const id = await authorised(api);
    const before = await stateOf(api);
    expectRefused(
      await api.post(`/charge/${id}${suffix}`, withLiteral({}, 'Amount', literal)),
      400,
      code,
      'Amount',
    );
    expect(await stateOf(api)).toEqual(before);
  });

  test('needs an Amount', async ({ api }) => {
    const id = await authorised(api);
    expectRefused(await api.post(`/charge/${id}${suffix}`, {}), 400, 90, 'Amount');
    expectRefused(await api.post(`/charge/${id}${suffix}`), 400, 90);
  });

  test('judges decimals by the currency of the charge', async ({ api }) => {
    const id = await authorised(api, { Amount: 500, Currency: 'JPY' });
    expectRefused(await api.post(`/charge/${id}${suffix}`, { Amount: 10.5 }), 400, 2, 'Amount');
  });

  test('checks the body before it looks for the charge', async ({ api }) => {
    expectRefused(await api.post(`/charge/${UNKNOWN_ID}${suffix}`, { Amount: 'x' }), 400, 2);
  });

  test('checks the status before the Amount', async ({ api }) => {
    const answer = await api.post(`/charge/${await charged(api)}${suffix}`, { Amount: 1000 });
    expectRefused(answer, 409, 54);
    expect(answer.body['Message']).toContain('SUCCESS');
  });

  test('warns of an unknown field, and refuses it in strict mode', async () => {
    const [lax, strict] = [setup(), setup({ strict: true })];
    const body = { Amount: 15.5, amount: 3 };
    const taken = await lax.api.post(`/charge/${await authorised(lax.api)}${suffix}`, body);
    expect(taken.status).toBe(200);
    expect(warningOf(taken)).toContain('"amount" (did you mean Amount?)');
    expectRefused(
      await strict.api.post(`/charge/${await authorised(strict.api)}${suffix}`, body),
      400,
      90,
      'amount',
    );
  });

  test('in part is refused by a provider that captures whole authorisations only', async ({ api }) => {
    const id = await authorised(api, { ProviderId: WHOLE_CAPTURE });
    const before = await stateOf(api);
    expectRefused(await api.post(`/charge/${id}${suffix}`, { Amount: 15.49 }), 400, 78, 'Amount');
    expectRefused(await api.post(`/charge/${id}${suffix}`, { Amount: 15.51 }), 400, 77, 'Amount');
    expect(await stateOf(api)).toEqual(before);
    expect((await api.post(`/charge/${id}${suffix}`, { Amount: 15.5 })).body['Status']).toBe('SUCCESS');
  });

  test('in part is accepted by a provider that is not configured', async ({ api }) => {
    const id = await authorised(api, { ProviderId: OTHER });
    expect((await api.post(`/charge/${id}${suffix}`, { Amount: 1 })).body).toMatchObject({
      Status: 'SUCCESS',
      Amount: 1,
    });
  });
});

describe('an authorisation that nobody captures', () => {
  const TTL = 7 * DAY;

  test('is cancelled at exactly seven days', async ({ api }) => {
    const id = await authorised(api);
    await api.advance(TTL + DAY);
    const { body } = await api.get(`/charge/${id}`);
    expect(body).toMatchObject({
      Status: 'AUTHORISE_CANCELLED',
      VoidDate: '2026-01-08T00:00:00.000Z',
      SuccessDate: null,
      Amount: 15.5,
      AuthorisationAmount: 15.5,
    });
    expectRefused(await api.post(`/charge/${id}`, { Amount: 15.5 }), 409, 54);
  });

  test('is reported by the advance that cancels it', async ({ api }) => {
    const id = await authorised(api);
    const { body } = await api.advance('7d');
    expect(body['Ran']).toEqual([
      { At: '2026-01-08T00:00:00.000Z', Kind: 'authorisation.expire', Ref: id, About: 'AUD 15.50' },
    ]);
  });

  test('waits as long as the sandbox’s option says', async () => {
    const { api } = setup({ authorisationTtl: 1000 });
    const id = await authorised(api);
    await api.advance(999);
    expect((await api.read(`/charge/${id}`))['Status']).toBe('Authorised');
    await api.advance(1);
    expect((await api.read(`/charge/${id}`))['Status']).toBe('AUTHORISE_CANCELLED');
  });

  test('is cancelled while the wall clock runs', async () => {
    const { api, host } = setup({ clock: { mode: 'real' } });
    const id = await authorised(api);
    host.wall += TTL - 1;
    expect((await api.read(`/charge/${id}`))['Status']).toBe('Authorised');
    host.wall += 1;
    expect((await api.read(`/charge/${id}`))['Status']).toBe('AUTHORISE_CANCELLED');
  });

  test.for([
    ['captured', 'SUCCESS', { Amount: 15.5 }],
    ['captured in part', 'SUCCESS', { Amount: 1 }],
  ])('is left alone once it is %s', async ([, status, body], { api }) => {
    const id = await authorised(api);
    const captured = await api.post(`/charge/${id}`, body);
    await api.advance(TTL);
    expect(captured.body['Status']).toBe(status);
    expect(await api.read(`/charge/${id}`)).toEqual(captured.body);
    expect((await api.read('/_sandbox/world'))['Counts']).toMatchObject({ QueuedJobs: 0 });
  });
});
