import { describe, expect, test } from 'vitest';

import { parseScenario } from '../../../src/scenarios/file/schema.js';
import { type Operation, OPERATIONS } from '../../../src/scenarios/script/model.js';
import { bankCharge } from '../../support/instruments.js';
import { type Answer, client, type Client, good, testSandbox } from '../../support/sandbox.js';
import { batchOf, textIn } from '../../support/stored.js';

const PROVIDER = '00000000000000000000000000000001';
const CARD = { CardNumber: '4242424242424242', ExpiryDate: '12/30' };
const STORED = { ProviderId: PROVIDER, PaymentInformation: CARD };

const SUBSCRIPTION = { Types: ['Subscription'], Url: 'https://example.com' };
const PROVIDER_MADE = { Type: 'dummy', Name: 'mine', Environment: 'SANDBOX', Currency: 'AUD' };

/** What comes by no request of its own. */
type Requestless = 'charge.settle' | 'batch.row' | 'subscription.charge';

/** One call of each operation that a client can make. */
const CALLS: Readonly<Record<Exclude<Operation, Requestless>, (api: Client, made: Made) => Promise<Answer>>> =
  {
    'charge.create': (api) => api.charge({ ...STORED, Amount: 5 }),
    'charge.capture': (api, { authorised }) => api.post(`/charge/${authorised}`, { Amount: 5 }),
    'charge.void': (api, { authorised }) => api.del(`/charge/${authorised}/void`),
    'charge.refund': (api, { paid }) => api.del(`/refund/${paid}`),
    'charge.read': (api, { paid }) => api.get(`/charge/${paid}`),
    'charge.search': (api) => api.get('/charge'),
    'customer.create': (api) => api.post('/customer/card', { ...STORED, FirstName: 'Jo', LastName: 'Smith' }),
    'customer.read': (api, { customer }) => api.get(`/customer/${customer}`),
    'customer.search': (api) => api.get('/customer'),
    'customer.update': (api, { customer }) => api.put(`/customer/${customer}`, { LastName: 'Doe' }),
    'customer.remove': (api, { customer }) => api.del(`/customer/${customer}`),
    'paymentMethod.create': (api) => api.post('/payment_method/card', STORED),
    'paymentMethod.read': (api, { method }) => api.get(`/payment_method/${method}`),
    'paymentMethod.search': (api) => api.get('/payment_method'),
    'paymentMethod.update': (api, { method }) =>
      api.put(`/payment_method/${method}`, { Card: { ExpiryDate: '11/31' } }),
    'paymentMethod.remove': (api, { method }) => api.del(`/payment_method/${method}`),
    'vault.create': (api) => api.post('/vault', { CardNumber: CARD.CardNumber }),
    'vault.read': (api, { vault }) => api.get(`/vault/${vault}`),
    'vault.delete': (api, { vault }) => api.del(`/vault/${vault}`),
    'batch.create': (api, { method }) =>
      api.post('/batch/transaction/payment_method', batchOf([`${method},1.00,AUD,r`])),
    'batch.read': (api, { batch }) => api.get(`/batch/${batch}`),
    'batch.search': (api) => api.get('/batch'),
    'provider.create': (api) => api.post('/provider', PROVIDER_MADE),
    'provider.read': (api, { provider }) => api.get(`/provider/${provider}`),
    'provider.update': (api, { provider }) => api.put(`/provider/${provider}`, { Name: 'other' }),
    'provider.remove': (api, { provider }) => api.del(`/provider/${provider}`),
    'info.read': (api) => api.get('/info'),
    'webhookSubscription.create': (api) => api.post('/webhook/subscription', SUBSCRIPTION),
    'webhookSubscription.read': (api, { subscription }) => api.get(`/webhook/subscription/${subscription}`),
    'webhookSubscription.search': (api) => api.get('/webhook/subscription'),
    'webhookSubscription.remove': (api, { subscription }) => api.del(`/webhook/subscription/${subscription}`),
    'subscription.create': (api, { method }) => api.post('/subscription/payment_method', termsOf(method)),
    'subscription.read': (api, { plan }) => api.get(`/subscription/${plan}`),
    'subscription.search': (api) => api.get('/subscription'),
    'subscription.update': (api, { plan }) => api.put(`/subscription/${plan}`, TERMS),
    'subscription.setStatus': (api, { plan }) =>
      api.put(`/subscription/${plan}/status`, { Status: 'Suspended' }),
    'subscription.cancel': (api, { plan }) => api.del(`/subscription/${plan}`),
    'paymentLink.create': (api) => api.post('/payment_link', { Title: 'Gift' }),
    'paymentLink.read': (api, { link }) => api.get(`/payment_link/${link}`),
    'paymentLink.search': (api) => api.get('/payment_link'),
    'transfer.create': (api, made) => api.post('/transfer', transferOf(made)),
    'transfer.read': (api, { transfer }) => api.get(`/transfer/${transfer}`),
    'transfer.search': (api) => api.get('/transfer'),
    'settlement.search': (api) => api.get('/settlements?startDate=2026-01-01'),
    'version.read': (api) => api.get('/version'),
    'authentication.create': (api) => api.post('/3ds/preauth', { AcctNumber: CARD.CardNumber }),
    'authentication.perform': (api, { transaction }) =>
      api.post('/3ds/auth', { threeDSServerTransID: transaction }),
    'authentication.read': (api, { transaction }) =>
      api.post('/3ds/postauth', { threeDSServerTransID: transaction }),
    'token.create': (api) => api.post('/_sandbox/tokens', STORED),
    'token.read': (api, { token }) => api.get(`/token/${token}`),
    'token.search': (api) => api.get('/token'),
  };

