import { describe, expect, test } from 'vitest';

import { card, cardCharge } from '../../resources/charges/support.js';
import { type Answer, client, testSandbox, warningOf } from '../../support/sandbox.js';
import { cells, words } from '../../support/tables.js';

const CHARGE = cardCharge({
  Amount: '20.00',
  PaymentInformation: card({ CardNumber: '4242424242424242' }),
});
const BODY = JSON.stringify(CHARGE);

/** What a body is answered with on `POST /charge/card`. */
function sendBody(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
  return client(testSandbox()).post('/charge/card', body, headers);
}

/** The body without its last brace, and more members. */
function withMore(members: string): string {
  return `${BODY.slice(0, -1)},${members}}`;
}

/** A body that comes in chunks, without a stated length. */
async function sendChunks(bodyLimit: number, chunks: number, path = '/charge/card') {
  const sandbox = testSandbox({ bodyLimit, batchBodyLimit: bodyLimit });
  const sent = { chunks: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent.chunks++ === chunks) return controller.close();
      controller.enqueue(new Uint8Array(1000).fill(0x20));
    },
  });
  const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const response = await sandbox.fetch(new Request(`http://localhost${path}`, init));
  return { status: response.status, sent };
}

describe('size', () => {
  test('a body of exactly the limit is accepted', async () => {
    const { post } = client(testSandbox({ bodyLimit: BODY.length }));
    expect((await post('/charge/card', BODY, { 'content-length': String(BODY.length) })).status).toBe(201);
  });

  test('a stated length above the limit is a 413 that names the limit', async () => {
    const { post } = client(testSandbox({ bodyLimit: BODY.length - 1 }));
    const { status, body } = await post('/charge/card', BODY, { 'content-length': String(BODY.length) });
    expect(status).toBe(413);
    expect(body).toMatchObject({ HttpStatus: 413, Code: 90, Details: null });
    expect(body['Message']).toContain(`${BODY.length - 1} bytes`);
  });

  test('in process, a stated length that is no number counts as none', async () => {
    const { post } = client(testSandbox({ bodyLimit: BODY.length }));
    expect((await post('/charge/card', BODY, { 'content-length': 'x' })).status).toBe(201);
    expect((await post('/charge/card', `${BODY} `, { 'content-length': 'x' })).status).toBe(413);
  });

  test('a body without a stated length is counted while it is read, and the rest is left', async () => {
    const { status, sent } = await sendChunks(5000, 1000);
    expect(status).toBe(413);
    expect(sent.chunks).toBeLessThan(20);
  });

  test('a batch has its own limit', async () => {
    const { status, sent } = await sendChunks(5000, 1000, '/batch/transaction/payment_method');
    expect(status).toBe(413);
    expect(sent.chunks).toBeLessThan(20);
  });

  test('1 MiB is the limit by default', async () => {
    const { post } = client(testSandbox());
    const padded = BODY.padEnd(1024 * 1024);
    const send = async (body: string, headers = {}) => (await post('/charge/card', body, headers)).status;
    expect(await send(padded, { 'content-length': String(padded.length) })).toBe(201);
    expect(await send(`${padded} `, { 'content-length': String(padded.length + 1) })).toBe(413);
    expect(await send(`${padded} `)).toBe(413);
  });
});

