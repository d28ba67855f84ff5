import { describe, expect } from 'vitest';

import { PLACE_TEXTS } from '../../../build/places.js';
import { currencyExponent } from '../../../src/core/money.js';
import { token } from '../charges/support.js';
import { configured, good } from './support.js';
import { DOWN, OTHER, STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { expectRefused } from '../../support/stored.js';
import { sdkSetup } from '../../support/sdk.js';
import { words } from '../../support/tables.js';
import { setup, test } from '../../support/tests.js';

describe('GET /info', () => {
  test('lists countries, currencies and time zones', async () => {
    const { body } = await good(setup().api.get('/info'));
    expect(body['Countries']).toContainEqual({
      FriendlyName: 'Australia',
      Name: 'Australia',
      TwoLetterCode: 'AU',
      ThreeLetterCode: 'AUS',
      NumericCode: '036',
    });
    expect(body['Currencies']).toContainEqual({
      Id: 'AUD',
      CurrencyCode: 'AUD',
      CurrencyNumber: '036',
      Name: 'Australian Dollar',
      UseConversion: false,
    });
    expect(body['Timezones']).toEqual(expect.arrayContaining(['Australia/Sydney', 'UTC']));
  });

  test('lists the currencies that one can charge in, and no others', async () => {
    const { body } = await good(setup().api.get('/info'));
    const codes = (body['Currencies'] as { CurrencyCode: string }[]).map((one) => one.CurrencyCode);
    expect(codes.every((code) => currencyExponent(code) !== undefined)).toBe(true);
    expect(codes).not.toContain('XAU');
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('the places', () => {
  test('are the 249 countries of ISO 3166-1, each with codes of its own', () => {
    const all = PLACE_TEXTS.countries;
    expect(all.length).toBe(249);
    for (const country of all) {
      expect(country.twoLetterCode).toMatch(/^[A-Z]{2}$/);
      expect(country.threeLetterCode).toMatch(/^[A-Z]{3}$/);
      expect(country.numericCode).toMatch(/^\d{3}$/);
      expect(country.name).toMatch(/^\p{Lu}[^\n;\d]+$/u);
    }
    for (const member of ['twoLetterCode', 'threeLetterCode', 'numericCode', 'name'] as const) {
      expect(new Set(all.map((country) => country[member])).size).toBe(249);
    }
    const first = all.map((country) => country.twoLetterCode);
    expect(first).toEqual(first.toSorted());
  });

  test('are time zones that this runtime knows', () => {
    const zones = PLACE_TEXTS.timezones;
    expect(new Set(zones).size).toBe(zones.length);
    expect(zones.length).toBeGreaterThan(400);
    const known = (zone: string): boolean => {
      try {
        return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
      } catch {
        return false;
      }
    };
    // A runtime may be a little older than the list.
    expect(zones.filter((zone) => !known(zone)).length).toBeLessThan(4);
  });
});

const NONE = {
  PaypalProviders: [],
  HasCardProviders: true,
  HasPaypalProviders: false,
  Required3dsProvider: null,
  HasPayToProviders: false,
  PayToProviders: [],
  PayToProvidersWithOptions: [],
  HasBnplProviders: false,
  BnplProviders: [],
  HasVisaInstallmentsProviders: false,
  VisaInstallmentsProviders: [],
  HasFraudProviders: false,
  FraudProviders: [],
  HasThreeDsProviders: false,
  ThreeDsProviders: [],
  AllThreeDsProviders: [],
  HasGooglePayProviders: false,
  GooglePayProviders: [],
  HasApplePayProviders: false,
  ApplePayProviders: [],
  ClickToPayEnabled: false,
  ClickToPayOptions: null,
  HasNetworkTokenProviders: false,
  NetworkTokenProviders: [],
};

describe('GET /info/providers', () => {
  test('lists card providers in every world, since some are built in', async () => {
    expect((await good(setup().api.get('/info/providers'))).body).toEqual(NONE);
  });

  test('lists configured providers by the way to pay of their types', async ({ api }) => {
    const paypal = await configured(api, { Type: 'paypal' });
    const payTo = await configured(api, { Type: 'azupay', Name: 'PayTo' });
    const later = await configured(api, { Type: 'Optty' });
    await configured(api, { Type: 'nab_transact', ThreeDsProviderId: later });
    await configured(api, { ThreeDsProviderId: later });
    const gone = await configured(api, { Type: 'upi' });
    await good(api.del(`/provider/${gone}`));
    const threeDs = [{ ProviderId: later, ProviderName: 'primary', ProviderType: 'Optty' }];
    expect((await good(api.get('/info/providers'))).body).toEqual({
      ...NONE,
      HasPaypalProviders: true,
      PaypalProviders: [paypal],
      HasPayToProviders: true,
      PayToProviders: [payTo],
      PayToProvidersWithOptions: [{ ProviderId: payTo, MinimumAmount: 0, Description: 'PayTo' }],
      HasBnplProviders: true,
      BnplProviders: [{ ProviderId: later, ProviderType: 'Optty', Options: {} }],
      HasThreeDsProviders: true,
      ThreeDsProviders: threeDs,
      AllThreeDsProviders: threeDs,
    });
  });

  test('lists wallets with what a page needs for their buttons: the provider’s own parameters, or a default', async ({
    api,
  }) => {
    const google = await configured(api, { Type: 'googlepay' });
    const other = await configured(api, {
      Type: 'Google_Pay',
      AuthenticationParameters: { GatewayMerchantId: 'm-1' },
      AdditionalParameters: { gateway: 'acme' },
    });
    const apple = await configured(api, {
      Type: 'applepay',
      AdditionalParameters: { domainName: 'shop.example' },
    });
    const click = await configured(api, { Type: 'clicktopay', AuthenticationParameters: { DpaId: 'dpa-1' } });
    const example = { Gateway: 'example', GatewayMerchantId: 'exampleGatewayMerchantId' };
    const acme = { Gateway: 'acme', GatewayMerchantId: 'm-1' };
    expect((await good(api.get('/info/providers'))).body).toEqual({
      ...NONE,
      HasGooglePayProviders: true,
      GooglePayProviders: [
        { ProviderId: google, ...example },
        { ProviderId: other, ...acme },
      ],
      HasApplePayProviders: true,
      ApplePayProviders: [
        {
          ProviderId: apple,
          ProviderType: 'applepay',
          ClientParameters: {},
          LineItemLabel: 'primary',
          MerchantIdentifier: 'merchant.com.example',
          DomainName: 'shop.example',
          DisplayName: 'primary',
        },
      ],
      ClickToPayEnabled: true,
      ClickToPayOptions: { DpaId: 'dpa-1', DpaName: 'primary' },
    });
    expect((await api.read(`/info/providers/${other}`))['GooglePay']).toEqual(acme);
    expect((await api.read(`/info/providers/${click}`))['GooglePay']).toBeNull();
    await good(api.del(`/provider/${google}`));
    await good(api.del(`/provider/${other}`));
    expect(await api.read('/info/providers')).toMatchObject({
      HasGooglePayProviders: false,
      GooglePayProviders: [],
    });
  });

  test('lists the wallets of a scenario', async ({ api }) => {
    const providers = ['googlepay', 'applepay', 'clicktopay'].map((type, n) => ({
      name: type,
      type,
      providerId: String(n + 1).repeat(32),
    }));
    await good(api.play({ name: 'wallets', providers }));
    expect(await api.read('/info/providers')).toMatchObject({
      GooglePayProviders: [{ ProviderId: '1'.repeat(32) }],
      ApplePayProviders: [{ ProviderId: '2'.repeat(32), DisplayName: 'applepay' }],
      ClickToPayOptions: { DpaId: '3'.repeat(32), DpaName: 'clicktopay' },
    });
  });

  test.for(words`payid optty shift pesapal pay_by_account upi payglocal`)(
    'lists the check-outs of %s',
    async (Type, { api }) => {
      const ProviderId = await configured(api, { Type });
      const { BnplProviders } = await api.read('/info/providers');
      expect(BnplProviders).toEqual([{ ProviderId, ProviderType: Type, Options: {} }]);
    },
  );

  test('takes the query of client libraries, in any case', async ({ api }) => {
    const id = await configured(api, { ThreeDsProviderId: OTHER });
    const { body } = await good(api.get(`/info/providers?amount=5&Currency=AUD&cardProviderId=${id}`));
    expect(body).toMatchObject({ Required3dsProvider: OTHER });
    const plain = await good(api.get(`/info/providers?CardProviderId=${STEADY}`));
    expect(plain.body).toMatchObject({ Required3dsProvider: null });
  });

  test.for(words`Amount=0 Amount=0.0000 Amount= Currency= Amount=0.0000&Currency= amount=&currency=aud`)(
    'takes the empty cart of a plug-in: %s',
    async (asked) => {
      const path = `/info/providers?${asked}`;
      expect((await good(setup().api.get(path))).body).toEqual(NONE);
      expect((await good(sdkSetup().api.get(path))).body).toMatchObject({ hasCardProviders: true });
    },
  );

  test.for([
    ['amount=x', 2],
    ['amount=-0', 74],
    ['amount=-1', 74],
    ['amount=0.', 2],
    ['amount=%20', 2],
    ['currency=x', 29],
    ['currency=%20', 29],
    ['cardProviderId=x', 39],
    ['cardProviderId=', 39],
  ])('refuses the query %s', async ([asked, code]) => {
    expectRefused(await setup().api.get(`/info/providers?${asked}`), 400, code);
  });
});

describe('GET /info/providers/{id} and /info/providers/token/{token}', () => {
  const PLAIN = {
    ThreeDsProviderId: null,
    ThreeDsProviderType: null,
    RequiredFields: {},
    ClientParameters: {},
    GooglePay: null,
  };

  test('return which provider authenticates the customers of a provider', async ({ api }) => {
    const threeDs = await configured(api, { Type: 'upi' });
    const id = await configured(api, { ThreeDsProviderId: threeDs });
    const expected = { ...PLAIN, ThreeDsProviderId: threeDs, ThreeDsProviderType: 'upi' };
    expect((await good(api.get(`/info/providers/${id}?amount=5&currency=AUD`))).body).toEqual(expected);
    const Token = await token(api, { ProviderId: id });
    expect((await good(api.get(`/info/providers/token/${Token}`))).body).toEqual(expected);
    await good(api.post('/charge/token', { Amount: 5, Token }));
    expect((await good(api.get(`/info/providers/token/${Token}`))).body).toEqual(expected);
  });

  test.for([STEADY, OTHER])('know nothing more of %s', async (id) => {
    expect((await good(setup().api.get(`/info/providers/${id}`))).body).toEqual(PLAIN);
  });

  test('know the provider of a magic token', async () => {
    expect((await good(setup().api.get('/info/providers/token/tok_approve'))).body).toEqual(PLAIN);
  });

  test.for(['x', '0000000000000000000000000000dead'])('refuse the provider %s', async (id) => {
    expectRefused(await setup().api.get(`/info/providers/${id}`), 400, 39);
  });

  test('refuse a provider that was removed', async ({ api }) => {
    const id = await configured(api);
    await good(api.del(`/provider/${id}`));
    expectRefused(await api.get(`/info/providers/${id}`), 400, 39);
  });

  test.for([UNKNOWN_ID, 'tok_used', 'x'])('refuse the token %s', async (text) => {
    expectRefused(await setup().api.get(`/info/providers/token/${text}`), 404, 87);
  });
});

describe('GET /info/default_fallback_provider', () => {
  test('is the first built-in provider, until a configured one names another', async ({ api }) => {
    const fallback = async (): Promise<unknown> =>
      (await good(api.get('/info/default_fallback_provider'))).body['ProviderId'];
    expect(await fallback()).toBe(STEADY);
    const backup = await configured(api, { Name: 'backup' });
    expect(await fallback()).toBe(STEADY);
    await configured(api, { FallbackProviderId: backup });
    await configured(api, { FallbackProviderId: DOWN });
    expect(await fallback()).toBe(backup);
    await good(api.del(`/provider/${backup}`));
    expect(await fallback()).toBe(DOWN);
  });

  test('answers with the whole provider', async () => {
    const { body } = await good(setup().api.get('/info/default_fallback_provider'));
    expect(body).toMatchObject({ Type: 'dummy', Name: 'steady', Environment: 'SANDBOX', Currency: 'AUD' });
  });
});
