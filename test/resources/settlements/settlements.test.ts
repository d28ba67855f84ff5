import { describe, expect, test } from 'vitest';

import { SETTLEMENTS_MAX } from '../../../src/records/settlement.js';
import { type Answer, client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { AMOUNTS, cardOf, STEADY, storing, batchOf } from '../../support/bodies.js';
import { after, expectRefused, ID, textIn } from '../../support/stored.js';

type Shown = Record<string, unknown>;

const listOf = (answer: Answer): Shown[] => answer.body as unknown as Shown[];

/** A world at ten in the morning of 1 January. */
async function setup() {
  const api = client(testSandbox());
  await api.advance('10h');
  const charge = async (more: object = {}): Promise<string> => {
    const body = { Amount: 10, ProviderId: STEADY, PaymentInformation: cardOf(), ...more };
    return textIn(await api.charge(body), 'ChargeId');
  };
  const ask = (query: string): Promise<Answer> => api.get(`/settlements?${query}`);
  /** The amounts that settle, the latest first, each with its day. */
  const settled = async (query = 'startDate=2026-01-01'): Promise<string[]> =>
    listOf(await ask(query)).map(
      ({ SettlementDate, Amount }) => `${String(SettlementDate).slice(0, 10)} ${String(Amount)}`,
    );
  return { api, charge, ask, settled };
}

describe('GET /settlements', () => {
  test('answers with a bare array of what has settled', async () => {
    const { api, charge, ask } = await setup();
    const ChargeId = await charge({ Amount: 15.5 });
    await api.advance('1d');
    const answer = await ask('startDate=2026-01-01&endDate=2026-01-31');
    expect(answer.status).toBe(200);
    expect(listOf(answer)).toEqual([
      {
        SettlementId: expect.stringMatching(ID),
        SettlementDate: '2026-01-02T00:00:00.000Z',
        CreatedDate: after(36_000_000),
        ProviderId: STEADY,
        ProviderName: 'steady',
        ChargeId,
        Amount: 15.5,
      },
    ]);
    expect((await ask('startDate=2026-01-01')).text).toBe(answer.text);
  });

  test('settles a charge with the beginning of the next day by UTC, and not before', async () => {
    const { api, charge, settled } = await setup();
    await charge();
    await api.advance(`${14 * 3_600_000 - 1}ms`);
    expect(await settled()).toEqual([]);
    await api.advance('1ms');
    expect(await settled()).toEqual(['2026-01-02 10']);
  });

  test('settles what was captured, counted from the capture', async () => {
    const { api, charge, settled } = await setup();
    const held = await charge({ Amount: 50, Capture: false });
    await charge({ Amount: 60, Capture: false });
    await api.advance('2d');
    await api.post(`/charge/${held}`, { Amount: 40 });
    await api.advance('2d');
    expect(await settled()).toEqual(['2026-01-04 40']);
  });

  test('settles no charge that was declined or voided', async () => {
    const { api, charge, settled } = await setup();
    await charge({ ProviderId: AMOUNTS, Amount: 10.05 });
    await api.del(`/charge/${await charge({ Capture: false })}/void`);
    await api.advance('2d');
    expect(await settled()).toEqual([]);
  });

  test('settles a refund by itself, with a negative amount, on the day after it', async () => {
    const { api, charge, ask, settled } = await setup();
    const id = await charge();
    await api.advance('1d');
    await api.del(`/refund/${id}?Amount=4`);
    await api.advance('1d');
    await api.del(`/refund/${id}`);
    expect(await settled()).toEqual(['2026-01-03 -4', '2026-01-02 10']);
    await api.advance('1d');
    expect(await settled()).toEqual(['2026-01-04 -6', '2026-01-03 -4', '2026-01-02 10']);
    const shown = listOf(await ask('startDate=2026-01-01'));
    expect(shown.map(({ ChargeId }) => ChargeId)).toEqual([id, id, id]);
    expect(new Set(shown.map(({ SettlementId }) => SettlementId)).size).toBe(3);
  });

  test('settles a transfer like a refund, so that what is left of a charge is what settles', async () => {
    const { api, charge, ask, settled } = await setup();
    const id = await charge();
    const transfer = (GroupReference: string, ...amounts: number[]): Promise<Answer> => {
      const Transfers = amounts.map((Amount) => ({ Account: 'a', Amount, Currency: 'AUD' }));
      return good(api.post('/transfer', { GroupReference, ProviderId: STEADY, ChargeId: id, Transfers }));
    };
    await transfer('g-1', 1, 2);
    await api.del(`/refund/${id}?Amount=3`);
    await api.advance('1d');
    expect(await settled()).toEqual(['2026-01-02 -2', '2026-01-02 -1', '2026-01-02 -3', '2026-01-02 10']);
    await transfer('g-2', 4);
    await api.advance('1d');
    const shown = listOf(await ask('startDate=2026-01-01'));
    expect(shown.reduce((sum, { Amount }) => sum + Number(Amount), 0)).toBe(0);
    expect(new Set(shown.map(({ SettlementId }) => SettlementId)).size).toBe(5);
    expect(shown.map(({ ChargeId }) => ChargeId)).toEqual([id, id, id, id, id]);
  });

  test.each<[query: string, settled: string[]]>([
    ['startDate=2026-01-01', ['2026-01-04 30', '2026-01-03 20', '2026-01-02 10']],
    ['startDate=2026-01-03', ['2026-01-04 30', '2026-01-03 20']],
    ['startDate=2026-01-03&endDate=2026-01-03', ['2026-01-03 20']],
    ['startDate=2026-01-01&endDate=2026-01-02', ['2026-01-02 10']],
    ['StartDate=2026-01-05', []],
    ['startDate=2026-01-01&endDate=9999-12-31', ['2026-01-04 30', '2026-01-03 20', '2026-01-02 10']],
  ])('answers for the days from the first to the last: %s', async (query, expected) => {
    const { api, charge, settled } = await setup();
    for (const Amount of [10, 20, 30]) {
      await charge({ Amount });
      await api.advance('1d');
    }
    expect(await settled(query)).toEqual(expected);
  });

  test.each<[query: string, member: string]>([
    ['', 'StartDate'],
    ['endDate=2026-01-01', 'StartDate'],
    ['startDate=2026-02-30', 'StartDate'],
    ['startDate=2026-1-1', 'StartDate'],
    ['startDate=2026-01-01T00:00:00Z', 'StartDate'],
    ['startDate=2026-01-01&endDate=x', 'EndDate'],
    ['startDate=2026-01-02&endDate=2026-01-01', 'EndDate'],
  ])('refuses %s', async (query, member) => {
    const { ask } = await setup();
    const answer = await ask(query);
    expectRefused(answer, 400, 90, member);
  });

  test('lists the latest, and says how many there are', async () => {
    const { api, ask } = await setup();
    const Count = 2 * SETTLEMENTS_MAX + 1;
    const method = textIn(await api.post('/payment_method/card', storing()), 'PaymentMethodId');
    const rows = Array.from({ length: Count }, (_, n) => `${method},${n + 1},AUD,r`);
    await good(api.post('/batch/transaction/payment_method', batchOf(rows)));
    await api.advance('1d');
    const answer = await ask('startDate=2026-01-01');
    expect(warningOf(answer)).toContain(`there are ${Count} settlements`);
    expect(listOf(answer).map(({ Amount }) => Amount)).toEqual(
      Array.from({ length: SETTLEMENTS_MAX }, (_, n) => Count - n),
    );
  });

  test('includes what subscriptions and captures of other days made, in the order of their days', async () => {
    const { api, charge, settled } = await setup();
    const method = textIn(await api.post('/payment_method/card', storing()), 'PaymentMethodId');
    const held = await charge({ Amount: 7, Capture: false });
    await api.post('/subscription/payment_method', {
      PaymentMethodId: method,
      Amount: 5,
      Currency: 'AUD',
      Interval: 'Day',
      EndAfter: { Count: 2 },
    });
    await api.advance('36h');
    await api.post(`/charge/${held}`, { Amount: 7 });
    await api.advance('2d');
    expect(await settled()).toEqual(['2026-01-03 7', '2026-01-03 5', '2026-01-02 5']);
  });
});
