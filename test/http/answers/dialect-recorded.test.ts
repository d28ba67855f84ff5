import type { OutgoingHttpHeaders } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { type HttpListening, serveHttp } from '../../../src/node/http/serve.js';
import { createInnerSandbox } from '../../../src/app/sandbox.js';
import { successStatus } from '../../support/conformity.js';
import { wronglySpelt } from '../../support/sdk.js';
import { type Reply, sender } from '../../support/socket.js';

/**
 * Requests as three client libraries of the service write them, in order, over a socket. Answers are read as
 * strictly as the strictest of them reads: by exact names, small letter first.
 */

const PROVIDER = '0f0e0d0c0b0a49088807060504030201';
const EXPIRES = Date.UTC(2031, 0, 2, 3, 4, 5);

/** One request, and what its answer must hold. `{charge}` and the like stand for what earlier answers gave. */
interface Recorded {
  readonly what: string;
  readonly call: string;
  readonly body?: string;
  readonly status?: number;
  readonly answer: object;
  /** Names under which identifiers of the answer are kept for later requests. */
  readonly keeps?: Readonly<Record<string, readonly string[]>>;
}

/** A library that spells names in PascalCase and leaves out what is not set. */
const PASCAL: Recorded[] = [
  {
    what: 'an authorisation whose slashes are escaped',
    call: 'POST /charge/card',
    body: String.raw`{"Amount":15.5,"Currency":"AUD","Reference":"r","Capture":false,"Webhook":{"Url":"https:\/\/w","Authorization":"Basic x"},"Metadata":{"MerchantId":"1"},"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"10\/30","Ccv":"123","Cardholder":"X"}}`,
    answer: {
      status: 'AUTHORISE',
      amount: 15.5,
      authorisationAmount: 15.5,
      reference: 'r',
      metadata: { MerchantId: '1' },
      paymentInformation: {
        type: 'CARD',
        card: { cardNumber: '4111********1111', expiryDate: '10/30', cardholder: 'X' },
      },
    },
    keeps: { charge: ['chargeId'] },
  },
  {
    what: 'its capture, where an empty map is written as a list',
    call: 'POST /charge/{charge}',
    body: '[]',
    answer: { status: 'SUCCESS', amount: 15.5, authorisationAmount: 15.5 },
  },
  {
    what: 'a refund in part',
    call: 'DELETE /charge/{charge}?Amount=5&Comment=a+b',
    answer: { status: 'PARTIAL_REFUND', refundedAmount: 5, refunds: [{ amount: 5, comment: 'a b' }] },
  },
  {
    what: 'the refund of the rest, without an amount',
    call: 'DELETE /charge/{charge}',
    answer: { status: 'REFUND', refundedAmount: 15.5 },
  },
  {
    what: 'an authorisation without a currency',
    call: 'POST /charge/card',
    body: `{"Amount":15.5,"Capture":false,"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"10\\/30","Ccv":"123"}}`,
    answer: { status: 'AUTHORISE', currency: 'AUD' },
    keeps: { authorised: ['chargeId'] },
  },
  {
    what: 'its void',
    call: 'DELETE /charge/{authorised}',
    answer: { status: 'AUTHORISE_CANCELLED', voidDate: '2026-01-01T00:00:00.000Z' },
  },
  {
    what: 'a search',
    call: 'GET /charge?Reference=r&AddedAfter=2024-01-02+03%3A04%3A05&Limit=5&SortBy=x',
    answer: { limit: 5, skip: 0, count: 1, charges: [{ reference: 'r' }] },
  },
  {
    what: 'a customer from a card',
    call: 'POST /customer/card',
    body: `{"FirstName":"Jo","LastName":"Smith","Email":"jo@example.com","Phone":"+61311111111","Metadata":{"MerchantId":"1"},"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"10/30","Ccv":"123"},"VaultCard":true}`,
    answer: { email: 'jo@example.com', defaultPaymentMethod: { type: 'CARD', card: { type: 'VISA' } } },
    keeps: { customer: ['customerId'], method: ['defaultPaymentMethod', 'paymentMethodId'] },
  },
  {
    what: 'a charge of the customer without a provider',
    call: 'POST /charge/customer',
    body: '{"Amount":5,"CustomerId":"{customer}"}',
    answer: { status: 'SUCCESS', providerId: PROVIDER, currency: 'AUD', customer: { firstName: 'Jo' } },
  },
  {
    what: 'a batch',
    call: 'POST /batch/transaction/payment_method',
    body: String.raw`{"Count":1,"Description":"d","Batch":"PaymentMethodId,Amount,Currency,Reference\n{method},123.4,AUD,reference","Webhook":{"Url":"https:\/\/w","Authorization":"Basic x"}}`,
    answer: { count: 1, success: 0, failure: 0, description: 'd', status: 'RECEIVED', progress: 0 },
  },
];

