import { describe, expect, test } from 'vitest';

import { good } from '../../support/sandbox.js';
import { begin, beginCharged, end, setup } from './support.js';

const STATE = '/_sandbox/state';

describe('a state document', () => {
  test('has check-outs, whose charges go on waiting in another world', async () => {
    const first = setup({ checkoutTtl: 120_000 });
    const waiting = await beginCharged(first.api);
    const { id } = await begin(first.api);
    await good(end(first.api, 'approve', id));
    const method = await good(first.api.post('/payment_method/checkout', { CheckoutId: id }));
    const document = await first.api.read(STATE);

    const { api } = setup();
    await good(api.put(STATE, document));
    const { Charges, Checkouts, Jobs, Settings } = await api.read(STATE);
    expect({ ...document, Charges, Checkouts, Jobs, Settings }).toEqual(document);
    expect(await api.read(`/checkout/${id}`)).toMatchObject({
      Status: 'APPROVED',
      PaymentMethodId: method.body['PaymentMethodId'],
    });
    expect((await begin(api)).id).not.toBe(id);
    await api.advance('2m');
    expect(await api.read(`/charge/${waiting.charge}`)).toMatchObject({ Status: 'FAILED' });
  });

  test('from before check-outs opens, and gives payers half an hour', async () => {
    const { api } = setup();
    const { Checkouts: _, Settings, ...older } = await api.read(STATE);
    const { CheckoutTtl, ...settings } = { CheckoutTtl: null, ...(Settings as object) };
    expect(CheckoutTtl).toBeNull();
    await good(api.put(STATE, { ...older, Settings: settings }));
    const { charge } = await beginCharged(api);
    await api.advance('30m');
    expect(await api.read(`/charge/${charge}`)).toMatchObject({ Status: 'FAILED' });
  });
});
