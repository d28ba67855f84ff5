import type { OutgoingHttpHeaders } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { type HttpListening, serveHttp } from '../../../src/node/http/serve.js';
import { createInnerSandbox } from '../../../src/app/sandbox.js';
import type { DialectSetting } from '../../../src/core/dialect/dialect.js';
import { successStatus } from '../../support/conformity.js';
import { wronglySpelt } from '../../support/sdk.js';
import { sender } from '../../support/socket.js';
import { ID } from '../../support/stored.js';

/**
 * Requests as programs and client libraries of the service write them, byte for byte and in order, over a socket. The answers to
 * libraries are read as strictly as the strictest of them reads: by exact names, small letter first. Under each request stands what the
 * answer must hold, with its status where it is refused. `{charge}` stands for an identifier, which the first answer with it gives;
 * `~` begins a pattern.
 */

const PROVIDER = '0f0e0d0c0b0a49088807060504030201';
const EXPIRES = Date.UTC(2031, 0, 2, 3, 4, 5);
const CARD = '"CardNumber":"4111111111111111","ExpiryDate":"12/35","Ccv":"123","Cardholder":"X"';

const ESCAPED = String.raw`POST /charge/card {"Amount":15.5,"Currency":"AUD","Reference":"r","Capture":false,"Webhook":{"Url":"https:\/\/w","Authorization":"Basic x"},"Metadata":{"MerchantId":"1"},"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"10\/30","Ccv":"123","Cardholder":"X"}}`;

