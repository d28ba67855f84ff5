import { describe, expect } from 'vitest';

import type { SweepReport } from '../../src/index.js';
import { expect as expectOfNode } from '../../src/testing/node-test.js';
import { createTest } from '../../src/testing/vitest.js';
import { charge } from '../client/support.js';

const CHANGED = 'transaction.status.changed';

/** What a test expects of a charge, and why no charge can have it. */
const CHARGES: readonly [expected: unknown, why: string][] = [
  [{ reference: 'order-1' }, 'a charge has no field reference. Did you mean Reference?'],
  [{ Paid: true }, 'a charge has no field Paid. Known: ChargeId, '],
  [{ PaymentInformation: { Card: { Ccv: '123' } } }, 'a charge has no field PaymentInformation.Card.Ccv. '],
  [{ Customer: { EMail: 'a@b.test' } }, 'a charge has no field Customer.EMail. Did you mean Email?'],
  [{ Currency: 'aud' }, 'Currency is "aud"; it must be an ISO 4217 code such as AUD. Did you mean AUD?'],
  [{ Currency: 'AU$' }, 'Currency is "AU$"; it must be an ISO 4217 code such as AUD'],
  [{ Currency: 36 }, 'Currency is 36; it must be a string, not a number'],
  [{ Status: 'PAID' }, 'Status is "PAID"; it must be one of PENDING, '],
  [{ Status: 'success' }, 'PENDING_CHECKOUT. Did you mean SUCCESS?'],
  [{ Status: 'AUTHORISE' }, 'PENDING_CHECKOUT. Did you mean Authorised?'],
  [{ Status: /paid/ }, 'Status is expected to match /paid/, but it is one of PENDING, '],
  [{ Status: expect.stringMatching('paid') }, 'Status is expected to match a matcher, but it is one of '],
  [{ Status: null }, 'Status is null; it must be one of PENDING, '],
  [{ Reference: 7 }, 'Reference is 7; it must be a string, not a number. Did you mean "7"?'],
  [{ Reference: undefined }, 'Reference is undefined. Leave it out, or write null if it has no value.'],
  [{ Reference: Promise.resolve('order-1') }, 'Reference is a promise. Await it first.'],
  [{ Amount: undefined }, 'Amount is undefined. Leave it out'],
  [{ Amount: 20.001 }, 'Name the currency that has them, such as KWD.'],
  [{ Amount: 20.001, Currency: 'AUD' }, 'Amount has more decimals than AUD, which has 2: 20.001.'],
  [{ Amount: 20.5, Currency: 'JPY' }, 'Amount has more decimals than JPY, which has 0: 20.5.'],
  [{ Amount: 0 }, 'Amount must be greater than 0, not 0.'],
  [{ Amount: 'twenty' }, 'Amount is "twenty"; it must be a number, not a string.'],
  [{ Amount: NaN }, 'Amount must be a number, not NaN.'],
  [{ Amount: Infinity }, 'Amount must be at most 999999999.99, not Infinity.'],
  [{ Amount: 20n }, 'Amount is 20n; it must be a number, not a bigint. Did you mean 20?'],
  [{ Refunds: { Amount: 5n } }, 'Refunds is {"Amount":"5n"}; it must be an array.'],
  [{ EstimatedCost: NaN }, 'EstimatedCost is NaN; it must be a number, not NaN.'],
  [{ DateAdded: new Date('x') }, 'DateAdded is an invalid Date, which has no time.'],
  [{ Currency: new Date(0) }, 'Currency is "1970-01-01T00:00:00.000Z"; it must be an ISO 4217 code'],
  [{ Amount: /2/ }, 'Amount is expected to match /2/, but it is not a string.'],
  [{ RefundedAmount: 0 }, 'RefundedAmount must be greater than 0, not 0.'],
  [{ RefundedAmount: '5' }, 'RefundedAmount is "5"; it must be a number, not a string. Did you mean 5?'],
  [{ Refunds: [{ Amount: 5.001 }] }, 'Refunds.0.Amount has more than 2 decimals: 5.001.'],
  [{ Refunds: { Amount: 5 } }, 'Refunds is {"Amount":5}; it must be an array.'],
  [{ Metadata: { shop: 7 } }, 'Metadata.shop is 7; it must be a string, not a number. Did you mean "7"?'],
  [{ Metadata: 'shop' }, 'Metadata is "shop"; it must be an object.'],
  [{ PaymentInformation: { Type: 'card' } }, 'PAYGLOCAL. Did you mean CARD?'],
  [
    { PaymentInformation: { Card: { CardNumber: '4111111111111111' } } },
    'must be masked, such as 4111********1111',
  ],
  [{ ChargeId: 'order-1' }, 'ChargeId is "order-1"; it must be 32 hexadecimal digits in lower case.'],
  [{ Currency: /aud/ }, 'Currency is expected to match /aud/, but it is an ISO 4217 code such as AUD.'],
  [{ EstimatedCostCurrency: 'aud' }, 'Did you mean AUD?'],
  [{ Initiator: 'customer' }, 'it must be one of CUSTOMER, MERCHANT. Did you mean CUSTOMER?'],
  [{ PaymentInformation: { Card: { Type: 'Visa' } } }, 'Did you mean VISA?'],
  [{ PaymentInformation: { Card: { Type: /Visa/ } } }, '/Visa/, but it is one of '],
  [{ PaymentInformation: { Card: { CardType: 'credit' } } }, 'CREDIT, DEBIT. Did you mean CREDIT?'],
  [{ PaymentInformation: { Card: { CardIin: '4111' } } }, 'it must be the first six digits of a card number'],
  [{ PaymentInformation: { Card: { ExpiryDate: '2030-10' } } }, 'it must be MM/YY, such as 10/30.'],
  [{ PaymentInformation: { BankPayment: { AccountNumber: '000123456' } } }, 'such as ******456.'],
  [{ PaymentInformation: { PayTo: { PayToId: 'payto-1' } } }, 'must be 32 hexadecimal digits in lower case.'],
  [{ ProviderId: 'steady' }, 'it must be 32 hexadecimal digits or a hyphenated UUID.'],
  [{ SuccessDate: '2026-01-01T00:00:00Z' }, 'Did you mean 2026-01-01T00:00:00.000Z?'],
  [{ ThreeDsVerified: 'true' }, 'it must be true or false, not a string. Did you mean true?'],
  [
    { DateAdded: '2026-01-01T00:00:00Z' },
    'it must be in UTC with milliseconds, such as 2026-01-01T00:00:00.000Z. Did you mean 2026-01-01T00:00:00.000Z?',
  ],
  [Promise.resolve({}), 'what is expected is a promise. Await it first.'],
  [{ Reference: { then: () => 'order-1' } }, 'Reference is a promise. Await it first.'],
  ['order-1', 'what is expected is "order-1"; it must be an object of fields.'],
  [undefined, 'what is expected is undefined. Leave it out'],
  [new Map([['Amount', 20]]), 'what is expected is {}; it must be an object of fields.'],
  [expect.objectContaining({ Amount: 20 }), 'what is expected is a matcher; it must be an object of fields.'],
];

