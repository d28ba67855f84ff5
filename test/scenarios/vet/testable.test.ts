import { expect, test, vi } from 'vitest';

import type { CallFacts, Operation } from '../../../src/scenarios/script/model.js';
import { OPERATIONS } from '../../../src/scenarios/script/model.js';
import { WITHOUT_CONNECTION } from '../../../src/scenarios/script/reach.js';
import { Script } from '../../../src/scenarios/script/script.js';
import { testableOf } from '../../../src/scenarios/vet/testable.js';
import { account, cardOf } from '../../support/bodies.js';
import { playCalls } from '../../support/play-calls.js';
import { CALLS } from '../../support/service-calls.js';
import { type Spelling, SPELLINGS } from '../../support/spellings.js';
import { client, good, testSandbox } from '../../support/sandbox.js';
import { batchOf, STEADY, storing, textIn } from '../../support/stored.js';

const CONDITION_OF = {
  providerId: 'provider',
  cardNumber: 'card',
  amount: 'amount',
  currency: 'currency',
  reference: 'reference',
  customerId: 'customer',
} as const;

/** What the calls of each operation had, from the facts that a script saw. */
function seenBy(spy: { readonly mock: { readonly calls: readonly (readonly [CallFacts, ...unknown[]])[] } }) {
  const seen = new Map<Operation, Set<string>>();
  for (const [facts] of spy.mock.calls) {
    const has = seen.get(facts.operation) ?? new Set();
    for (const [name, condition] of Object.entries(CONDITION_OF)) {
      if (facts[name as keyof typeof CONDITION_OF] !== null) has.add(condition);
    }
    seen.set(facts.operation, has);
  }
  return seen;
}

test('conditions can test what calls really have, and nothing else', async () => {
  const spy = vi.spyOn(Script.prototype, 'decide');
  const api = client(testSandbox({ dialect: 'sdk' }));
  const rules = [{ then: { nothing: true } }];
  await good(api.put('/_sandbox/scenario', { Definition: { name: 'all', rules } }));
  const [spelling] = Object.values(SPELLINGS) as [Spelling];
  await playCalls(api, spelling, CALLS.length - 1);

  const more = client(testSandbox());
  await good(more.play({ name: 'all', rules }));
  const stored = storing();
  const customer = textIn(await more.post('/customer/card', { ...stored, Reference: 'jo' }), 'CustomerId');
  const Method = await more.post(`/customer/${customer}/payment_method/card`, stored);
  const PaymentMethodId = textIn(Method, 'PaymentMethodId');
  const own = { PaymentMethodId, Amount: 5, Currency: 'AUD', Reference: 'r' };
  const charged = textIn(await more.post('/charge/payment_method', { ...own, Capture: false }), 'ChargeId');
  await more.get(`/charge/${charged}`);
  await more.post(`/charge/${charged}`, { Amount: 5 });
  await more.del(`/refund/${charged}`);
  const second = textIn(await more.post('/charge/payment_method', { ...own, Capture: false }), 'ChargeId');
  await more.del(`/charge/${second}/void`);
  const bank = await more.post('/customer/bank_account', {
    ProviderId: STEADY,
    BankPaymentInformation: account(),
  });
  const { PaymentMethodId: banking } = bank.body['DefaultPaymentMethod'] as Record<string, string>;
  await more.post('/charge/payment_method', { ...own, PaymentMethodId: banking });
  await more.post('/batch/transaction/payment_method', batchOf([`${PaymentMethodId},1.00,AUD,r`]));
  await more.post('/subscription/payment_method', {
    ...own,
    Reference: undefined,
    Interval: 'Month',
    Frequency: 1,
  });
  await more.put(`/customer/${customer}`, { Reference: 'jo2' });
  await more.get('/customer?Reference=jo');
  await more.get('/charge?Reference=r');
  await more.get('/transfer?Reference=r');
  await more.get(`/payment_method/${PaymentMethodId}`);
  await more.get(`/customer/${customer}/payment_methods`);
  await more.put(`/payment_method/${PaymentMethodId}`, {});
  await more.post('/token/card/least_cost', {
    PaymentInformation: cardOf(),
    Amount: 5,
    Currency: 'AUD',
  });
  await more.advance('10d');
  await more.del(`/payment_method/${PaymentMethodId}`);

  const seen = seenBy(spy);
  spy.mockRestore();
  for (const operation of OPERATIONS) {
    const named = testableOf(operation).filter((one) => one !== '' && one !== 'header');
    expect([...(seen.get(operation) ?? [])].toSorted(), operation).toEqual(named.toSorted());
    expect(testableOf(operation).includes('header')).toBe(!WITHOUT_CONNECTION.includes(operation));
  }
});