const TERMS = { Amount: 5, Currency: 'AUD', Interval: 'Month' };

/** A subscription that charges an hour from the beginning. */
function termsOf(PaymentMethodId: string): object {
  return { PaymentMethodId, ...TERMS, StartDate: '2026-01-01T01:00:00Z' };
}

function transferOf({ paid, transfer = 'the first' }: Partial<Made>): object {
  const Transfers = [{ Account: 'a', Amount: 1, Currency: 'AUD' }];
  return { GroupReference: `after ${transfer}`, ProviderId: PROVIDER, ChargeId: paid, Transfers };
}

/** The records that calls name: which operation makes each, and where its answer says the identifier. */
const MADE = {
  method: ['paymentMethod.create', 'PaymentMethodId'],
  paid: ['charge.create', 'ChargeId'],
  customer: ['customer.create', 'CustomerId'],
  vault: ['vault.create', 'VaultId'],
  batch: ['batch.create', 'BatchId'],
  provider: ['provider.create', 'ProviderId'],
  /** A subscription of a payment method. */
  plan: ['subscription.create', 'SubscriptionId'],
  link: ['paymentLink.create', 'PaymentLinkId'],
  transfer: ['transfer.create', '0', 'TransferId'],
  token: ['token.create', 'TokenId'],
  transaction: ['authentication.create', 'threeDSServerTransID'],
  subscription: ['webhookSubscription.create', 'WebhookSubscriptionId'],
} as const;
type Made = Readonly<Record<keyof typeof MADE | 'authorised', string>>;

/** A world with a record of each kind, which then plays one rule for every call. */
async function setup(then: object): Promise<{ api: Client; made: Made }> {
  const api = client(testSandbox());
  const held = await api.charge({ ...STORED, Amount: 5, Capture: false });
  let made = { authorised: textIn(held, 'ChargeId') } as Made;
  for (const [name, [operation, ...path]] of Object.entries(MADE))
    made = { ...made, [name]: textIn(await CALLS[operation](api, made), ...path) };
  await good(api.play({ name: 'all', rules: [{ then }] }));
  return { api, made };
}

const refuses = (operation: string, then: object): boolean =>
  'issues' in parseScenario({ name: 'one', rules: [{ when: { operation }, then }] });

