import { expect } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox.js';
import type { World } from '../../src/world.js';
import {
  type Answer,
  type Client,
  client,
  testHost,
  testSandbox,
  type TestHost,
  type TestSandbox,
} from '../support/sandbox.js';
import { countsOf } from '../support/stored.js';

export const STEADY = '00000000000000000000000000000001';
export const AMOUNTS = '00000000000000000000000000000002';
export const SLOW = '00000000000000000000000000000003';
export const FLAKY = '00000000000000000000000000000004';
export const DOWN = '00000000000000000000000000000005';
export const NO_CAPTURE = '00000000000000000000000000000006';
export const WHOLE_CAPTURE = '00000000000000000000000000000007';
/** A provider that nobody configured. */
export const OTHER = 'c0ffee00c0ffee00c0ffee00c0ffee00';

export const VISA = '4111111111111111';
export const AMEX = '378282246310005';
export const NO_FUNDS = '4000000000009995';

/** How the payment of a charge says that it is by card. */
export const CARD_ALONE = { BankPayment: null, PayTo: null, Email: null };

/** An identifier as a world hands it out. */
export const HEX_ID = /^[0-9a-f]{32}$/;

/** The whole answer of an approved charge of `cardCharge`, with some members otherwise; as the clock of `setup` has it. */
export function wholeCharge(
  more: Readonly<Record<string, unknown>>,
  cardholder: string | null = null,
): object {
  return {
    ChargeId: expect.stringMatching(HEX_ID),
    ProviderChargeId: expect.stringMatching(/^ch_[0-9a-f]{24}$/),
    ProviderId: STEADY,
    Amount: 15.5,
    Currency: 'AUD',
    Status: 'SUCCESS',
    Reference: null,
    AuthorisationAmount: null,
    RefundedAmount: null,
    Refunds: [],
    CustomerId: null,
    Customer: null,
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
      ...CARD_ALONE,
    },
    DateAdded: NOW,
    SuccessDate: NOW,
    VoidDate: null,
    FailedAttempts: [],
    Initiator: null,
    Descriptor: null,
    PaymentTokenId: null,
    BatchId: null,
    SubscriptionId: null,
    Metadata: null,
    ...more,
  };
}

/** An identifier of the right shape that no world has handed out. */
export const UNKNOWN_ID = '0123456789abcdef0123456789abcdef';

/** Where the manual clock of a test stands. */
export const NOW = '2026-01-01T00:00:00.000Z';
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export interface Setup {
  readonly sandbox: TestSandbox;
  readonly host: TestHost;
  readonly world: World;
  readonly api: Client;
}

/** A sandbox with one world and its client; on a manual clock unless the options say otherwise. */
export function setup(options: SandboxOptions = {}): Setup {
  const host = testHost();
  const sandbox = testSandbox(options, host);
  return { sandbox, host, world: sandbox.worlds.open('sk_test_a'), api: client(sandbox) };
}

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

/** The text of a member of an answer that must be there. */
export function textOf(answer: Answer, member: string): string {
  const value = answer.body[member];
  if (typeof value !== 'string') throw new Error(`No text ${member} in ${answer.text}`);
  return value;
}

/** Charges a card and returns the charge's identifier. */
export async function charged(api: Client, more: object = {}): Promise<string> {
  const answer = await api.post('/charge/card', cardCharge(more));
  expect(answer.status, answer.text).toBe(200);
  return textOf(answer, 'ChargeId');
}

/** Authorises a card and returns the charge's identifier. */
export function authorised(api: Client, more: object = {}): Promise<string> {
  return charged(api, { Capture: false, ...more });
}

/** Stores a card as a payment method of no customer and returns its identifier. */
export async function stored(api: Client, more: object = {}): Promise<string> {
  const body = { ProviderId: STEADY, PaymentInformation: card(), ...more };
  const answer = await api.post('/payment_method/card', body);
  expect(answer.status, answer.text).toBe(200);
  return textOf(answer, 'PaymentMethodId');
}

export interface StoredCustomer {
  readonly customerId: string;
  readonly methodId: string;
  readonly vaultId: string | null;
}

/** Creates a customer with a card. */
export async function customer(api: Client, more: object = {}): Promise<StoredCustomer> {
  const body = { ProviderId: STEADY, PaymentInformation: card(), ...more };
  const answer = await api.post('/customer/card', body);
  expect(answer.status, answer.text).toBe(200);
  const method = answer.body['DefaultPaymentMethod'] as { PaymentMethodId: string; VaultId: string | null };
  return {
    customerId: textOf(answer, 'CustomerId'),
    methodId: method.PaymentMethodId,
    vaultId: method.VaultId,
  };
}

/** Makes a single-use token of a card. */
export async function token(api: Client, more: object = {}): Promise<string> {
  const body = { ProviderId: STEADY, PaymentInformation: card(), ...more };
  const answer = await api.post('/_sandbox/tokens', body);
  expect(answer.status, answer.text).toBe(200);
  return textOf(answer, 'TokenId');
}

export async function advance(api: Client, ms: number): Promise<void> {
  const answer = await api.post('/_sandbox/clock/advance', { By: `${ms}ms` });
  expect(answer.status, answer.text).toBe(200);
}

/** All that a refusal must not change: every charge, and how many records there are of each kind. */
export async function stateOf(api: Client): Promise<unknown> {
  const charges = await api.get('/charge?limit=500');
  return { counts: await countsOf(api), charges: charges.body };
}

/** The charges that a query finds, by their References. */
export async function found(api: Client, query: string): Promise<unknown[]> {
  const answer = await api.get(`/charge${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body['Charges'] as { Reference: string | null }[]).map((one) => one.Reference);
}

/** The one charge with a Reference. */
export async function chargeBy(api: Client, reference: string): Promise<Record<string, unknown>> {
  const answer = await api.get(`/charge?Reference=${encodeURIComponent(reference)}`);
  expect(answer.body['Count'], answer.text).toBe(1);
  const [charge] = answer.body['Charges'] as Record<string, unknown>[];
  return charge ?? {};
}

/** Expects a refusal in the shape of all errors; each given detail must name its member. */
export function expectRefused(answer: Answer, status: number, code: number, ...details: string[]): void {
  expect(answer, answer.text).toMatchObject({ status, body: { HttpStatus: status, Code: code } });
  expect(answer.body).toMatchObject({
    Type: `/_sandbox/errors#${code}`,
    Message: expect.any(String),
    Resource: expect.stringMatching(/^\//),
    IsRetryable: expect.any(Boolean),
  });
  for (const name of details) expect(answer.body['Details']).toHaveProperty([name], expect.any(String));
}
