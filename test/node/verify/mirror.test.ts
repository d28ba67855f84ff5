import { describe, expect, test } from 'vitest';

import { DIALECTS } from '../../../src/core/dialect/dialect.js';
import { compareWithContract } from '../../../src/node/verify/compare.js';
import { mergeVerdicts } from '../../../src/node/verify/verdict.js';
import { Mirror } from '../../../src/node/verify/mirror.js';
import { describeAnswer } from '../../../src/node/verify/observed-call.js';
import { ShapeSet } from '../../../src/node/verify/shape.js';
import { playService } from '../../../src/openapi/service-play.js';
import { type ChangeAnswer, createService, readContract } from './support.js';

const START = Date.UTC(2026, 0, 1);
const CONTRACT = await readContract();
const ProviderId = 'a26c371f-94f6-40da-add2-28ec8e9da8ed';
const PaymentInformation = { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: '123' };
const CARD = { ProviderId, PaymentInformation };

type Service = ReturnType<typeof createService>;

async function verdictsOf(service: Service, from = 0) {
  const mirror = new Mirror(CONTRACT, service.observed.slice(from), START);
  const verdicts = [];
  for (const call of service.observed.slice(from)) verdicts.push(await mirror.compare(call));
  mirror.close();
  service.close();
  return mergeVerdicts(verdicts);
}

describe('playmoney with another seed in the place of the service', () => {
  test('answers every operation in the same shape', async () => {
    const service = createService();
    await playService(service.play);
    const verdicts = await verdictsOf(service);
    expect(verdicts.filter(({ verdict }) => verdict !== 'same')).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(80);
  });

  test('answers every operation as its own description says', async () => {
    const service = createService();
    await playService(service.play);
    const shapes = new ShapeSet(service.observed.map((call) => describeAnswer(call, CONTRACT)));
    expect(compareWithContract(shapes.all, CONTRACT).filter(({ verdict }) => verdict !== 'same')).toEqual([]);
    service.close();
  });

  test.each(DIALECTS)(
    'does not differ for records and tokens that only the account knows: %s',
    async (dialect) => {
      const service = createService(dialect);
      const documented = { 'x-sandbox-dialect': 'documented' };
      const make = async (path: string, body: object, headers = {}) =>
        (await service.send('POST', path, body, { ...documented, ...headers })).answer;
      const customer = (await make('/customer/card', { ...CARD, FirstName: 'Ada', Reference: 'c-1' }))[
        'CustomerId'
      ];
      const method = (await make('/payment_method/card', { ...CARD, VaultCard: true }))['PaymentMethodId'];
      const token = (await make('/token/card', { PaymentInformation }, { providerid: ProviderId }))[
        'TokenId'
      ];
      const held = (await make('/charge/card', { ...CARD, Amount: 33, Capture: false, Currency: 'NZD' }))[
        'ChargeId'
      ];
      const part = (await make('/charge/card', { ...CARD, Amount: 33, Capture: false }))['ChargeId'];
      await make(`/charge/${String(part)}/capture`, { Amount: 20 });
      const refunded = (await make('/charge/card', { ...CARD, Amount: 9 }))['ChargeId'];
      await service.send('DELETE', `/refund/${String(refunded)}?Amount=4.00`, undefined, documented);
      const before = service.observed.length;
      await service.send('POST', '/charge/customer', { Amount: 5, ProviderId, CustomerId: customer });
      await service.send('POST', '/charge/payment_method', { Amount: 5, PaymentMethodId: method });
      await service.send('POST', '/charge/token', { Amount: 5, Token: token });
      await service.send('POST', '/charge/token', { Amount: 5, Token: token });
      await service.send('POST', `/charge/${String(held)}/capture`, { Amount: 33 });
      await service.send('DELETE', `/refund/${String(part)}?Amount=5.00`);
      await service.send('GET', `/charge/${String(refunded)}`);
      await service.send('GET', `/customer/${String(customer)}`);
      await service.send('GET', `/payment_method/${String(method)}`);
      await service.send('GET', '/charge?Limit=2');
      await service.send('GET', '/customer');
      await service.send('GET', `/charge/${'0'.repeat(32)}`);
      const verdicts = await verdictsOf(service, before);
      expect(verdicts.filter(({ verdict }) => verdict !== 'same')).toEqual([]);
      expect(verdicts).toHaveLength(12);
      const shapes = new ShapeSet(
        service.observed.slice(before).map((call) => describeAnswer(call, CONTRACT)),
      );
      const described = compareWithContract(shapes.all, CONTRACT);
      expect(described.filter(({ verdict }) => verdict !== 'same')).toEqual([]);
    },
  );
});