/** What programs send to the service as its documentation has it. */
const DOCUMENTED = String.raw`
an authorisation whose slashes are escaped: ${ESCAPED}
  {"Status":"Authorised","Amount":15.5,"AuthorisationAmount":15.5,"Reference":"r","Metadata":{"MerchantId":"1"},"PaymentInformation":{"Card":{"ExpiryDate":"10/30","CardNumber":"4111********1111"}},"ChargeId":"{charge}"}
its capture in part: POST /charge/{charge} {"Amount":10}
  {"Status":"SUCCESS","Amount":10,"AuthorisationAmount":15.5}
a refund in part: DELETE /refund/{charge}?Amount=5&Comment=a+b
  {"Status":"PARTIAL_REFUND","RefundedAmount":5,"Refunds":[{"Amount":5,"Comment":"a b","DateAdded":"2026-01-01T00:00:00.000Z"}]}
the refund of the rest: DELETE /refund/{charge}
  {"Status":"REFUND","RefundedAmount":10,"Amount":10,"Refunds":[{},{}]}
a charge of 20.0, answered as 20: POST /charge/card {"Amount":20.0,"Currency":"AUD","ProviderId":"${PROVIDER}","PaymentInformation":{${CARD}},"Capture":true,"Initiator":"MERCHANT","Metadata":{"merchant_id":"1"}}
  {"Status":"SUCCESS","Amount":20,"AuthorisationAmount":null,"Initiator":"MERCHANT","Metadata":{"merchant_id":"1"},"ChargeId":"{paid}"}
a refund by the charge alone: DELETE /charge/{paid}?amount=5.00
  {"Status":"PARTIAL_REFUND","RefundedAmount":5}
its rest, by a comment: DELETE /charge/{paid}?comment=Refund%20comment
  {"Status":"REFUND","RefundedAmount":20,"Refunds":[{},{"Comment":"Refund comment"}]}
a search that finds nothing: GET /charge?Skip=0&Limit=5&Reference=a+b&AmountGreaterThan=1.5&SortBy=Date
  {"Limit":5,"Skip":0,"Count":0,"Charges":[]}
a search by six filters: GET /charge?Skip=0&Limit=5&Reference=r&AmountGreaterThan=1.5&SortBy=Date&status=REFUND
  {"Count":1,"Charges":[{"Status":"REFUND","Reference":"r"}]}
a customer whose card goes into the vault: POST /customer/card {"ProviderId":"${PROVIDER}","PaymentInformation":{${CARD}},"VaultCard":true,"VaultExpireSeconds":60,"FirstName":"Jo","LastName":"Smith","Email":"jo@example.com"}
  {"DefaultPaymentMethod":{"VaultId":"{vault}"},"CustomerId":"{customer}"}
a search for customers, removed ones too: GET /customer?Search=smith&IncludeRemoved=True
  {"Count":1,"Customers":[{"LastName":"Smith"}]}
a second card, which does not become the default: POST /customer/{customer}/payment_method/card {"ProviderId":"${PROVIDER}","PaymentInformation":{${CARD}},"VaultCard":false,"SetDefault":false,"SkipExpiryDateValidation":false}
  {"Card":{},"PaymentMethodId":"{method}"}
the methods of the customer: GET /customer/{customer}/payment_method
  [{},{}]
another expiry date of the second: PUT /payment_method/{method} {"Card":{"ExpiryDate":"02/32","Cardholder":"Y"}}
  {"Card":{"ExpiryDate":"02/32","Cardholder":"Y"}}
its removal: DELETE /payment_method/{method}
  {"Email":"deleted"}
a standalone vault entry: POST /vault {"CardNumber":"4111111111111111","Ccv":"123","ExpireDate":"2031-01-01T00:00:00Z"}
  {"HasCvv":true,"MaskedCardNumber":"4111********1111","VaultId":"{standalone}"}
the Ccv of the customer before the first charge: GET /vault/{vault}
  {"Ccv":"123"}
the first charge of the customer: POST /charge/customer {"Amount":5,"ProviderId":"${PROVIDER}","CustomerId":"{customer}"}
  {"Status":"SUCCESS","Customer":{"FirstName":"Jo"}}
the Ccv of the customer after it: GET /vault/{vault}
  {"Ccv":null}
that of the standalone entry: GET /vault/{standalone}
  {"Ccv":"123","CardNumber":"4111111111111111"}
a wrong check digit: POST /charge/card {"Amount":5,"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4000000000000000","ExpiryDate":"12/35"}}
  400 {"HttpStatus":400,"Code":5,"Resource":"/charge/card","Message":"~^Invalid Card Number"}
a Ccv of letters: POST /charge/card {"Amount":5,"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"12/35","Ccv":"abcda"}}
  400 {"HttpStatus":400,"Code":6,"Resource":"/charge/card","Message":"~^Invalid CCV"}
no PaymentInformation: POST /charge/card {"Amount":5,"Currency":"AUD","ProviderId":"${PROVIDER}"}
  400 {"HttpStatus":400,"Code":81,"Resource":"/charge/card","Message":"~^Invalid PaymentInformation"}
a batch with an unknown payment method: POST /batch/transaction/payment_method {"Count":1,"Description":"d","Batch":"PaymentMethodId,Amount,Currency,Reference\ntest,123.4,AUD,reference","Webhook":{"Url":"https://w","Authorization":"Basic x"}}
  {"Status":"RECEIVED","Count":1,"Progress":0,"BatchId":"{batch}"}
a minute that passes: POST /_sandbox/clock/advance {"By":"1m"}
  {}
the status of the batch: GET /batch/{batch}/status
  {"Status":"SUCCESS","Progress":1,"Success":0,"Failure":1}
its failed row: GET /batch/{batch}
  {"Results":"~\\ntest,123\\.4,AUD,reference,FAILED,,.*PaymentMethodId"}
the batch in a list: GET /batch?limit=3&description=d
  {"Limit":3,"Count":1,"Batches":[{"Status":"SUCCESS"}]}
the entry of the customer, which has ended by then: GET /vault/{vault}
  404 {"Code":62,"Resource":"~^\\/vault\\/[0-9a-f]{32}$"}
`;

