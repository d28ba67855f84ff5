import { describe, expect, test } from 'vitest';

import {
  type Answer,
  asking,
  client,
  type Client,
  good,
  testSandbox,
  triggerOf,
} from '../../support/sandbox.js';
import { STEADY, storing } from '../../support/stored.js';

const STORED = storing();
const OTHER = 'c0ffee00c0ffee00c0ffee00c0ffee00';

interface Made {
  readonly customer: string;
  readonly method: string;
  readonly token: string;
  readonly authorised: string;
  readonly paid: string;
}

/** A customer with a card, a token, and charges of that customer. */
async function make(api: Client): Promise<Made> {
  const text = ({ body }: Answer, member: string): string => String(body[member]);
  const person = { ...STORED, FirstName: 'Jo', LastName: 'Smith', Reference: 'jo' };
  const customer = text(await api.post('/customer/card', person), 'CustomerId');
  const method = await api.post(`/customer/${customer}/payment_method/card`, STORED);
  const token = await api.post('/_sandbox/tokens', STORED);
  const chargeOf = (more: object) =>
    api.post('/charge/customer', { CustomerId: customer, ProviderId: STEADY, Amount: 5, ...more });
  return {
    customer,
    method: text(method, 'PaymentMethodId'),
    token: text(token, 'TokenId'),
    authorised: text(await chargeOf({ Capture: false }), 'ChargeId'),
    paid: text(await chargeOf({}), 'ChargeId'),
  };
}

const CALLS = {
  'a card': (api) => api.charge({ ...STORED, Amount: 5 }),
  'a token': (api, { token }) => api.post('/charge/token', { Token: token, Amount: 5 }),
  'a magic token': (api) => api.post('/charge/token', { Token: 'tok_approve', Amount: 5 }),
  'a customer': (api, { customer }) =>
    api.post('/charge/customer', { CustomerId: customer, ProviderId: STEADY, Amount: 5 }),
  'a payment method': (api, { method }) =>
    api.post('/charge/payment_method', { PaymentMethodId: method, Amount: 5, Currency: 'AUD' }),
  'a capture': (api, { authorised }) => api.post(`/charge/${authorised}`, { Amount: 5 }),
  'a void': (api, { authorised }) => api.del(`/charge/${authorised}/void`),
  'a refund': (api, { paid }) => api.del(`/refund/${paid}`),
} satisfies Readonly<Record<string, (api: Client, made: Made) => Promise<Answer>>>;
type Name = keyof typeof CALLS;
const NAMES = Object.keys(CALLS) as Name[];
const OF_CUSTOMER: readonly Name[] = ['a customer', 'a payment method', 'a capture', 'a void', 'a refund'];

async function played(name: Name, when: object): Promise<string | null> {
  const api = client(testSandbox());
  const made = await make(api);
  const rules = [{ name: 'it', when, then: { outcome: 'do_not_honor' } }];
  await good(api.play({ name: 'one', rules }));
  return (await CALLS[name](api, made)).headers.get('x-sandbox-trigger');
}

describe('a rule can match what is known about the records that a call names', () => {
  test.each(NAMES)('the provider of %s', async (name) => {
    expect(await played(name, { provider: 'steady' })).toBe('rule:it');
    expect(await played(name, { provider: 'flaky' })).not.toBe('rule:it');
  });

  test.each(NAMES)('the card of %s', async (name) => {
    expect(await played(name, { card: '41*11' })).toBe('rule:it');
    expect(await played(name, { card: '42*' })).not.toBe('rule:it');
  });

  test.each(NAMES)('the currency of %s, also if it is not given', async (name) => {
    expect(await played(name, { currency: 'AUD' })).toBe('rule:it');
    expect(await played(name, { currency: 'NZD' })).not.toBe('rule:it');
  });

  test.each(NAMES)('the customer of %s, if there is one', async (name) => {
    expect((await played(name, { customer: '*' })) === 'rule:it').toBe(OF_CUSTOMER.includes(name));
  });

  test('the currency that a configured provider has', async () => {
    const api = client(testSandbox());
    const rules = [{ name: 'it', when: { currency: 'NZD' }, then: { outcome: 'do_not_honor' } }];
    const providers = [{ name: 'mine', providerId: OTHER, currency: 'NZD' }];
    await api.play({ name: 'one', rules, providers });
    const { headers } = await api.charge({ ...STORED, ProviderId: OTHER, Amount: 5 });
    expect(headers.get('x-sandbox-trigger')).toBe('rule:it');
  });

  test.each(NAMES)('so a provider that is down answers %s', async (name) => {
    const api = client(testSandbox());
    const made = await make(api);
    const timeline = [{ at: '+1s', do: { providerDown: 'steady' } }];
    await api.play({ name: 'one', timeline });
    await api.advance('1s');
    const { status, body } = await CALLS[name](api, made);
    expect([status, body['Code']]).toEqual([400, 34]);
  });
});

describe('a call that decides itself by a header', () => {
  const SCENARIO = {
    name: 'one',
    rules: [
      {
        name: 'it',
        when: { operation: 'charge.create' },
        then: { outcome: 'lost_card', state: { seen: 'yes' } },
        times: 1,
      },
      { name: 'second', when: { operation: 'charge.create', nth: 2 }, then: { outcome: 'stolen_card' } },
    ],
  };

  test.each([
    [asking('approve'), 201],
    [{ 'x-sandbox-fault': 'status=503' }, 503],
  ])('with %j uses no rule up and sets no state, but is counted', async (headers, status) => {
    const api = client(testSandbox());
    await api.play(SCENARIO);
    const charge = (own?: Record<string, string>) => api.charge({ ...STORED, Amount: 5 }, own);
    expect((await charge(headers)).status).toBe(status);
    expect(await api.read('/_sandbox/scenario')).toMatchObject({ State: {} });
    expect(await api.read('/_sandbox/scenario/unmatched')).toEqual({ Rules: ['it', 'second'] });
    const [next, after] = [await charge(), await charge()];
    expect(triggerOf(next)).toBe('rule:it');
    expect(after.status).toBe(201);
  });
});

describe('GET /_sandbox/scenarios', () => {
  test('is a list of what can be played by name', async () => {
    const library = {
      names: () => Promise.resolve(['one']),
      list: () => Promise.resolve([{ name: 'one', description: 'A day.', file: 'one.yaml' }]),
      find: () => Promise.resolve(undefined),
    };
    const { status, body } = await client(testSandbox({ library })).get('/_sandbox/scenarios');
    expect([status, body]).toEqual([200, [{ Name: 'one', Description: 'A day.', File: 'one.yaml' }]]);
  });
});
