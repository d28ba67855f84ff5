import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ApiError, CODE } from '../../../src/core/errors.js';
import { ConnectionLost, buildErrorBody, formatWarnings } from '../../../src/http/answers/respond.js';
import { asking, client, testSandbox, triggerOf } from '../../support/sandbox.js';
import { chargeOf } from '../../resources/charges/support.js';
import { ERROR_MEMBERS, VISA } from '../../support/stored.js';

const charge = (card = VISA, more = {}): object => chargeOf(card, { Amount: '20.00', ...more });

describe('answers', () => {
  test('a success is 201 where something is made, else 200, with a JSON object, for a DELETE too', async () => {
    const { post, del } = client(testSandbox());
    const made = await post('/charge/card', charge());
    const refunded = await del(`/refund/${String(made.body['ChargeId'])}`);
    expect([made.status, refunded.status]).toEqual([201, 200]);
    for (const { headers, text } of [made, refunded]) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(text).toMatch(/^\{.*\}$/);
    }
  });

  test('the headers are the same for an answer and a refusal', async () => {
    const { get } = client(testSandbox());
    for (const path of ['/charge', '/charge/0', '/nowhere']) {
      expect([...(await get(path)).headers.keys()]).toEqual([
        'content-type',
        'cross-origin-resource-policy',
        'x-content-type-options',
        'x-request-id',
        'x-sandbox-world',
      ]);
    }
  });

  test('what decided is named in x-sandbox-trigger', async () => {
    const { post } = client(testSandbox());
    expect((await post('/charge/card', charge())).headers.get('x-sandbox-trigger')).toBeNull();
    const declined = await post('/charge/card', charge('4000000000000341'));
    expect(triggerOf(declined)).toMatch(/4000000000000341|0341/);
  });
});

describe('errors', () => {
  test('a refusal has the nine fields, in the order of the contract', async () => {
    const { text } = await client(testSandbox()).get('/charge/0');
    expect(Object.keys(JSON.parse(text) as object)).toEqual(ERROR_MEMBERS);
    expect(JSON.parse(text)).toEqual({
      HttpStatus: 404,
      Code: 84,
      Type: '/_sandbox/errors#84',
      Message: expect.stringMatching(/^Invalid ChargeId: ./),
      Resource: '/charge/0',
      Details: null,
      IsRetryable: false,
      GatewayCode: null,
      GatewayMessage: null,
    });
  });

  test('a decline has the gateway fields too, and names the stored charge last', async () => {
    const { get, post } = client(testSandbox());
    const { status, body, text } = await post('/charge/card', charge('4000000000000341'));
    expect(status).toBe(400);
    expect(Object.keys(JSON.parse(text) as object)).toEqual([...ERROR_MEMBERS, 'ChargeId']);
    expect(body).toMatchObject({ HttpStatus: 400, Resource: '/charge/card', GatewayCode: '05' });
    expect((await get(`/charge/${String(body['ChargeId'])}`)).body['Status']).toBe('FAILED');
  });

  test('the Resource is the path without the query', async () => {
    const { body } = await client(testSandbox()).get('/charge?CardNumber=4242424242424242&Limit=x');
    expect(body['Resource']).toBe('/charge');
  });

  test('a refusal that asks to wait says for how long', async () => {
    const { status, headers, body } = await client(testSandbox()).post(
      '/charge/card',
      charge('4000000000000374'),
    );
    expect(status).toBe(400);
    expect(body['IsRetryable']).toBe(true);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('each field may be said by the refusal itself, else by the row of its code', () => {
    const own = new ApiError({
      code: CODE.DoNotHonor,
      detail: 'so.',
      httpStatus: 409,
      retryable: true,
      gatewayCode: '05',
      gatewayMessage: 'Do not honour',
      details: { Amount: 'is so' },
    });
    expect(buildErrorBody(own, '/x')).toMatchObject({
      HttpStatus: 409,
      Message: 'Do not honor: so.',
      Details: { Amount: 'is so' },
      IsRetryable: true,
      GatewayCode: '05',
      GatewayMessage: 'Do not honour',
    });
    const bare = buildErrorBody(new ApiError({ code: CODE.GatewayTimeout, detail: '' }), null);
    expect(bare).toMatchObject({
      HttpStatus: 400,
      Message: 'Gateway timeout',
      Resource: null,
      IsRetryable: true,
    });
  });
});

describe('delays', () => {
  test('an answer waits as long as the trigger asks, in real time', async () => {
    const sandbox = testSandbox();
    const { post } = client(sandbox);
    expect((await post('/charge/card', charge(), asking('approve, delay=2s'))).status).toBe(201);
    expect((await post('/charge/card', charge(), asking('do_not_honor, delay=1s'))).status).toBe(400);
    expect(sandbox.host.slept).toEqual([2000, 1000]);
  });

  test('nothing waits where nothing asks for it', async () => {
    const sandbox = testSandbox();
    await client(sandbox).post('/charge/card', charge());
    await client(sandbox).get('/charge');
    expect(sandbox.host.slept).toEqual([]);
  });
});

describe('lost answers', () => {
  test('the charge is committed, and the caller gets a network error as fetch would give', async () => {
    const sandbox = testSandbox();
    const { get, post } = client(sandbox);
    const lost = post('/charge/card', charge('4000000000004087', { Reference: 'lost' }));
    await expect(lost).rejects.toThrow(TypeError);
    await expect(lost).rejects.toThrow(/^fetch failed/);
    await expect(lost).rejects.toBeInstanceOf(ConnectionLost);
    const { body } = await get('/charge?reference=lost');
    expect(body).toMatchObject({ Count: 1, Charges: [{ Status: 'SUCCESS', Amount: 20 }] });
  });
});

describe('warnings', () => {
  test('are one header, parted by semicolons', () => {
    expect(formatWarnings(['one', 'two'])).toBe('one; two');
  });

  test.each([
    ['naïve', 'na%C3%AFve'],
    ['金額', '%E9%87%91%E9%A1%8D'],
    ['😀', '%F0%9F%98%80'],
    ['a\r\nset-cookie: b', 'a%0D%0Aset-cookie: b'],
    ['tab\there', 'tab%09here'],
    ['\u0000\u007f', '%00%7F'],
    ['half \ud83d', 'half %3F'],
    ['\ude00 half', '%3F half'],
  ])('%j is sent as %s', (warning, expected) => {
    expect(formatWarnings([warning])).toBe(expected);
  });

  test('are at most 1 KiB of printable ASCII, whatever was warned of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 600 }), { maxLength: 8 }), (warnings) => {
        const text = formatWarnings(warnings);
        expect(text).toMatch(/^[\x20-\x7e]*$/);
        expect(text.length).toBeLessThanOrEqual(1024);
        expect(() => new Headers({ 'x-sandbox-warning': text })).not.toThrow();
      }),
    );
  });

  test('what is cut ends in dots, and never within an escape', () => {
    for (let before = 0; before < 12; before++) {
      const text = formatWarnings(['a'.repeat(before) + '金'.repeat(200)]);
      expect(text).toMatch(/^a*(?:%[0-9A-F]{2})+\.\.\.$/);
      expect(() => decodeURIComponent(text)).not.toThrow();
    }
  });

  test('several of one request stand side by side', async () => {
    const { headers } = await client(testSandbox()).post(
      '/charge/card',
      charge('4012888888881881', { Curency: 'AUD' }),
    );
    const warning = headers.get('x-sandbox-warning');
    expect(warning).toContain('"Curency" (did you mean Currency?)');
    expect(warning).toContain('; the card number is not a published test card');
  });
});
