import { describe, expect, test } from 'vitest';

import { type Answer, client, type Client, good, testSandbox } from '../../support/sandbox.js';
import { AMOUNTS, cardOf, STEADY } from '../../support/bodies.js';
import { after, EMPTY, expectRefused, ID, NOW, textIn } from '../../support/stored.js';
import { findsEach, pagesEach, refusesFilters } from '../../support/searches.js';

const PATH = '/transfer';
const DAY = 86_400_000;

type Shown = Record<string, unknown>;

/** The members of an answer that is a bare array. */
const listOf = (answer: Answer): Shown[] => answer.body as unknown as Shown[];

async function charged(api: Client, more: object = {}): Promise<string> {
  const charge = { Amount: 100, ProviderId: STEADY, PaymentInformation: cardOf(), ...more };
  const answer = await api.charge(charge);
  return textIn(answer, 'ChargeId');
}

async function setup() {
  const api = client(testSandbox());
  return { api, ChargeId: await charged(api) };
}

const part = (more: object = {}): object => ({ Account: 'acct-1', Amount: 10, Currency: 'AUD', ...more });

const group = (ChargeId: string, more: object = {}): object => ({
  GroupReference: 'g-1',
  ProviderId: STEADY,
  ChargeId,
  Transfers: [part()],
  ...more,
});

describe('POST /transfer', () => {
  test('answers with a bare array of its transfers, in their order', async () => {
    const { api, ChargeId } = await setup();
    const answer = await good(
      api.post(
        PATH,
        group(ChargeId, {
          Transfers: [
            part({ Message: 'rent', Reference: 'r-1', Amount: '60.50' }),
            part({ Account: 'acct-2', Reference: null }),
          ],
        }),
      ),
    );
    const common = {
      TransferId: expect.stringMatching(ID),
      Status: 'PENDING',
      GroupReference: 'g-1',
      DateAdded: NOW,
      TotalAmount: 70.5,
      ProviderId: STEADY,
      Currency: 'AUD',
      ChargeId,
    };
    expect(listOf(answer)).toEqual([
      { ...common, Reference: 'r-1', Amount: 60.5, Account: 'acct-1' },
      { ...common, Reference: null, Amount: 10, Account: 'acct-2' },
    ]);
    for (const shown of listOf(answer)) {
      const read = await api.get(`${PATH}/${String(shown['TransferId'])}`);
      expect([read.status, read.body]).toEqual([200, shown]);
    }
    expect(await api.counts()).toEqual({ ...EMPTY, Charges: 1, Transfers: 2, QueuedJobs: 2 });
  });

  test('is PENDING for a day, then SUCCESS', async () => {
    const { api, ChargeId } = await setup();
    const [made] = listOf(await api.post(PATH, group(ChargeId)));
    const status = async (): Promise<unknown> =>
      (await api.read(`${PATH}/${String(made?.['TransferId'])}`))['Status'];
    await api.advance(`${DAY - 1}ms`);
    expect(await status()).toBe('PENDING');
    const last = await api.advance('1ms');
    expect(last.body).toMatchObject({
      Ran: [{ At: after(DAY), Kind: 'transfer.arrive', Ref: made?.['TransferId'] }],
    });
    expect(await status()).toBe('SUCCESS');
  });

  test('sends on the whole of a charge, in several groups, and no more', async () => {
    const { api, ChargeId } = await setup();
    const send = (GroupReference: string, ...amounts: unknown[]): Promise<Answer> =>
      api.post(
        PATH,
        group(ChargeId, { GroupReference, Transfers: amounts.map((Amount) => part({ Amount })) }),
      );
    expect((await send('a', 60, 30)).status).toBe(201);
    const refused = await send('b', 5, 5.01);
    expect(expectRefused(refused, 400, 68)).toContain(
      'must add up to at most 10 (what is left of the charge), not 10.01',
    );
    expect((await send('b', 10)).status).toBe(201);
    expectRefused(await send('c', 0.01), 400, 68);
  });

  test('has what is left of a charge after its refunds', async () => {
    const { api, ChargeId } = await setup();
    await api.del(`/refund/${ChargeId}?Amount=95`);
    expectRefused(await api.post(PATH, group(ChargeId)), 400, 68);
    await good(api.post(PATH, group(ChargeId, { Transfers: [part({ Amount: 5 })] })));
  });

  test.each<[what: string, more: object, status: number, code: number, member: string]>([
    ['no GroupReference', { GroupReference: undefined }, 400, 90, 'GroupReference'],
    ['no ProviderId', { ProviderId: undefined }, 400, 90, 'ProviderId'],
    ['a malformed ProviderId', { ProviderId: 'x' }, 400, 39, 'ProviderId'],
    ['no ChargeId', { ChargeId: undefined }, 400, 90, 'ChargeId'],
    ['no Transfers', { Transfers: undefined }, 400, 67, 'Transfers'],
    ['Transfers of null', { Transfers: null }, 400, 67, 'Transfers'],
    ['an empty list of them', { Transfers: [] }, 400, 67, 'Transfers'],
    ['what is no list', { Transfers: part() }, 400, 90, 'Transfers'],
    ['too many', { Transfers: Array.from({ length: 1001 }, () => part()) }, 400, 90, 'Transfers'],
    ['what is no transfer', { Transfers: [7] }, 400, 90, 'Transfers.0'],
    ['no Account', { Transfers: [part(), part({ Account: undefined })] }, 400, 90, 'Transfers.1.Account'],
    ['no Amount', { Transfers: [part({ Amount: undefined })] }, 400, 90, 'Transfers.0.Amount'],
    ['an Amount of 0', { Transfers: [part({ Amount: 0 })] }, 400, 60, 'Transfers.0.Amount'],
    ['a malformed Amount', { Transfers: [part({ Amount: '1e2' })] }, 400, 60, 'Transfers.0.Amount'],
    ['too many decimals', { Transfers: [part(), part({ Amount: 1.005 })] }, 400, 60, 'Transfers.1.Amount'],
    ['no Currency', { Transfers: [part({ Currency: undefined })] }, 400, 90, 'Transfers.0.Currency'],
    ['an unknown Currency', { Transfers: [part({ Currency: 'XXX' })] }, 400, 29, 'Transfers.0.Currency'],
    ['another Currency', { Transfers: [part(), part({ Currency: 'USD' })] }, 400, 29, 'Transfers.1.Currency'],
    ['more than the charge', { Transfers: [part({ Amount: 100.01 })] }, 400, 68, 'Transfers'],
    [
      'a Reference twice',
      { Transfers: [part({ Reference: 'r' }), part({ Reference: 'r' })] },
      409,
      70,
      'Transfers.1.Reference',
    ],
  ])('refuses %s', async (_, more, status, code, member) => {
    const { api, ChargeId } = await setup();
    const answer = await api.post(PATH, group(ChargeId, more));
    expectRefused(answer, status, code, member);
    expect(await api.counts()).toEqual({ ...EMPTY, Charges: 1 });
  });

  test('refuses references that were used before', async () => {
    const { api, ChargeId } = await setup();
    await api.post(PATH, group(ChargeId, { Transfers: [part({ Reference: 'r-1' })] }));
    expectRefused(await api.post(PATH, group(ChargeId)), 409, 69);
    const again = group(ChargeId, { GroupReference: 'g-2', Transfers: [part({ Reference: 'r-1' })] });
    expectRefused(await api.post(PATH, again), 409, 70);
    expect(await api.counts()).toMatchObject({ Transfers: 1 });
  });

  test.each<[status: string, make: (api: Client) => Promise<string>]>([
    ['Authorised', (api) => charged(api, { Capture: false })],
    ['FAILED', (api) => charged(api, { ProviderId: AMOUNTS, Amount: 100.05 })],
  ])('refuses a charge that is %s', async (status, make) => {
    const { api } = await setup();
    const answer = await api.post(PATH, group(await make(api)));
    expect(expectRefused(answer, 409, 54)).toContain(`is ${status}`);
  });

  test('refuses what the world has no room for', async () => {
    const api = client(testSandbox({ recordsMax: 1 }));
    const ChargeId = await charged(api);
    const answer = await api.post(PATH, group(ChargeId, { Transfers: [part(), part()] }));
    expectRefused(answer, 409, 90);
    expect(await api.counts()).toMatchObject({ Transfers: 0 });
  });
});

