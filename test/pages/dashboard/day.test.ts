import { beforeAll, describe, expect, test } from 'vitest';

import type { FindingsResponse } from '../../../src/control/findings/routes.js';
import type { ReconcileResponse } from '../../../src/control/reconcile/schema.js';
import type {
  CallPage,
  DeliveriesResponse,
  FacetsResponse,
  RecordDetail,
  RecordJson,
  RecordPage,
} from '../../../src/pages/dashboard/state/wire.js';
import { listReachedStates } from '../../../src/pages/dashboard/text/charge-states.js';
import { formatRecordAmount } from '../../../src/pages/dashboard/text/charge.js';
import { isAboutOrder, sumOrder } from '../../../src/pages/dashboard/text/order/order.js';
import { isFailing } from '../../../src/pages/dashboard/text/webhooks.js';
import { formatDayAndTime } from '../../../src/pages/dashboard/text/when.js';
import { CHARGE_STATUSES } from '../../../src/records/charge.js';
import { NO_FUNDS, cardOf, storing, textIn } from '../../support/stored.js';
import { setup } from '../../webhooks/support.js';
import { HOOKS } from './look.js';

const CHARGES = 300;
/** Every so many orders are declined, lost and charged again, refused, authorised, or refunded in part. */
const EVERY = { declined: 7, lost: 50, refused: 30, authorised: 11, refunded: 9 };

