import { expect, test } from 'vitest';

import { type Answer, type Client, client, testSandbox } from './sandbox.js';
import { AMEX, cardOf, RESERVED, VISA } from './bodies.js';
import { after, expectRefused, NOW } from './stored.js';

/** Bodies that calls refuse which share members: what is wrong, the members that are otherwise, the status and the code. */
export type Refusal = readonly [what: string, more: object, status: number, code: number];

/** Makes a call with these members in a world of its own. */
export type Send = (api: Client, more: object) => Promise<Answer>;

/** A test for each body that a call refuses, by which the counts of its world stay as they were. */
export function refusesEach(rows: readonly Refusal[], send: Send, prepare?: (api: Client) => Promise<void>) {
  test.each(rows)('refuses %s and stores nothing', async (_, more, status, code) => {
    const api = client(testSandbox());
    await prepare?.(api);
    const before = await api.counts();
    expectRefused(await send(api, more), status, code);
    expect(await api.counts()).toEqual(before);
  });
}

const card = (...given: Parameters<typeof cardOf>): object => ({ PaymentInformation: cardOf(...given) });

export const PROVIDER_REFUSALS: readonly Refusal[] = [
  ['no ProviderId', { ProviderId: undefined }, 400, 90],
  ['a malformed ProviderId', { ProviderId: 'main' }, 400, 39],
  ['the reserved ProviderId', { ProviderId: RESERVED }, 400, 39],
];

export const CARD_REFUSALS: readonly Refusal[] = [
  ['no PaymentInformation', { PaymentInformation: undefined }, 400, 81],
  ['a null PaymentInformation', { PaymentInformation: null }, 400, 81],
  ['an empty PaymentInformation', { PaymentInformation: {} }, 400, 90],
  ['a text as PaymentInformation', { PaymentInformation: VISA }, 400, 81],
  ['a list as PaymentInformation', { PaymentInformation: [cardOf()] }, 400, 81],
  ['no CardNumber', card(undefined, { CardNumber: undefined }), 400, 90],
  ['a wrong CardNumber', card('4000000000000000'), 400, 5],
  ['a short CardNumber', card('4111'), 400, 55],
  ['no ExpiryDate', card(VISA, { ExpiryDate: undefined }), 400, 90],
  ['month 13', card(VISA, { ExpiryDate: '13/30' }), 400, 9],
  ['a month of one digit', card(VISA, { ExpiryDate: '1/30' }), 400, 9],
  ['a four-digit year', card(VISA, { ExpiryDate: '10/2030' }), 400, 9],
  ['an ExpiryDate that is a number', card(VISA, { ExpiryDate: 1030 }), 400, 9],
  ['an expired card', card(VISA, { ExpiryDate: '12/25' }), 400, 14],
  ['a malformed Ccv', card(VISA, { Ccv: 'abcda' }), 400, 6],
  ['a Ccv with a letter', card(VISA, { Ccv: '12a' }), 400, 6],
  ['a Ccv that does not fit the card', card(AMEX), 400, 6],
  ['a Cardholder that is no text', card(VISA, { Cardholder: 5 }), 400, 90],
];

const BOTH_ENDS = { VaultExpireSeconds: 60, VaultExpireDate: after(1) };

/** How long a card stays in the vault. */
export const END_REFUSALS: readonly Refusal[] = [
  ['a VaultCard that is no flag', { VaultCard: 'true' }, 400, 90],
  ['both ways to end the entry', { VaultCard: true, ...BOTH_ENDS }, 400, 85],
  ['both ways to end an entry that is not wanted', BOTH_ENDS, 400, 85],
  ['no seconds', { VaultCard: true, VaultExpireSeconds: 0 }, 400, 86],
  ['negative seconds', { VaultCard: true, VaultExpireSeconds: -60 }, 400, 86],
  ['a part of a second', { VaultCard: true, VaultExpireSeconds: 0.5 }, 400, 86],
  ['seconds in words', { VaultCard: true, VaultExpireSeconds: 'PT60S' }, 400, 86],
  ['seconds in a list', { VaultCard: true, VaultExpireSeconds: [60] }, 400, 86],
  ['a malformed date', { VaultCard: true, VaultExpireDate: '01/01/2031' }, 400, 86],
  ['a date that is a number', { VaultCard: true, VaultExpireDate: 5 }, 400, 86],
  ['a date that does not exist', { VaultCard: true, VaultExpireDate: '2031-02-29T00:00:00Z' }, 400, 86],
  ['a date in the past', { VaultCard: true, VaultExpireDate: '2025-12-31T23:59:59Z' }, 400, 86],
  ['the present as the end', { VaultCard: true, VaultExpireDate: NOW }, 400, 86],
];

const FIFTY_ONE_KEYS = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, '']));

export const METADATA_REFUSALS: readonly Refusal[] = [
  ['a Metadata that is no map', { Metadata: 'x' }, 400, 90],
  ['a Metadata that is a list', { Metadata: ['a'] }, 400, 90],
  ['an object in Metadata', { Metadata: { a: {} } }, 400, 90],
  ['fifty-one keys in Metadata', { Metadata: FIFTY_ONE_KEYS }, 400, 90],
];

export const PERSON_REFUSALS: readonly Refusal[] = [
  ['a FirstName that is no text', { FirstName: 5 }, 400, 90],
  ['a LastName that is no text', { LastName: true }, 400, 90],
  ['a Reference that is no text', { Reference: 12 }, 400, 90],
  ['a Reference of 1025 characters', { Reference: 'r'.repeat(1025) }, 400, 90],
  ['an Email that is no text', { Email: ['a@b'] }, 400, 90],
  ['a Phone that is a number', { Phone: 5 }, 400, 90],
  ['an Address that is text', { Address: '1 Long Street' }, 400, 90],
  ['an Address that is a list', { Address: [] }, 400, 90],
  ['a number in the Address', { Address: { PostalCode: 2000 } }, 400, 90],
  ['an Ip that is no text', { Ip: 1 }, 400, 90],
];