describe('GET /transfer/{id}', () => {
  test('refuses an unknown one', async () => {
    const { api, ChargeId } = await setup();
    expectRefused(await api.get(`${PATH}/nobody`), 404, 88);
    expectRefused(await api.get(`${PATH}/${ChargeId}`), 404, 88);
  });
});

/** Three groups, half a day apart, by the references of their transfers. */
async function several() {
  const { api, ChargeId } = await setup();
  const dashed = '00000000-0000-0000-0000-000000000002';
  for (const [GroupReference, ProviderId, references] of [
    ['g-1', STEADY, ['a', 'b']],
    ['g-2', dashed, ['c']],
    ['g-3', STEADY, ['d']],
  ] as const) {
    const Transfers = references.map((Reference) => part({ Reference }));
    expect((await api.post(PATH, group(ChargeId, { GroupReference, ProviderId, Transfers }))).status).toBe(
      201,
    );
    await api.advance('12h');
  }
  const found = (answer: Answer): unknown[] =>
    (answer.body['Transfers'] as Shown[]).map(({ Reference }) => Reference);
  return { found, search: (query: string) => api.get(`${PATH}${query}`) };
}

describe('GET /transfer', () => {
  test('answers all, newest first', async () => {
    const { search, found } = await several();
    const answer = await search('');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['Limit', 'Skip', 'Count', 'Transfers']);
    expect(answer.body).toMatchObject({ Limit: 100, Skip: 0, Count: 4 });
    expect(found(answer)).toEqual(['d', 'c', 'b', 'a']);
  });

  findsEach(several, [
    ['?Reference=b', ['b']],
    ['?Reference=g-1', []],
    [`?ProviderId=${AMOUNTS}`, ['c']],
    ['?Status=PENDING', ['d']],
    ['?status=success', ['c', 'b', 'a']],
    [`?Reference=a&ProviderId=${AMOUNTS}`, []],
    [`?AddedAfter=${after(0)}`, ['d', 'c']],
    [`?AddedBefore=${after(DAY)}`, ['c', 'b', 'a']],
    ['?SortBy=Date', ['a', 'b', 'c', 'd']],
    ['?SortBy=-Date&Status=SUCCESS', ['c', 'b', 'a']],
  ]);

  pagesEach(several, [['?Limit=2&Skip=1', { Limit: 2, Skip: 1, Count: 4 }, ['c', 'b']]]);

  refusesFilters(several, ['ProviderId=x', 'Status=FAILED', 'AddedAfter=x', 'SortBy=Amount', 'Limit=0']);
});
