import { describe, expect, test } from 'vitest';

import { RESERVED_PROVIDER_ID } from '../../../src/outcomes/built-in.js';
import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { asking, client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { AN_ID, cardOf, expectRefused, NOW, SHOWN_CARD, STEADY, storing } from '../../support/stored.js';

const CARD = { ...cardOf(), Cardholder: 'Ada Byron' };
const REQUEST = storing({ PaymentInformation: CARD });

function setup(options?: InnerSandboxOptions) {
  const sandbox = testSandbox(options);
  return { a: client(sandbox), host: sandbox.host };
}

const withCard = (card: object): object => storing({ PaymentInformation: { ...CARD, ...card } });

describe('POST /_sandbox/tokens', () => {
  test('answers a token and the masked card', async () => {
    const { body, text } = await good(setup().a.post('/_sandbox/tokens', REQUEST));
    expect(body).toMatchObject({
      TokenId: AN_ID,
      ProviderId: STEADY,
      DateAdded: NOW,
      ExpiresAt: '2026-01-01T00:15:00.000Z',
      Type: 'CARD',
      PayToStatus: null,
      Card: { ...SHOWN_CARD, Cardholder: 'Ada Byron' },
    });
    expect(text).not.toContain('4111111111111111');
    expect(text).not.toContain('Ccv":"');
  });

  test('lives as long as the sandbox’s option says', async () => {
    const { body } = await setup({ tokenTtl: 1500 }).a.post('/_sandbox/tokens', REQUEST);
    expect(body['ExpiresAt']).toBe('2026-01-01T00:00:01.500Z');
  });

  test('lets x-sandbox-outcome approve what the card would not, after the delay it asks for', async () => {
    const { a, host } = setup();
    const request = withCard({ CardNumber: '4000000000000424' });
    const answer = await a.post('/_sandbox/tokens', request, asking('approve, delay=2s'));
    expect([answer.status, host.slept]).toEqual([200, [2000]]);
  });

  test.each<[string, unknown, number, number]>([
    ['no members', {}, 400, 90],
    ['no card', { ProviderId: STEADY }, 400, 81],
    ['no provider', { PaymentInformation: CARD }, 400, 90],
    ['a malformed provider', { ...REQUEST, ProviderId: 'visa' }, 400, 39],
    ['a reserved provider', { ...REQUEST, ProviderId: RESERVED_PROVIDER_ID }, 400, 39],
    ['a wrong check digit', withCard({ CardNumber: '4111111111111112' }), 400, 5],
    ['a short number', withCard({ CardNumber: '41111111111' }), 400, 55],
    ['a malformed expiry', withCard({ ExpiryDate: '13/30' }), 400, 9],
    ['an expired card', withCard({ ExpiryDate: '12/25' }), 400, 14],
    ['a malformed Ccv', withCard({ Ccv: '12' }), 400, 6],
    ['a Ccv of the wrong length for the card', withCard({ Ccv: '1234' }), 400, 6],
    ['an unknown field', { ...REQUEST, Amount: 5 }, 400, 90],
    ['an unknown member of the card', withCard({ Cvv: '123' }), 400, 90],
  ])('refuses %s', async (_, body, status, code) => {
    const { a } = setup();
    const answer = await a.post('/_sandbox/tokens', body);
    expectRefused(answer, status, code);
    expect(answer.text).not.toMatch(/41111111111/);
    expect(await a.read('/_sandbox/world')).toMatchObject({ Counts: { Tokens: 0 } });
  });

  test('warns of a number that is not a test card, or refuses it if only those are accepted', async () => {
    const request = withCard({ CardNumber: '4012888888881881' });
    const warned = await setup().a.post('/_sandbox/tokens', request);
    expect(warned.status).toBe(200);
    expect(warningOf(warned)).toContain('not a published test card');
    const refused = await setup({ testCardsOnly: true }).a.post('/_sandbox/tokens', request);
    expectRefused(refused, 400, 5);
  });
});
