import { describe, expect } from 'vitest';

import { good, warningOf } from '../../support/sandbox.js';
import { cardOf, STEADY } from '../../support/bodies.js';
import { AN_ID, expectRefused, NOW, textIn } from '../../support/stored.js';
import { test } from '../../support/tests.js';

/** What pages send with a card beside the card. */

const FROM = { providerid: STEADY };
const BILLING = { Line1: '1 Main St', City: 'Sydney', Country: 'AU', PostalCode: '2000', State: 'NSW' };

const PATHS: [path: string, body: object][] = [
  ['/token/card', { PaymentInformation: cardOf() }],
  ['/token/card/least_cost', { Amount: 5, PaymentInformation: cardOf() }],
];

describe.each(PATHS)('POST %s', (path, body) => {
  test('takes all fields of a page without a warning', async ({ api }) => {
    const more = {
      CreateNetworkToken: false,
      Verify: true,
      FraudCheck: { ProviderId: STEADY },
      ClickToPay: false,
      VisaInstallments: { VisPlanId: '1' },
      UserAgent: 'Mozilla/5.0',
      FirstName: 'Jo',
      LastName: 'Smith',
      BillingAddress: BILLING,
    };
    const answer = await good(api.post(path, { ...body, ...more }, FROM));
    expect(warningOf(answer)).toBeNull();
    expect(answer.body).toMatchObject({ NetworkToken: null, ClickToPay: null });
  });

  test.for([
    ['CreateNetworkToken', 'perhaps', /true or false/],
    ['Verify', 1, /true or false/],
    ['UserAgent', {}, /string/],
    ['LastName', 5, /string/],
    ['BillingAddress', 'Sydney', /object/],
  ] as const)('refuses %s: %j', async ([field, value, reason], { api }) => {
    const answer = await api.post(path, { ...body, [field]: value }, FROM);
    expectRefused(answer, 400, 90);
    expect(answer.body['Details']).toEqual({ [field]: expect.stringMatching(reason) });
  });

  test('keeps the card of VaultCard once, for the method that is stored from its token', async ({ api }) => {
    const made = await good(api.post(path, { ...body, VaultCard: true, VaultExpireSeconds: 60 }, FROM));
    const VaultId = textIn(made, 'VaultId');
    const method = await api.post('/payment_method/token', { Token: textIn(made, 'TokenId') });
    expect(method.body).toMatchObject({ VaultId });
    expect(await api.counts()).toMatchObject({ VaultEntries: 1 });
  });

  test('creates a network token, which outlives its token and a restored state', async ({ api }) => {
    const made = await good(api.post(path, { ...body, CreateNetworkToken: true }, FROM));
    expect(made.body['NetworkToken']).toEqual({
      NetworkTokenId: AN_ID,
      SchemeTokenId: null,
      ProviderId: made.body['ProviderId'],
      ProviderType: 'dummy',
      Status: 'ACTIVE',
      DateAdded: NOW,
      SchemeTokenData: null,
      AuthenticationMethod: null,
    });
    const { NetworkTokenId } = made.body['NetworkToken'] as { readonly NetworkTokenId: string };
    await good(api.post('/charge/token', { Amount: 1, Token: textIn(made, 'TokenId') }));
    await good(api.put('/_sandbox/state', (await api.get('/_sandbox/state')).text));
    for (const Amount of [2, 3]) {
      const charge = { Amount, ProviderId: STEADY, NetworkTokenId };
      const charged = await good(api.post('/charge/network_token', charge));
      expect(charged.body).toMatchObject({
        Status: 'SUCCESS',
        PaymentInformation: { Type: 'CARD', Card: { CardNumber: '4111********1111', ExpiryDate: '10/30' } },
      });
    }
    // The token itself is none.
    const other = { Amount: 2, ProviderId: STEADY, NetworkTokenId: textIn(made, 'TokenId') };
    expectRefused(await api.post('/charge/network_token', other), 404, 87);
  });

  test.for([true, {}])(
    'says what Click to Pay knows of a card with ClickToPay: %j',
    async (ClickToPay, { api }) => {
      const made = await good(api.post(path, { ...body, ClickToPay, BillingAddress: BILLING }, FROM));
      const known = {
        BillingAddress: { ...BILLING, Line2: null },
        CardData: { PanBin: '411111', PanLastFour: '1111', Scheme: 'VISA', PaymentCardType: 'CREDIT' },
      };
      expect(made.body['ClickToPay']).toEqual(known);
      expect(await api.read(`/token/${textIn(made, 'TokenId')}`)).toMatchObject({ ClickToPay: known });
    },
  );
});
