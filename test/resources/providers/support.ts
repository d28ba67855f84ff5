import { expect } from 'vitest';

import type { Answer, Client } from '../../support/sandbox.js';
import { cardCharge } from '../charges/support.js';
import { textIn } from '../../support/stored.js';

/** The body of `POST /provider`: a dummy that answers at once. */
export const dummy = (more: object = {}): object => ({
  Type: 'dummy',
  Name: 'primary',
  Environment: 'SANDBOX',
  Currency: 'NZD',
  ...more,
});

/** Configures a provider and returns its identifier. */
export async function configured(api: Client, more: object = {}): Promise<string> {
  const answer = await api.post('/provider', dummy(more));
  expect(answer.status, answer.text).toBe(201);
  return textIn(answer, 'ProviderId');
}

/** Charges a card through a provider. */
export const chargeAt = (api: Client, ProviderId: string, more: object = {}): Promise<Answer> =>
  api.charge(cardCharge({ ProviderId, ...more }));

/** The hyphenated spelling of an identifier, in capital letters. */
export const uuidOf = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();

/** An answer that must be good. */
export async function good(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent;
  expect([200, 201], answer.text).toContain(answer.status);
  return answer;
}
