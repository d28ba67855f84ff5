import { describe, expect } from 'vitest';

import {
  authorised,
  card,
  cardCharge,
  charged,
  customer,
  stateOf,
  stored,
  token,
} from '../charges/support.js';
import { chargeAt, configured, good, uuidOf } from './support.js';
import { asking, triggerOf } from '../../support/sandbox.js';
import { OTHER, STEADY, batchOf } from '../../support/bodies.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';

describe('a charge through a configured provider', () => {
  test('has the currency of the provider unless it names one, and names the provider', async ({ api }) => {
    const id = await configured(api);
    expect((await good(chargeAt(api, id))).body).toMatchObject({
      ProviderId: id,
      Currency: 'NZD',
      Provider: { ProviderId: id, Type: 'dummy', Name: 'primary' },
    });
    expect((await good(chargeAt(api, id, { Currency: 'USD' }))).body).toMatchObject({ Currency: 'USD' });
  });

  test('is found by every format of the identifier, which is returned as it was sent', async ({ api }) => {
    const id = await configured(api);
    const { body } = await good(chargeAt(api, uuidOf(id)));
    expect(body).toMatchObject({
      ProviderId: uuidOf(id),
      Currency: 'NZD',
      Provider: { ProviderId: uuidOf(id), Name: 'primary' },
    });
  });

  test('takes as many decimals as the currency of the provider has', async ({ api }) => {
    const [yen, dinar] = [
      await configured(api, { Currency: 'JPY' }),
      await configured(api, { Currency: 'BHD' }),
    ];
    expectRefused(await chargeAt(api, yen, { Amount: '10.5' }), 400, 2, 'Amount');
    expect((await good(chargeAt(api, yen, { Amount: '10.0' }))).body).toMatchObject({ Amount: 10 });
    expect((await good(chargeAt(api, dinar, { Amount: '1.234' }))).body).toMatchObject({ Amount: 1.234 });
    const at = (ProviderId: string) => ({ ProviderId, VaultCard: true });
    const method = await stored(api, at(dinar));
    const bought = { Amount: '1.234', PaymentMethodId: method, Currency: 'BHD' };
    await good(api.post('/charge/payment_method', bought));
    const { customerId } = await customer(api, at(dinar));
    const byCustomer = { Amount: '1.234', ProviderId: dinar, CustomerId: customerId };
    expect((await good(api.post('/charge/customer', byCustomer))).body).toMatchObject({ Currency: 'BHD' });
    const Token = await token(api, { ProviderId: yen });
    expectRefused(await api.post('/charge/token', { Amount: '1.5', Token }), 400, 2, 'Amount');
    expect((await good(api.post('/charge/token', { Amount: '2', Token }))).body).toMatchObject({
      Currency: 'JPY',
    });
  });

  test('leaves charges through other providers as they are', async () => {
    const [{ api }, plain] = [setup(), setup()];
    await configured(api);
    for (const id of [STEADY, OTHER]) {
      expect((await chargeAt(api, id)).text).toBe((await chargeAt(plain.api, id)).text);
    }
  });

  test('shows the name that the provider has by now', async ({ api }) => {
    const id = await configured(api);
    const charge = textIn(await good(chargeAt(api, id)), 'ChargeId');
    await good(api.put(`/provider/${id}`, { Name: 'renamed', Currency: 'USD' }));
    expect(await api.read(`/charge/${charge}`)).toMatchObject({
      Currency: 'NZD',
      Provider: { Name: 'renamed' },
    });
  });
});

describe('a removed provider', () => {
  test('takes no new charge, method, customer or token, and nothing is stored', async ({ api }) => {
    const id = await configured(api);
    const method = await stored(api, { ProviderId: id });
    const { customerId } = await customer(api, { ProviderId: id });
    const Token = await token(api, { ProviderId: id });
    await good(api.del(`/provider/${id}`));
    const before = await stateOf(api);
    const body = { ProviderId: id, PaymentInformation: card() };
    for (const answer of [
      await chargeAt(api, id),
      await chargeAt(api, uuidOf(id)),
      await api.post('/charge/token', { Amount: 5, Token }),
      await api.post('/charge/customer', { Amount: 5, ProviderId: id, CustomerId: customerId }),
      await api.post('/charge/payment_method', { Amount: 5, Currency: 'NZD', PaymentMethodId: method }),
      await api.post('/payment_method/card', body),
      await api.post('/customer/card', body),
      await api.post('/_sandbox/tokens', body),
    ]) {
      expectRefused(answer, 400, 39, 'ProviderId');
      expect(answer.body['Message']).toContain('was removed');
    }
    expect(await stateOf(api)).toEqual(before);
  });

  test('still captures, voids and refunds what was charged through it', async ({ api }) => {
    const id = await configured(api);
    const [held, voided, paid] = [
      await authorised(api, { ProviderId: id }),
      await authorised(api, { ProviderId: id }),
      await charged(api, { ProviderId: id }),
    ];
    await good(api.del(`/provider/${id}`));
    await good(api.post(`/charge/${held}`, { Amount: 5 }));
    await good(api.del(`/charge/${voided}/void`));
    const { body } = await good(api.del(`/refund/${paid}`));
    expect(body).toMatchObject({ Status: 'REFUND', Provider: { Name: 'primary' } });
  });

  test('fails the rows of a batch that are due then', async ({ api }) => {
    const id = await configured(api);
    const method = await stored(api, { ProviderId: id });
    const batch = await good(
      api.post('/batch/transaction/payment_method', batchOf([`${method},5,NZD,late`])),
    );
    await good(api.del(`/provider/${id}`));
    await api.advance(10_000);
    const { body } = await good(api.get(`/batch/${textIn(batch, 'BatchId')}`));
    expect(body).toMatchObject({ Success: 0, Failure: 1 });
    expect(body['Results']).toContain('Invalid ProviderId');
  });
});

