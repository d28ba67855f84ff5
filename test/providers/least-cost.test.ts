import { describe, expect } from 'vitest';

import { card, without } from '../charges/support.js';
import type { Client } from '../support/sandbox.js';
import { configured, good } from './support.js';
import { asking, warningOf } from '../support/sandbox.js';
import { STEADY } from '../support/bodies.js';
import { expectRefused } from '../support/stored.js';
import { test } from '../support/tests.js';

const AT_LEAST_COST = '/charge/card/least_cost';
const body = (more: object = {}): object => ({ Amount: 100, PaymentInformation: card(), ...more });

/** Configures a provider of that name with these costs. */
const costing = (api: Client, Name: string, ...CostData: object[]): Promise<string> =>
  configured(api, { Name, CostData });

/** The name of the provider that is chosen. */
async function chosen(api: Client, more: object = {}): Promise<unknown> {
  const { body: charge } = await good(api.post(AT_LEAST_COST, body(more)));
  return (charge['Provider'] as { Name: string }).Name;
}

describe('POST /charge/card/least_cost', () => {
  test('charges the first built-in provider where none says what it takes', async ({ api }) => {
    expect((await good(api.post(AT_LEAST_COST, body()))).body).toMatchObject({
      ProviderId: STEADY,
      Status: 'SUCCESS',
      Currency: 'AUD',
    });
    await configured(api);
    expect(await chosen(api)).toBe('steady');
  });

  test('charges the cheapest provider for the amount', async ({ api }) => {
    await costing(api, 'by share', { TransactionPercentage: 1 });
    await costing(api, 'fixed', { TransactionCost: 0.5 });
    await costing(api, 'both', { TransactionCost: 0.25, TransactionPercentage: 0.5 });
    expect(await chosen(api, { Amount: 10 })).toBe('by share');
    expect(await chosen(api, { Amount: 100 })).toBe('fixed');
    expect(await chosen(api, { Amount: 49 })).toBe('by share');
    expect(await chosen(api, { Amount: '50.50' })).toBe('fixed');
  });

  test('takes the first of equal ones, however their sums are written', async ({ api }) => {
    await costing(api, 'first', { TransactionCost: 0.3 });
    await costing(api, 'second', { TransactionCost: 0.1, TransactionPercentage: 2 });
    expect(await chosen(api, { Amount: 10 })).toBe('first');
  });

  test('takes the first row that fits the card', async ({ api }) => {
    await costing(
      api,
      'a',
      { IsInternationalCard: true, TransactionCost: 0 },
      { CardScheme: 'visa', TransactionCost: 3 },
      { TransactionCost: 1 },
    );
    await costing(api, 'b', { IsInternationalCard: false, TransactionCost: 2 });
    await costing(api, 'amex alone', { CardScheme: 'AMEX' });
    expect(await chosen(api)).toBe('b');
    const mastercard = card({ CardNumber: '5555555555554444' });
    expect(await chosen(api, { PaymentInformation: mastercard })).toBe('a');
    const amex = card({ CardNumber: '378282246310005', Ccv: null });
    expect(await chosen(api, { PaymentInformation: amex })).toBe('amex alone');
  });

  test('passes by a removed provider, and charges in the currency of the chosen one', async ({ api }) => {
    const gone = await costing(api, 'gone', { TransactionCost: 0 });
    await costing(api, 'left', { TransactionCost: 1 });
    await good(api.del(`/provider/${gone}`));
    expect((await good(api.post(AT_LEAST_COST, body()))).body).toMatchObject({
      Currency: 'NZD',
      Provider: { Name: 'left' },
    });
  });

  test('takes the members of every charge, and no ProviderId', async ({ api }) => {
    const { body: charge } = await good(
      api.post(AT_LEAST_COST, body({ Reference: 'r', Capture: false, Metadata: { a: '1' } })),
    );
    expect(charge).toMatchObject({ Reference: 'r', Status: 'Authorised', Metadata: { a: '1' } });
    const answer = await api.post(AT_LEAST_COST, body({ ProviderId: STEADY }));
    expect(warningOf(answer)).toContain('ProviderId');
    expectRefused(await api.post(AT_LEAST_COST, without(body(), 'Amount')), 400, 90, 'Amount');
    expectRefused(await api.post(AT_LEAST_COST, without(body(), 'PaymentInformation')), 400, 81);
  });

  test('is declined, warned of and asked for an outcome like any charge', async ({ api }) => {
    const declined = card({ CardNumber: '4000000000009995' });
    expectRefused(await api.post(AT_LEAST_COST, body({ PaymentInformation: declined })), 400, 15);
    const own = await api.post(
      AT_LEAST_COST,
      body({ PaymentInformation: card({ CardNumber: '4012888888881881' }) }),
    );
    expect(warningOf(own)).toContain('not a published test card');
    expectRefused(await api.post(AT_LEAST_COST, body(), asking('lost_card')), 400, 941);
  });

  test('shows its provider to the rules of a scenario', async ({ api }) => {
    const id = await costing(api, 'cheap', { TransactionCost: 0 });
    const rules = [{ when: { provider: id }, then: { outcome: 'stolen_card' } }];
    await good(api.play({ name: 'cheap is bad', rules }));
    expectRefused(await api.post(AT_LEAST_COST, body()), 400, 943);
  });
});
