import { readdirSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { readSavedScenario } from '../../../src/scenarios/file/schema.js';
import { toDefinition } from '../../../src/scenarios/file/definition.js';
import type { Scenario } from '../../../src/scenarios/script/model.js';
import { client, good, testSandbox } from '../../support/sandbox.js';
import { readStory } from '../player.js';

function scenarioOf(definition: object): Scenario {
  const parsed = readSavedScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  throw new Error(JSON.stringify(parsed.issues));
}

/** As it comes out of a bundle or an answer. */
function rewritten(scenario: Scenario): Scenario {
  return scenarioOf(JSON.parse(JSON.stringify(toDefinition(scenario))) as object);
}

const LIBRARY = readdirSync(new URL('../../../scenarios/', import.meta.url))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length));

const WHOLE = {
  name: 'all',
  description: 'Everything that a file may say.',
  seed: 7,
  clock: 'x0.5',
  startTime: '2030-01-02T03:04:05.678Z',
  dialect: 'documented',
  providers: [
    {
      name: 'primary',
      providerId: '1'.repeat(32),
      type: 'upi',
      currency: 'NZD',
      country: 'NZL',
      latency: { median: '800ms', sigma: 0.4 },
      outcomes: { approve: 9.5, lost_card: 1 },
      fails: { every: 3, outcome: 'gateway_timeout' },
      features: { authorise: false },
      costs: [{ scheme: 'VISA', fixed: 0.3 }, { percentage: 1.5 }],
      fallback: 'backup',
      threeDs: 'steady',
    },
    { name: 'backup', providerId: '2'.repeat(32), latency: '250ms', fails: { every: 2 } },
  ],
  seedData: {
    fake: '200 customers',
    customers: [
      {
        customerId: 'c'.repeat(32),
        reference: 'ada',
        firstName: 'Ada',
        lastName: 'Byron',
        email: 'ada@example.com',
        phone: '1',
        address: { line1: '1', line2: '2', city: '3', country: '4', postalCode: '5', state: '6' },
        ip: '::1',
        metadata: { plan: 'gold' },
        defaultPaymentMethodId: 'a'.repeat(32),
      },
      { address: { city: 'Sydney' } },
    ],
    paymentMethods: [
      {
        paymentMethodId: 'a'.repeat(32),
        customerId: 'c'.repeat(32),
        provider: 'primary',
        vaultId: 'e'.repeat(32),
        expiryDate: '10/30',
        cardholder: 'Ada Byron',
        metadata: { a: 'b' },
      },
      { cardNumber: '4242424242424242', expiryDate: '10/30' },
    ],
    vault: [
      { vaultId: 'e'.repeat(32), cardNumber: '378282246310005', expires: '+90m' },
      { cardNumber: '4242424242424242', expires: '2030-01-01T00:00:00Z' },
    ],
    tokens: [
      {
        tokenId: 'f'.repeat(32),
        provider: 'slow',
        cardNumber: '4242424242424242',
        expiryDate: '10/30',
        cardholder: 'Jo',
        expires: '+1d',
      },
    ],
    charges: [
      { chargeId: 'd'.repeat(32), paymentMethodId: 'a'.repeat(32), amount: 15.5, reference: 'x' },
      {
        cardNumber: '4242424242424242',
        expiryDate: '10/30',
        cardholder: 'Jo',
        provider: 'backup',
        amount: '9.99',
        currency: 'NZD',
        status: 'PARTIAL_REFUND',
        refunded: 1,
        metadata: { a: 'b' },
      },
      { cardNumber: '4242424242424242', expiryDate: '10/30', amount: 1, status: 'REFUND' },
      { cardNumber: '4242424242424242', expiryDate: '10/30', amount: 1, status: 'FAILED' },
    ],
  },
  rules: [
    { when: { provider: ['primary', 'slow'] }, then: { fault: 'hang' } },
    {
      when: {
        operation: ['charge.create', 'charge.capture'],
        provider: 'steady',
        card: ['4000*9995', '4242 4242 4242 4242'],
        amount: { gt: 1, lte: '99.95' },
        currency: 'AUD',
        reference: ['a*', 'b'],
        customer: '?',
        header: { 'user-agent': 'shop/*', 'x-a': ['b', 'c'] },
        state: { mode: 'x', n: 1, on: true, gone: null },
        nth: [1, 3],
        every: 2,
        after: 5,
      },
      then: { outcome: 'do_not_honor', delay: '1500ms', phase: 'after', state: { mode: null } },
      times: 3,
    },
    { name: 'amounts', when: { amount: [1, '2.5'] }, then: { fault: 'reset' } },
    { then: { fault: { quota: 5, window: '90s' } } },
    { then: { respond: { status: 429, body: { a: 1 }, retryAfter: 3 } } },
    { then: { fault: 'status=500' } },
    { then: { nothing: true } },
    { then: { fault: 'truncate' } },
    { then: { fault: 'dribble', phase: 'before' } },
    { then: { advance: '20m' } },
    { then: { outcome: 'do_not_honor', advance: '1h' } },
    {
      when: { card: ['222100-272099', '4000 0000 0000 0000 - 4000 0000 0000 0999'] },
      then: { fault: 'empty' },
    },
    { then: { delay: { min: '1ms', max: '2s' } } },
    { then: { delay: { median: '800ms', sigma: 0.4 } } },
    { then: { state: { a: 'b' } } },
  ],
  timeline: [
    { at: '+1h', do: { providerDown: 'primary' } },
    { at: '+90s', do: { providerUp: 'steady' } },
    { at: '+0s', do: { setState: { a: 1 } } },
  ],
  ccvTtl: '10m',
  knownProvidersOnly: false,
  routing: { mode: 'success', weight: 0.7 },
  batches: { pace: 'immediate', failAt: 0.5 },
  webhooks: {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    policies: [
      {
        name: 'twice',
        when: {
          event: ['batch.*'],
          url: 'http://x/*',
          status: 'SUCCESS',
          reference: 'a*',
          state: { a: 1 },
          nth: 2,
        },
        then: { duplicate: 2 },
        times: 1,
      },
      { then: { delay: '5m', badSignature: true, staleTimestamp: '1h' } },
      { when: { every: 2, after: 1 }, then: { swap: true } },
      { then: { drop: true } },
      { then: { badSignature: 'once' } },
    ],
  },
};