/** A library that spells names in PascalCase and leaves out what is not set. */
const PASCAL = String.raw`
an authorisation whose slashes are escaped: ${ESCAPED}
  {"status":"AUTHORISE","amount":15.5,"authorisationAmount":15.5,"reference":"r","metadata":{"MerchantId":"1"},"paymentInformation":{"type":"CARD","card":{"cardNumber":"4111********1111","expiryDate":"10/30","cardholder":"X"}},"chargeId":"{charge}"}
its capture, where an empty map is written as a list: POST /charge/{charge} []
  {"status":"SUCCESS","amount":15.5,"authorisationAmount":15.5}
a refund in part: DELETE /charge/{charge}?Amount=5&Comment=a+b
  {"status":"PARTIAL_REFUND","refundedAmount":5,"refunds":[{"amount":5,"comment":"a b"}]}
the refund of the rest, without an amount: DELETE /charge/{charge}
  {"status":"REFUND","refundedAmount":15.5}
an authorisation without a currency: POST /charge/card {"Amount":15.5,"Capture":false,"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"10\/30","Ccv":"123"}}
  {"status":"AUTHORISE","currency":"AUD","chargeId":"{authorised}"}
its void: DELETE /charge/{authorised}
  {"status":"AUTHORISE_CANCELLED","voidDate":"2026-01-01T00:00:00.000Z"}
a search: GET /charge?Reference=r&AddedAfter=2024-01-02+03%3A04%3A05&Limit=5&SortBy=x
  {"limit":5,"skip":0,"count":1,"charges":[{"reference":"r"}]}
a customer from a card: POST /customer/card {"FirstName":"Jo","LastName":"Smith","Email":"jo@example.com","Phone":"+61311111111","Metadata":{"MerchantId":"1"},"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"10/30","Ccv":"123"},"VaultCard":true}
  {"email":"jo@example.com","defaultPaymentMethod":{"type":"CARD","card":{"type":"VISA"},"paymentMethodId":"{method}"},"customerId":"{customer}"}
a charge of the customer without a provider: POST /charge/customer {"Amount":5,"CustomerId":"{customer}"}
  {"status":"SUCCESS","providerId":"${PROVIDER}","currency":"AUD","customer":{"firstName":"Jo"}}
a batch: POST /batch/transaction/payment_method {"Count":1,"Description":"d","Batch":"PaymentMethodId,Amount,Currency,Reference\n{method},123.4,AUD,reference","Webhook":{"Url":"https:\/\/w","Authorization":"Basic x"}}
  {"count":1,"success":0,"failure":0,"description":"d","status":"RECEIVED","progress":0}
`;

/** A library that spells names in camelCase, writes nulls, decimals as text and dates as milliseconds. */
const CAMEL = String.raw`
a charge with every member, most of them null: POST /charge/card {"amount":"15.50","currency":"USD","providerId":"${PROVIDER}","reference":null,"paymentInformation":{"cardNumber":"4111111111111111","expiryDate":"12/35","ccv":"123","cardHolder":"X"},"address":{"line1":"l1","line2":null,"city":null,"country":null,"postalCode":null,"state":"VIC"},"order":{"orderNumber":"1","freightAmount":"0","dutyAmount":"1","items":[{"productCode":null,"commodityCode":null,"description":null,"quantity":1,"unitOfMeasure":null,"amount":"123","taxAmount":"0"}]},"customerCode":null,"invoiceNumber":null,"email":null,"phone":null,"capture":true,"initiator":"MERCHANT","webhook":{"url":"https://w","authorization":"Basic x"},"metadata":{"merchant_id":"1"},"threeDSNotificationUrl":"u","firstName":null,"lastName":null,"geolocation":{"longitude":1.5,"latitude":2.0}}
  {"status":"SUCCESS","amount":15.5,"currency":"USD","reference":null,"initiator":"MERCHANT","metadata":{"merchant_id":"1"},"paymentInformation":{"card":{"cardholder":"X","cardIin":"411111","ccvCheck":true}},"chargeId":"{charge}"}
a search by the name on the card: GET /charge?Cardholder=X&AddedAfter=Tue+Nov+14+22%3A13%3A20+UTC+2023&AmountGreaterThan=1.50&Limit=5
  {"limit":5,"skip":0,"count":1,"charges":[{"currency":"USD"}]}
a refund in part: DELETE /charge/{charge}?amount=5.00
  {"status":"PARTIAL_REFUND","refundedAmount":5}
the refund of the rest, with an empty query: DELETE /charge/{charge}?
  {"status":"REFUND","refundedAmount":15.5}
a vault entry that ends at an instant: POST /vault {"cardNumber":"4111111111111111","ccv":"123","expireDate":${EXPIRES},"expireSeconds":null}
  {"maskedCardNumber":"4111********1111","hasCvv":true,"expireDate":"2031-01-02T03:04:05.000Z","vaultId":"{vault}"}
its whole content: GET /vault/{vault}
  {"cardNumber":"4111111111111111","ccv":"123"}
a customer whose card goes into the vault until an instant: POST /customer/card {"firstName":"Jo","lastName":null,"reference":null,"email":"jo@example.com","phone":null,"address":null,"ip":null,"providerId":"${PROVIDER}","paymentInformation":{"cardNumber":"4111111111111111","expiryDate":"12/35","ccv":"123","cardHolder":"X"},"vaultCard":true,"vaultExpireDate":${EXPIRES},"vaultExpireSeconds":null,"metadata":null,"skipExpiryDateValidation":false}
  {"firstName":"Jo","lastName":null,"address":null,"metadata":null,"customerId":"{customer}","defaultPaymentMethod":{"paymentMethodId":"{method}"}}
the same with an instant and seconds, which is refused: POST /customer/card {"providerId":"${PROVIDER}","paymentInformation":{"cardNumber":"4111111111111111","expiryDate":"12/35","ccv":"123","cardHolder":"X"},"vaultCard":true,"vaultExpireDate":1700000000000,"vaultExpireSeconds":60,"metadata":null,"skipExpiryDateValidation":false}
  400 {"code":85,"message":"Cannot provide both VaultExpireDate and VaultExpireSeconds","httpStatus":400}
a charge of a payment method without a currency: POST /charge/payment_method {"amount":"5.00","currency":null,"paymentMethodId":"{method}","capture":false}
  {"status":"AUTHORISE","currency":"AUD","customerId":"~^[0-9a-f]{32}$","chargeId":"{authorised}"}
its capture in part: POST /charge/{authorised}/capture {"amount":"4.00"}
  {"status":"SUCCESS","amount":4,"authorisationAmount":5}
a customer from a token, which has no names: POST /customer/token {"firstName":null,"lastName":null,"reference":null,"token":"tok_approve","metaData":{"merchant_id":"1"}}
  {"firstName":null,"metadata":{"merchant_id":"1"}}
a charge of a token with a transfer: POST /charge/token {"amount":"5","token":"tok_approve","checkoutTransfer":{"account":"acct-1","amount":"2"}}
  {"status":"SUCCESS","paymentTokenId":"tok_approve"}
`;

