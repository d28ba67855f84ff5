import { describe, expect, test } from 'vitest';

import { AN_ID, expectRefused, textIn } from '../../support/stored.js';
import { charge, fire, HOOK, LOG, logOf, sendBatch, settle, setup, turns } from '../../webhooks/support.js';

const AWAIT = '/_sandbox/journal/await';
const CHANGED = 'transaction.status.changed';

describe('GET /_sandbox/webhooks', () => {
  test('tells pending webhooks that wait for their first attempt from those that failed before', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => ({ status: 500 });
    await api.charge(charge({ Webhook: { Url: HOOK } }));
    const countOf = async (status: string) => (await api.read(`${LOG}?Status=${status}`))['Count'];
    const counts = async () => [
      await countOf('pending'),
      await countOf('waiting'),
      await countOf('retrying'),
    ];
    expect(await counts()).toEqual([1, 1, 0]);
    await settle(api);
    expect(await counts()).toEqual([1, 0, 1]);
    await api.advance('30d');
    expect([...(await counts()), await countOf('failed')]).toEqual([0, 0, 0, 1]);
  });

  test('lists deliveries, the newest first, and never the Authorization', async () => {
    const { api } = setup();
    const made = await api.charge(charge({ Webhook: { Url: HOOK, Authorization: 'Basic secret' } }));
    await settle(api);
    const answer = await api.get(LOG);
    expect(answer.body).toEqual({
      Limit: 100,
      Skip: 0,
      Count: 1,
      Evicted: 0,
      Lost: 0,
      Receivers: [expect.objectContaining({ Url: HOOK, Attempts: 1, FailedAttempts: 0, SlowestMs: 0 })],
      Deliveries: [
        {
          DeliveryId: AN_ID,
          MessageId: AN_ID,
          Url: HOOK,
          EventType: CHANGED,
          Ref: made.body['ChargeId'],
          Attempt: 1,
          Attempts: [
            {
              At: '2026-01-01T00:00:00.000Z',
              DurationMs: 0,
              ResponseStatus: 204,
              Status: 'delivered',
              Note: null,
              RequestHeaders: expect.objectContaining({ authorization: '***' }),
              ResponseHeaders: null,
              ResponseBody: null,
            },
          ],
          At: '2026-01-01T00:00:00.000Z',
          Status: 'delivered',
          ResponseStatus: 204,
          NextAttemptAt: null,
          Note: null,
          Policy: null,
          EntryId: 1,
          ResendOf: null,
          Body: expect.objectContaining({
            data: expect.objectContaining({ chargeId: made.body['ChargeId'], refunds: [] }) as object,
          }) as object,
        },
      ],
    });
    expect(answer.text).not.toContain('Basic secret');
  });

  test('takes Reference, Ref, Url and Search, and says of what a message is a repetition', async () => {
    const { api } = setup();
    const made = await api.charge(charge({ Reference: 'order-1', Webhook: { Url: HOOK } }));
    await api.charge(charge({ Reference: 'order-2', Webhook: { Url: HOOK } }));
    await settle(api);
    const count = async (query: string): Promise<unknown> => (await api.read(`${LOG}?${query}`))['Count'];
    expect(await count('Reference=order-1')).toBe(1);
    expect(await count('Reference=order')).toBe(0);
    expect(await count(`Ref=${textIn(made, 'ChargeId')}`)).toBe(1);
    expect(await count(`Url=${encodeURIComponent(HOOK.slice(0, -1))}*`)).toBe(2);
    expect(await count('Url=https://*')).toBe(0);
    expect(await count('Search=ORDER-2')).toBe(1);
    const [first] = (await api.read(`${LOG}?Reference=order-1`))['Deliveries'] as { DeliveryId: string }[];
    const again = `${LOG}/${first?.DeliveryId}/resend`;
    const once = await api.post(again, {});
    const twice = await api.post(`${LOG}/${textIn(once, 'DeliveryId')}/resend`, {});
    expect([once, twice].map(({ body }) => body['ResendOf'])).toEqual([first?.DeliveryId, first?.DeliveryId]);
  });

  test('takes Limit, Skip and Status', async () => {
    const { api, receiver } = setup();
    receiver.answer = ({ body }) => ({ status: body.includes('"r2"') ? 500 : 200 });
    for (const Reference of ['r1', 'r2', 'r3']) await api.charge(charge({ Reference }));
    await settle(api);
    const of = async (query: string): Promise<unknown[]> =>
      (await logOf(api, query)).map(({ Body }) => (Body as { data: { reference: string } }).data.reference);
    expect(await of('?Limit=1&Skip=1')).toEqual(['r2']);
    expect(await of('?Status=Pending')).toEqual(['r2']);
    expect(await of('?Status=delivered')).toEqual(['r3', 'r1']);
    expectRefused(await api.get(`${LOG}?Status=lost`), 400, 90);
    expectRefused(await api.get(`${LOG}?Stauts=failed`), 400, 90);
  });
});