/** A library that spells names in camelCase, writes nulls, decimals as text and dates as milliseconds. */
const CAMEL: Recorded[] = [
  {
    what: 'a charge with every member, most of them null',
    call: 'POST /charge/card',
    body: `{"amount":"15.50","currency":"USD","providerId":"${PROVIDER}","reference":null,"paymentInformation":{"cardNumber":"4111111111111111","expiryDate":"12/35","ccv":"123","cardHolder":"X"},"address":{"line1":"l1","line2":null,"city":null,"country":null,"postalCode":null,"state":"VIC"},"order":{"orderNumber":"1","freightAmount":"0","dutyAmount":"1","items":[{"productCode":null,"commodityCode":null,"description":null,"quantity":1,"unitOfMeasure":null,"amount":"123","taxAmount":"0"}]},"customerCode":null,"invoiceNumber":null,"email":null,"phone":null,"capture":true,"initiator":"MERCHANT","webhook":{"url":"https://w","authorization":"Basic x"},"metadata":{"merchant_id":"1"},"threeDSNotificationUrl":"u","firstName":null,"lastName":null,"geolocation":{"longitude":1.5,"latitude":2.0}}`,
    answer: {
      status: 'SUCCESS',
      amount: 15.5,
      currency: 'USD',
      reference: null,
      initiator: 'MERCHANT',
      metadata: { merchant_id: '1' },
      paymentInformation: { card: { cardholder: 'X', cardIin: '411111', ccvCheck: true } },
    },
    keeps: { charge: ['chargeId'] },
  },
  {
    what: 'a search by the name on the card',
    call: 'GET /charge?Cardholder=X&AddedAfter=Tue+Nov+14+22%3A13%3A20+UTC+2023&AmountGreaterThan=1.50&Limit=5',
    answer: { limit: 5, skip: 0, count: 1, charges: [{ currency: 'USD' }] },
  },
  {
    what: 'a refund in part',
    call: 'DELETE /charge/{charge}?amount=5.00',
    answer: { status: 'PARTIAL_REFUND', refundedAmount: 5 },
  },
  {
    what: 'the refund of the rest, with an empty query',
    call: 'DELETE /charge/{charge}?',
    answer: { status: 'REFUND', refundedAmount: 15.5 },
  },
  {
    what: 'a vault entry that ends at an instant',
    call: 'POST /vault',
    body: `{"cardNumber":"4111111111111111","ccv":"123","expireDate":${EXPIRES},"expireSeconds":null}`,
    answer: { maskedCardNumber: '4111********1111', hasCvv: true, expireDate: '2031-01-02T03:04:05.000Z' },
    keeps: { vault: ['vaultId'] },
  },
  {
    what: 'its whole content',
    call: 'GET /vault/{vault}',
    answer: { cardNumber: '4111111111111111', ccv: '123' },
  },
  {
    what: 'a customer whose card goes into the vault until an instant',
    call: 'POST /customer/card',
    body: `{"firstName":"Jo","lastName":null,"reference":null,"email":"jo@example.com","phone":null,"address":null,"ip":null,"providerId":"${PROVIDER}","paymentInformation":{"cardNumber":"4111111111111111","expiryDate":"12/35","ccv":"123","cardHolder":"X"},"vaultCard":true,"vaultExpireDate":${EXPIRES},"vaultExpireSeconds":null,"metadata":null,"skipExpiryDateValidation":false}`,
    answer: { firstName: 'Jo', lastName: null, address: null, metadata: null },
    keeps: { customer: ['customerId'], method: ['defaultPaymentMethod', 'paymentMethodId'] },
  },
  {
    what: 'the same with an instant and seconds, which is refused',
    call: 'POST /customer/card',
    body: `{"providerId":"${PROVIDER}","paymentInformation":{"cardNumber":"4111111111111111","expiryDate":"12/35","ccv":"123","cardHolder":"X"},"vaultCard":true,"vaultExpireDate":1700000000000,"vaultExpireSeconds":60,"metadata":null,"skipExpiryDateValidation":false}`,
    status: 400,
    answer: {
      code: 85,
      message: 'Cannot provide both VaultExpireDate and VaultExpireSeconds',
      httpStatus: 400,
    },
  },
  {
    what: 'a charge of a payment method without a currency',
    call: 'POST /charge/payment_method',
    body: '{"amount":"5.00","currency":null,"paymentMethodId":"{method}","capture":false}',
    answer: { status: 'AUTHORISE', currency: 'AUD', customerId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    keeps: { authorised: ['chargeId'] },
  },
  {
    what: 'its capture in part',
    call: 'POST /charge/{authorised}/capture',
    body: '{"amount":"4.00"}',
    answer: { status: 'SUCCESS', amount: 4, authorisationAmount: 5 },
  },
  {
    what: 'a customer from a token, which has no names',
    call: 'POST /customer/token',
    body: '{"firstName":null,"lastName":null,"reference":null,"token":"tok_approve","metaData":{"merchant_id":"1"}}',
    answer: { firstName: null, metadata: { merchant_id: '1' } },
  },
  {
    what: 'a charge of a token with a member that is not known',
    call: 'POST /charge/token',
    body: '{"amount":"5","token":"tok_approve","checkoutTransfer":{"groupReference":"g"}}',
    answer: { status: 'SUCCESS', paymentTokenId: 'tok_approve' },
  },
];

/** A library that spells names in PascalCase and sends enumerations as numbers and decimals with a fraction. */
const NUMBERED: Recorded[] = [
  {
    what: 'a charge by the merchant',
    call: 'POST /charge/card',
    body: `{"Amount":20.0,"Currency":"AUD","ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"12/35","Ccv":"123","Cardholder":"X"},"Capture":true,"Initiator":1,"Webhook":{"Url":"https://w","Authorization":"Basic x"},"Metadata":{"merchant_id":"1"}}`,
    answer: { status: 'SUCCESS', amount: 20, initiator: 'MERCHANT', metadata: { merchant_id: '1' } },
    keeps: { charge: ['chargeId'] },
  },
  {
    what: 'a search by date with its stray blank',
    call: 'GET /charge?Skip=0&Limit=5&AmountGreaterThan=1.5&AddedAfter=2024-01-02+03%3a+04%3a05&SortBy=x',
    answer: { limit: 5, skip: 0, count: 1, charges: [{ amount: 20 }] },
  },
  {
    what: 'a search that finds nothing',
    call: 'GET /charge?Skip=0&Limit=5&Reference=a+b',
    answer: { limit: 5, skip: 0, count: 0, charges: [] },
  },
  {
    what: 'a refund in part',
    call: 'DELETE /charge/{charge}?amount=5.50',
    answer: { status: 'PARTIAL_REFUND', refundedAmount: 5.5 },
  },
  {
    what: 'the refund of the rest with a comment',
    call: 'DELETE /charge/{charge}?comment=Refund%20comment',
    answer: {
      status: 'REFUND',
      refundedAmount: 20,
      refunds: [{ amount: 5.5 }, { comment: 'Refund comment' }],
    },
  },
  {
    what: 'a customer with every flag',
    call: 'POST /customer/card',
    body: `{"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"12/35","Ccv":"123","Cardholder":"X"},"LastName":"Smith","VaultCard":true,"VaultExpireDate":"2031-01-02T03:04:05.678Z","SetDefault":false,"SkipExpiryDateValidation":false,"Verify":false,"MetaData":{"merchant_id":"1"}}`,
    answer: { lastName: 'Smith', metadata: { merchant_id: '1' } },
    keeps: { customer: ['customerId'], method: ['defaultPaymentMethod', 'paymentMethodId'] },
  },
  {
    what: 'a search for customers',
    call: 'GET /customer?Search=smith&IncludeRemoved=True',
    answer: { limit: 100, skip: 0, count: 1, customers: [{ lastName: 'Smith' }] },
  },
  {
    what: 'a batch whose webhook goes by another name',
    call: 'POST /batch/transaction/payment_method',
    body: String.raw`{"Count":1,"Description":"d","Batch":"PaymentMethodId,Amount,Currency,Reference\n{method},123.4,AUD,reference","WebhookConfig":{"Url":"https://w","Authorization":"Basic x"}}`,
    answer: { count: 1, description: 'd', status: 'RECEIVED', metadata: null },
  },
  {
    what: 'the batch in a list',
    call: 'GET /batch?limit=3&description=d',
    answer: { limit: 3, skip: 0, count: 1, batches: [{ description: 'd', status: 'RECEIVED' }] },
  },
  {
    what: 'the default method of a customer, changed by its identifier alone',
    call: 'PUT /customer/{customer}',
    body: '{"DefaultPaymentMethodId":"{method}"}',
    answer: { lastName: 'Smith', defaultPaymentMethod: { card: { cardholder: 'X' } } },
  },
  {
    what: 'another expiry date of a method',
    call: 'PUT /payment_method/{method}',
    body: '{"Card":{"ExpiryDate":"02/32","Cardholder":"Y"}}',
    answer: { card: { expiryDate: '02/32', cardholder: 'Y' } },
  },
  {
    what: 'the methods of a customer, as a bare list',
    call: 'GET /customer/{customer}/payment_method',
    answer: [{ type: 'CARD', card: { cardNumber: '4111********1111' } }],
  },
  {
    what: 'the removal of a customer',
    call: 'DELETE /customer/{customer}',
    answer: { email: 'deleted', phone: 'deleted', dateRemoved: '2026-01-01T00:00:00.000Z' },
  },
  {
    what: 'a wrong card number',
    call: 'POST /charge/card',
    body: `{"Amount":20.0,"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111112","ExpiryDate":"12/35"},"Capture":true}`,
    status: 400,
    answer: {
      code: 5,
      message: 'Invalid Card Number',
      resource: '/charge/card',
      details: null,
      isRetryable: false,
    },
  },
];

/** The headers of a library's calls, with and without a body. */
interface Headers {
  readonly withBody: OutgoingHttpHeaders;
  readonly bare: OutgoingHttpHeaders;
}
const UTF_8 = { 'Content-Type': 'application/json; charset=utf-8' };
const EMPTY_JSON = { 'Content-Type': 'application/json', 'Content-Length': 0 };
const JAVA = { ...UTF_8, 'user-agent': 'SDK-v.2022.0.1 JRE/17' };

const LIBRARIES: [spelling: string, recorded: Recorded[], headers: Headers][] = [
  ['PascalCase', PASCAL, { withBody: {}, bare: EMPTY_JSON }],
  ['camelCase', CAMEL, { withBody: JAVA, bare: JAVA }],
  ['numbered enumerations', NUMBERED, { withBody: UTF_8, bare: {} }],
];

const sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' }, dialect: 'sdk' });
let server: HttpListening;

beforeAll(async () => {
  server = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

describe.each(LIBRARIES)('recorded requests with %s', (spelling, recorded, { withBody, bare }) => {
  const key = `sk_test_${spelling.replaceAll(' ', '-')}`;
  const send = sender(() => server.url, key);
  const kept = new Map<string, string>();
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => kept.get(name) ?? whole);

  test.each(recorded)('$what: $call', async (one) => {
    const [method = '', to = ''] = one.call.split(' ');
    const reply =
      one.body === undefined
        ? await send(method, filled(to), undefined, bare)
        : await send(method, filled(to), filled(one.body), withBody);
    expect(reply.status, reply.text).toBe(one.status ?? successStatus(method, filled(to)));
    expect(wronglySpelt(reply.body), reply.text).toEqual([]);
    expect(reply.body).toMatchObject(one.answer);
    for (const [name, path] of Object.entries(one.keeps ?? {})) kept.set(name, textAt(reply, path));
  });

  test('and every webhook that was sent is kept', () => {
    const { charges, batches } = sandbox.worlds.open(key);
    const made = [charges.at(0)?.more, ...(batches.size > 0 ? [batches.at(0)] : [])];
    const webhook = { url: 'https://w', authorization: 'Basic x' };
    expect(made.map((one) => one?.webhook)).toEqual(made.map(() => webhook));
  });
});

function textAt(reply: Reply, path: readonly string[]): string {
  let value: unknown = reply.body;
  for (const name of path) value = (value as Record<string, unknown>)[name];
  if (typeof value !== 'string') throw new Error(`No text ${path.join('.')} in ${reply.text}`);
  return value;
}
