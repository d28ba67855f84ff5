import { describe, expect, test } from 'vitest';

import { asking, client, good, testSandbox, triggerOf } from '../../support/sandbox.js';
import { AMOUNTS, cardOf, STEADY, VISA } from '../../support/bodies.js';
import { after, AN_ID, EMPTY, expectRefused, innerMethod, NOW, textIn } from '../../support/stored.js';
import { END_REFUSALS, METADATA_REFUSALS, PERSON_REFUSALS, refusesEach } from '../../support/refusals.js';

const NAMED = { FirstName: 'Jo', LastName: 'Smith', Reference: 'customer-1' };

function setup() {
  const api = client(testSandbox());
  const create = (more: object = {}, headers?: Record<string, string>) =>
    api.post('/customer/token', { ...NAMED, Token: 'tok_approve', ...more }, headers);
  const tokenise = async (more: object = {}) =>
    textIn(
      await api.post('/_sandbox/tokens', { ProviderId: AMOUNTS, PaymentInformation: cardOf(), ...more }),
      'TokenId',
    );
  return { api, create, tokenise };
}

describe('POST /customer/token', () => {
  test('answers the whole customer with a method made from the token', async () => {
    const { create, tokenise } = setup();
    const made = await create({
      Token: await tokenise(),
      Email: 'jo@example.com',
      Phone: '5',
      Address: { Line1: '1', Line2: '2', City: '3', Country: '4', PostalCode: '5', State: '6' },
      Ip: '::1',
      Metadata: { a: 'b' },
      VaultCard: true,
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      CustomerId: AN_ID,
      ...NAMED,
      Email: 'jo@example.com',
      Phone: '5',
      Address: { Line1: '1', Line2: '2', City: '3', Country: '4', PostalCode: '5', State: '6' },
      Ip: '::1',
      DateAdded: NOW,
      DateRemoved: null,
      DefaultPaymentMethod: innerMethod({
        CustomerId: made.body['CustomerId'],
        ProviderId: AMOUNTS,
        VaultId: AN_ID,
        Email: 'jo@example.com',
      }),
      Metadata: { a: 'b' },
    });
  });

  test('puts the card behind the token into the vault with its Ccv', async () => {
    const { api, create, tokenise } = setup();
    const made = await create({ Token: await tokenise(), VaultCard: true, VaultExpireDate: after(5000) });
    const entry = await api.get(`/vault/${textIn(made, 'DefaultPaymentMethod', 'VaultId')}`);
    expect(entry.body).toMatchObject({ CardNumber: VISA, Ccv: '123', ExpireDate: after(5000) });
  });

  test.each(['FirstName', 'LastName', 'Reference', 'Token'])('requires %s', async (member) => {
    const { api, create } = setup();
    for (const value of [undefined, null, '', '  ']) {
      const answer = await create({ [member]: value });
      expectRefused(answer, 400, 90, member);
    }
    expect(await api.counts()).toEqual(EMPTY);
  });

  refusesEach(
    [
      ['a Token that is a number', { Token: 5 }, 400, 90],
      ['an unknown token', { Token: 'f'.repeat(32) }, 400, 51],
      ['a used magic token', { Token: 'tok_used' }, 400, 51],
      ['a token that cannot be stored', { Token: 'tok_tokenise_error' }, 400, 42],
      ['a magic token of an unknown outcome', { Token: 'tok_aprove' }, 400, 51],
      ...PERSON_REFUSALS,
      ...METADATA_REFUSALS,
      ...END_REFUSALS,
    ],
    (api, more) => api.post('/customer/token', { ...NAMED, Token: 'tok_approve', ...more }),
  );

  test('names the nearest outcomes for a misspelled magic token', async () => {
    const { create } = setup();
    expect(expectRefused(await create({ Token: 'tok_aprove' }), 400, 51)).toContain('approve');
  });

  test('finds both ways to end the entry wrong before the token is looked at', async () => {
    const { create } = setup();
    const both = { VaultExpireSeconds: 60, VaultExpireDate: after(1) };
    expectRefused(await create({ Token: 'tok_used', ...both }), 400, 85);
  });
});

describe('a token', () => {
  test('that was charged cannot be stored, nor the other way round', async () => {
    const { api, create, tokenise } = setup();
    const [charged, stored] = [await tokenise(), await tokenise()];
    await good(api.post('/charge/token', { Amount: '10.00', Token: charged }));
    expectRefused(await create({ Token: charged }), 400, 51);
    expect((await create({ Token: stored })).status).toBe(201);
    expectRefused(await api.post('/charge/token', { Amount: '10.00', Token: stored }), 400, 51);
  });

  test('is not spent by a refusal', async () => {
    const { create, tokenise } = setup();
    const Token = await tokenise();
    expectRefused(await create({ Token, Email: 5 }), 400, 90);
    expectRefused(await create({ Token, VaultExpireSeconds: 1, VaultExpireDate: after(1) }), 400, 85);
    expect((await create({ Token })).status).toBe(201);
  });

  test('is spent by a decline, which stores nothing else', async () => {
    const { api, create, tokenise } = setup();
    const Token = await tokenise();
    expectRefused(await create({ Token, VaultCard: true }, asking('tokenise_error')), 400, 42);
    expect(await api.counts()).toEqual({ ...EMPTY, Tokens: 1 });
    expectRefused(await create({ Token }), 400, 51);
  });
});

describe('a magic token at storage', () => {
  test('stores the Visa test card at the first provider', async () => {
    const { api, create } = setup();
    const made = await create({ VaultCard: true });
    expect(made.body).toMatchObject({
      DefaultPaymentMethod: {
        ProviderId: STEADY,
        Card: { CardNumber: '4111********1111', ExpiryDate: '12/99', Cardholder: null },
      },
    });
    const entry = await api.get(`/vault/${textIn(made, 'DefaultPaymentMethod', 'VaultId')}`);
    expect(entry.body).toMatchObject({ CardNumber: VISA, Ccv: null, HasCvv: false });
  });

  test.each<[token: string, code: number]>([
    ['tok_insufficient_funds', 15],
    ['tok_do_not_honor', 905],
    ['tok_require_3ds', 113],
  ])('stores the card of %s, whose charges then decline', async (Token, code) => {
    const { api, create } = setup();
    const made = await create({ Token });
    expect(made.status).toBe(201);
    const charge = { Amount: 5, ProviderId: STEADY, CustomerId: made.body['CustomerId'] };
    const declined = await api.post('/charge/customer', charge);
    expectRefused(declined, 400, code);
    expect(triggerOf(declined)).toBe(`token:${Token}`);
  });

  test('plays one outcome per charge, then repeats the last; storing it uses none', async () => {
    const { api, create } = setup();
    const made = await create({ Token: 'tok_issuer_unavailable|insufficient_funds|approve' });
    const charge = { Amount: 5, ProviderId: STEADY, CustomerId: made.body['CustomerId'] };
    const codes: unknown[] = [];
    for (let i = 0; i < 4; i++) codes.push((await api.post('/charge/customer', charge)).body['Code']);
    expect(codes).toEqual([991, 15, undefined, undefined]);
  });
});
