import { describe, expect, test } from 'vitest';

import {
  type Answer,
  asking,
  type Client,
  client,
  good,
  testHost,
  testSandbox,
  triggerOf,
  warningOf,
} from '../../support/sandbox.js';
import type { Post } from '../../../src/core/post.js';
import { STEADY } from '../../support/stored.js';

const CHARGE = {
  ProviderId: STEADY,
  Amount: '20.00',
  Reference: 'order-12',
  PaymentInformation: { CardNumber: '4242424242424242', ExpiryDate: '12/30' },
};
const CREATE = { Operation: 'charge.create' };

/** A sandbox in which real time passes only by `pass`. */
function setup() {
  const host = testHost();
  const sleeps = new Set<{ readonly until: number; readonly wake: () => void }>();
  Object.assign(host, {
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        sleeps.add({ until: host.wall + ms, wake: resolve });
        signal?.addEventListener('abort', () => resolve());
      }),
  });
  const sandbox = testSandbox({}, host);
  const pass = (ms: number): void => {
    host.wall += ms;
    for (const { until, wake } of sleeps) if (until <= host.wall) wake();
  };
  return { sandbox, api: client(sandbox), pass };
}

type Row = Readonly<Record<string, unknown>>;

/** The calls that wait, once there are so many. */
async function waiting(api: Client, count = 1): Promise<readonly Row[]> {
  for (;;) {
    const { Waiting } = (await api.read('/_sandbox/hold')) as { readonly Waiting: readonly Row[] };
    if (Waiting.length >= count) return Waiting;
  }
}

/** Holds the next charge, sends it, and resolves when it waits. */
async function heldCharge(
  api: Client,
  more: object = {},
  headers = {},
): Promise<{ readonly answer: Promise<Answer> }> {
  await good(api.put('/_sandbox/hold', { ...CREATE, ...more }));
  const answer = api.charge(CHARGE, headers);
  await waiting(api);
  return { answer };
}

const lastEntry = async (api: Client): Promise<Row> =>
  ((await api.read('/_sandbox/journal'))['Entries'] as readonly [Row])[0];