/** A library that spells names in PascalCase and sends enumerations as numbers and decimals with a fraction. */
const NUMBERED = String.raw`
a charge by the merchant: POST /charge/card {"Amount":20.0,"Currency":"AUD","ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"12/35","Ccv":"123","Cardholder":"X"},"Capture":true,"Initiator":1,"Webhook":{"Url":"https://w","Authorization":"Basic x"},"Metadata":{"merchant_id":"1"}}
  {"status":"SUCCESS","amount":20,"initiator":"MERCHANT","metadata":{"merchant_id":"1"},"chargeId":"{charge}"}
a search by date with its stray blank: GET /charge?Skip=0&Limit=5&AmountGreaterThan=1.5&AddedAfter=2024-01-02+03%3a+04%3a05&SortBy=x
  {"limit":5,"skip":0,"count":1,"charges":[{"amount":20}]}
a search that finds nothing: GET /charge?Skip=0&Limit=5&Reference=a+b
  {"limit":5,"skip":0,"count":0,"charges":[]}
a refund in part: DELETE /charge/{charge}?amount=5.50
  {"status":"PARTIAL_REFUND","refundedAmount":5.5}
the refund of the rest with a comment: DELETE /charge/{charge}?comment=Refund%20comment
  {"status":"REFUND","refundedAmount":20,"refunds":[{"amount":5.5},{"comment":"Refund comment"}]}
a customer with every flag: POST /customer/card {"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111111","ExpiryDate":"12/35","Ccv":"123","Cardholder":"X"},"LastName":"Smith","VaultCard":true,"VaultExpireDate":"2031-01-02T03:04:05.678Z","SetDefault":false,"SkipExpiryDateValidation":false,"Verify":false,"MetaData":{"merchant_id":"1"}}
  {"lastName":"Smith","metadata":{"merchant_id":"1"},"customerId":"{customer}","defaultPaymentMethod":{"paymentMethodId":"{method}"}}
a search for customers: GET /customer?Search=smith&IncludeRemoved=True
  {"limit":100,"skip":0,"count":1,"customers":[{"lastName":"Smith"}]}
a batch whose webhook goes by another name: POST /batch/transaction/payment_method {"Count":1,"Description":"d","Batch":"PaymentMethodId,Amount,Currency,Reference\n{method},123.4,AUD,reference","WebhookConfig":{"Url":"https://w","Authorization":"Basic x"}}
  {"count":1,"description":"d","status":"RECEIVED","metadata":null}
the batch in a list: GET /batch?limit=3&description=d
  {"limit":3,"skip":0,"count":1,"batches":[{"description":"d","status":"RECEIVED"}]}
the default method of a customer, changed by its identifier alone: PUT /customer/{customer} {"DefaultPaymentMethodId":"{method}"}
  {"lastName":"Smith","defaultPaymentMethod":{"card":{"cardholder":"X"}}}
another expiry date of a method: PUT /payment_method/{method} {"Card":{"ExpiryDate":"02/32","Cardholder":"Y"}}
  {"card":{"expiryDate":"02/32","cardholder":"Y"}}
the methods of a customer, as a bare list: GET /customer/{customer}/payment_method
  [{"type":"CARD","card":{"cardNumber":"4111********1111"}}]
the removal of a customer: DELETE /customer/{customer}
  {"email":"deleted","phone":"deleted","dateRemoved":"2026-01-01T00:00:00.000Z"}
a wrong card number: POST /charge/card {"Amount":20.0,"ProviderId":"${PROVIDER}","PaymentInformation":{"CardNumber":"4111111111111112","ExpiryDate":"12/35"},"Capture":true}
  400 {"code":5,"message":"Invalid Card Number","resource":"/charge/card","details":null,"isRetryable":false}
`;

