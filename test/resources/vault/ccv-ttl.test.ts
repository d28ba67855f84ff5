import { describe, expect } from 'vitest';

import { type Client, client, good, testSandbox } from '../../support/sandbox.js';
import { cardOf, STEADY, storing, textIn, VISA } from '../../support/stored.js';
import { testsOf } from '../../support/tests.js';

const TTL = 600_000;

const test = testsOf(() => {
  const sandbox = testSandbox({ ccvTtl: TTL });
  return { sandbox, api: client(sandbox) };
});

async function storedCard(api: Client): Promise<string> {
  return textIn(await api.post('/vault', { CardNumber: VISA, Ccv: '123' }), 'VaultId');
}

const ccvOf = async (api: Client, entry: string): Promise<unknown> =>
  (await good(api.get(`/vault/${entry}`))).body['Ccv'];

/** A payment method whose card is in the vault, too. */
async function vaultedMethod(api: Client): Promise<{ method: string; entry: string }> {
  const made = await api.post('/payment_method/card', storing({ VaultCard: true }));
  return { method: textIn(made, 'PaymentMethodId'), entry: textIn(made, 'VaultId') };
}

const chargeOf = (api: Client, PaymentMethodId: string) =>
  api.post('/charge/payment_method', { Amount: 10, Currency: 'AUD', PaymentMethodId });

const ccvCheck = (CcvCheck: boolean | null): object => ({ PaymentInformation: { Card: { CcvCheck } } });

describe('a Ccv in the vault whose time is limited', () => {
  test('is there until its time is over, and the card stays', async ({ api }) => {
    const entry = await storedCard(api);
    await api.advance(TTL - 1);
    expect(await ccvOf(api, entry)).toBe('123');
    const { body } = await api.advance(1);
    expect(body['Ran']).toMatchObject([{ Kind: 'vault.ccvExpire', Ref: entry }]);
    expect((await api.get(`/vault/${entry}`)).body).toMatchObject({
      CardNumber: VISA,
      Ccv: null,
      HasCvv: false,
    });
  });

  test('is checked by a charge within that time, and not by a later one', async ({ api }) => {
    const [early, late] = [await vaultedMethod(api), await vaultedMethod(api)];
    expect((await chargeOf(api, early.method)).body).toMatchObject(ccvCheck(true));
    expect(await ccvOf(api, early.entry)).toBeNull();
    await api.advance(TTL);
    expect((await chargeOf(api, late.method)).body).toMatchObject(ccvCheck(null));
  });

  test('leaves nothing to do once a charge used it', async ({ api }) => {
    const { method } = await vaultedMethod(api);
    await chargeOf(api, method);
    expect((await api.advance(TTL)).body).toMatchObject({ Jobs: 0 });
  });

  test('leaves nothing to do once its entry was deleted', async ({ api }) => {
    await api.del(`/vault/${await storedCard(api)}`);
    expect((await api.advance(TTL)).body).toMatchObject({ Jobs: 0 });
  });

  test('has its whole time again when another one replaces it', async ({ api }) => {
    const { method, entry } = await vaultedMethod(api);
    await api.advance(TTL - 1);
    await api.post('/payment_method/vault', {
      PaymentMethodId: method,
      ProviderId: STEADY,
      Ccv: '456',
    });
    await api.advance(TTL - 1);
    expect(await ccvOf(api, entry)).toBe('456');
    await api.advance(1);
    expect(await ccvOf(api, entry)).toBeNull();
  });

  test('also goes where a token put it into the vault', async ({ api }) => {
    const made = await api.post(
      '/token/card',
      { PaymentInformation: cardOf(), VaultCard: true },
      { ProviderId: STEADY },
    );
    const entry = textIn(made, 'VaultId');
    expect(await ccvOf(api, entry)).toBe('123');
    await api.advance(TTL);
    expect(await ccvOf(api, entry)).toBeNull();
  });

  test('goes at its time in a world that is read from a state', async ({ sandbox, api }) => {
    const entry = await storedCard(api);
    const other = client(sandbox, 'sk_test_other');
    await good(other.put('/_sandbox/state', (await api.get('/_sandbox/state')).body));
    await other.advance(TTL - 1);
    expect(await ccvOf(other, entry)).toBe('123');
    await other.advance(1);
    expect(await ccvOf(other, entry)).toBeNull();
  });
});

describe('the time of a Ccv in a scenario', () => {
  test('overrides the sandbox’s, for what is stored while the scenario plays', async ({ api }) => {
    const before = await storedCard(api);
    await good(api.play({ name: 'short', ccvTtl: '1m' }));
    const during = await storedCard(api);
    await api.advance('1m');
    expect([await ccvOf(api, before), await ccvOf(api, during)]).toEqual(['123', null]);
  });

  test('holds for seed data', async () => {
    const scenario = { name: 'short', ccvTtl: '1m', seedData: { vault: [{ cardNumber: VISA, ccv: '123' }] } };
    const api = client(testSandbox());
    await good(api.play(scenario));
    await good(api.post('/_sandbox/reset'));
    expect((await api.advance('1m')).body['Ran']).toMatchObject([{ Kind: 'vault.ccvExpire' }]);
  });
});

test('a Ccv stays until a charge uses it where nothing limits its time', async () => {
  const api = client(testSandbox());
  const entry = await storedCard(api);
  await api.advance('36500d');
  expect(await ccvOf(api, entry)).toBe('123');
});