describe('a rule can only do what is possible for its operation', () => {
  const operations = OPERATIONS.filter((one): one is Exclude<Operation, Requestless> => one in CALLS);

  test.each(operations)('an outcome on %s', async (operation) => {
    const then = { outcome: 'do_not_honor' };
    const { api, made } = await setup(then);
    const { status, headers } = await CALLS[operation](api, made);
    const { body } = await api.get('/_sandbox/scenario');
    const acted = status === 400 && headers.get('x-sandbox-trigger') === 'rule:rule 1';
    expect(acted).toBe(!refuses(operation, then));
    expect(status < 400).toBe(!acted);
    expect(body['Rules']).toEqual([{ Rule: 'rule 1', Matched: acted ? 1 : 0 }]);
  });

  test.each(operations)('a fault on %s', async (operation) => {
    const then = { respond: { status: 418 } };
    const { api, made } = await setup(then);
    expect((await CALLS[operation](api, made)).status).toBe(418);
    expect(refuses(operation, then)).toBe(false);
  });

  test.each([
    [{ outcome: 'do_not_honor' }, 1, 'FAILED'],
    [{ respond: { status: 418 } }, 0, 'SUCCESS'],
    [{ delay: '1s' }, 0, 'SUCCESS'],
  ])('%j on the row of a batch', async (then, matched, status) => {
    const { api, made } = await setup(then);
    await api.advance('1m');
    const played = await api.get('/_sandbox/scenario');
    expect(played.body['Rules']).toEqual([{ Rule: 'rule 1', Matched: matched }]);
    await api.del('/_sandbox/scenario');
    expect((await api.read(`/batch/${made.batch}`))['Results']).toContain(status);
    expect(refuses('batch.row', then)).toBe(matched === 0);
  });

  test.each([
    [{ outcome: 'do_not_honor' }, 1, 'FAILED'],
    [{ respond: { status: 418 } }, 0, 'SUCCESS'],
    [{ delay: '1s' }, 0, 'SUCCESS'],
  ])('%j on the settlement of a charge', async (then, matched, Status) => {
    const api = client(testSandbox());
    const charge = await api.post('/charge/bank_account', bankCharge());
    const when = { operation: ['charge.settle', 'charge.void'] };
    await api.play({ name: 'one', rules: [{ when, then }] });
    await api.advance('7d');
    const played = await api.get('/_sandbox/scenario');
    expect(played.body['Rules']).toEqual([{ Rule: 'rule 1', Matched: matched }]);
    expect(await api.read(`/charge/${String(charge.body['ChargeId'])}`)).toMatchObject({ Status });
    expect(refuses('charge.settle', then)).toBe(matched === 0);
  });

  test.each([
    [{ outcome: 'do_not_honor' }, 1, 'FAILED'],
    [{ respond: { status: 418 } }, 0, 'SUCCESS'],
    [{ delay: '1s' }, 0, 'SUCCESS'],
    [{ fault: { quota: 0, window: '1d' } }, 0, 'SUCCESS'],
  ])('%j for charge.create on the charge of a subscription', async (then, matched, Status) => {
    expect(refuses('subscription.charge', then)).toBe(matched === 0);
    const rules = [{ when: { operation: 'charge.create' }, then }];
    const { api } = await setup({ nothing: true });
    await api.play({ name: 'charges', rules });
    await api.advance('1h');
    const played = await api.get('/_sandbox/scenario');
    expect(played.body['Rules']).toEqual([{ Rule: 'rule 1', Matched: matched }]);
    await api.del('/_sandbox/scenario');
    const { Charges } = (await api.read('/charge?Limit=1')) as { Charges: object[] };
    expect(Charges).toMatchObject([{ Status, Initiator: 'MERCHANT' }]);
  });

  test('a definition that can do nothing is refused with its place, and the one before plays on', async () => {
    const { api } = await setup({ nothing: true });
    const rules = [{ when: { operation: 'customer.search' }, then: { outcome: 'approve' } }];
    const answer = await api.play({ name: 'idle', rules });
    expect([answer.status, answer.body['Code']]).toEqual([400, 90]);
    expect(answer.body['Details']).toEqual({
      'Definition.rules.0.then.outcome': expect.stringContaining('customer.search does not ask a provider'),
    });
    expect((await api.read('/_sandbox/scenario'))['Scenario']).toBe('all');
  });
});