test('A declined charge that only the account knows is made, too', async () => {
  const service = createService();
  const declining = { CardNumber: '4000000000000002', ExpiryDate: '10/30', Ccv: '123' };
  const { answer } = await service.send('POST', '/charge/card', {
    ...CARD,
    Amount: 7,
    PaymentInformation: declining,
  });
  await service.send('GET', `/charge/${String(answer['ChargeId'])}`);
  expect(await verdictsOf(service, 1)).toEqual([{ key: 'GET /charge/{id} 200', verdict: 'same', lines: [] }]);
});

test.each(['x-publickey', 'x-secretkey'])('A refused %s is refused in the fresh world, too', async (name) => {
  const service = createService();
  await service.send('POST', '/token/card', { PaymentInformation }, { [name]: 'wrong' });
  expect(await verdictsOf(service)).toEqual([{ key: 'POST /token/card 401 40', verdict: 'same', lines: [] }]);
});

const withBody =
  (path: RegExp, change: (body: Record<string, unknown>) => object): ChangeAnswer =>
  (answer, call) =>
    path.test(call.path) && answer.status < 400
      ? { ...answer, body: change(structuredClone(answer.body) as Record<string, unknown>) }
      : answer;
const omit = (body: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== name));
const renamed = (body: Record<string, unknown>, from: string, to: string): object => {
  return { ...omit(body, from), [to]: body[from] };
};

// What differs, at which call, and the line that says so.
const DRIFTS: readonly (readonly [string, ChangeAnswer, string, string])[] = [
  [
    'a field is gone',
    withBody(/^\/charge\/card$/, (body) => omit(body, 'Refunds')),
    'POST /charge/card 201',
    'Refunds: only playmoney has it',
  ],
  [
    'a field has another name',
    withBody(/^\/charge\/card$/, (body) => renamed(body, 'DateAdded', 'CreatedAt')),
    'POST /charge/card 201',
    'CreatedAt: only the service has it',
  ],
  [
    'a field is null',
    withBody(/^\/charge\/card$/, (body) => ({ ...body, ProviderChargeId: null })),
    'POST /charge/card 201',
    'ProviderChargeId: string at playmoney, null at the service',
  ],
  [
    'a type',
    withBody(/^\/charge\/card$/, (body) => ({ ...body, Amount: '20.00' })),
    'POST /charge/card 201',
    'Amount: number at playmoney, string at the service',
  ],
  [
    'letter case',
    withBody(/^\/charge\/card$/, (body) => renamed(body, 'ChargeId', 'ChargeID')),
    'POST /charge/card 201',
    'ChargeID: only the service has it in this letter case; playmoney has ChargeId',
  ],
  [
    'a word of an enumeration',
    withBody(/^\/charge\/card$/, (body) => ({ ...body, Status: 'SETTLED' })),
    'POST /charge/card 201',
    'Status: playmoney does not know the word SETTLED',
  ],
  ...['PARTIAL REFUND', 'Partially-Refunded', 'SUCCESS_3DS', 'Success.', 'SUCCESS ', ''].map(
    (text) =>
      [
        `the text ${JSON.stringify(text)} in the place of a word`,
        withBody(/^\/charge\/card$/, (body) => ({ ...body, Status: text })),
        'POST /charge/card 201',
        'Status: playmoney does not know this text, which is left out',
      ] as const,
  ),
  ...['risk_score', 'risk-score', 'Line10'].map(
    (name) =>
      [
        `an extra field ${name}`,
        withBody(/^\/charge\/card$/, (body) => ({ ...body, [name]: 5 })),
        'POST /charge/card 201',
        `${name}: only the service has it`,
      ] as const,
  ),
  ...['jo@example.com', '4111111111111111', 'sk_test_account', 'cus9f8a7b6c'].map(
    (name) =>
      [
        `an extra field ${name}`,
        withBody(/^\/charge\/card$/, (body) => ({ ...body, [name]: 5 })),
        'POST /charge/card 201',
        '$: only the service has fields whose names are left out',
      ] as const,
  ),
  [
    'another known status',
    withBody(/^\/charge\/card$/, (body) => ({ ...body, Status: 'PENDING' })),
    'POST /charge/card 201',
    'Status: playmoney has SUCCESS, the service PENDING',
  ],
  [
    'an HTTP status',
    (answer, { path }) =>
      path === '/charge/card' && answer.status === 201 ? { ...answer, status: 200 } : answer,
    'POST /charge/card 200',
    'status: playmoney has 201, the service 200',
  ],
  [
    'the status of a refusal',
    (answer) => (answer.status === 404 ? { ...answer, status: 400 } : answer),
    'GET /charge/{id} 400 84',
    'status: playmoney has 404, the service 400',
  ],
  [
    'an error code',
    (answer) =>
      answer.status === 404 ? { ...answer, body: { ...(answer.body as object), Code: 85 } } : answer,
    'GET /charge/{id} 404 85',
    'code: playmoney has 84, the service 85',
  ],
  [
    'an extra field',
    withBody(/^\/charge\/card$/, (body) => ({ ...body, RiskScore: 3 })),
    'POST /charge/card 201',
    'RiskScore: only the service has it',
  ],
  [
    'an extra field within',
    withBody(/^\/charge\/card$/, (body) => ({
      ...body,
      Provider: { ...(body['Provider'] as object), Region: 'au' },
    })),
    'POST /charge/card 201',
    'Provider.Region: only the service has it',
  ],
  [
    'a media type',
    (answer, { path }) =>
      path === '/charge/card' ? { ...answer, headers: [['content-type', 'text/json']] } : answer,
    'POST /charge/card 201',
    'header content-type: text/json: only the service has it',
  ],
  [
    'a header',
    (answer, { path }) =>
      path === '/charge/card'
        ? {
            ...answer,
            headers: [
              ...answer.headers,
              ['X-Payfurl-Trace', 'abc'].map((text) => text.toLowerCase()) as [string, string],
            ],
          }
        : answer,
    'POST /charge/card 201',
    'header x-payfurl-trace: only the service has it',
  ],
  [
    'paging',
    withBody(/^\/charge$/, (body) => renamed(body, 'Skip', 'Offset')),
    'GET /charge 200',
    'Offset: only the service has it',
  ],
  [
    'a list without its page',
    withBody(/^\/charge$/, (body) => body['Charges'] as object),
    'GET /charge 200',
    '$: object at playmoney, array at the service',
  ],
  [
    'a field of listed records',
    withBody(/^\/charge$/, (body) => ({
      ...body,
      Charges: (body['Charges'] as object[]).map((item) =>
        renamed(item as Record<string, unknown>, 'Amount', 'Total'),
      ),
    })),
    'GET /charge 200',
    'Charges[].Total: only the service has it',
  ],
];