describe('media type', () => {
  test.each(cells`
    application/json|Application/JSON|application/json; charset=utf-8|application/json;charset=UTF-8|
    application/json; charset="utf-8"|application/json ; charset=utf8|application/json;|
    application/json; version=1|application/json; profile="a; charset=x"; charset=utf-8|application/json;odata=verbose;
  `)('%s is taken', async (type) => {
    expect((await sendBody(BODY, { 'content-type': type })).status).toBe(201);
  });

  test.each(cells`
    text/plain|text/json|application/x-www-form-urlencoded|multipart/form-data; boundary=x|application/jsonp|
    application/problem+json|application/json; charset=iso-8859-1|application/json, text/plain|json|
    application/json; version=1; charset=latin1|application/json; version|application/json; charset=utf-8x|text/csv
  `)('%s is a 415 that names what is taken', async (type) => {
    const { status, body } = await sendBody(BODY, { 'content-type': type });
    expect(status).toBe(415);
    expect(body).toMatchObject({ HttpStatus: 415, Code: 90 });
    expect(body['Message']).toContain(type);
    expect(body['Message']).toContain('application/json');
  });

  test('one with many blanks is refused in linear time', async () => {
    // By the square this takes longer than any test may.
    const { status } = await sendBody(BODY, { 'content-type': `application/json${' '.repeat(2_000_000)}x` });
    expect(status).toBe(415);
  });

  test('none at all is a 415 as well', async () => {
    const body = new TextEncoder().encode(BODY);
    const init = { method: 'POST', headers: { 'x-secretkey': 'sk_test_a' }, body };
    const response = await testSandbox().fetch(new Request('http://localhost/charge/card', init));
    expect(response.status).toBe(415);
    expect(await response.text()).toContain('without a Content-Type');
  });

  test('GET and DELETE without a body are fine with the header and without', async () => {
    const { get, del, post } = client(testSandbox());
    const { body } = await post('/charge/card', CHARGE);
    expect((await get('/charge', { 'content-type': 'application/json' })).status).toBe(200);
    expect(
      (await del(`/refund/${String(body['ChargeId'])}`, { 'content-type': 'application/json' })).status,
    ).toBe(200);
  });

  test('a DELETE with a body of another type is a 415', async () => {
    const sandbox = testSandbox();
    const { body } = await client(sandbox).post('/charge/card', CHARGE);
    const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'text/plain' };
    const init = { method: 'DELETE', headers, body: '{"Amount":"1.00"}' };
    const url = `http://localhost/refund/${String(body['ChargeId'])}`;
    expect((await sandbox.fetch(new Request(url, init))).status).toBe(415);
  });
});

/** More of it, over a socket, is in test/hostile/body.ts. */
describe('JSON', () => {
  test.each([
    ['an empty body', '', 'line 1, column 1: Found an empty text'],
    ['a body that ends early', BODY.slice(0, -1), `line 1, column ${BODY.length}`],
    ['a comma too many', '{\n  "Amount": "1.00",\n}', 'line 3, column 1'],
    ['a comment', '{} // so', 'line 1, column 4'],
    ['a leading zero', '{"Amount": 012}', 'line 1, column 13'],
    ['NaN', '{"Amount": NaN}', 'line 1, column 12'],
    ['a line feed in a string', '{"Reference": "a\nb"}', 'line 1, column 17'],
    ['a duplicate', withMore('"Amount":"30.00"'), 'the field "Amount" twice'],
    ['a duplicate below', withMore('"Metadata":{"a":"1","a":"2"}'), 'the field "a" twice'],
    ['__proto__ written otherwise', withMore(String.raw`"_\u005fproto__":1`), '__proto__'],
    ['a number of a megabyte', `{"Amount":${'1'.repeat(900_000)}}`, 'number longer than'],
  ])('%s is a 400 that says where', async (_, body, reason) => {
    const answer = await sendBody(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ HttpStatus: 400, Code: 90, Details: null });
    expect(answer.body['Message']).toMatch(/line \d+, column \d+/);
    expect(answer.body['Message']).toContain(reason);
  });

  test('nesting of 32 is accepted', async () => {
    const deep = withMore(`"Unknown":${'['.repeat(31)}${']'.repeat(31)}`);
    expect((await sendBody(deep)).status).toBe(201);
  });

  test('the message contains no part of a card number or Ccv', async () => {
    const { text } = await sendBody(BODY.replace('"4242424242424242"', '4242424242424242x'));
    expect(text).not.toMatch(/4242|123"/);
  });
});