describe('a held call', () => {
  test('waits before anything happens, is listed, and is decided as usual when it is released', async () => {
    const { api, pass } = setup();
    const before = await api.counts();
    const { answer } = await heldCharge(api);
    expect(await waiting(api)).toEqual([
      {
        HoldId: 1,
        At: '2026-01-01T00:00:00.000Z',
        Operation: 'charge.create',
        Method: 'POST',
        Path: '/charge/card',
        Answer: false,
        Reference: 'order-12',
        Amount: 20,
        Currency: 'AUD',
        Since: '2026-01-01T00:00:00.000Z',
        Until: '2026-01-01T00:01:00.000Z',
      },
    ]);
    expect(await api.counts()).toEqual(before);
    pass(8_000);
    expect((await good(api.post('/_sandbox/hold/1'))).body).toMatchObject({ HoldId: 1 });
    const { status, body, headers } = await answer;
    expect([status, body['Status'], triggerOf({ headers }), warningOf({ headers })]).toEqual([
      201,
      'SUCCESS',
      null,
      null,
    ]);
    expect(await api.read('/_sandbox/hold')).toEqual({ Holds: [], Waiting: [] });
    expect(await lastEntry(api)).toMatchObject({
      Held: { By: 'hand', Ms: 8_000 },
      DurationMs: 8_000,
      Fault: null,
    });
  });

  test('gets an outcome as from the header, before queues, rules and its own header', async () => {
    const { api } = setup();
    await api.queue('charge.create', ['lost_card']);
    const { answer } = await heldCharge(api, {}, asking('approve'));
    await good(api.post('/_sandbox/hold/1', { Outcome: 'insufficient_funds' }));
    expect((await answer).body).toMatchObject({ Code: 15 });
    expect(triggerOf(await answer)).toBe('hold:insufficient_funds');
    expect(await lastEntry(api)).toMatchObject({
      Trigger: 'hold:insufficient_funds',
      Precedence: 'header',
      Held: { By: 'hand' },
    });
    const { Queues } = await api.read('/_sandbox/outcomes');
    expect(Queues).toMatchObject([{ Left: 1 }]);
  });

  test.each([
    ['after', 1],
    ['before', 0],
  ])('loses its answer %s the operation', async (Phase, charges) => {
    const { api } = setup();
    const { answer } = await heldCharge(api);
    await good(api.post('/_sandbox/hold/1', { Fault: 'reset', Phase }));
    await expect(answer).rejects.toThrow(TypeError);
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(charges);
    expect(await lastEntry(api)).toMatchObject({ Status: 0, Fault: 'reset', Held: { By: 'hand' } });
  });

  test('is replayed with the header of what somebody decided', async () => {
    const { api } = setup();
    const first = await heldCharge(api);
    await api.post('/_sandbox/hold/1', { Outcome: 'lost_card' });
    await first.answer;
    const second = await heldCharge(api);
    await api.post('/_sandbox/hold/2', { Fault: 'status=503', Phase: 'after' });
    expect((await second.answer).body['Message']).toContain('a queued fault or a hold');
    const trace = await api.read('/_sandbox/journal/export?Format=trace');
    expect(JSON.stringify(trace)).toContain('"x-sandbox-outcome":"lost_card"');
    expect(JSON.stringify(trace)).toContain('"x-sandbox-fault":"status=503; phase=after"');
  });

  test('is decided as usual after its time-out, with a warning', async () => {
    const { api, pass } = setup();
    await api.queue('charge.create', ['lost_card']);
    const { answer } = await heldCharge(api, { Timeout: '30s' });
    pass(30_000);
    const { headers } = await answer;
    expect(triggerOf({ headers })).toBe('queue:1');
    expect(warningOf({ headers })).toBe(
      'nobody decided the held call within 30s, so it was decided as usual',
    );
    expect(await lastEntry(api)).toMatchObject({ Held: { By: 'timeout', Ms: 30_000 } });
  });

  test('whose client leaves stays, and is performed when it is released', async () => {
    const { api, sandbox } = setup();
    await api.put('/_sandbox/hold', CREATE);
    const caller = new AbortController();
    const answer = sandbox.fetch(
      new Request('http://localhost/charge/card', {
        method: 'POST',
        headers: { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' },
        body: JSON.stringify(CHARGE),
        signal: caller.signal,
      }),
    );
    await waiting(api);
    caller.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(await waiting(api)).toHaveLength(1);
    await good(api.post('/_sandbox/hold/1'));
    const { Entries } = (await api.post('/_sandbox/journal/await', { Match: { Operation: 'charge.create' } }))
      .body;
    expect(Entries).toMatchObject([{ Status: 0, Fault: null, Held: { By: 'hand' } }]);
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(1);
  });

  test('sees the records and the time of its release', async () => {
    const { api } = setup();
    const { answer } = await heldCharge(api);
    await api.advance('2h');
    await good(api.post('/_sandbox/settle', {}));
    await api.post('/_sandbox/hold/1');
    expect((await answer).body['DateAdded']).toBe('2026-01-01T02:00:00.000Z');
  });
});

describe('the answer of a held call', () => {
  const WEBHOOK = { Webhook: { Url: 'http://127.0.0.1:9/hook' } };

  /** A charge that was performed, and whose answer waits, after its webhook was delivered. */
  async function heldAnswer(decision: object = {}) {
    const { api, sandbox, pass } = setup();
    const delivered: string[] = [];
    Object.assign(sandbox.host, { deliver: ({ url }: Post) => Promise.resolve(void delivered.push(url)) });
    await api.put('/_sandbox/hold', CREATE);
    const answer = api.charge({ ...CHARGE, ...WEBHOOK });
    await waiting(api);
    await good(api.post('/_sandbox/hold/1', { ...decision, Phase: 'after' }));
    expect(await waiting(api)).toMatchObject([{ HoldId: 2, Answer: true, Reference: 'order-12' }]);
    return { api, answer, pass, delivered };
  }

  test('waits after Phase after, and its webhooks arrive first', async () => {
    const { api, answer, pass, delivered } = await heldAnswer();
    await good(api.post('/_sandbox/settle', {}));
    expect(delivered).toEqual([WEBHOOK.Webhook.Url]);
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(1);
    pass(3_000);
    await good(api.post('/_sandbox/hold/2'));
    expect((await answer).body['Status']).toBe('SUCCESS');
    expect(await lastEntry(api)).toMatchObject({ Held: { By: 'hand', Ms: 3_000 }, Status: 201 });
  });

  test('may be a decline', async () => {
    const { api, answer } = await heldAnswer({ Outcome: 'insufficient_funds' });
    await good(api.post('/_sandbox/hold/2'));
    expect((await answer).body['Code']).toBe(15);
  });

  test('can be lost, but its outcome is decided', async () => {
    const { api, answer } = await heldAnswer();
    const { status, body } = await api.post('/_sandbox/hold/2', { Outcome: 'lost_card' });
    expect([status, body['Message']]).toEqual([400, expect.stringContaining('only its answer waits')]);
    await good(api.post('/_sandbox/hold/2', { Fault: 'reset' }));
    await expect(answer).rejects.toThrow(TypeError);
    expect(await lastEntry(api)).toMatchObject({ Fault: 'reset', Status: 0 });
  });

  test('is sent after its time-out', async () => {
    const { api, answer, pass } = await heldAnswer();
    pass(60_000);
    expect((await answer).status).toBe(201);
    expect((await lastEntry(api))['Warning']).toContain(
      'nobody decided the held answer within 1m, so it was sent',
    );
  });
});

describe('while a call is held', () => {
  test('an advance, settle and a snapshot do not wait for it, and an await does not see it', async () => {
    const { api } = setup();
    const { answer } = await heldCharge(api);
    await api.advance('7d');
    await good(api.post('/_sandbox/settle', {}));
    expect((await good(api.put('/_sandbox/snapshots/now'))).body).toMatchObject({ Counts: { Charges: 0 } });
    expect((await api.post('/_sandbox/journal/count', {})).body['Count']).toBe(0);
    await api.post('/_sandbox/hold/1');
    expect((await answer).status).toBe(201);
  });

  test.each([
    ['reset', async (api: Client) => api.post('/_sandbox/reset', {})],
    ['restored', async (api: Client) => api.post('/_sandbox/snapshots/before/restore')],
    [
      'deleted',
      async (api: Client) =>
        api.del(`/_sandbox/worlds/${String((await api.read('/_sandbox/world'))['World'])}`),
    ],
  ])('its world can be %s: it is refused, and its holds are gone', async (how, end) => {
    const { api } = setup();
    await good(api.put('/_sandbox/snapshots/before'));
    const { answer } = await heldCharge(api, { Count: 2 });
    await good(end(api));
    const { status, body } = await answer;
    expect([status, body['Code']]).toEqual([503, 37]);
    expect(body['Message']).toContain(`The world was ${how} while this request waited`);
    expect(await api.read('/_sandbox/hold')).toEqual({ Holds: [], Waiting: [] });
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(0);
  });

  test('its server can stop: it is refused, and nothing was performed', async () => {
    const { api, sandbox } = setup();
    const { answer } = await heldCharge(api);
    sandbox.worlds.endWaits();
    expect((await answer).body).toMatchObject({
      Code: 37,
      Message: 'Retry later: The server stopped while this request was held.',
    });
    expect((await api.read('/_sandbox/charges'))['Count']).toBe(0);
  });

  test('its world stays in memory', async () => {
    const host = testHost();
    Object.assign(host, {
      sleep: (_: number, signal: AbortSignal) => new Promise((end) => signal.addEventListener('abort', end)),
    });
    const sandbox = testSandbox({ worldsMax: 1 }, host);
    const api = client(sandbox);
    const { answer } = await heldCharge(api);
    await client(sandbox, 'sk_test_b').charge(CHARGE);
    await api.post('/_sandbox/hold/1');
    expect((await answer).status).toBe(201);
  });
});

describe('a hold', () => {
  test('is for as many calls as it says, of its operation and match', async () => {
    const { api } = setup();
    await good(
      api.put('/_sandbox/hold', { ...CREATE, Match: { Reference: 'order-*', Amount: 20 }, Count: 2 }),
    );
    expect((await api.charge({ ...CHARGE, Amount: 5 })).status).toBe(201);
    expect((await api.get('/charge?Reference=order-12')).status).toBe(200);
    const answers = [api.charge(CHARGE), api.charge({ ...CHARGE, Reference: 'order-13' })];
    expect((await waiting(api, 2)).map(({ HoldId, Reference }) => [HoldId, Reference])).toEqual([
      [1, 'order-12'],
      [2, 'order-13'],
    ]);
    expect((await api.charge(CHARGE)).status).toBe(201);
    expect((await good(api.del('/_sandbox/hold'))).body['Waiting']).toHaveLength(2);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await lastEntry(api)).toMatchObject({ Held: { By: 'delete' } });
  });

  test('for the same calls replaces the last one', async () => {
    const { api } = setup();
    const Match = { Reference: 'order-1' };
    await api.put('/_sandbox/hold', { ...CREATE, Match, Count: 5 });
    await api.put('/_sandbox/hold', { Operation: 'charge.search' });
    const { body } = await api.put('/_sandbox/hold', { ...CREATE, Match, Count: 1, Timeout: '2m' });
    expect(body['Holds']).toMatchObject([
      { Operation: 'charge.search', Count: 1, Timeout: '1m' },
      { Operation: 'charge.create', Match, Count: 1, Timeout: '2m' },
    ]);
  });

  test('holds reads, too', async () => {
    const { api } = setup();
    await good(api.put('/_sandbox/hold', { Operation: 'charge.search' }));
    const answer = api.get('/charge?Reference=order-12');
    expect(await waiting(api)).toMatchObject([
      { Operation: 'charge.search', Reference: 'order-12', Amount: null },
    ]);
    await api.post('/_sandbox/hold/1', { Fault: 'status=503' });
    expect((await answer).status).toBe(503);
  });

  test.each([
    [{ Operation: 'charge.creat' }, 'Operation', /Did you mean charge\.create/],
    [{ Operation: 'batch.row' }, 'Operation', /no connection/],
    [{ Operation: 'charge.*' }, 'Operation', /operation\. Operations of charge: charge\.create, /],
    [{ Operation: 'row' }, 'Operation', /operation\. Operations: charge\.create, /],
    [{ ...CREATE, Count: 101 }, 'Count', /whole number from 1 to 100/],
    [{ ...CREATE, Count: 0 }, 'Count', /whole number from 1 to 100/],
    [{ ...CREATE, Timeout: '2h' }, 'Timeout', /longer than the maximum of 1h/],
    [{ ...CREATE, Match: { CardNumber: '4111' } }, 'Match.CardNumber', /must be a card number/],
    [{ ...CREATE, Counts: 2 }, 'Counts', /did you mean Count/i],
  ])('%j is refused', async (body, field, why) => {
    const answer = await setup().api.put('/_sandbox/hold', body);
    expect([answer.status, answer.body['Code']]).toEqual([400, 90]);
    expect(answer.body['Details']).toEqual({ [field]: expect.stringMatching(why) as unknown });
  });

  test('is refused where a world would hold more than 100 calls', async () => {
    const { api } = setup();
    await heldCharge(api, { Count: 60 });
    const { status, body } = await api.put('/_sandbox/hold', { Operation: 'charge.search', Count: 41 });
    expect([status, body['Message']]).toEqual([409, expect.stringContaining('maximum is 100')]);
    await good(api.put('/_sandbox/hold', { Operation: 'charge.search', Count: 40 }));
    await api.del('/_sandbox/hold');
  });
});

