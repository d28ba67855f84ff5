import { describe, expect, test } from 'vitest';

import { client, testSandbox, warningOf } from '../../support/sandbox.js';

const CHANGED = 'transaction.status.changed';

/** Conditions that no call, or no delivery, meets, and why. */
const IMPOSSIBLE: readonly [match: object, why: string][] = [
  [{ Body: { Amonut: 20 } }, 'Match.Body.Amonut is a field that no such call has. Did you mean Amount?'],
  [{ Body: { Zzz: 20 } }, 'Match.Body.Zzz is a field that no such call has.'],
  [
    { Body: { PaymentInformation: { CardNmber: '4' } } },
    'Match.Body.PaymentInformation.CardNmber is a field that no such call has. Did you mean CardNumber?',
  ],
  [{ Body: { Reference: {} } }, 'Match.Body.Reference is never an object.'],
  [
    { Operation: 'charge.capture', Body: { Token: 'a' } },
    'Match.Body.Token is a field that no such call has.',
  ],
  [{ Operation: 'charge.search', Body: { Reference: 'a' } }, 'Match.Body.Reference is a field that no such'],
  [
    { Path: '/charge/token', Body: { CardNumber: 'a' } },
    'Match.Body.CardNumber is a field that no such call has.',
  ],
  [
    { Path: 'charge/token' },
    'Match.Path is "charge/token"; paths begin with a slash. Did you mean /charge/token?',
  ],
  [
    { Path: '/charge/tokens' },
    'which no operation has. Did you mean /charge/token? For calls that were refused',
  ],
  [{ Path: '/chrge/*' }, 'Match.Path is "/chrge/*", which no operation has. Did you mean /charge'],
  [
    { Operation: 'charge.create', Path: '/customer' },
    'Match.Path is "/customer"; charge.create is at /charge/',
  ],
  [{ Method: 'GETT' }, 'Match.Method is "GETT"; it must be one of POST, GET, '],
  [{ Method: 'DELETE', Path: '/charge/token' }, 'Match.Method is "DELETE"; it must be one of POST.'],
  [{ Operation: 'charge.create', Method: 'get' }, 'Match.Method is "get"; it must be one of POST.'],
  [{ Operation: 'batch.row' }, 'Match.Operation is batch.row, which comes without a call.'],
  [{ Status: 42 }, 'Match.Status must be a status from 200 to 599, or 0 for no response, not 42.'],
  [{ Trigger: 'insufficient_funds' }, 'a trigger is a kind and a value, such as token:tok_do_not_honor.'],
  [{ Reference: 'a'.repeat(1_025) }, 'Match.Reference is 1025 characters long; the maximum is 1024.'],
  [
    { Event: CHANGED, Body: { data: { Status: 'SUCCESS' } } },
    `Match.Body is impossible: a message of ${CHANGED} has no field data.Status. Did you mean status?`,
  ],
  [{ Event: CHANGED, Body: { data: { amount: '20' } } }, 'data.amount is "20"; it must be a number'],
  [
    { Event: CHANGED, Path: 'hooks' },
    'Match.Path is "hooks"; paths begin with a slash. Did you mean /hooks?',
  ],
];

/** Conditions that a call, or a delivery, may meet. */
const POSSIBLE: readonly object[] = [
  { Body: { amount: 20, paymentinformation: { cardnumber: '4111111111111111' } } },
  { Body: { Metadata: { anything: { at: 'all' } }, Order: { Items: [1] } } },
  { Operation: 'charge.refund', Method: 'DELETE', Path: '/charge/*', Body: { Amount: 5 } },
  { Operation: 'charge.void', Path: '*/void' },
  { Path: '/charge/abc*/capture', Method: 'post' },
  { Path: '/charge/tokens', Status: 404 },
  { Method: 'PATCH', Status: 405 },
  { Method: 'HEAD', Path: '/charge' },
  { Event: CHANGED, Path: '/anything', Body: { data: { status: 'AUTHORISE', batchId: null } } },
];

describe('conditions on calls', () => {
  test.each(IMPOSSIBLE)('that nothing can meet are refused: %j', async (Match, why) => {
    const api = client(testSandbox());
    for (const call of ['count', 'await']) {
      const { status, body } = await api.post(`/_sandbox/journal/${call}`, { Match });
      expect([status, body['Code']]).toEqual([400, 90]);
      expect(body['Message']).toContain(why);
    }
  });

  test.each(POSSIBLE)('that something may meet are counted: %j', async (Match) => {
    const answer = await client(testSandbox()).post('/_sandbox/journal/count', { Match });
    expect([answer.status, answer.body, warningOf(answer)]).toEqual([
      200,
      { Count: 0, Incomplete: false },
      null,
    ]);
  });

  test.each([
    [
      { Reference: '/order-.*/' },
      'Reference "/order-.*/" looks like a regular expression, but is compared as it is',
    ],
    [{ Reference: 'order-%' }, 'Reference "order-%" looks like a pattern of SQL, but is compared as it is'],
    [{ Path: '/never' }, 'no operation has the path "/never"'],
    [
      { Operation: 'charge.create', Status: 200 },
      'charge.create is answered with 201 if it succeeds, not with 200',
    ],
  ])('that look like a mistake are warned about: %j', async (Match, warning) => {
    const answer = await client(testSandbox()).post('/_sandbox/journal/count', { Match });
    expect([answer.status, warningOf(answer)]).toEqual([200, warning]);
  });

  test.each([
    ['/_sandbox/journal?Path=charge', 'Path is "charge"; paths begin with a slash.'],
    [
      '/_sandbox/journal?Since=2026-01-02T00:00:00Z&Until=2026-01-01T00:00:00Z',
      'Until must be later than Since, not "2026-01-01T00:00:00Z".',
    ],
    ['/_sandbox/journal/facets?Method=GETT', 'Method is "GETT"; it must be one of '],
    ['/_sandbox/webhooks?Url=localhost', 'Url must be a whole address, such as http://127.0.0.1:8080/hooks'],
    ['/_sandbox/webhooks?Ref=order-1', 'Ref must be 32 hexadecimal digits in lower case, not "order-1".'],
  ])('of a list are refused as well: %s', async (path, why) => {
    const { status, body } = await client(testSandbox()).get(path);
    expect([status, body['Code'], body['Message']]).toEqual([400, 90, expect.stringContaining(why)]);
  });

  test('name fields of a body in any letter case, except the keys of a map', async () => {
    const api = client(testSandbox());
    const order = { amount: 5, token: 'tok_approve', metadata: { Cart: '7' } };
    await api.post('/charge/token', order, { 'x-sandbox-dialect': 'sdk' });
    const count = async (Body: object): Promise<unknown> =>
      (await api.post('/_sandbox/journal/count', { Match: { Body } })).body['Count'];
    expect(await count({ Amount: 5, Metadata: { Cart: '7' } })).toBe(1);
    expect(await count({ amount: 5, metadata: { Cart: '7' } })).toBe(1);
    expect(await count({ Metadata: { cart: '7' } })).toBe(0);
  });
});
