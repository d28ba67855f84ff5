import { describe, expect } from 'vitest';

import { client, warningOf } from '../../support/sandbox.js';
import { DOWN, OTHER, STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { expectRefused } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';
import { without } from '../charges/support.js';
import { configured, dummy, good, uuidOf } from './support.js';

/** The answer for `dummy()`, but for its identifier. */
const SHOWN = {
  Type: 'dummy',
  Name: 'primary',
  Environment: 'SANDBOX',
  AuthenticationParameters: {},
  AdditionalParameters: {},
  ProviderCountry: null,
  CostData: [],
  HideConfiguration: [],
  RequireConfiguration: [],
  FallbackProviderId: null,
  FallbackProvider: null,
  Currency: 'NZD',
  MaxCapability: null,
  HasPartialRefund: true,
  ThreeDsProviderId: null,
  HasThreeDsCapability: false,
};

describe('POST /provider', () => {
  test('configures a provider under an identifier of ours, and answers with all fields', async ({ api }) => {
    const { body } = await good(api.post('/provider', dummy()));
    expect(body).toEqual({ ProviderId: expect.stringMatching(/^[0-9a-f]{32}$/), ...SHOWN });
    expect(await api.counts()).toMatchObject({ Providers: 1 });
  });

  test('keeps all that it is given', async ({ api }) => {
    const given = {
      Type: 'nab_transact',
      Environment: 'PRODUCTION',
      AuthenticationParameters: { MerchantId: '7', Password: 'secret' },
      AdditionalParameters: { colour: 'red' },
      ProviderCountry: 'AUS',
      ThreeDsProviderId: OTHER,
      FallbackProviderId: DOWN,
      CostData: [{ CardScheme: 'VISA', TransactionCost: '0.30', TransactionPercentage: 1.75 }],
    };
    const { body } = await good(api.post('/provider', dummy(given)));
    expect(body).toMatchObject({
      ...given,
      CostData: [
        { IsInternationalCard: null, CardScheme: 'VISA', TransactionCost: 0.3, TransactionPercentage: 1.75 },
      ],
      FallbackProvider: { Id: DOWN, Name: 'down', Type: 'dummy', ApplyCurrencyConversion: false },
      HasThreeDsCapability: true,
    });
  });

  test('gives the same identifiers for the same seed, and leaves those of charges alone', async () => {
    const [a, b] = [setup(), setup()];
    expect(await configured(a.api)).toBe(await configured(b.api));
    const other = setup();
    const charge = (api: typeof a.api) => api.post('/charge/token', { Amount: 5, Token: 'tok_approve' });
    const [withProvider, alone] = [await charge(a.api), await charge(other.api)];
    expect(withProvider.text).toBe(alone.text);
  });

  test.for(['Type', 'Name', 'Environment', 'Currency'])('asks for %s', async (name, { api }) => {
    expectRefused(await api.post('/provider', without(dummy(), name)), 400, 90, name);
    expect(await api.counts()).toMatchObject({ Providers: 0 });
  });

  test.for<[member: string, value: unknown, code: number]>([
    ['Type', ' ', 90],
    ['Type', 'x'.repeat(101), 90],
    ['Name', 7, 90],
    ['Environment', 'LOCAL', 41],
    ['Environment', 1, 41],
    ['Currency', 'XYZ', 29],
    ['Currency', 36, 29],
    ['ProviderCountry', 'Australia', 7],
    ['ProviderCountry', 36, 7],
    ['ThreeDsProviderId', 'x', 39],
    ['FallbackProviderId', 'x', 117],
    ['FallbackProviderId', '0000000000000000000000000000dead', 117],
    ['AuthenticationParameters', 'secret', 90],
    ['AuthenticationParameters', { a: {} }, 90],
    ['AdditionalParameters', [1], 90],
    ['CostData', {}, 90],
    ['CostData', [{ TransactionCost: -1 }], 90],
    ['CostData', [{ TransactionPercentage: '1%' }], 90],
    ['CostData', Array.from({ length: 51 }, () => ({})), 90],
  ])('refuses the %s %j with code %i', async ([member, value, code], { api }) => {
    const answer = await api.post('/provider', dummy({ [member]: value }));
    expectRefused(answer, 400, code);
    const [detail = ''] = Object.keys(answer.body['Details'] as object);
    expect(detail.split('.')[0]).toBe(member);
    expect(await api.counts()).toMatchObject({ Providers: 0 });
  });

  test.for<[parameters: object, name: string]>([
    [{ MinMilliseconds: 'soon' }, 'MinMilliseconds'],
    [{ MaxMilliseconds: '-1' }, 'MaxMilliseconds'],
    [{ MaxMilliseconds: '60001' }, 'MaxMilliseconds'],
    [{ MinMilliseconds: '1.5' }, 'MinMilliseconds'],
    [{ MinMilliseconds: '200', MaxMilliseconds: '100' }, 'MinMilliseconds'],
  ])('refuses a dummy with the parameters %j', async ([AuthenticationParameters, name], { api }) => {
    const answer = await api.post('/provider', dummy({ AuthenticationParameters }));
    expectRefused(answer, 400, 90, `AuthenticationParameters.${name}`);
    expect(await api.counts()).toMatchObject({ Providers: 0 });
  });

  test('lets other types have parameters of these names', async ({ api }) => {
    const AuthenticationParameters = { MinMilliseconds: 'soon' };
    await good(api.post('/provider', dummy({ Type: 'azupay', AuthenticationParameters })));
  });

  test('is refused when the world is full', async () => {
    const { api } = setup({ recordsMax: 1 });
    await configured(api);
    expectRefused(await api.post('/provider', dummy()), 409, 90);
  });
});

describe('a list in a body', () => {
  test('has its unknown fields named, with their places, and null for absent ones', async ({ api }) => {
    const CostData = [{ TransactionCost: null }, { CardSheme: 'VISA' }];
    const answer = await good(api.post('/provider', dummy({ CostData })));
    const warning = warningOf(answer);
    expect(warning).toContain('"CostData.1.CardSheme" (did you mean CardScheme?)');
    expect((answer.body['CostData'] as unknown[]).length).toBe(2);
  });
});

describe('GET /provider/{id}', () => {
  test('returns the provider for every format of its identifier', async ({ api }) => {
    const id = await configured(api);
    for (const spelling of [id, uuidOf(id)]) {
      const { body } = await good(api.get(`/provider/${spelling}`));
      expect(body).toEqual({ ProviderId: id, ...SHOWN });
    }
  });

  test('answers for a built-in provider as well', async () => {
    const { body } = await good(setup().api.get(`/provider/${STEADY}`));
    expect(body).toEqual({ ProviderId: STEADY, ...SHOWN, Name: 'steady', Currency: 'AUD' });
  });

  test.for([UNKNOWN_ID, OTHER, 'x'])('of %s is a 404', async (id) => {
    expectRefused(await setup().api.get(`/provider/${id}`), 404, 65);
  });
});

describe('PUT /provider/{id}', () => {
  test('changes what is given and leaves the rest', async ({ api }) => {
    const id = await configured(api, { ProviderCountry: 'NZL', AdditionalParameters: { a: '1' } });
    const { body } = await good(api.put(`/provider/${id}`, { Name: 'renamed', Currency: 'JPY' }));
    const expected = {
      ...SHOWN,
      ProviderId: id,
      ProviderCountry: 'NZL',
      AdditionalParameters: { a: '1' },
      Name: 'renamed',
      Currency: 'JPY',
    };
    expect(body).toEqual(expected);
    expect(await api.read(`/provider/${id}`)).toEqual(expected);
  });

  test('takes all fields of a configuration, and maps whole', async ({ api }) => {
    const id = await configured(api, { AuthenticationParameters: { a: '1', b: '2' } });
    const given = {
      ...dummy({ Type: 'upi', Environment: 'PRODUCTION' }),
      AuthenticationParameters: { c: '3' },
      CostData: [],
    };
    expect((await good(api.put(`/provider/${id}`, given))).body).toMatchObject(given);
  });

  test('takes its own answer back', async ({ api }) => {
    const id = await configured(api, { CostData: [{ TransactionCost: 0.3 }], FallbackProviderId: STEADY });
    const { body } = await api.get(`/provider/${id}`);
    const put = await good(api.put(`/provider/${id}`, body));
    expect(put.body).toEqual(body);
  });

  test.for<[more: object, code: number]>([
    [{ Name: '' }, 90],
    [{ Environment: 'x' }, 41],
    [{ Currency: 'x' }, 29],
    [{ AuthenticationParameters: { MinMilliseconds: 'x' } }, 90],
    [{ FallbackProviderId: 'x' }, 117],
  ])('with %j is refused and changes nothing', async ([more, code], { api }) => {
    const id = await configured(api);
    expectRefused(await api.put(`/provider/${id}`, { Name: 'renamed', ...more }), 400, code);
    expect(await api.read(`/provider/${id}`)).toEqual({ ProviderId: id, ...SHOWN });
  });

  test('refuses the provider as its own fallback, and a removed one', async ({ api }) => {
    const [id, gone] = [await configured(api), await configured(api)];
    await good(api.del(`/provider/${gone}`));
    for (const FallbackProviderId of [id, uuidOf(id), gone]) {
      const answer = await api.put(`/provider/${id}`, { FallbackProviderId });
      expectRefused(answer, 400, 117, 'FallbackProviderId');
    }
  });

  test('of a built-in or an unknown provider is a 404', async ({ api }) => {
    for (const id of [STEADY, OTHER, 'x']) {
      expectRefused(await api.put(`/provider/${id}`, { Name: 'renamed' }), 404, 65);
    }
    expect((await api.put(`/provider/${STEADY}`, {})).body['Message']).toContain('steady is built in');
  });
});

describe('DELETE /provider/{id}', () => {
  test('answers with the provider, which is gone then', async ({ api }) => {
    const id = await configured(api);
    expect((await good(api.del(`/provider/${id}`))).body).toEqual({ ProviderId: id, ...SHOWN });
    for (const answer of [
      await api.get(`/provider/${id}`),
      await api.del(`/provider/${id}`),
      await api.put(`/provider/${id}`, { Name: 'renamed' }),
    ]) {
      expectRefused(answer, 404, 65);
      expect(answer.body['Message']).toContain('was removed');
    }
  });

  test('of a built-in or an unknown provider is a 404', async ({ api }) => {
    for (const id of [STEADY, OTHER]) expectRefused(await api.del(`/provider/${id}`), 404, 65);
  });
});

describe('the calls about providers', () => {
  test('can be made to fail by a scenario, and are in the journal', async ({ api }) => {
    await good(api.queue('provider.create', [{ Fault: 'status', Status: 503, Phase: 'after' }]));
    expect((await api.post('/provider', dummy())).status).toBe(503);
    await configured(api);
    expect(await api.counts()).toMatchObject({ Providers: 2 });
    await good(api.get('/info/providers'));
    const { body } = await good(api.get('/_sandbox/journal'));
    const operations = (body['Entries'] as { Operation: string }[]).map((one) => one.Operation);
    expect(operations).toEqual(['info.read', 'provider.create', 'provider.create']);
  });

  test('leave no secret in the journal', async ({ api }) => {
    const AuthenticationParameters = { Password: 'open sesame', MinMilliseconds: '5', MaxMilliseconds: '9' };
    const id = await configured(api, { AuthenticationParameters });
    await good(api.put(`/provider/${id}`, { AuthenticationParameters }));
    await good(api.get(`/provider/${id}`));
    const journal = await good(api.get('/_sandbox/journal'));
    expect(journal.text).not.toContain('sesame');
    const [, , first] = journal.body['Entries'] as Record<string, object>[];
    const masked = { ...AuthenticationParameters, Password: '***' };
    expect(first?.['RequestBody']).toMatchObject({ AuthenticationParameters: masked });
    expect(first?.['ResponseBody']).toMatchObject({ AuthenticationParameters: masked });
  });
});

describe('configured providers', () => {
  test('are part of snapshots, of their differences and of state documents', async ({ api, sandbox }) => {
    const kept = await configured(api, {
      AuthenticationParameters: { MinMilliseconds: '5' },
      CostData: [{ CardScheme: 'VISA', TransactionCost: 0.3 }],
      FallbackProviderId: STEADY,
    });
    await good(api.put('/_sandbox/snapshots/base'));
    const late = await configured(api);
    await good(api.del(`/provider/${kept}`));
    const diff = await good(api.get('/_sandbox/snapshots/base/diff'));
    expect(diff.body).toMatchObject({
      Counts: { Providers: { Added: 1, Changed: 1, Removed: 0 } },
      Changes: [
        { Kind: 'provider', Id: kept, Change: 'changed' },
        { Kind: 'provider', Id: late, Change: 'added' },
      ],
    });
    await good(api.post('/_sandbox/snapshots/base/restore'));
    expectRefused(await api.get(`/provider/${late}`), 404, 65);
    const before = await good(api.get(`/provider/${kept}`));
    const fork = client(sandbox, 'sk_test_fork');
    await good(fork.put('/_sandbox/state', (await good(api.get('/_sandbox/state'))).text));
    expect((await fork.get(`/provider/${kept}`)).text).toBe(before.text);
  });
});
