import { describe, expect, test } from 'vitest';

import { UNKNOWN_ID } from '../../support/bodies.js';
import { asking, good } from '../../support/sandbox.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { begin, end, setup } from './support.js';

describe('POST /payment_method/checkout', () => {
  test('stores the wallet of an approved check-out, which can then be charged without the payer', async () => {
    const { api } = setup();
    const { id } = await begin(api);
    await good(end(api, 'approve', id));
    const stored = await good(
      api.post('/payment_method/checkout', { CheckoutId: id, FraudCheck: true, Metadata: { a: '1' } }),
    );
    expect(stored.body).toMatchObject({ Type: 'PAYPAL', Card: null, CustomerId: null, Metadata: { a: '1' } });
    const PaymentMethodId = textIn(stored, 'PaymentMethodId');
    expect(await api.read(`/checkout/${id}`)).toMatchObject({ PaymentMethodId, ChargeId: null });
    for (const Amount of [5, 6])
      expect(
        (await good(api.post('/charge/payment_method', { PaymentMethodId, Amount, Currency: 'AUD' }))).body,
      ).toMatchObject({ Status: 'SUCCESS', PaymentInformation: { Type: 'PAYPAL' } });
    expectRefused(await api.post('/payment_method/checkout', { CheckoutId: id }), 409, 57);
    expect((await good(api.post('/charge/checkout', { CheckoutId: id }))).body).toMatchObject({
      Status: 'SUCCESS',
    });
  });

  test.each(['PENDING', 'DECLINED', 'EXPIRED'])('refuses one that is %s', async (status) => {
    const { api } = setup();
    const { id, externalId } = await begin(api);
    if (status !== 'PENDING') await good(end(api, status === 'DECLINED' ? 'decline' : 'expire', id));
    const answer = await api.post('/payment_method/checkout', { ExternalId: externalId });
    expect(expectRefused(answer, 409, 57)).toContain(`The check-out is ${status}`);
    expect(await api.counts()).toMatchObject({ PaymentMethods: 0 });
  });

  test('can be tried again when the provider declined it', async () => {
    const { api } = setup();
    const { id } = await begin(api);
    await good(end(api, 'approve', id));
    const body = { CheckoutId: id };
    expectRefused(await api.post('/payment_method/checkout', body, asking('do_not_honor')), 400, 905);
    await good(api.post('/payment_method/checkout', body));
  });

  test.each([
    ['nothing', {}, 400, 90],
    ['an unknown check-out', { CheckoutId: UNKNOWN_ID }, 404, 50],
  ])('refuses %s', async (_, body, status, code) => {
    expectRefused(await setup().api.post('/payment_method/checkout', body), status, code);
  });
});
