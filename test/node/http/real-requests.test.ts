import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { type HttpListening, serveHttp } from '../../../src/node/http/serve.js';
import { createInnerSandbox } from '../../../src/app/sandbox.js';
import { sender } from '../../support/socket.js';

/**
 * Requests as client programs of the service send them, byte for byte, played in order over a socket
 * against one server. Each test goes on where the one before it ended.
 */

const PROVIDER = '0f0e0d0c0b0a49088807060504030201';
const CARD = '"CardNumber":"4111111111111111","ExpiryDate":"12/35","Ccv":"123","Cardholder":"X"';

let server: HttpListening;

beforeAll(async () => {
  const sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' } });
  server = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

const send = sender(() => server.url, 'sk_test_real');

/** What later requests need of earlier answers. */
const ids: Record<'charge' | 'customer' | 'vault' | 'standalone' | 'batch', string> = {
  charge: '',
  customer: '',
  vault: '',
  standalone: '',
  batch: '',
};

describe('real requests, in order', () => {
  test('an authorisation whose slashes are escaped', async () => {
    const { status, body } = await send(
      'POST',
      '/charge/card',
      String.raw`{"Amount":15.5,"Currency":"AUD","Reference":"r","Capture":false,"Webhook":{"Url":"https:\/\/example.com\/w","Authorization":"Basic x"},"Metadata":{"MerchantId":"1"},"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"10\/30","Ccv":"123","Cardholder":"X"}}`,
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      Status: 'Authorised',
      Amount: 15.5,
      AuthorisationAmount: 15.5,
      Reference: 'r',
      Metadata: { MerchantId: '1' },
      PaymentInformation: { Card: { ExpiryDate: '10/30', CardNumber: '4111********1111' } },
    });
    ids.charge = String(body['ChargeId']);
  });

  test('its capture in part', async () => {
    const { status, body } = await send('POST', `/charge/${ids.charge}`, '{"Amount":10}');
    expect(status).toBe(200);
    expect(body).toMatchObject({ Status: 'SUCCESS', Amount: 10, AuthorisationAmount: 15.5 });
  });

  test('a refund in part, with a media type and no body', async () => {
    const path = `/refund/${ids.charge}?Amount=5&Comment=a+b`;
    const { status, body } = await send('DELETE', path, undefined, {
      'Content-Type': 'application/json',
      'Content-Length': 0,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      Status: 'PARTIAL_REFUND',
      RefundedAmount: 5,
      Refunds: [{ Amount: 5, Comment: 'a b', DateAdded: '2026-01-01T00:00:00.000Z' }],
    });
  });

  test('the refund of the rest, without any header', async () => {
    const { status, body } = await send('DELETE', `/refund/${ids.charge}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ Status: 'REFUND', RefundedAmount: 10, Amount: 10 });
    expect(body['Refunds']).toHaveLength(2);
  });

  test('a charge of 20.0, answered as 20', async () => {
    const { status, body, text } = await send(
      'POST',
      '/charge/card',
      `{"Amount":20.0,"Currency":"AUD","ProviderId":"${PROVIDER}","PaymentInformation":{${CARD}},"Capture":true,"Initiator":"MERCHANT","Metadata":{"merchant_id":"1"}}`,
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      Status: 'SUCCESS',
      Amount: 20,
      AuthorisationAmount: null,
      Initiator: 'MERCHANT',
      Metadata: { merchant_id: '1' },
    });
    expect(text).toContain('"Amount":20,');
  });

  test.each([
    ['by amount', '?amount=5.00', { Status: 'PARTIAL_REFUND', RefundedAmount: 5 }],
    [
      'by comment',
      '?comment=Refund%20comment',
      { Status: 'REFUND', Refunds: [{ Comment: 'Refund comment' }] },
    ],
    ['of all, with a bare question mark', '?', { Status: 'REFUND', RefundedAmount: 20 }],
    ['of all', '', { Status: 'REFUND', RefundedAmount: 20 }],
  ])('a refund by the charge alone, %s', async (_, query, expected) => {
    const body = `{"Amount":20.0,"Currency":"AUD","ProviderId":"${PROVIDER}","PaymentInformation":{${CARD}}}`;
    const charge = await send('POST', '/charge/card', body);
    const refund = await send('DELETE', `/charge/${String(charge.body['ChargeId'])}${query}`, undefined, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': 0,
    });
    expect(refund.status).toBe(200);
    expect(refund.body).toMatchObject(expected);
  });

  test('a search by six filters', async () => {
    const path = '/charge?Skip=0&Limit=5&Reference=a+b&AmountGreaterThan=1.5&SortBy=Date';
    expect((await send('GET', path)).body).toEqual({ Limit: 5, Skip: 0, Count: 0, Charges: [] });
    const found = await send('GET', path.replace('a+b', 'r'));
    expect(found.body).toMatchObject({ Count: 1, Charges: [{ ChargeId: ids.charge, Status: 'REFUND' }] });
  });

  test('a customer whose card goes into the vault', async () => {
    const { status, body } = await send(
      'POST',
      '/customer/card',
      `{"ProviderId":"${PROVIDER}","PaymentInformation":{${CARD}},"VaultCard":true,"VaultExpireSeconds":60,"FirstName":"Jo","LastName":"Smith","Email":"jo@example.com"}`,
    );
    expect(status).toBe(201);
    const method = body['DefaultPaymentMethod'] as Record<string, unknown>;
    expect(method['VaultId']).toMatch(/^[0-9a-f]{32}$/);
    ids.customer = String(body['CustomerId']);
    ids.vault = String(method['VaultId']);
  });

  test('a search for customers, removed ones too', async () => {
    const { body } = await send('GET', '/customer?Search=smith&IncludeRemoved=True');
    expect(body).toMatchObject({ Count: 1, Customers: [{ CustomerId: ids.customer }] });
  });

  test('a second card of the customer, which does not become its default', async () => {
    const body = `{"ProviderId":"${PROVIDER}","PaymentInformation":{${CARD}},"VaultCard":false,"SetDefault":false,"SkipExpiryDateValidation":false}`;
    const made = await send('POST', `/customer/${ids.customer}/payment_method/card`, body);
    expect(made.status).toBe(201);
    const list = await send('GET', `/customer/${ids.customer}/payment_method`, undefined, {
      'Content-Type': 'application/json',
      'Content-Length': 0,
    });
    expect(JSON.parse(list.text)).toHaveLength(2);
    const id = String(made.body['PaymentMethodId']);
    const changed = await send(
      'PUT',
      `/payment_method/${id}`,
      '{"Card":{"ExpiryDate":"02/32","Cardholder":"Y"}}',
    );
    expect(changed.body).toMatchObject({ Card: { ExpiryDate: '02/32', Cardholder: 'Y' } });
    expect((await send('DELETE', `/payment_method/${id}`)).body).toMatchObject({ Email: 'deleted' });
  });

  test('a standalone vault entry, and its Ccv', async () => {
    const made = await send(
      'POST',
      '/vault',
      '{"CardNumber":"4111111111111111","Ccv":"123","ExpireDate":"2031-01-01T00:00:00Z"}',
    );
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ HasCvv: true, MaskedCardNumber: '4111********1111' });
    ids.standalone = String(made.body['VaultId']);
    const read = await send('GET', `/vault/${ids.standalone}`);
    expect(read.body).toMatchObject({ Ccv: '123', CardNumber: '4111111111111111' });
  });

  test('the Ccv of the customer, there before the first charge and null after it', async () => {
    expect((await send('GET', `/vault/${ids.vault}`)).body['Ccv']).toBe('123');
    const charge = await send(
      'POST',
      '/charge/customer',
      `{"Amount":5,"ProviderId":"${PROVIDER}","CustomerId":"${ids.customer}"}`,
    );
    expect(charge.body).toMatchObject({ Status: 'SUCCESS', CustomerId: ids.customer });
    expect((await send('GET', `/vault/${ids.vault}`)).body['Ccv']).toBeNull();
    expect((await send('GET', `/vault/${ids.standalone}`)).body['Ccv']).toBe('123');
  });

  test.each<[what: string, information: string, code: number, message: string]>([
    [
      'a wrong check digit',
      ',"PaymentInformation":{"CardNumber":"4000000000000000","ExpiryDate":"12/35"}',
      5,
      'Invalid Card Number',
    ],
    [
      'a Ccv of letters',
      ',"PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"12/35","Ccv":"abcda"}',
      6,
      'Invalid CCV',
    ],
    ['no PaymentInformation', '', 81, 'Invalid PaymentInformation'],
  ])('a charge with %s', async (_, information, code, message) => {
    const body = `{"Amount":5,"Currency":"AUD","ProviderId":"${PROVIDER}"${information}}`;
    const refused = await send('POST', '/charge/card', body);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ HttpStatus: 400, Code: code, Resource: '/charge/card' });
    expect(String(refused.body['Message'])).toMatch(new RegExp(`^${message}`));
  });

  test('a batch with an unknown payment method', async () => {
    const received = await send(
      'POST',
      '/batch/transaction/payment_method',
      String.raw`{"Count":1,"Description":"d","Batch":"PaymentMethodId,Amount,Currency,Reference\ntest,123.4,AUD,reference"}`,
    );
    expect(received.status).toBe(201);
    expect(received.body).toMatchObject({ Status: 'RECEIVED', Count: 1, Progress: 0 });
    ids.batch = String(received.body['BatchId']);
  });

  test('its failed row, once time has passed', async () => {
    await send('POST', '/_sandbox/clock/advance', '{"By":"1m"}');
    const status = await send('GET', `/batch/${ids.batch}/status`);
    expect(status.body).toMatchObject({ Status: 'SUCCESS', Progress: 1, Success: 0, Failure: 1 });
    expect(status.body).not.toHaveProperty('Results');
    const { body } = await send('GET', `/batch/${ids.batch}`);
    const [, row] = String(body['Results']).split('\n');
    expect(row).toMatch(/^test,123\.4,AUD,reference,FAILED,,/);
    expect(row).toContain('PaymentMethodId');
  });

  test('the batch in a list', async () => {
    const { body } = await send('GET', '/batch?limit=3&description=d');
    expect(body).toMatchObject({ Limit: 3, Count: 1, Batches: [{ BatchId: ids.batch, Status: 'SUCCESS' }] });
  });

  test('the entry of the customer, which has ended by then', async () => {
    const gone = await send('GET', `/vault/${ids.vault}`);
    expect(gone.status).toBe(404);
    expect(gone.body).toMatchObject({ Code: 62, Resource: `/vault/${ids.vault}` });
  });
});