/** The headers of a library's calls, with and without a body. */
interface Headers {
  readonly withBody: OutgoingHttpHeaders;
  readonly bare: OutgoingHttpHeaders;
}
const UTF_8 = { 'Content-Type': 'application/json; charset=utf-8' };
const EMPTY_JSON = { 'Content-Type': 'application/json', 'Content-Length': 0 };
const JAVA = { ...UTF_8, 'user-agent': 'PayFURL-Java-SDK-v.2022.0.1 JRE/17.0.2 (Linux)' };

const LIBRARIES: [spelling: string, dialect: DialectSetting, requests: string, headers: Headers][] = [
  ['documented names', 'auto', DOCUMENTED, { withBody: {}, bare: EMPTY_JSON }],
  ['PascalCase', 'sdk', PASCAL, { withBody: {}, bare: EMPTY_JSON }],
  ['camelCase', 'auto', CAMEL, { withBody: JAVA, bare: JAVA }],
  ['numbered enumerations', 'sdk', NUMBERED, { withBody: UTF_8, bare: {} }],
];

describe.each(LIBRARIES)('recorded requests with %s', (_, dialect, requests, { withBody, bare }) => {
  const sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' }, dialect });
  let server: HttpListening;
  beforeAll(async () => {
    server = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  const send = sender(() => server.url, 'sk_test_recorded');
  const ids = new Map<string, string>();
  const fillIn = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => ids.get(name) ?? whole);

  /** What a value of an answer must be: itself, a text of a pattern, or an identifier that later requests use. */
  const expected = (_name: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (value.startsWith('~')) return expect.stringMatching(new RegExp(value.slice(1)));
    const name = /^\{(\w+)\}$/.exec(value)?.[1];
    if (name === undefined) return value;
    return { asymmetricMatch: (id: string) => ids.set(name, id) && ID.test(id) };
  };

  const rows = requests.matchAll(/^(.+?): ([A-Z]+) (\S+) ?(.*)\n +(\d*) ?(.+)$/gm);

  test.each([...rows].map(([, ...row]) => row))('%s', async (_line, method = '', path = '', ...texts) => {
    const [body = '', status = '', answer = ''] = texts.map(fillIn);
    const reply =
      body === ''
        ? await send(method, fillIn(path), undefined, bare)
        : await send(method, fillIn(path), body, withBody);
    expect(reply.status, reply.text).toBe(status === '' ? successStatus(method, path) : Number(status));
    if (requests !== DOCUMENTED) expect(wronglySpelt(reply.body), reply.text).toEqual([]);
    expect(reply.body).toMatchObject(JSON.parse(answer, expected) as object);
  });

  test('and every webhook that was sent is kept', () => {
    const { charges, batches } = sandbox.worlds.open('sk_test_recorded');
    const made = [charges.at(0)?.more, ...(batches.size > 0 ? [batches.at(0)] : [])];
    const webhook = { url: 'https://w', authorization: 'Basic x' };
    expect(made.map((one) => one?.webhook)).toEqual(made.map(() => webhook));
  });
});
