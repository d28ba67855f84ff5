import { describe, expect, test } from 'vitest';

import {
  type Answer,
  asking,
  client,
  type Client,
  good,
  testSandbox,
  type TestSandbox,
  warningOf,
} from '../support/sandbox.js';
import { STEADY } from '../support/bodies.js';

function journalled(): { sandbox: TestSandbox; api: Client } {
  const sandbox = testSandbox();
  return { sandbox, api: client(sandbox) };
}

const charge = (api: Client, more: object = {}, number = '4242424242424242'): Promise<Answer> =>
  api.charge({
    Amount: 5,
    ProviderId: STEADY,
    PaymentInformation: { CardNumber: number, ExpiryDate: '10/30', Ccv: '123' },
    ...more,
  });

/** The entries of an answer, each with the members that a test looks at. */
const entriesOf = (answer: Answer): Record<string, unknown>[] =>
  answer.body['Entries'] as Record<string, unknown>[];

/** Lets the calls that were begun come as far as they can. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('GET /_sandbox/journal', () => {
  test.each<[name: string, send: (api: Client) => Promise<Answer>, status: number, operation: string | null]>(
    [
      ['a body that is no JSON', (api) => api.charge('{bad'), 400, 'charge.create'],
      [
        'a wrong member',
        (api) => api.post(`/charge/${'0'.repeat(32)}`, { Amount: 'x' }),
        400,
        'charge.capture',
      ],
      ['a wrong query', (api) => api.del(`/refund/${'0'.repeat(32)}?Amount=x`), 400, 'charge.refund'],
      ['a wrong header', (api) => api.charge({}, asking('x')), 400, 'charge.create'],
      [
        'a wrong member of a seldom call',
        (api) => api.post('/customer/bank_account', {}),
        400,
        'customer.create',
      ],
      ['a path that is none', (api) => api.get('/nope'), 404, null],
      ['a method that is not taken', (api) => api.put('/charge/card', {}), 405, null],
    ],
  )('knows the operation of a call that was refused for %s', async (_, send, status, operation) => {
    const { api } = journalled();
    expect((await send(api)).status).toBe(status);
    const [entry] = entriesOf(await api.get('/_sandbox/journal'));
    expect([entry?.['Status'], entry?.['Operation']]).toEqual([status, operation]);
  });

  test('lists what was asked and answered, newest first, without calls of the control plane', async () => {
    const { api } = journalled();
    const first = await charge(api, { Reference: 'order-1' });
    await charge(api, {}, '4000000000009995');
    await api.get('/_sandbox/world');
    const { body } = await api.get('/_sandbox/journal');
    expect(body).toMatchObject({
      Limit: 100,
      Skip: 0,
      Count: 2,
      Evicted: 0,
      Entries: [
        { EntryId: 2, Status: 400, Trigger: 'card:4000000000009995', ResponseBody: { Code: 15 } },
        {
          EntryId: 1,
          At: '2026-01-01T00:00:00.000Z',
          Method: 'POST',
          Path: '/charge/card',
          Operation: 'charge.create',
          RequestId: first.headers.get('x-request-id'),
          Reference: 'order-1',
          RequestHeaders: { 'x-secretkey': '***', 'content-type': 'application/json' },
          RequestBody: {
            Reference: 'order-1',
            PaymentInformation: { CardNumber: '4242********4242', Ccv: '***' },
          },
          Status: 201,
          ResponseBody: { ChargeId: first.body['ChargeId'] },
          Trigger: null,
          Fault: null,
          Truncated: false,
        },
      ],
    });
  });

  test('finds by its filters, and shows a vault entry only masked', async () => {
    const { api } = journalled();
    const vault = await api.post('/vault', { CardNumber: '4242424242424242', Ccv: '123' });
    await api.get(`/vault/${String(vault.body['VaultId'])}?CardNumber=4242424242424242`);
    await charge(api, { Reference: 'order-1' });
    const shown = await api.get('/_sandbox/journal?Path=/vault/*&Method=GET&Status=200');
    expect(shown.body['Count']).toBe(1);
    expect(shown.text).not.toContain('4242424242424242');
    expect(shown.text).not.toContain('"123"');
    const since = encodeURIComponent('2026-01-01T00:00:00Z');
    const found = await api.get(
      `/_sandbox/journal?Reference=order-1&Operation=charge.create&Since=${since}&Limit=1`,
    );
    expect(entriesOf(found)).toHaveLength(1);
    expect((await api.read('/_sandbox/journal?Since=2026-01-01T00:00:01Z'))['Count']).toBe(0);
  });

  describe('Search', () => {
    async function searched() {
      const { api } = journalled();
      await charge(api, { Reference: 'Order "one"' });
      await charge(api, { Reference: 'order-2' }, '4000000000009995');
      await api.get('/charge/nope?Limit=7');
      await api.post('/vault', { CardNumber: '4111111111111111', Ccv: '123' });
      return async (text: string, more = '') => {
        const { Entries, Count } = await api.read(
          `/_sandbox/journal?Search=${encodeURIComponent(text)}${more}`,
        );
        expect(Count).toBe((Entries as unknown[]).length);
        return (Entries as { EntryId: number }[]).map(({ EntryId }) => EntryId);
      };
    }

    test.each<[where: string, text: string, found: number[]]>([
      ['a reference, in any letter case', 'ORDER-2', [2]],
      ['a text with quotes', 'order "one"', [1]],
      ['the path and the query', 'nope?limit=7', [3]],
      ['the method with the path', 'post /charge', [2, 1]],
      ['the operation', 'vault.create', [4]],
      ['the status', '404', [3]],
      ['what decided the answer', 'card:4000000000009995', [2]],
      ['the answer', 'Insufficient funds', [2]],
      ['a masked card number', '4111********1111', [4]],
      ['a whole card number, which is masked first', '4111111111111111', [4]],
      ['nothing', 'order-3', []],
    ])('finds %s', async (_, text, found) => {
      expect(await (await searched())(text)).toEqual(found);
    });

    test('finds no Ccv, and takes other filters too', async () => {
      const search = await searched();
      expect(await search('"123"')).toEqual([]);
      expect(await search('order', '&Status=201')).toEqual([1]);
    });
  });

  test.each(['Path2=x', 'Operation=charge.creat', 'Status=x', 'Status=600', 'Since=yesterday', 'Limit=0'])(
    'refuses %s',
    async (query) => {
      const { api } = journalled();
      expect(await api.read(`/_sandbox/journal?${query}`)).toMatchObject({ HttpStatus: 400, Code: 90 });
    },
  );

  test('keeps the worlds apart', async () => {
    const { sandbox, api } = journalled();
    await charge(api);
    expect((await client(sandbox, 'sk_test_b').get('/_sandbox/journal')).body['Count']).toBe(0);
  });
});

test('DELETE /_sandbox/journal forgets the entries alone, and their numbers go on, also after a reset', async () => {
  const { api } = journalled();
  await charge(api);
  await charge(api);
  expect((await api.del('/_sandbox/journal')).body).toEqual({ Cleared: 2 });
  expect((await api.read('/charge'))['Count']).toBe(2);
  await api.post('/_sandbox/reset');
  await charge(api);
  expect(entriesOf(await api.get('/_sandbox/journal'))).toMatchObject([{ EntryId: 4 }]);
});

describe('POST /_sandbox/journal/count', () => {
  test('counts what fits, by fields of the body too', async () => {
    const { api } = journalled();
    await charge(api, { Metadata: { order: '7' } });
    await charge(api, { Metadata: { order: '8' } });
    const count = async (match: object): Promise<unknown> =>
      (await api.post('/_sandbox/journal/count', { Match: match })).body;
    expect(await count({ Body: { Metadata: { order: '8' } } })).toEqual({ Count: 1, Incomplete: false });
    expect(await count({ Body: { Amount: 5 }, Path: '/charge/*', Status: 201 })).toMatchObject({ Count: 2 });
    expect((await api.post('/_sandbox/journal/count')).body).toMatchObject({ Count: 2 });
  });

  test.each<[string, object]>([
    ['an unknown field', { Mach: {} }],
    ['an unknown filter', { Match: { Pth: '/x' } }],
    ['a body that is no object', { Match: { Body: 'x' } }],
    ['an operation that is none', { Match: { Operation: 'charge.creat' } }],
  ])('refuses %s', async (_, body) => {
    const { api } = journalled();
    expect((await api.post('/_sandbox/journal/count', body)).body).toMatchObject({
      HttpStatus: 400,
      Code: 90,
    });
  });
});

describe('POST /_sandbox/journal/await', () => {
  test('names the operation that was probably meant instead of timing out', async () => {
    const { api } = journalled();
    const { status, body } = await api.post('/_sandbox/journal/await', {
      Match: { Operation: 'charge.creat' },
    });
    expect([status, body['Message']]).toEqual([
      400,
      expect.stringContaining(
        'Match.Operation is "charge.creat", which is not an operation. Did you mean charge.create?',
      ),
    ]);
  });

  test('answers when the exchange has come', async () => {
    const { api } = journalled();
    const awaited = api.post('/_sandbox/journal/await', { Match: { Reference: 'order-2' } });
    await turn();
    await charge(api, { Reference: 'order-1' });
    await charge(api, { Reference: 'order-2' });
    const { status, body } = await awaited;
    expect(status).toBe(200);
    expect(body).toMatchObject({ Count: 1, Entries: [{ EntryId: 2, Status: 201 }] });
  });

  test('answers 408 at the end of its time, with the nearest exchange and what differs', async () => {
    const { sandbox, api } = journalled();
    await charge(api, { Reference: 'order-1' });
    const match = { Reference: 'order-2', Body: { PaymentInformation: { CardNumber: '4111111111111111' } } };
    const awaited = api.post('/_sandbox/journal/await', { Match: match, Timeout: '250ms' });
    await turn();
    const timer = sandbox.host.timers.find(({ ms, cancelled }) => ms === 250 && !cancelled);
    timer?.fire();
    expect(await awaited).toMatchObject({
      status: 408,
      body: {
        HttpStatus: 408,
        Code: 94,
        IsRetryable: true,
        Count: 0,
        Nearest: [
          {
            EntryId: 1,
            Path: '/charge/card',
            Differences: [
              { Member: 'Reference', Wanted: 'order-2', Found: 'order-1' },
              {
                Member: 'Body.PaymentInformation.CardNumber',
                Wanted: '4111********1111',
                Found: '4242********4242',
              },
            ],
          },
        ],
      },
    });
  });

  test('answers 503 when the world is reset meanwhile', async () => {
    const { api } = journalled();
    const awaited = api.post('/_sandbox/journal/await', {});
    await turn();
    await api.post('/_sandbox/reset');
    expect((await awaited).body).toMatchObject({ HttpStatus: 503, Code: 37 });
  });

  test.each<[string, object]>([
    ['a time above a minute', { Timeout: '61s' }],
    ['a count of none', { Count: 0 }],
    ['an unknown field', { Until: '5s' }],
  ])('refuses %s', async (_, body) => {
    const { api } = journalled();
    expect((await api.post('/_sandbox/journal/await', body)).body).toMatchObject({
      HttpStatus: 400,
      Code: 90,
    });
  });
});

describe('GET /_sandbox/journal/export', () => {
  test('gives an HTTP archive of all exchanges, oldest first', async () => {
    const { api } = journalled();
    await charge(api);
    await api.get('/charge?Reference=a%20b');
    const { body, headers } = await api.get('/_sandbox/journal/export?Format=har');
    expect(headers.get('content-type')).toContain('application/json');
    const [first, second] = (body as { log: { entries: Record<string, unknown>[] } }).log.entries;
    expect(body).toMatchObject({ log: { version: '1.2', creator: { name: 'playmoney' } } });
    for (const entry of [first, second]) {
      expect(entry).toMatchObject({
        startedDateTime: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        time: expect.any(Number) as number,
        cache: {},
        timings: { send: 0, wait: expect.any(Number) as number, receive: 0 },
        request: { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 },
        response: { httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '', headersSize: -1, bodySize: -1 },
      });
    }
    expect(first).toMatchObject({
      request: { method: 'POST', postData: { mimeType: 'application/json' } },
      response: { status: 201, content: { mimeType: 'application/json' } },
    });
    expect(second).toMatchObject({
      request: {
        method: 'GET',
        url: 'http://localhost/charge?Reference=a%20b',
        queryString: [{ name: 'Reference', value: 'a b' }],
      },
    });
    // Of card numbers, only published test cards and stand-ins are in it, for a replay.
    const shown = JSON.stringify(body, (name, value: unknown) => (name === '_standIns' ? undefined : value));
    expect(shown).not.toContain('4242424242424242');
  });

  test('gives the warnings of an exchange in the archive', async () => {
    const { api } = journalled();
    await charge(api);
    const warned = await charge(api, { Colour: 'red', Shade: 'dark' });
    const { body } = await api.get('/_sandbox/journal/export?Format=har');
    const { entries } = (body as { log: { entries: Record<string, unknown>[] } }).log;
    const warning = warningOf(warned);
    expect(warning).toContain('Colour');
    expect(entries.map((entry) => entry['_warnings'])).toEqual([null, warning]);
  });

  test('gives a trace with published card numbers, and stand-ins for all others', async () => {
    const { api } = journalled();
    await charge(api, {}, '4000 0000 0000 9995');
    await charge(api, {}, '4539578763621486');
    await api.get('/charge', { 'x-sandbox-dialect': 'documented' });
    const { body, text } = await api.get('/_sandbox/journal/export?Format=trace');
    expect(body).toMatchObject({
      Format: 'playmoney-trace',
      Version: 1,
      Seed: '1',
      Clock: { Mode: 'manual' },
      Evicted: 0,
      Entries: [
        {
          At: '2026-01-01T00:00:00.000Z',
          Method: 'POST',
          Path: '/charge/card',
          Query: '',
          Headers: { 'content-type': 'application/json' },
          Body: { PaymentInformation: { CardNumber: '4000000000009995', Ccv: '123' } },
          Status: 400,
          Response: { Code: 15 },
        },
        { Body: { PaymentInformation: { Ccv: '123' } }, Status: 201 },
        { Method: 'GET', Headers: { 'x-sandbox-dialect': 'documented' }, Body: null },
      ],
    });
    expect(text).not.toContain('4539578763621486');
    expect(text).not.toContain('sk_test_a');
    const [, ordinary] = entriesOf({ body } as Answer);
    await good(api.charge(ordinary?.['Body']));
  });

  test.each(['', '?Format=csv', '?Format=har&Limit=1'])('refuses "%s"', async (query) => {
    const { api } = journalled();
    const { body } = await api.get(`/_sandbox/journal/export${query}`);
    expect(body).toMatchObject({ HttpStatus: 400, Code: 90 });
  });
});