/** What a test expects of a message, and why no message can have it. */
const MESSAGES: readonly [event: unknown, expected: unknown, why: string][] = [
  [CHANGED, { data: { Status: 'SUCCESS' } }, 'has no field data.Status. Did you mean status?'],
  [CHANGED, { Data: { status: 'SUCCESS' } }, 'has no field Data. Did you mean data?'],
  [CHANGED, { status: 'SUCCESS' }, 'a message of transaction.status.changed has no field status. '],
  [
    CHANGED,
    { data: { amount: '20' } },
    'data.amount is "20"; it must be a number, not a string. Did you mean 20?',
  ],
  [CHANGED, { data: { status: 'paid' } }, 'data.status is "paid"; it must be one of '],
  [CHANGED, { data: { currency: 'aud' } }, 'Did you mean AUD?'],
  [CHANGED, { data: { amount: 20.001, currency: 'AUD' } }, 'data.amount has more decimals than AUD'],
  [CHANGED, { meta: { eventType: 'customer.created' } }, 'it must be one of transaction.status.changed.'],
  ['batch.status.changed', { data: { success: '2' } }, 'data.success is "2"; it must be '],
  [
    'customer.created',
    { data: { status: 'SUCCESS' } },
    'a message of customer.created has no field data.status. ',
  ],
  [CHANGED, { meta: { messageId: 'message-1' } }, 'must be 32 hexadecimal digits in lower case.'],
  [CHANGED, { data: { paymentInformation: { card: { type: 'Visa' } } } }, 'Did you mean VISA?'],
  [
    [CHANGED],
    {},
    'there is no event ["transaction.status.changed"]. Did you mean transaction.status.changed?',
  ],
  ['customer.create', {}, 'there is no event "customer.create". Did you mean customer.created?'],
];

const test = createTest({ deliver: () => Promise.resolve({ status: 204 }) });

async function failure(matching: Promise<unknown>): Promise<string> {
  return matching.then(
    () => 'it passed',
    (error: unknown) => (error as Error).message,
  );
}

