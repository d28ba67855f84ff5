import { describe, expect, test } from 'vitest';

import { client, testSandbox } from '../../support/sandbox.js';

const search = (query: string, strict = false) => client(testSandbox({ strict })).get(`/charge?${query}`);

describe('names', () => {
  test.each(['Limit=7', 'limit=7', 'LIMIT=7', 'lImIt=7', '%4Cimit=7', '&&limit=7&', '&limit=7&=&'])(
    '%s is the Limit',
    async (query) => {
      const { status, body, headers } = await search(query);
      expect(status).toBe(200);
      expect(body['Limit']).toBe(7);
      expect(headers.get('x-sandbox-warning')).toBeNull();
    },
  );

  test.each(['limit=7&limit=8', 'Limit=7&limit=7', 'limit=7&Reference=x&LIMIT=9'])(
    '%s gives one name twice: a 400',
    async (query) => {
      const { status, body } = await search(query);
      expect(status).toBe(400);
      expect(body).toMatchObject({ Code: 90, Details: { Limit: 'sent twice' } });
    },
  );

  test('one that nobody knows is ignored, with a warning and what was meant', async () => {
    const { status, headers } = await search('Referense=x&Curency=AUD&anything=1');
    expect(status).toBe(200);
    expect(headers.get('x-sandbox-warning')).toBe(
      'ignored unknown filters: "Referense" (did you mean Reference?), "Curency" (did you mean Currency?), "anything"',
    );
  });

  test('one that is misspelled is named in the refusal of another, too', async () => {
    const { body } = await search('Referense=x&Limit=-1');
    expect(body['Message']).toMatch(/Limit .*\. Unknown filter "Referense"; did you mean Reference\?$/);
    expect(body['Details']).toMatchObject({ Referense: 'unknown filter; did you mean Reference?' });
  });

  test('in strict mode it is a 400', async () => {
    const { status, body } = await search('Referense=x', true);
    expect(status).toBe(400);
    expect(body['Details']).toEqual({ Referense: 'unknown filter; did you mean Reference?' });
  });

  test('under /_sandbox it is always a 400', async () => {
    const { status, body } = await client(testSandbox()).get('/_sandbox/clock?now=1');
    expect(status).toBe(400);
    expect(body['Details']).toEqual({ now: 'unknown filter' });
  });

  test.each(['__proto__=1', 'constructor=1', 'toString=1', 'hasOwnProperty=1'])(
    '%s is warned of, like other unknown filters',
    async (query) => {
      const { status, headers } = await search(query);
      expect(status).toBe(200);
      expect(headers.get('x-sandbox-warning')).toContain(query.split('=')[0]);
    },
  );

  test('thousands of unknown ones are counted, and few are named', async () => {
    const query = Array.from({ length: 5000 }, (_, i) => `f${i}x${i}=1`).join('&');
    const { status, headers } = await search(query);
    expect(status).toBe(200);
    expect(headers.get('x-sandbox-warning')).toMatch(/ and 4995 more$/);
    const strict = await search(query, true);
    expect(strict.status).toBe(400);
    expect(Object.keys(strict.body['Details'] as object)).toHaveLength(20);
  });

  test('a card number that stands where a name should is not repeated', async () => {
    const { text, headers } = await search('4242424242424242=1', false);
    expect(text + String(headers.get('x-sandbox-warning'))).not.toContain('42424242');
  });
});

describe('values', () => {
  test.each([
    ['Limit=0', 'Limit'],
    ['Limit=501', 'Limit'],
    ['Limit=abc', 'Limit'],
    ['Limit=', 'Limit'],
    ['Limit=1.5', 'Limit'],
    ['Skip=-1', 'Skip'],
    ['AmountGreaterThan=ten', 'AmountGreaterThan'],
    ['AddedAfter=2026-02-30T00:00:00Z', 'AddedAfter'],
    ['Status=DONE', 'Status'],
    ['SortBy=Colour', 'SortBy'],
  ])('%s is a 400 with the name in the details', async (query, name) => {
    const { status, body } = await search(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ HttpStatus: 400, Code: 90 });
    expect(Object.keys(body['Details'] as object)).toEqual([name]);
  });

  test('escapes are read, and a plus in a text is a blank', async () => {
    const { post, get } = client(testSandbox());
    await post('/charge/card', {
      Amount: 1,
      ProviderId: '00000000000000000000000000000001',
      PaymentInformation: { CardNumber: '4242424242424242', ExpiryDate: '12/30' },
      Reference: 'a b&c=ü',
    });
    expect((await get('/charge?reference=a%20b%26c%3D%C3%BC')).body['Count']).toBe(1);
    expect((await get('/charge?reference=a+b%26c%3D%C3%BC')).body['Count']).toBe(1);
    expect((await get('/charge?reference=a%20b')).body['Count']).toBe(0);
  });

  test('a plus in the zone of an instant survives as a blank', async () => {
    expect((await search('AddedAfter=2026-01-01T10:00:00+10:00')).status).toBe(200);
    expect((await search('AddedAfter=2026-01-01T10:00:00%2B10:00')).status).toBe(200);
  });

  test.each(['%ff', '%c3%41', '%ed%a0%80', 'a%00b'])(
    'bytes that are no text are refused: %s',
    async (bytes) => {
      const { status, body } = await search(`reference=${bytes}`);
      expect([status, body['Code']]).toEqual([400, 90]);
    },
  );

  test('an escape that is broken is text', async () => {
    const { status, body } = await search('reference=%zz%f');
    expect(status).toBe(200);
    expect(body['Count']).toBe(0);
  });
});
