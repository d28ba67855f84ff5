import { expect } from 'vitest';

import { requireErrorRow } from '../../src/core/errors.js';
import { type Answer, START } from './sandbox.js';

/** What tests of stored cards share: providers, cards, and the shape of a refusal. */

import { AMOUNTS, STEADY } from './bodies.js';
import { words } from './tables.js';

export * from './bodies.js';

export const ID = /^[0-9a-f]{32}$/;
/** Any identifier, in what is expected. */
export const AN_ID = expect.stringMatching(ID) as string;

/** An instant of the test clock, this many milliseconds after its beginning. */
export const after = (ms: number): string => new Date(START + ms).toISOString();
export const NOW = after(0);

/** The members of an error, in their order. */
export const ERROR_MEMBERS = words`
  HttpStatus Code Type Message Resource Details IsRetryable GatewayCode GatewayMessage
`;

/** How `cardOf()` shows in answers. */
export const SHOWN_CARD = {
  CardNumber: '4111********1111',
  ExpiryDate: '10/30',
  Cardholder: 'Jo Smith',
  Type: 'VISA',
  CardType: 'CREDIT',
  CardIin: '411111',
  CcvCheck: null,
};

/** A payment method within its customer: a card at the first provider and not in the vault, with some members otherwise. */
export const innerMethod = (more: object = {}): object => ({
  PaymentMethodId: AN_ID,
  CustomerId: null,
  Type: 'CARD',
  Card: SHOWN_CARD,
  BankPayment: null,
  PayTo: null,
  PayToStatus: null,
  ProviderPaymentMethodId: null,
  ProviderPaymentMethodData: null,
  ProviderId: STEADY,
  ProviderType: 'dummy',
  VaultId: null,
  DateAdded: NOW,
  DateRemoved: null,
  Email: null,
  Metadata: null,
  ...more,
});

/** The same by itself, of nobody. */
export const wholeMethod = (more: object = {}): object => ({
  ...innerMethod(),
  Provider: { ProviderId: STEADY, Type: 'dummy', Name: 'steady' },
  Customer: null,
  ...more,
});

/** How the second provider shows. */
export const AT_AMOUNTS = {
  ProviderId: AMOUNTS,
  Provider: { ProviderId: AMOUNTS, Type: 'dummy', Name: 'amounts' },
};

/** A text deep in an answer. */
export function textIn(answer: Answer, ...path: string[]): string {
  let value: unknown = answer.body;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  if (typeof value === 'string') return value;
  throw new Error(`Failed to read ${path.join('.')} of ${answer.status} ${answer.text}`);
}

/** Asserts that an answer is the whole error body of a code whose details name these members alone, and returns its message. */
export function expectRefused(answer: Answer, status: number, code: number, ...details: string[]): string {
  const { body } = answer;
  expect({ status: answer.status, Code: body['Code'] }).toEqual({ status, Code: code });
  expect(body).toMatchObject({ HttpStatus: status, Type: `/_sandbox/errors#${code}` });
  expect(String(body['Message'])).toMatch(new RegExp(`^${escaped(requireErrorRow(code).message)}`));
  expect(typeof body['IsRetryable']).toBe('boolean');
  expect(Object.keys(body)).toEqual(
    expect.arrayContaining(['Resource', 'Details', 'GatewayCode', 'GatewayMessage']),
  );
  if (details.length > 0) {
    expect(body['Details']).toEqual(Object.fromEntries(details.map((name) => [name, expect.any(String)])));
  }
  return String(body['Message']);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

export const EMPTY = {
  Charges: 0,
  Customers: 0,
  PaymentMethods: 0,
  VaultEntries: 0,
  Tokens: 0,
  Batches: 0,
  Providers: 0,
  WebhookSubscriptions: 0,
  Deliveries: 0,
  Subscriptions: 0,
  PaymentLinks: 0,
  Transfers: 0,
  Authentications: 0,
  Checkouts: 0,
  QueuedJobs: 0,
};

/** The fields of every token that the sandbox never fills. */
export const NEVER_IN_TOKEN = {
  ClickToPay: null,
  NetworkTokenAuthenticateUrl: null,
  NetworkToken: null,
  NetworkTokenData: null,
  GatewayTokenData: null,
};