describe('what no charge can be', () => {
  for (const [expected, why] of CHARGES) {
    test(`fails the test, also after not: ${why}`, async ({ sandbox }) => {
      const failures = [
        await failure(expect(sandbox).not.toHaveCharged(expected as object)),
        await failure(expect(sandbox).toHaveCharged(expected as object)),
        await failure(expectOfNode(sandbox).not.toHaveCharged(expected as object)),
      ];
      expect(failures[0]).toContain('toHaveCharged: ');
      expect(failures[0]).toContain(why);
      expect(new Set(failures).size).toBe(1);
    });
  }
});

describe('what no message can have', () => {
  for (const [event, expected, why] of MESSAGES) {
    test(`fails the test, also after not: ${String(event)}: ${why}`, async ({ sandbox }) => {
      const asked = [event as typeof CHANGED, expected as Record<string, unknown>] as const;
      const said = await failure(expect(sandbox).not.toHaveDelivered(...asked));
      expect(said).toContain('toHaveDelivered: ');
      expect(said).toContain(why);
      expect(await failure(expectOfNode(sandbox).not.toHaveDelivered(...asked))).toBe(said);
    });
  }
});

test('what a charge can be is compared, with patterns, Dates and matchers of the runner', async ({
  sandbox,
}) => {
  await expect(sandbox).not.toHaveCharged();
  await expect(expectOfNode(sandbox).toHaveCharged()).rejects.toThrow(
    /^expected a charge; this world has no charges$/,
  );
  await charge(sandbox, 'order-1', { Metadata: { shop: '7' }, Descriptor: 'Shop 7' });
  await expect(sandbox).toHaveCharged();
  await expect(sandbox).toHaveCharged({ Reference: /^order-\d$/g, Descriptor: /shop/i });
  await expect(sandbox).toHaveCharged({ Metadata: { shop: /7/ }, Status: /^SUCC/, Currency: 'AUD' });
  await expect(sandbox).toHaveCharged({ DateAdded: new Date('2026-01-01') as unknown as string });
  await expect(sandbox).toHaveCharged({
    Amount: expect.any(Number),
    Status: expect.stringMatching('SUCCESS'),
  });
  await expect(sandbox).not.toHaveCharged({ Reference: /^order-2/ });
  await expect(sandbox).not.toHaveCharged({ Amount: 20.001, Currency: 'KWD' });
  const [paid] = await sandbox.charges();
  await sandbox.fetch(`/charge/${paid?.ChargeId}?Amount=1.5`, { method: 'DELETE' });
  await expect(sandbox).toHaveCharged({ Status: 'PARTIAL_REFUND', Refunds: [{ Amount: 1.5 }] });
  expect(await failure(expect(sandbox).not.toHaveCharged())).toMatch(
    /^expected no charge, but found [\da-f]{32} /,
  );
  expect(await failure(expect(sandbox).toHaveCharged({ Reference: /^order-2/ }))).toContain(
    'Reference is "order-1", not /^order-2/',
  );
});

test('what a message can have is compared; fields without a value are null', async ({ sandbox }) => {
  const Webhook = { Url: 'http://shop.test/hook' };
  await charge(sandbox, 'order-1', { Webhook, Capture: false });
  const data = { reference: /^order/, batchId: null, status: 'Authorised', refunds: [] };
  await expect(sandbox).toHaveDelivered(CHANGED, { meta: { eventType: CHANGED }, data });
  await expect(sandbox).toHaveDelivered(CHANGED, { data: { paymentInformation: { providerType: /./ } } });
  await expect(sandbox).not.toHaveDelivered(CHANGED, { data: { status: 'AUTHORISE' } });
});

test('a promise in place of a world or of orders is named', async ({ sandbox }) => {
  const waiting = Promise.resolve(sandbox) as unknown as typeof sandbox;
  const hint = /not a promise: await it first\.$/;
  expect(await failure(expect(waiting).not.toHaveCharged())).toMatch(hint);
  expect(await failure(expectOfNode(waiting).not.toHaveDelivered(CHANGED))).toMatch(hint);
  expect(() => expectOfNode(waiting as unknown as SweepReport).toBeSafe()).toThrow('toBeSafe needs a report');
  const orders = Promise.resolve([]) as unknown as [];
  expect(await failure(expect(sandbox).toBalance(orders))).toBe('Orders is a promise. Await it first.');
  const unsaid = [{ reference: 'order-1', amount: 5 }] as unknown as [];
  const said = await failure(expect(sandbox).toBalance(unsaid));
  expect(said).toContain('Orders.0.Paid is required: true, false, or null if the shop does not know.');
  expect(await failure(expect(sandbox).not.toBalance(unsaid))).toBe(said);
});