/** A day of a shop: 300 charges, five minutes apart, with all that can happen to them. */
describe('what the pages say of a day is what the API says', () => {
  const { api, receiver } = setup();
  let charges: readonly RecordJson[] = [];
  let now = 0;
  const read = async <T>(path: string): Promise<T> => (await api.read(`/_sandbox${path}`)) as T;

  async function sellOrder(n: number): Promise<void> {
    const is = (every: number): boolean => n % every === every - 1;
    const body = storing({
      Amount: (1000 + n * 7) / 100,
      Reference: `order-${n}`,
      Webhook: { Url: HOOKS },
      Capture: !is(EVERY.authorised),
      ...(is(EVERY.declined) ? { PaymentInformation: cardOf(NO_FUNDS) } : {}),
    });
    if (is(EVERY.refused)) await api.post('/charge/card', { ...body, ProviderId: undefined });
    if (is(EVERY.lost)) {
      await api.post('/charge/card', body, { 'x-sandbox-fault': 'empty; phase=after' }).catch(() => null);
      await api.advance('31s');
    }
    const made = await api.post('/charge/card', body);
    if (is(EVERY.refunded) && made.status === 201 && !is(EVERY.authorised))
      await api.del(`/refund/${textIn(made, 'ChargeId')}?Amount=1.1`);
  }

  beforeAll(async () => {
    let sent = 0;
    receiver.answer = () => ({ status: sent++ % 9 === 8 ? 503 : 204 });
    for (let n = 0; n < CHARGES; n++) {
      await sellOrder(n);
      await api.advance('5m');
    }
    const { Records } = await read<RecordPage>('/records/charges?Limit=500');
    charges = Records;
    now = Date.parse((await read<{ Clock: { Now: string } }>('/world')).Clock.Now);
  });

  test('as many charges of each status as the list has', async () => {
    const counts = await Promise.all(
      CHARGE_STATUSES.map((status) => read<RecordPage>(`/records/charges?Status=${status}&Limit=1`)),
    );
    const listed = CHARGE_STATUSES.map((status) => charges.filter(({ Status }) => Status === status).length);
    expect(counts.map(({ Count }) => Count)).toEqual(listed);
    expect(charges.length).toBe(counts.reduce((sum, { Count }) => sum + Count, 0));
    expect(charges.length).toBe(CHARGES + Math.floor(CHARGES / EVERY.lost));
  });

  test('the sum of each order', async () => {
    const { Totals } = (await api.post('/_sandbox/reconcile', { Orders: [] }))
      .body as unknown as ReconcileResponse;
    for (const { Reference, Currency, Captured, Refunded } of Totals) {
      const [sum] = sumOrder(charges.filter((charge) => charge['Reference'] === Reference));
      expect({ Reference, ...sum }).toMatchObject({
        Reference,
        currency: Currency,
        taken: Captured,
        returned: Refunded,
      });
    }
    expect(Totals).toHaveLength(CHARGES);
    const [whole] = sumOrder(charges);
    const sumOf = (name: 'Captured' | 'Refunded'): number =>
      Totals.reduce((sum, total) => sum + Math.round(total[name] * 100), 0) / 100;
    expect([whole?.taken, whole?.returned]).toEqual([sumOf('Captured'), sumOf('Refunded')]);
  });

  test('the findings count what the calls, the deliveries and reconcile count', async () => {
    const { Findings } = await read<FindingsResponse>('/findings');
    const of = (kind: string) => Findings.filter(({ Kind }) => Kind === kind);
    const Orders = Array.from({ length: CHARGES }, (_, n) => ({
      Reference: `order-${n}`,
      Amount: (1000 + n * 7) / 100,
      Paid: null,
    }));
    const { Findings: unbalanced } = (await api.post('/_sandbox/reconcile', { Orders }))
      .body as unknown as ReconcileResponse;
    const twice = unbalanced.filter(({ Kind }) => Kind === 'charged twice');
    expect(of('charged twice').map(({ Reference }) => Reference)).toEqual(
      twice.map(({ Reference }) => Reference),
    );
    expect(twice.length).toBeGreaterThan(3);
    const { Results } = await read<FacetsResponse>('/journal/facets?Periods=1');
    const counted = (name: string) => Results.find(({ Name }) => Name === name)?.Count;
    expect(of('answers lost')[0]?.Count).toBe(counted('unanswered'));
    expect(of('calls refused')[0]?.Count).toBe(counted('refused'));
    const { Deliveries } = await read<DeliveriesResponse>('/webhooks?Limit=500');
    const tries = Deliveries.flatMap(({ Attempts }) => Attempts);
    const failed = tries.filter(({ Status }) => Status === 'failed').length;
    expect(of('webhooks failing')).toMatchObject([
      { Count: failed, Message: `/hooks/pay fails ${Math.floor((failed / tries.length) * 100)} % (503)` },
    ]);
  });

  test('the receiver has the sums of its deliveries, and as many failing ones as its filter lists', async () => {
    const { Deliveries, Receivers, Count } = await read<DeliveriesResponse>('/webhooks?Limit=500');
    const tries = Deliveries.flatMap(({ Attempts }) => Attempts);
    const failed = tries.filter(({ Status }) => Status === 'failed');
    const failing = Deliveries.filter(isFailing);
    expect(Receivers).toEqual([
      {
        Url: HOOKS,
        Deliveries: Count,
        Failing: failing.length,
        Attempts: tries.length,
        FailedAttempts: failed.length,
        FailedPercent: Math.floor((failed.length / tries.length) * 100),
        SlowestMs: Math.max(...tries.map(({ DurationMs }) => DurationMs ?? 0)),
        LastError: '503',
        LastErrorAt: failed
          .map(({ At }) => At)
          .toSorted()
          .at(-1),
      },
    ]);
    const listed = await read<DeliveriesResponse>('/webhooks?Status=failing&Limit=500');
    expect(listed.Deliveries).toEqual(failing);
    expect(failed.length).toBeGreaterThan(30);
  });

  test('the calls of each order', async () => {
    for (const reference of ['order-49', 'order-29', 'order-8']) {
      const own = await read<CallPage>(`/journal?Reference=${reference}&Brief=true&Limit=100`);
      const all = await read<CallPage>(`/journal?Search=${reference}&Brief=true&Limit=500`);
      const named = all.Entries.filter((call) => isAboutOrder(call, reference));
      expect(named.map(({ EntryId }) => EntryId)).toEqual(own.Entries.map(({ EntryId }) => EntryId));
    }
  });

  test('the state, the amount and the time of each charge', async () => {
    for (const charge of charges.filter((_, n) => n % 10 === 0)) {
      const path = `/records/charges/${String(charge['ChargeId'])}`;
      const { Record: record, Timeline: timeline, Decisions: decisions } = await read<RecordDetail>(path);
      const states = listReachedStates({ record, timeline, decisions, now });
      expect(record).toEqual(charge);
      expect(states.at(-1)?.name).toBe(charge['Status']);
      expect(states[0]?.detail).toBe(formatDayAndTime(String(charge['DateAdded']), now));
      expect(timeline.find(({ What }) => What === 'added')?.At).toBe(charge['DateAdded']);
      if (charge['Status'] === 'SUCCESS')
        expect(states.at(-1)?.detail).toContain(formatRecordAmount(charge, 'Amount'));
    }
  });
});
