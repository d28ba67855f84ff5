import { expect } from 'vitest';
import { listFields } from '../../../src/openapi/request-fields.js';
import { ChargeResponse } from '../../../src/resources/charges/schema.js';
import { type Client, good } from '../../support/sandbox.js';
import { STEADY, VISA } from '../../support/bodies.js';
import { AN_ID, NOW, textIn } from '../../support/stored.js';

/** How the payment of a charge says that it is by card alone. */
export const NOTHING_ELSE = { BankPayment: null, PayTo: null, Email: null };

/** The whole answer of an approved charge of `cardCharge`, with some fields otherwise. All that it does not name is null. */
export function wholeCharge(
  more: Readonly<Record<string, unknown>>,
  cardholder: string | null = null,
): object {
  return {
    ...Object.fromEntries(listFields(ChargeResponse).map(([name]) => [name, null])),
    ChargeId: AN_ID,
    ProviderChargeId: expect.stringMatching(/^ch_[0-9a-f]{24}$/),
    ProviderId: STEADY,
    Amount: 15.5,
    Currency: 'AUD',
    Status: 'SUCCESS',
    Refunds: [],
    Provider: { ProviderId: STEADY, Type: 'dummy', Name: 'steady' },
    PaymentInformation: {
      Type: 'CARD',
      PaymentMethodId: null,
      Card: {
        CardNumber: '4111********1111',
        ExpiryDate: '12/30',
        Cardholder: cardholder,
        Type: 'VISA',
        CardType: 'CREDIT',
        CardIin: '411111',
        CcvCheck: true,
      },
      ...NOTHING_ELSE,
    },
    DateAdded: NOW,
    SuccessDate: NOW,
    FailedAttempts: [],
    ThreeDsVerified: false,
    ...more,
  };
}

export const MINUTE = 60_000;
export const DAY = 86_400_000;

export function card(more: object = {}): object {
  return { CardNumber: VISA, ExpiryDate: '12/30', Ccv: '123', ...more };
}

/** The body of `POST /charge/card`. */
export function cardCharge(more: object = {}): object {
  return { Amount: 15.5, ProviderId: STEADY, PaymentInformation: card(), ...more };
}

/** The body of `POST /charge/card` with another card number. */
export function chargeOf(CardNumber: string, more: object = {}): object {
  return cardCharge({ PaymentInformation: card({ CardNumber, Ccv: null }), ...more });
}

/** A body as JSON in which one member has exactly this literal. */
export function withLiteral(body: object, member: string, literal: string): string {
  return JSON.stringify({ ...body, [member]: '@literal@' }).replace('"@literal@"', () => literal);
}

/** An object without one of its members. */
export function without(body: object, member: string): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
}

/** Charges a card and returns the charge's identifier. */
export async function charged(api: Client, more: object = {}): Promise<string> {
  const answer = await good(api.charge(cardCharge(more)));
  return textIn(answer, 'ChargeId');
}

/** Authorises a card and returns the charge's identifier. */
export function authorised(api: Client, more: object = {}): Promise<string> {
  return charged(api, { Capture: false, ...more });
}

/** Stores a card as a payment method of no customer and returns its identifier. */
export async function stored(api: Client, more: object = {}): Promise<string> {
  const answer = await good(
    api.post('/payment_method/card', { ProviderId: STEADY, PaymentInformation: card(), ...more }),
  );
  return textIn(answer, 'PaymentMethodId');
}

export interface StoredCustomer {
  readonly customerId: string;
  readonly methodId: string;
  readonly vaultId: string | null;
}

/** Creates a customer with a card. */
export async function customer(api: Client, more: object = {}): Promise<StoredCustomer> {
  const answer = await good(
    api.post('/customer/card', { ProviderId: STEADY, PaymentInformation: card(), ...more }),
  );
  const method = answer.body['DefaultPaymentMethod'] as { PaymentMethodId: string; VaultId: string | null };
  return {
    customerId: textIn(answer, 'CustomerId'),
    methodId: method.PaymentMethodId,
    vaultId: method.VaultId,
  };
}

/** Makes a single-use token of a card. */
export async function token(api: Client, more: object = {}): Promise<string> {
  const answer = await good(
    api.post('/_sandbox/tokens', { ProviderId: STEADY, PaymentInformation: card(), ...more }),
  );
  return textIn(answer, 'TokenId');
}

/** All that a refusal must not change: every charge, and how many records there are of each kind. */
export async function stateOf(api: Client): Promise<unknown> {
  const charges = await api.get('/charge?limit=500');
  return { counts: await api.counts(), charges: charges.body };
}

/** The charges that a query finds, by their References. */
export async function found(api: Client, query: string): Promise<unknown[]> {
  const answer = await good(api.get(`/charge${query}`));
  return (answer.body['Charges'] as { Reference: string | null }[]).map((one) => one.Reference);
}

/** The one charge with a Reference. */
export async function chargeBy(api: Client, reference: string): Promise<Record<string, unknown>> {
  const answer = await api.get(`/charge?Reference=${encodeURIComponent(reference)}`);
  expect(answer.body['Count'], answer.text).toBe(1);
  const [charge] = answer.body['Charges'] as Record<string, unknown>[];
  return charge ?? {};
}