test.each([
  [{ Outcome: 'insuficient_funds' }, /did you mean insufficient_funds/i],
  [{ Outcome: 'reset' }, /is a fault; write \{"Fault": "reset"\}/],
  [{ Outcome: 'unable_to_capture' }, /Outcome has no effect: it is an outcome of charge\.capture only/],
  [{ Fault: 'rest' }, /did you mean reset/i],
  [{ Fault: 'reset', Phase: 'later' }, /has an invalid Phase, "later"; it must be before or after/],
  [
    { Fault: 'reset; phase=after' },
    /invalid Fault, "reset; phase=after"; .* Write {"Fault": "reset", "Phase": "after"}/,
  ],
  [{ Fault: 'reset', Outcome: 'approve' }, /only one of them/],
  [{ Phase: 'later' }, /before or after/],
])('the decision %j is refused, and the call goes on waiting', async (decision, why) => {
  const { api } = setup();
  const { answer } = await heldCharge(api);
  const { status, body } = await api.post('/_sandbox/hold/1', decision);
  expect([status, body['Message']]).toEqual([400, expect.stringMatching(why)]);
  await good(api.post('/_sandbox/hold/1'));
  expect((await answer).status).toBe(201);
});

test('a HoldId with which no call waits is refused with those that wait', async () => {
  const { api } = setup();
  expect((await api.post('/_sandbox/hold/1')).body['Message']).toContain('the HoldId "1"; no call waits');
  const { answer } = await heldCharge(api);
  const { status, body } = await api.post('/_sandbox/hold/x');
  expect([status, body['Message']]).toEqual([404, expect.stringContaining('these wait: 1')]);
  await api.post('/_sandbox/hold/1');
  expect((await answer).status).toBe(201);
});