describe('a scenario that is written down', () => {
  test.each(LIBRARY)('%s reads as it was', async (name) => {
    const scenario = await readStory(name);
    expect(rewritten(scenario)).toEqual(scenario);
  });

  test.each([
    ['with all members', WHOLE],
    ['with a pace and a manual clock', { name: 'x', clock: 'manual', batches: { pace: '2s', stuckAt: 1 } }],
    ['with a real clock', { name: 'x', clock: 'real', batches: {} }],
    ['with a name alone', { name: 'x' }],
    [
      'with a secret for webhooks alone',
      { name: 'x', webhooks: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
    ],
    ['with people alone', { name: 'x', seedData: { fake: { customers: 3, paymentMethods: false } } }],
    ['with no seed data in it', { name: 'x', seedData: {} }],
  ])('%s it reads as it was', (_, definition) => {
    const scenario = scenarioOf(definition);
    expect(rewritten(scenario)).toEqual(scenario);
  });

  test('keeps its keys to itself, and full card numbers as the pattern of their mask', () => {
    const card = [
      '4539578763621486',
      '4539 5787 6362 1486',
      '4539*',
      '4242424242424242',
      '4539578763621486-4539990000000000',
      '4539570000000001-4539579999999999',
    ];
    const definition = {
      name: 'x',
      keys: 'sk_test_a',
      rules: [{ when: { card }, then: { fault: 'reset' } }],
    };
    const again = rewritten(scenarioOf(definition));
    expect(again.keys).toEqual([]);
    expect(again.rules[0]?.when.card).toEqual([
      '4539********1486',
      '4539********1486',
      '4539*',
      '4242424242424242',
      '453957-453999',
      '4539570000000001-4539579999999999',
    ]);
  });
});

describe('the Ccv of a stored card', () => {
  const seedData = {
    vault: [
      { cardNumber: '4242424242424242', ccv: '987' },
      { cardNumber: '378282246310005', ccv: '9876' },
    ],
    tokens: [{ cardNumber: '4242424242424242', expiryDate: '10/30', ccv: '987' }],
  };
  const vault = ['123', '1234'].map((ccv) => ({ ccv }));

  test('goes out as another one that fits the card', async () => {
    const api = client(testSandbox());
    await api.play({ name: 'x', seedData });
    const { body } = await api.get('/_sandbox/scenario');
    expect(body['Definition']).toMatchObject({ seedData: { vault, tokens: [{ ccv: '123' }] } });
    expect(JSON.stringify(body)).not.toContain('987');
  });

  test('is unmasked in a state document, like those of the vault', async () => {
    const scenario = scenarioOf({ name: 'x', seedData });
    const api = client(testSandbox({ scenario }));
    const { body } = await api.get('/_sandbox/state');
    expect(body).toMatchObject({ Script: { Scenario: { seedData } }, VaultEntries: [{ Ccv: '987' }, {}] });
    const other = testSandbox();
    await good(client(other).put('/_sandbox/state', body));
    expect(other.worlds.open('sk_test_a').script.scenario).toEqual(scenario);
  });
});

test('GET /_sandbox/scenario returns the definition that PUT accepts; null if no scenario plays', async () => {
  const api = client(testSandbox());
  expect(await api.read('/_sandbox/scenario')).toMatchObject({ Scenario: null, Definition: null });
  const rule = { name: 'no money', when: { operation: ['charge.create'] }, then: { outcome: 'lost_card' } };
  await api.play({ name: 'mine', rules: [rule] });
  const { Definition } = await api.read('/_sandbox/scenario');
  expect(Definition).toEqual({ name: 'mine', rules: [rule], timeline: [] });
  expect((await api.play(Definition)).body).toMatchObject({ Scenario: 'mine' });
});
