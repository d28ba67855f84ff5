import { describe, expect, test } from 'vitest';

import { AMOUNTS, NO_CAPTURE, STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { asking, good, triggerOf } from '../../support/sandbox.js';
import { after, AN_ID, expectRefused, NOW } from '../../support/stored.js';
import { BACK, begin, BEGIN, beginCharged, changed, end, type Ending, setup, TOLD } from './support.js';

const SDK = { 'x-sandbox-dialect': 'sdk' };

describe('a charge of a new check-out', () => {
  test('waits for its payer, and says where the payer decides', async () => {
    const { api, world } = setup();
    const { id, externalId, url, charge, body } = await beginCharged(api, { Reference: 'order-1' });
    expect(body).toMatchObject({
      Status: 'PENDING_CHECKOUT',
      Amount: 15.5,
      Reference: 'order-1',
      SuccessDate: null,
      CheckoutId: id,
      FailedAttempts: [],
      PaymentInformation: { Type: 'PAYPAL', Card: null },
    });
    const checkout = {
      CheckoutId: id,
      ExternalId: AN_ID,
      ProviderId: STEADY,
      Type: 'PAYPAL',
      Amount: 15.5,
      Currency: 'AUD',
      Status: 'PENDING',
      Url: `http://localhost/_sandbox/wallet/${world.keyHash}/${id}`,
      RedirectUrl: BACK,
      ChargeId: charge,
      PaymentMethodId: null,
      DateAdded: NOW,
      ExpiresAt: after(1_800_000),
      DateEnded: null,
    };
    expect(body['Checkout']).toEqual(checkout);
    expect(url).toBe(checkout.Url);
    expect(await api.read(`/checkout/${id}`)).toEqual(checkout);
    expect(await api.read(`/checkout/external/${externalId}`)).toEqual(checkout);
    expect(await api.read('/charge?Status=pending_checkout&PaymentType=PAYPAL')).toMatchObject({ Count: 1 });
  });

  test.each([
    ['shift', 'SHIFT'],
    ['Paypal', 'PAYPAL'],
    ['pay_by_account', 'PAYBYACCOUNT'],
    ['afterpay', 'OPTTY'],
    [undefined, 'PAYPAL'],
  ])('has the payment type of its wallet: %s', async (ProviderType, Type) => {
    const { api } = setup();
    expect((await beginCharged(api, { ProviderType })).body['Checkout']).toMatchObject({ Type });
  });

  test.each(['googlepay', 'Apple Pay', 'card', 'payto', 'azupay', 'bank_account'])(
    'is refused for %s, which has no page for a payer',
    async (ProviderType) => {
      const { api } = setup();
      const { body } = await api.post('/charge/checkout', { ...BEGIN, ProviderType });
      expect(body).toMatchObject({
        Code: 90,
        Details: { ProviderType: expect.stringContaining(ProviderType) },
      });
      expect(await api.counts()).toMatchObject({ Charges: 0 });
    },
  );

  test('has by default the payment type of its provider', async () => {
    const { api } = setup();
    const added = await good(
      api.post('/provider', { Type: 'optty', Name: 'o', Environment: 'SANDBOX', Currency: 'NZD' }),
    );
    const { body } = await beginCharged(api, {
      ProviderId: added.body['ProviderId'],
      ProviderType: undefined,
    });
    expect(body['Checkout']).toMatchObject({ Type: 'OPTTY', Currency: 'NZD' });
  });

  test.each<[Ending, string, object]>([
    ['approve', 'SUCCESS', { SuccessDate: after(60_000), FailedAttempts: [] }],
    ['decline', 'FAILED', { FailedAttempts: [{ GatewayCode: '17', ErrorMessage: 'Customer cancellation' }] }],
    ['expire', 'FAILED', { FailedAttempts: [{ GatewayCode: '68' }] }],
  ])('follows its payer: %s', async (how, Status, more) => {
    const { api, told } = setup();
    const { id, charge } = await beginCharged(api, TOLD);
    await api.advance('1m');
    const ended = { approve: 'APPROVED', decline: 'DECLINED', expire: 'EXPIRED' }[how];
    expect((await good(end(api, how, id))).body).toMatchObject({
      Status: ended,
      Url: null,
      DateEnded: after(60_000),
    });
    expect(await api.read(`/charge/${charge}`)).toMatchObject({ Status, ...more });
    expect(await told()).toEqual(changed('PENDING_CHECKOUT', Status));
    expectRefused(await end(api, how, id), 409, 54);
  });

  test('fails when nobody comes back until the check-out expires', async () => {
    const { api, told } = setup({ checkoutTtl: 600_000 });
    const { id, charge } = await beginCharged(api, TOLD);
    await api.advance('599s');
    expect(await told()).toEqual(changed('PENDING_CHECKOUT'));
    await api.advance('1s');
    expect(await told()).toEqual(changed('PENDING_CHECKOUT', 'FAILED'));
    expect(await api.read(`/charge/${charge}`)).toMatchObject({ Status: 'FAILED' });
    expect(await api.read(`/checkout/${id}`)).toMatchObject({ Status: 'EXPIRED', DateEnded: after(600_000) });
  });

  test.each([
    ['documented', {}, 'Authorised'],
    ['sdk', SDK, 'AUTHORISE'],
  ])(
    'is only authorised with Capture false, and told in the dialect of its request: %s',
    async (_, headers, status) => {
      const { api, told } = setup();
      const begun = await good(api.post('/charge/checkout', { ...BEGIN, ...TOLD, Capture: false }, headers));
      const charge = String(begun.body['ChargeId'] ?? begun.body['chargeId']);
      expect(await api.read(`/charge/${charge}`)).toMatchObject({ AuthorisationAmount: null });
      await good(end(api, 'approve', charge));
      expect(await api.read(`/charge/${charge}`)).toMatchObject({
        Status: 'Authorised',
        AuthorisationAmount: 15.5,
      });
      await good(api.post(`/charge/${charge}`, { Amount: 15.5 }));
      expect(await told()).toEqual(changed('PENDING_CHECKOUT', status, 'SUCCESS'));
    },
  );

  test('releases an authorisation that is not captured in time', async () => {
    const { api } = setup();
    const { id, charge } = await beginCharged(api, { Capture: false });
    await good(end(api, 'approve', id));
    await api.advance('7d');
    expect(await api.read(`/charge/${charge}`)).toMatchObject({ Status: 'AUTHORISE_CANCELLED' });
  });

  test('cannot be captured or refunded, and is cancelled by a void', async () => {
    const { api, told } = setup();
    const { id, charge } = await beginCharged(api, TOLD);
    expectRefused(await api.post(`/charge/${charge}`, { Amount: 15.5 }), 409, 54);
    expectRefused(await api.del(`/refund/${charge}`), 409, 54);
    expectRefused(await api.del(`/charge/${charge}?Amount=5`), 409, 54);
    expect((await good(api.del(`/charge/${charge}`))).body).toMatchObject({
      Status: 'AUTHORISE_CANCELLED',
      VoidDate: NOW,
    });
    expect(await api.read(`/checkout/${id}`)).toMatchObject({ Status: 'CANCELLED', DateEnded: NOW });
    expectRefused(await end(api, 'approve', id), 409, 54);
    await api.advance('1h');
    expect(await told()).toEqual(changed('PENDING_CHECKOUT', 'AUTHORISE_CANCELLED'));
  });

  test.each([{}, { Capture: false }])('was never authorised if it is voided: %j', async (more) => {
    const { api } = setup();
    const { charge } = await beginCharged(api, more);
    expect((await good(api.del(`/charge/${charge}/void`))).body).toMatchObject({ AuthorisationAmount: null });
    const { Timeline } = await api.read(`/_sandbox/records/charges/${charge}`);
    const texts = (Timeline as { Text: string }[]).map(({ Text }) => Text);
    expect(texts.filter((text) => !/^(?:POST|DELETE) /.test(text))).toEqual([
      'Asked the payer for AUD 15.50',
      'Given up',
    ]);
  });

  test('goes on waiting when the provider declines the void', async () => {
    const { api } = setup();
    const { id, charge } = await beginCharged(api);
    expectRefused(await api.del(`/charge/${charge}/void`, asking('unable_to_void')), 400, 48);
    await good(end(api, 'approve', id));
    expect(await api.read(`/charge/${charge}`)).toMatchObject({ Status: 'SUCCESS' });
  });
});

describe('what decides a charge of a check-out', () => {
  test('an outcome that the test asked for decides at once', async () => {
    const { api } = setup();
    const { body } = await beginCharged(api, {}, asking('approve'));
    expect(body).toMatchObject({ Status: 'SUCCESS', Checkout: { Status: 'APPROVED', Url: null } });
    await api.advance('1h');
    expect(await api.read(`/checkout/${String(body['CheckoutId'])}`)).toMatchObject({ Status: 'APPROVED' });
  });

  test.each([
    ['insufficient_funds', 15, 'APPROVED'],
    ['customer_cancellation', 917, 'DECLINED'],
    ['response_received_too_late', 968, 'EXPIRED'],
  ])('%s declines it at once', async (outcome, code, Status) => {
    const { api } = setup();
    const { id } = await begin(api);
    const answer = await api.post('/charge/checkout', { CheckoutId: id }, asking(outcome));
    expectRefused(answer, 400, code);
    expect(await api.read(`/checkout/${id}`)).toMatchObject({ Status, ChargeId: answer.body['ChargeId'] });
    expect(await api.read('/charge?Status=FAILED')).toMatchObject({ Count: 1 });
  });

  test('a rule of a scenario for the amount of the check-out does', async () => {
    const { api } = setup();
    const { id } = await begin(api);
    const when = { operation: 'charge.create', amount: 15.5, provider: STEADY };
    const rules = [{ name: 'no money', when, then: { outcome: 'insufficient_funds' } }];
    await good(api.play({ name: 'x', rules }));
    expectRefused(await api.post('/charge/checkout', { CheckoutId: id }), 400, 15);
    expect((await beginCharged(api, { Amount: 20 })).body).toMatchObject({ Status: 'PENDING_CHECKOUT' });
  });

  test.each([
    ['an outcome queued for charge.settle', STEADY, 15.5, '51'],
    ['the provider', AMOUNTS, 15.05, '05'],
  ])('%s decides after the payer has approved', async (by, ProviderId, Amount, GatewayCode) => {
    const { api } = setup();
    const { id, charge } = await beginCharged(api, { ProviderId, Amount });
    if (by !== 'the provider') await good(api.queue('charge.settle', ['insufficient_funds']));
    expect((await good(end(api, 'approve', id))).body).toMatchObject({ Status: 'APPROVED' });
    expect(await api.read(`/charge/${charge}`)).toMatchObject({
      Status: 'FAILED',
      FailedAttempts: [{ GatewayCode }],
    });
  });

  test('a decision of the payer is in the history of the charge', async () => {
    const { api } = setup();
    const { id, charge } = await beginCharged(api);
    await good(end(api, 'decline', id));
    const { Decisions } = await api.read(`/_sandbox/records/charges/${charge}`);
    expect(Decisions).toMatchObject([{ Trigger: 'checkout:pending' }, { Trigger: 'checkout:declined' }]);
  });
});

describe('a charge of a check-out that exists', () => {
  test('waits while its payer has not decided', async () => {
    const { api } = setup();
    const { id, externalId } = await begin(api);
    const made = await good(api.post('/charge/checkout', { ExternalId: externalId, Descriptor: 'Shop' }));
    expect(triggerOf(made)).toBe('checkout:pending');
    expect(made.body).toMatchObject({
      Status: 'PENDING_CHECKOUT',
      Amount: 15.5,
      Descriptor: 'Shop',
      CheckoutId: id,
    });
    await good(end(api, 'approve', String(made.body['ChargeId'])));
    expect(await api.read(`/charge/${String(made.body['ChargeId'])}`)).toMatchObject({ Status: 'SUCCESS' });
  });

  test.each([
    ['ProviderId', AMOUNTS],
    ['ProviderType', 'upi'],
    ['RedirectUrl', 'https://shop.example/other'],
    ['Amount', 15.51],
    ['Currency', 'NZD'],
  ])('refuses another %s than that of the check-out', async (field, value) => {
    const { api } = setup();
    const { id } = await begin(api);
    const { status, body } = await api.post('/charge/checkout', { CheckoutId: id, [field]: value });
    expect([status, Object.keys(body['Details'] as object)]).toEqual([400, [field]]);
    expect(body['Message']).toContain(`as in the check-out, not ${value}`);
  });

  test('gives a check-out without a RedirectUrl one', async () => {
    const { api } = setup();
    const { id } = await begin(api, { RedirectUrl: undefined });
    const same = { CheckoutId: id, RedirectUrl: BACK, ProviderId: STEADY, ProviderType: 'PayPal' };
    const { body } = await good(api.post('/charge/checkout', same));
    expect(body['Checkout']).toMatchObject({ RedirectUrl: BACK, Type: 'PAYPAL' });
  });

  test('succeeds after an approval', async () => {
    const { api } = setup();
    const { id, externalId } = await begin(api);
    await good(end(api, 'approve', id));
    const body = { CheckoutId: id, ExternalId: externalId, Amount: 15.5, Currency: 'AUD' };
    expect((await good(api.post('/charge/checkout', body))).body).toMatchObject({
      Status: 'SUCCESS',
      Checkout: { Status: 'APPROVED', ChargeId: AN_ID },
    });
  });

  test.each<[Ending, number]>([
    ['decline', 917],
    ['expire', 968],
  ])('is declined and stored after %s', async (how, code) => {
    const { api } = setup();
    const { id } = await begin(api);
    await good(end(api, how, id));
    const answer = await api.post('/charge/checkout', { CheckoutId: id });
    expectRefused(answer, 400, code);
    expect(await api.read(`/charge/${String(answer.body['ChargeId'])}`)).toMatchObject({ Status: 'FAILED' });
  });

  test('is made once', async () => {
    const { api } = setup();
    const { id, charge } = await beginCharged(api);
    const again = await api.post('/charge/checkout', { CheckoutId: id });
    expect(expectRefused(again, 409, 53)).toContain(charge);
    expect(await api.counts()).toMatchObject({ Charges: 1, Checkouts: 1 });
  });

  test.each<[string, object, number, number, string[]]>([
    ['a cent less', { Amount: '15.49' }, 400, 2, ['Amount']],
    ['another currency', { Currency: 'USD' }, 400, 90, ['Currency']],
    ['the wallet’s identifier of another', { ExternalId: 'other' }, 400, 90, ['ExternalId']],
    ['an unknown CheckoutId', { CheckoutId: UNKNOWN_ID }, 404, 50, []],
    ['an unknown ExternalId', { CheckoutId: null, ExternalId: UNKNOWN_ID }, 404, 50, []],
    ['no check-out and no provider', { CheckoutId: null, Amount: 5 }, 400, 90, ['ProviderId']],
    ['no check-out and no amount', { CheckoutId: null, ProviderId: STEADY }, 400, 90, ['Amount']],
    [
      'Capture false at a provider that cannot',
      { ...BEGIN, CheckoutId: null, ProviderId: NO_CAPTURE, Capture: false },
      400,
      71,
      [],
    ],
  ])('refuses %s, and stores nothing', async (_, body, status, code, details) => {
    const { api } = setup();
    const { id } = await begin(api);
    const answer = await api.post('/charge/checkout', { CheckoutId: id, ...body });
    expectRefused(answer, status, code, ...details);
    expect(await api.counts()).toMatchObject({ Charges: 0, Checkouts: 1 });
    expect(await api.read(`/checkout/${id}`)).toMatchObject({ Status: 'PENDING', ChargeId: null });
  });
});