describe('a service that differs', () => {
  async function playShop(change: ChangeAnswer) {
    const service = createService('documented', change);
    await service.send('POST', '/charge/card', { ...CARD, Amount: 20 });
    await service.send('GET', '/charge');
    await service.send('GET', `/charge/${'0'.repeat(32)}`);
    return service;
  }

  test.each(DRIFTS)('%s', async (_, change, key, line) => {
    const verdicts = await verdictsOf(await playShop(change));
    const differing = verdicts.filter(({ verdict }) => verdict === 'differs');
    expect(differing.map((found) => found.key)).toEqual([key]);
    expect(differing[0]?.lines).toContain(line);
  });

  test('has a call that playmoney lacks, or lacks one', async () => {
    const gone: ChangeAnswer = (answer, { path }) =>
      path === '/charge'
        ? { ...answer, status: 404, body: { Code: 90, Message: 'no such path' } }
        : path === '/dispute/1'
          ? { ...answer, status: 200, body: { DisputeId: 'd' } }
          : answer;
    const service = await playShop(gone);
    await service.send('GET', '/dispute/1');
    const verdicts = await verdictsOf(service);
    const differing = verdicts.filter(({ verdict }) => verdict === 'differs');
    expect(differing.map(({ key, lines }) => [key, lines[0]])).toEqual([
      ['GET /charge 404 90', 'status: playmoney has 200, the service 404'],
      ['GET /dispute/… 200', 'status: playmoney has 404, the service 200'],
    ]);
  });

  test.each([
    ['fails', 503, {}, 'the service failed with 503'],
    ['has too many calls', 429, { Code: 35 }, 'the service had too many calls'],
    ['refuses for a reason of the account', 400, { Code: 39 }, 'differs'],
    ['declines', 400, { Code: 7 }, 'the service refused with code 7, which depends on the account'],
  ])('says nothing where it %s', async (_, status, body, reason) => {
    const service = createService('documented', (answer) => ({ ...answer, status, body }));
    await service.send('POST', '/charge/card', { ...CARD, Amount: 20 });
    const [found] = await verdictsOf(service);
    if (reason === 'differs') return expect(found?.verdict).toBe('differs');
    expect(found).toEqual({ key: expect.any(String), verdict: 'not compared', lines: [reason] });
  });
});
