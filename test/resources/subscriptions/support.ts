import { expect } from 'vitest';

import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { type Answer, type Client, client, testSandbox } from '../../support/sandbox.js';
import { cardOf, STEADY } from '../../support/bodies.js';
import { textIn } from '../../support/stored.js';

export const PATH = '/subscription/payment_method';
export const NO_FUNDS = '4000000000009995';

export interface Setup {
  readonly api: Client;
  /** A card that approves, as a payment method of nobody. */
  readonly method: string;
}

export async function setup(options: InnerSandboxOptions = {}, card?: string): Promise<Setup> {
  const api = client(testSandbox(options));
  return { api, method: await storedMethod(api, card) };
}

/** A stored card, by its identifier. */
export async function storedMethod(api: Client, card?: string, more: object = {}): Promise<string> {
  const body = { ProviderId: STEADY, PaymentInformation: cardOf(card, more) };
  return textIn(await api.post('/payment_method/card', body), 'PaymentMethodId');
}

/** The body of a monthly subscription. */
export const monthly = (PaymentMethodId: string, more: object = {}): object => ({
  PaymentMethodId,
  Amount: 9.5,
  Currency: 'AUD',
  Interval: 'Month',
  Frequency: 1,
  ...more,
});

/** Makes a subscription, and gives its path. */
export async function subscribed(api: Client, body: object): Promise<string> {
  const answer = await api.post(PATH, body);
  expect(answer.status, answer.text).toBe(201);
  return `/subscription/${textIn(answer, 'SubscriptionId')}`;
}

/** Moves the clock to an instant; a day stands for its start. */
export async function advanceTo(api: Client, instant: string): Promise<Answer> {
  const To = instant.includes('T') ? instant : `${instant}T00:00:00Z`;
  const answer = await api.post('/_sandbox/clock/advance', { To });
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

type Shown = Record<string, unknown>;

/** The charges that a query finds, the oldest first. */
export async function chargesOf(api: Client, query = ''): Promise<Shown[]> {
  const answer = await api.get(`/charge?Limit=500&SortBy=Date${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body['Charges'] as Shown[];
}

/** When and how each charge ended, the oldest first, such as `2026-01-31 SUCCESS`. */
export async function history(api: Client): Promise<string[]> {
  return (await chargesOf(api)).map(
    ({ DateAdded, Status }) => `${String(DateAdded).replace('T00:00:00.000Z', '')} ${String(Status)}`,
  );
}

export async function statusOf(api: Client, path: string): Promise<unknown> {
  return (await api.read(path))['Status'];
}
