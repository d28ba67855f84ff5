import { describe, expect } from 'vitest';

import { client, good, testSandbox } from '../../support/sandbox.js';
import {
  agreement,
  account,
  cardOf,
  expectRefused,
  OTHER,
  STEADY,
  storing,
  textIn,
} from '../../support/stored.js';
import { testsOf } from '../../support/tests.js';
import { BUILT_IN_PROVIDERS } from '../../../src/outcomes/built-in.js';
import { chargeAt, configured, dummy, uuidOf } from './support.js';

const test = testsOf(() => {
  const sandbox = testSandbox({ knownProvidersOnly: true });
  return { sandbox, api: client(sandbox) };
});

const AT_OTHER = { ProviderId: OTHER };

describe('if only known providers are accepted', () => {
  test.for<[path: string, body: object, headers?: Record<string, string>]>([
    ['/charge/card', { Amount: 10, ...storing(AT_OTHER) }],
    ['/charge/bank_account', { Amount: 10, BankPaymentInformation: account(), ...AT_OTHER }],
    ['/customer/card', storing(AT_OTHER)],
    ['/customer/payto', { PayToAgreement: agreement(AT_OTHER) }],
    ['/payment_method/card', storing(AT_OTHER)],
    ['/payment_method/payto', agreement(AT_OTHER)],
    ['/token/card', { PaymentInformation: cardOf() }, AT_OTHER],
  ])('POST %s refuses any other ProviderId with code 39', async ([path, body, headers], { api }) => {
    const message = expectRefused(await api.post(path, body, headers), 400, 39, 'ProviderId');
    expect(message).toContain(`${OTHER} is neither built in nor configured`);
    expect(Object.values((await api.counts()) as object).every((count) => count === 0)).toBe(true);
  });

  test.for(BUILT_IN_PROVIDERS.map(({ providerId }) => providerId))(
    '%s is known in each spelling',
    async (id, { api }) => {
      for (const ProviderId of [id, uuidOf(id)]) {
        expect((await chargeAt(api, ProviderId)).body['Code']).not.toBe(39);
      }
    },
  );

  test('a configured provider is known until it is removed', async ({ api }) => {
    const id = await configured(api);
    await good(chargeAt(api, id));
    await good(chargeAt(api, uuidOf(id)));
    await api.del(`/provider/${id}`);
    expectRefused(await chargeAt(api, id), 400, 39, 'ProviderId');
  });

  test('a provider of the scenario is known', async ({ api }) => {
    await good(api.play({ name: 'shop', providers: [{ name: 'primary', providerId: OTHER }] }));
    await good(chargeAt(api, OTHER));
  });

  test('GET /info/providers/{id} refuses any other with code 39', async ({ api }) => {
    expectRefused(await api.get(`/info/providers/${OTHER}?Amount=10&Currency=AUD`), 400, 39);
  });

  test('a fallback that is unknown has code 117', async ({ api }) => {
    const refused = await api.post('/provider', dummy({ FallbackProviderId: OTHER }));
    expectRefused(refused, 400, 117, 'FallbackProviderId');
    await good(api.post('/provider', dummy({ FallbackProviderId: STEADY })));
  });
});

describe('a scenario', () => {
  const CHOICES = [
    [false, true],
    [true, false],
  ] as const;
  test.for(CHOICES)('that says otherwise than the sandbox (%s) wins with %s', async ([given, wanted]) => {
    const api = client(testSandbox({ knownProvidersOnly: given }));
    await good(api.play({ name: 'strict', knownProvidersOnly: wanted }));
    const answer = await chargeAt(api, OTHER);
    expect(answer.body['Code'] === 39).toBe(wanted);
  });

  test('does not refuse what was charged before it', async () => {
    const api = client(testSandbox());
    const id = textIn(await chargeAt(api, OTHER), 'ChargeId');
    await good(api.play({ name: 'strict', knownProvidersOnly: true }));
    await good(api.del(`/refund/${id}`));
  });
});