describe('fields', () => {
  test('every wrong field is in the details, under its path', async () => {
    const { status, body } = await sendBody(
      '{"Amount":"x","PaymentInformation":{"ExpiryDate":"13/30","Ccv":true}}',
    );
    expect(status).toBe(400);
    expect(Object.keys(body['Details'] as object)).toEqual(words`
      Amount ProviderId PaymentInformation.CardNumber PaymentInformation.ExpiryDate PaymentInformation.Ccv
    `);
    for (const reason of Object.values(body['Details'] as object)) expect(reason).toEqual(expect.any(String));
    expect(body['Message']).not.toMatch(/expected|received|invalid_type/i);
  });

  test('an explicit null is as good as an absent field', async () => {
    const optional = withMore(
      '"Currency":null,"Reference":null,"Metadata":null,"Webhook":null,"Capture":null',
    );
    const answer = await sendBody(optional);
    expect(answer.status).toBe(201);
    expect(warningOf(answer)).toBeNull();
    const required = await sendBody(BODY.replace('"20.00"', 'null'));
    expect(required.status).toBe(400);
    expect(required.body['Details']).toHaveProperty('Amount');
  });
});

describe('unknown fields', () => {
  test('are ignored, and named with what was probably meant', async () => {
    const { status, headers } = await sendBody(
      withMore('"Curency":"AUD","Webhook":{"Url":"https://a.test","Autorization":"x"}'),
    );
    expect(status).toBe(201);
    expect(headers.get('x-sandbox-warning')).toBe(
      'ignored unknown fields: "Curency" (did you mean Currency?), "Webhook.Autorization" (did you mean Authorization?)',
    );
  });

  test('are named in a refusal, too, if they are probably misspelled', async () => {
    const { body } = await sendBody(
      '{"Ammount":"15.50","Zzzzzzzz":1,"ProviderId":"00000000000000000000000000000001"}',
    );
    expect(body['Code']).toBe(90);
    expect(body['Message']).toMatch(/Amount is required.*\. Unknown field "Ammount"; did you mean Amount\?$/);
    expect(body['Details']).toMatchObject({
      Amount: expect.stringMatching(/^is required/),
      Ammount: 'unknown field; did you mean Amount?',
    });
    expect(body['Details']).not.toHaveProperty('Zzzzzzzz');
  });

  test("the names in a caller's own map are nobody's business", async () => {
    const { headers, body } = await sendBody(withMore('"Metadata":{"amount":"1","Curency":"2"}'));
    expect(headers.get('x-sandbox-warning')).toBeNull();
    expect(body['Metadata']).toEqual({ amount: '1', Curency: '2' });
  });

  test('five are named and the others counted', async () => {
    const { headers } = await sendBody(
      withMore(Array.from({ length: 200 }, (_, i) => `"unknown${i}":1`).join()),
    );
    expect(headers.get('x-sandbox-warning')).toBe(
      'ignored unknown fields: "unknown0", "unknown1", "unknown2", "unknown3", "unknown4" and 195 more',
    );
  });

  test('a card number that stands where a name should is not repeated', async () => {
    for (const name of ['4242424242424242', '4242 4242 4242 4242', 'pan-4242-4242-4242-4242']) {
      const { text, headers } = await sendBody(withMore(`"${name}":1`));
      expect(text + String(headers.get('x-sandbox-warning'))).not.toMatch(/4242[ -]?4242/);
    }
  });

  test('under /_sandbox they are always a 400', async () => {
    const sent = { By: '1s', Bye: 1 };
    const { status, body } = await client(testSandbox()).post('/_sandbox/clock/advance', sent);
    expect(status).toBe(400);
    expect(body['Details']).toEqual({ Bye: 'unknown field; did you mean By?' });
  });
});

describe('a reset while the body is under way', () => {
  test('answers 503, and nothing is stored in either world', async () => {
    const sandbox = testSandbox();
    const { get, post } = client(sandbox);
    await get('/charge');
    let finish = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        finish = () => {
          controller.enqueue(new TextEncoder().encode(BODY));
          controller.close();
        };
      },
    });
    const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const waiting = sandbox.fetch(new Request('http://localhost/charge/card', init));
    expect((await post('/_sandbox/reset', {})).status).toBe(200);
    finish();
    const response = await waiting;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ Code: 37, IsRetryable: true });
    expect((await get('/charge')).body['Count']).toBe(0);
  });
});
