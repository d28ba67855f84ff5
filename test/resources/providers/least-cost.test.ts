import { describe, expect } from 'vitest';

import { card, without } from '../charges/support.js';
import type { Client } from '../../support/sandbox.js';
import { configured, good } from './support.js';
import { asking, warningOf } from '../../support/sandbox.js';
import { account, STEADY } from '../../support/bodies.js';
import { expectRefused } from '../../support/stored.js';
import { test } from '../../support/tests.js';

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
  test('charges the first built-in provider if no provider has costs', async ({ api }) => {
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

  test('takes the fields of every charge, and no ProviderId', async ({ api }) => {
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

describe('EstimatedCost of a charge', () => {
  const chargeOf = async (api: Client, ProviderId: string, more: object = {}) =>
    (await good(api.post('/charge/card', body({ ProviderId, ...more })))).body;

  test('is what its provider takes for the amount, in the currency of the charge', async ({ api }) => {
    const costs = { TransactionCost: '0.30', TransactionPercentage: 1.75 };
    const provider = await costing(api, 'a', { CardScheme: 'AMEX', TransactionCost: 9 }, costs);
    const made = await chargeOf(api, provider, { Amount: '15.55', Currency: 'usd' });
    expect(made).toMatchObject({ EstimatedCost: 0.5721, EstimatedCostCurrency: 'USD' });
    expect(await api.read(`/charge/${String(made['ChargeId'])}`)).toEqual(made);
    const asked = { Amount: 20, Currency: 'AUD', ProviderId: provider, BankPaymentInformation: account() };
    const bank = await good(api.post('/charge/bank_account', asked));
    expect(bank.body).toMatchObject({ EstimatedCost: 0.65, EstimatedCostCurrency: 'AUD' });
  });

  test('is of the captured amount once a part was captured', async ({ api }) => {
    const provider = await costing(api, 'a', { TransactionPercentage: 1 });
    const made = await chargeOf(api, provider, { Capture: false });
    expect(made).toMatchObject({ EstimatedCost: 1 });
    const captured = await api.post(`/charge/${String(made['ChargeId'])}`, { Amount: 40 });
    expect(captured.body).toMatchObject({ EstimatedCost: 0.4 });
  });

  test('is null without costs, without one that fits, and of a failed charge', async ({ api }) => {
    const nothing = { EstimatedCost: null, EstimatedCostCurrency: null };
    expect(await chargeOf(api, STEADY)).toMatchObject(nothing);
    expect(await chargeOf(api, await configured(api))).toMatchObject(nothing);
    const amex = await costing(api, 'amex', { CardScheme: 'AMEX', TransactionCost: 1 });
    expect(await chargeOf(api, amex)).toMatchObject(nothing);
    const priced = await costing(api, 'any', { TransactionCost: 1 });
    const declined = { ProviderId: priced, PaymentInformation: card({ CardNumber: '4000000000000002' }) };
    await api.post('/charge/card', body(declined));
    expect(await api.read('/charge?Status=FAILED')).toMatchObject({ Charges: [nothing] });
  });
});