describe('the latency of a dummy', () => {
  const between = (MinMilliseconds: string, MaxMilliseconds: string) => ({
    AuthenticationParameters: { MinMilliseconds, MaxMilliseconds },
  });

  test('lies evenly between its two parameters, and is the same for the same seed', async () => {
    const waits = async (seed: string): Promise<number[]> => {
      const { api, host } = setup({ clock: { mode: 'real' }, seed });
      const id = await configured(api, between('100', '300'));
      for (let i = 0; i < 200; i++) await good(chargeAt(api, id));
      return [...host.slept];
    };
    const [one, again, other] = [await waits('1'), await waits('1'), await waits('2')];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(one.length).toBe(200);
    expect(Math.min(...one)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...one)).toBeLessThanOrEqual(300);
    expect(one.filter((ms) => ms < 200).length).toBeGreaterThan(70);
    expect(one.filter((ms) => ms >= 200).length).toBeGreaterThan(70);
    expect(one.every(Number.isInteger)).toBe(true);
  });

  test.for([
    ['manual', 0, []],
    ['real', 1, [250]],
    ['scaled', 10, [25]],
  ] as const)('under a %s clock is what the rate leaves of it', async ([mode, rate, slept]) => {
    const { api, host } = setup({ clock: { mode, rate } });
    const answer = await good(chargeAt(api, await configured(api, between('250', '250'))));
    expect(host.slept).toEqual(slept);
    expect(triggerOf(answer)).toMatch(/^provider:[0-9a-f]{32}$/);
  });

  test.for<[object, number]>([
    [{ MinMilliseconds: '70' }, 70],
    [{ minMilliseconds: '70', maxmilliseconds: '70' }, 70],
    [{ MinMilliseconds: 70, MaxMilliseconds: 70 }, 70],
  ])('is read from %j', async ([AuthenticationParameters, ms]) => {
    const { api, host } = setup({ clock: { mode: 'real' } });
    await good(chargeAt(api, await configured(api, { AuthenticationParameters })));
    expect(host.slept).toEqual([ms]);
  });

  test('begins at nothing where only the most is given', async () => {
    const { api, host } = setup({ clock: { mode: 'real' } });
    const id = await configured(api, { AuthenticationParameters: { MaxMilliseconds: '100' } });
    for (let i = 0; i < 50; i++) await good(chargeAt(api, id));
    expect(Math.min(...host.slept)).toBeLessThan(20);
    expect(Math.max(...host.slept)).toBeLessThanOrEqual(100);
  });

  test('comes with every question to the provider, also where a magic card decides', async () => {
    const { api, host } = setup({ clock: { mode: 'real' } });
    const id = await configured(api, between('40', '40'));
    const held = await authorised(api, { ProviderId: id });
    await good(api.post(`/charge/${held}`, { Amount: 5 }));
    await good(api.del(`/refund/${held}`));
    await stored(api, { ProviderId: id });
    const PaymentInformation = card({ CardNumber: '4000000000009995' });
    expectRefused(await chargeAt(api, id, { PaymentInformation }), 400, 15);
    expect(host.slept).toEqual([40, 40, 40, 40, 40]);
  });

  test('is changed with its parameters, and goes with the type', async () => {
    const { api, host } = setup({ clock: { mode: 'real' } });
    const id = await configured(api, between('40', '40'));
    await good(api.put(`/provider/${id}`, between('50', '50')));
    await good(chargeAt(api, id));
    await good(api.put(`/provider/${id}`, { Type: 'nab_transact' }));
    await good(chargeAt(api, id));
    expect(host.slept).toEqual([50]);
  });

  test('does not hold a request that asks for its own outcome', async () => {
    const { api, host } = setup({ clock: { mode: 'real' } });
    const id = await configured(api, between('40', '40'));
    const headers = asking('approve');
    await good(api.charge(cardCharge({ ProviderId: id }), headers));
    expect(host.slept).toEqual([]);
  });
});