describe('POST /_sandbox/webhooks/{id}/resend', () => {
  test('sends once more as a delivery of its own, with the same message', async () => {
    const { api, receiver } = setup();
    await api.charge(charge());
    await settle(api);
    await api.advance('1h');
    const [before] = await logOf(api);
    const again = await api.post(`${LOG}/${String(before?.['DeliveryId'])}/resend`);
    expect(again.body).toMatchObject({ Status: 'pending', Attempt: 0, At: '2026-01-01T01:00:00.000Z' });
    expect(again.body['DeliveryId']).not.toBe(before?.['DeliveryId']);
    await settle(api);
    expect(receiver.got.map(({ body }) => body)).toEqual([receiver.got[0]?.body, receiver.got[0]?.body]);
    expect(await logOf(api)).toMatchObject([
      { Status: 'delivered', MessageId: before?.['MessageId'], DeliveryId: again.body['DeliveryId'] },
      { Status: 'delivered' },
    ]);
  });

  test('gives one that has failed new attempts', async () => {
    const { api, receiver } = setup();
    receiver.answer = () => ({ status: 500 });
    await api.charge(charge());
    await api.advance('7d');
    receiver.answer = () => ({ status: 200 });
    await api.post(`${LOG}/${String((await logOf(api))[0]?.['DeliveryId'])}/resend`);
    await settle(api);
    expect((await logOf(api)).map(({ Status }) => Status)).toEqual(['delivered', 'failed']);
  });

  test('of an unknown one is a 404 that says where they are listed', async () => {
    const { api } = setup();
    expect(expectRefused(await api.post(`${LOG}/nothing/resend`), 404, 90)).toContain(
      'GET /_sandbox/webhooks',
    );
  });
});

describe('the journal', () => {
  test('shows the webhooks of each call, and their results', async () => {
    const { api, receiver } = setup();
    receiver.answer = ({ body }) => ({ status: body.includes('Authorised') ? 500 : 200 });
    const id = textIn(await api.charge(charge({ Capture: false })), 'ChargeId');
    await api.post(`/charge/${id}`, { Amount: 5 });
    await api.get(`/charge/${id}`);
    await settle(api);
    const { body } = await api.get('/_sandbox/journal');
    const deliveries = (body['Entries'] as { Deliveries: object[] }[]).map(({ Deliveries }) => Deliveries);
    const common = { EventType: CHANGED, Url: HOOK, Attempt: 1 };
    expect(deliveries).toMatchObject([
      [],
      [{ ...common, Status: 'delivered', ResponseStatus: 200 }],
      [{ ...common, Status: 'pending', ResponseStatus: 500 }],
    ]);
  });

  test('counts deliveries of an event that arrived', async () => {
    const { api, receiver } = setup();
    receiver.answer = ({ body }) => ({ status: body.includes('"bad"') ? 500 : 200 });
    for (const Reference of ['good', 'bad', 'good']) await api.charge(charge({ Reference }));
    await settle(api);
    const count = async (Match: object): Promise<unknown> =>
      (await api.post('/_sandbox/journal/count', { Match: { Event: CHANGED, ...Match } })).body;
    expect(await count({})).toEqual({ Count: 2, Incomplete: false });
    expect(await count({ Status: 500 })).toEqual({ Count: 1, Incomplete: false });
    expect(await count({ Reference: 'good' })).toEqual({ Count: 2, Incomplete: false });
    expect(await count({ Body: { data: { status: 'FAILED' } } })).toEqual({ Count: 0, Incomplete: false });
    expect(await count({ Path: '/ho*' })).toEqual({ Count: 2, Incomplete: false });
  });
});

describe('POST /_sandbox/journal/await with an Event', () => {
  test('answers at once with what has arrived already', async () => {
    const { api } = setup();
    await api.charge(charge({ Reference: 'a' }));
    await settle(api);
    const { body } = await api.post(AWAIT, { Match: { Event: CHANGED, Reference: 'a' } });
    expect(body).toMatchObject({ Count: 1, Deliveries: [{ Status: 'delivered', EventType: CHANGED }] });
  });

  test('waits for what comes, also when it was asked before the first receiver was named', async () => {
    const { api, host } = setup();
    const waiting = api.post(AWAIT, {
      Match: { Event: 'batch.status.changed', Body: { data: { status: 'SUCCESS' } } },
    });
    await turns(host);
    await sendBatch(api, 1);
    await api.advance('1m');
    expect((await waiting).body).toMatchObject({ Count: 1, Deliveries: [{ Attempt: 1 }] });
  });

  test('waits until an attempt succeeds, or for a certain answer', async () => {
    const { api, receiver, host } = setup();
    receiver.answer = () => ({ status: receiver.got.length === 1 ? 500 : 200 });
    const [good, bad] = [
      api.post(AWAIT, { Match: { Event: CHANGED } }),
      api.post(AWAIT, { Match: { Event: CHANGED, Status: 500 } }),
    ];
    await turns(host);
    await api.charge(charge());
    await settle(api);
    expect((await bad).body).toMatchObject({ Count: 1, Deliveries: [{ Status: 'pending' }] });
    await api.advance('5s');
    expect((await good).body).toMatchObject({ Count: 1, Deliveries: [{ Status: 'delivered', Attempt: 2 }] });
  });

  test('says after its Timeout what the nearest lack', async () => {
    const { api, host } = setup();
    await api.charge(charge({ Reference: 'other' }));
    await settle(api);
    const waiting = api.post(AWAIT, { Match: { Event: CHANGED, Reference: 'mine' }, Timeout: '3s' });
    await fire(host, 3_000);
    const answer = await waiting;
    expect(expectRefused(answer, 408, 94)).toContain('0 of 1 deliveries arrived within 3s');
    expect(answer.body).toMatchObject({
      Count: 0,
      Nearest: [
        { EventType: CHANGED, Differences: [{ Member: 'Reference', Wanted: 'mine', Found: 'other' }] },
      ],
    });
  });

  test('says that the clock stands still if the webhook may be due later', async () => {
    const { api, host } = setup();
    await api.charge({ ...charge({ Capture: false }), Webhook: null });
    const waiting = api.post(AWAIT, { Match: { Event: CHANGED }, Timeout: '3s' });
    await fire(host, 3_000);
    expect(expectRefused(await waiting, 408, 94)).toMatch(
      /within 3s\. There were no others\. The clock is manual, and the next job is due at \S+Z: advance the clock\.$/,
    );
  });

  test('refuses an event that there is not, and fields that no delivery has', async () => {
    const { api } = setup();
    expect(expectRefused(await api.post(AWAIT, { Match: { Event: 'batch.changed' } }), 400, 90)).toContain(
      'batch.status.changed',
    );
    expectRefused(await api.post(AWAIT, { Match: { Event: CHANGED, Operation: 'charge.create' } }), 400, 90);
  });
});
