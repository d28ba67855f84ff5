import { describe, expect, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { serveHttp } from '../../../src/node/http/serve.js';
import { createInnerSandbox, type InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { client, type Client, good, START, testHost, testSandbox } from '../../support/sandbox.js';
import { after, EMPTY, expectRefused, ID, NOW, STEADY, storing } from '../../support/stored.js';
import { scenarioOf } from '../support.js';

/** Identifiers of one's own: a letter for the kind, and a number. */
const idOf = (kind: string, n: number): string => kind + String(n).padStart(31, '0');
const [ADA, GRACE] = [idOf('c', 1), idOf('c', 2)];
const [ADAS, GRACES, LOOSE] = [idOf('a', 1), idOf('a', 2), idOf('a', 3)];
const [ENTRY, KEPT] = [idOf('e', 1), idOf('e', 2)];
const TOKEN = idOf('f', 1);

const SHOP = `
  customers:
    - customerId: '${ADA}'
      reference: ada
      firstName: Ada
      lastName: Byron
      email: ada@example.com
      phone: '+61 2 5550 1234'
      address: {line1: 1 High St, city: Sydney, country: AU, postalCode: '2000', state: NSW}
      ip: 192.0.2.1
      metadata: {plan: gold}
    - customerId: '${GRACE}'
      firstName: Grace
      defaultPaymentMethodId: '${GRACES}'
    - {firstName: Nobody}
  paymentMethods:
    - {paymentMethodId: '${ADAS}', customerId: '${ADA}', vaultId: '${ENTRY}', expiryDate: 10/30, cardholder: Ada Byron}
    - {customerId: '${GRACE}', cardNumber: 4111111111111111, expiryDate: 11/30}
    - {paymentMethodId: '${GRACES}', customerId: '${GRACE}', provider: slow, cardNumber: '3782 822463 10005', expiryDate: 12/30}
    - {paymentMethodId: '${LOOSE}', cardNumber: 5555555555554444, expiryDate: 01/29, metadata: {a: b}}
  vault:
    - {vaultId: '${ENTRY}', cardNumber: 4242424242424242, ccv: '123', expires: +1h}
    - {vaultId: '${KEPT}', cardNumber: 378282246310005, ccv: '1234'}
  tokens:
    - {tokenId: '${TOKEN}', cardNumber: 4000000000009995, expiryDate: 10/30}
`;

const seeded = (seedData: string, more = '') => scenarioOf(`name: shop\n${more}seedData:${seedData}\n`);

interface Shop {
  readonly api: Client;
  readonly sandbox: ReturnType<typeof testSandbox>;
}

async function shop(seedData = SHOP, options: InnerSandboxOptions = {}, more = ''): Promise<Shop> {
  const sandbox = testSandbox({ scenario: await seeded(seedData, more), ...options });
  return { sandbox, api: client(sandbox) };
}

const charging = (more: object): object => ({ Amount: 5, ProviderId: STEADY, Currency: 'AUD', ...more });

describe('a world under a scenario with seed data', () => {
  test('has the customers of the file under their own identifiers, with their methods', async () => {
    const { api } = await shop();
    const { DefaultPaymentMethod, ...customer } = await api.read(`/customer/${ADA}`);
    const dates = { DateAdded: NOW, DateRemoved: null };
    const named = { CustomerId: ADA, Reference: 'ada', FirstName: 'Ada', LastName: 'Byron' };
    const lines = { Line1: '1 High St', Line2: null, City: 'Sydney' };
    expect(customer).toMatchObject({
      ...named,
      Email: 'ada@example.com',
      Phone: '+61 2 5550 1234',
      Address: { ...lines, Country: 'AU', PostalCode: '2000', State: 'NSW' },
      Ip: '192.0.2.1',
      ...dates,
      Metadata: { plan: 'gold' },
    });
    const ids = { PaymentMethodId: ADAS, CustomerId: ADA, ProviderId: STEADY, VaultId: ENTRY };
    const card = { CardNumber: '4242********4242', ExpiryDate: '10/30', Cardholder: 'Ada Byron' };
    expect(DefaultPaymentMethod).toMatchObject({
      ...ids,
      Type: 'CARD',
      Card: { ...card, Type: 'VISA', CardType: 'CREDIT', CardIin: '424242', CcvCheck: null },
      ...dates,
      Email: 'ada@example.com',
      Metadata: null,
    });
  });

  test('uses the chosen method as the default, else the first one, else none', async () => {
    const { api } = await shop();
    const methods = (await good(api.get(`/customer/${GRACE}/payment_method`))).body as unknown as object[];
    expect(methods).toMatchObject([{ PaymentMethodId: GRACES }, { Card: { ExpiryDate: '11/30' } }]);
    expect((await good(api.get(`/customer/${GRACE}`))).body).toMatchObject({
      DefaultPaymentMethod: { PaymentMethodId: GRACES, ProviderId: '00000000000000000000000000000003' },
    });
    expect((await good(api.get('/customer?Name=Nobody'))).body).toMatchObject({
      Customers: [{ DefaultPaymentMethod: null }],
    });
  });

  test('has what the file brings and nothing else, and counts no call for it', async () => {
    const { api } = await shop();
    const brought = { Customers: 3, PaymentMethods: 4, VaultEntries: 2, Tokens: 1, QueuedJobs: 2 };
    expect(await api.counts()).toEqual({ ...EMPTY, ...brought });
    const [first, second] = [await api.get('/charge'), await client(testSandbox()).get('/charge')];
    expect(first.headers.get('x-request-id')).toBe(second.headers.get('x-request-id'));
  });

  test('finds its records by their identifiers in searches, charges, batches and refunds', async () => {
    const { api } = await shop();
    const made = await good(api.post('/charge/customer', charging({ CustomerId: ADA })));
    await good(api.post('/charge/payment_method', charging({ PaymentMethodId: LOOSE })));
    const rows = `PaymentMethodId,Amount,Currency,Reference\n${ADAS},5,AUD,row`;
    await good(api.post('/batch/transaction/payment_method', { Count: 1, Description: 'b', Batch: rows }));
    await api.advance('1m');
    const found = await good(api.get(`/charge?CustomerId=${ADA}&PaymentMethodId=${ADAS}`));
    expect(found.body).toMatchObject({
      Count: 2,
      Charges: [{ Reference: 'row' }, { ChargeId: made.body['ChargeId'], Customer: { CustomerId: ADA } }],
    });
    expect((await good(api.get(`/charge?PaymentMethodId=${LOOSE}`))).body).toMatchObject({ Count: 1 });
    expect((await good(api.get(`/payment_method?CustomerId=${GRACE}`))).body).toMatchObject({ Count: 2 });
    expect((await good(api.get(`/customer?PaymentMethodId=${ADAS}`))).body).toMatchObject({ Count: 1 });
    expect((await good(api.get('/customer?Email=ADA@example.com'))).body).toMatchObject({ Count: 1 });
    await good(api.put(`/customer/${GRACE}`, { LastName: 'Hopper' }));
    await good(api.del(`/payment_method/${LOOSE}`));
  });

  test('spends a stored Ccv and a token as if they had been stored by calls', async () => {
    const { api } = await shop();
    const entry = { CardNumber: '378282246310005', Ccv: '1234', ExpireDate: null };
    expect(await api.read(`/vault/${KEPT}`)).toMatchObject(entry);
    const check = async (): Promise<unknown> => {
      const { body } = await good(api.post('/charge/customer', charging({ CustomerId: ADA })));
      return (body['PaymentInformation'] as { Card: { CcvCheck: unknown } }).Card.CcvCheck;
    };
    expect([await check(), await check()]).toEqual([true, null]);
    expectRefused(await api.post('/charge/token', { Amount: 5, Token: TOKEN }), 400, 15);
    expectRefused(await api.post('/charge/token', { Amount: 5, Token: TOKEN }), 400, 51);
  });

  test('gives later records the identifiers that they would have had anyway', async () => {
    const { api } = await shop();
    const plain = client(testSandbox());
    const create = async (to: Client): Promise<string> => {
      const card = { CardNumber: '4111111111111111', ExpiryDate: '10/30' };
      const { body } = await good(
        to.post('/customer/card', { ProviderId: STEADY, PaymentInformation: card, VaultCard: true }),
      );
      return String(body['CustomerId']);
    };
    const fourth = await create(api);
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await create(plain));
    expect(fourth).toBe(ids[3]);
    expect((await good(api.get('/customer?Name=Nobody'))).body).toMatchObject({
      Customers: [{ CustomerId: ids[2] }],
    });
    // The identifier that the first customer would have had is nobody's.
    expectRefused(await api.get(`/customer/${ids[0]}`), 404, 52);
  });
});

describe('what ends', () => {
  const ENDS = `
  vault:
    - {vaultId: '${idOf('e', 1)}', cardNumber: 4242424242424242, expires: +1h}
    - {vaultId: '${idOf('e', 2)}', cardNumber: 4242424242424242, expires: '2026-01-01T02:00:00Z'}
    - {vaultId: '${idOf('e', 3)}', cardNumber: 4242424242424242, expires: '2025-12-31T00:00:00Z'}
  paymentMethods:
    - {paymentMethodId: '${LOOSE}', vaultId: '${idOf('e', 3)}', expiryDate: 10/30}
  tokens:
    - {tokenId: '${idOf('f', 1)}', cardNumber: 4242424242424242, expiryDate: 10/30}
    - {tokenId: '${idOf('f', 2)}', cardNumber: 4242424242424242, expiryDate: 10/30, expires: +1d}
    - {tokenId: '${idOf('f', 3)}', cardNumber: 4242424242424242, expiryDate: 10/30, expires: '2026-01-01T00:00:00Z'}
`;
  const status = async (api: Client, path: string): Promise<number> => (await api.get(path)).status;
  const pay = async (api: Client, token: string): Promise<number> =>
    (await api.post('/charge/token', { Amount: 5, Token: token })).status;

  test('a vault entry leaves at its end, counted from the start of the world or at its instant', async () => {
    const { api } = await shop(ENDS);
    const paths = [1, 2, 3].map((n) => `/vault/${idOf('e', n)}`);
    const seen = async () => Promise.all(paths.map((path) => status(api, path)));
    expect(await seen()).toEqual([200, 200, 404]);
    expect((await good(api.get(paths[0] ?? ''))).body).toMatchObject({ ExpireDate: after(3_600_000) });
    await api.advance('3599999ms');
    expect(await seen()).toEqual([200, 200, 404]);
    expect((await api.advance('1ms')).body).toMatchObject({
      Ran: [{ At: after(3_600_000), Kind: 'vault.expire', Ref: idOf('e', 1) }],
    });
    expect(await seen()).toEqual([404, 200, 404]);
    await api.advance('1h');
    expect(await seen()).toEqual([404, 404, 404]);
  });

  test('a method whose entry had ended before can be charged at its own provider alone', async () => {
    const { api } = await shop(ENDS);
    await good(api.post('/charge/payment_method', charging({ PaymentMethodId: LOOSE })));
    const body = { ProviderId: STEADY, PaymentMethodId: LOOSE };
    expectRefused(await api.post('/payment_method/vault', body), 404, 62);
  });

  test('a token lives fifteen minutes, or until its own end', async () => {
    const { api } = await shop(ENDS);
    expect(await pay(api, idOf('f', 3))).toBe(400);
    await api.advance('15m');
    expect(await pay(api, idOf('f', 1))).toBe(400);
    await api.advance('23h');
    expect(await pay(api, idOf('f', 2))).toBe(201);
  });

  test('a file for another time begins with what is left of it then', async () => {
    const { api } = await shop(ENDS, {}, 'startTime: 2030-01-01T00:00:00Z\n');
    expect(await status(api, `/vault/${idOf('e', 1)}`)).toBe(200);
    expect(await status(api, `/vault/${idOf('e', 2)}`)).toBe(404);
  });

  test('in real time a timer waits for it, also after a reset', async () => {
    const host = testHost();
    const sandbox = testSandbox({ scenario: await seeded(ENDS), clock: { mode: 'real' } }, host);
    const api = client(sandbox);
    await good(api.get('/charge'));
    expect(host.timers.some(({ cancelled }) => !cancelled)).toBe(true);
    await good(api.post('/_sandbox/reset'));
    const [timer] = host.timers.filter(({ cancelled }) => !cancelled);
    host.wall += 3_600_000;
    timer?.fire();
    expect(sandbox.worlds.open('sk_test_a').vault.size).toBe(1);
  });
});

describe('the charges of a file', () => {
  const CHARGES = `${SHOP}
  charges:
    - {chargeId: '${idOf('d', 1)}', paymentMethodId: '${ADAS}', amount: 49.90, reference: paid, metadata: {order: '1'}}
    - {chargeId: '${idOf('d', 2)}', paymentMethodId: '${ADAS}', amount: '49.90', status: PARTIAL_REFUND, refunded: 9.9}
    - {chargeId: '${idOf('d', 3)}', cardNumber: 4242424242424242, expiryDate: 10/30, amount: 20, currency: JPY, status: REFUND}
    - {chargeId: '${idOf('d', 4)}', cardNumber: 4242424242424242, expiryDate: 10/30, amount: 20, status: FAILED}
    - {chargeId: '${idOf('d', 5)}', cardNumber: 4242424242424242, expiryDate: 10/30, amount: 20, status: FAILED, outcome: insufficient_funds}
    - {chargeId: '${idOf('d', 6)}', cardNumber: 4242424242424242, expiryDate: 10/30, amount: 20, status: Authorised, provider: slow, cardholder: Jo}
    - {chargeId: '${idOf('d', 7)}', cardNumber: 4242424242424242, expiryDate: 10/30, amount: 20, status: AUTHORISE_CANCELLED}
`;
  const NOTHING = {
    VoidDate: null,
    SuccessDate: null,
    Refunds: [],
    FailedAttempts: [],
    RefundedAmount: null,
  };
  const refunded = (amount: number): object => ({
    SuccessDate: NOW,
    RefundedAmount: amount,
    Refunds: [{ Amount: amount, DateAdded: NOW, Comment: null }],
  });
  const failed = (ErrorMessage: string, GatewayCode: string, GatewayMessage: string): object => {
    const attempt = { ProviderId: STEADY, DateAttempted: NOW, ErrorMessage, GatewayCode, GatewayMessage };
    return { Status: 'FAILED', ProviderChargeId: null, FailedAttempts: [attempt] };
  };

  test.each<[n: number, what: string, shown: object]>([
    [1, 'paid', { Status: 'SUCCESS', Amount: 49.9, SuccessDate: NOW, Metadata: { order: '1' } }],
    [2, 'refunded in part', { Status: 'PARTIAL_REFUND', ...refunded(9.9) }],
    [3, 'refunded whole', { Status: 'REFUND', ...refunded(20) }],
    [4, 'declined', failed('Do not honor', '05', 'Do not honor')],
    [5, 'declined by a stated outcome', failed('Insufficient Funds', '51', 'Insufficient funds')],
    [6, 'authorised', { Status: 'Authorised', AuthorisationAmount: 20 }],
    [7, 'voided', { Status: 'AUTHORISE_CANCELLED', AuthorisationAmount: 20, VoidDate: NOW }],
  ])('%i is %s, and bears the start of the world', async (n, _, shown) => {
    const { api } = await shop(CHARGES);
    const { body } = await good(api.get(`/charge/${idOf('d', n)}`));
    expect(body).toMatchObject({ ...NOTHING, DateAdded: NOW, ...shown });
    expect(body['Currency']).toBe(n === 3 ? 'JPY' : 'AUD');
  });

  test('are of their method and its customer, or of a card', async () => {
    const { api } = await shop(CHARGES);
    expect(await api.read(`/charge/${idOf('d', 1)}`)).toMatchObject({
      CustomerId: ADA,
      PaymentInformation: { PaymentMethodId: ADAS, Card: { CardNumber: '4242********4242', CcvCheck: null } },
    });
    expect(await api.read(`/charge/${idOf('d', 6)}`)).toMatchObject({
      ProviderId: '00000000000000000000000000000003',
      CustomerId: null,
      PaymentInformation: { PaymentMethodId: null, Card: { Cardholder: 'Jo', ExpiryDate: '10/30' } },
    });
    // What the file says of the entry holds, also of its Ccv.
    expect(await api.read(`/vault/${ENTRY}`)).toMatchObject({ HasCvv: true });
  });

  test('go on from there: capture, refund, expiry', async () => {
    const { api } = await shop(CHARGES);
    await good(api.del(`/refund/${idOf('d', 2)}?Amount=40`));
    expectRefused(await api.del(`/refund/${idOf('d', 3)}`), 409, 54);
    expectRefused(await api.post(`/charge/${idOf('d', 7)}`, { Amount: 20 }), 409, 54);
    await api.advance('6d');
    expect(await api.read(`/charge/${idOf('d', 6)}`)).toMatchObject({ Status: 'Authorised' });
    await api.advance('1d');
    expect(await api.read(`/charge/${idOf('d', 6)}`)).toMatchObject({
      Status: 'AUTHORISE_CANCELLED',
      VoidDate: after(7 * 86_400_000),
    });
  });
});

describe('seed data act', () => {
  const ONE = `\n  customers: [{customerId: '${ADA}', firstName: Ada}]`;
  const DEFINITION = {
    name: 'one',
    clock: 'manual',
    startTime: '2030-01-01T00:00:00Z',
    seedData: { fake: '2 customers', customers: [{ customerId: ADA }] },
  };
  const customers = async (api: Client): Promise<unknown> =>
    ((await api.counts()) as { Customers: number }).Customers;

  test('when a world is made, in each world', async () => {
    const { sandbox, api } = await shop(ONE);
    await good(api.del(`/customer/${ADA}`));
    expect((await good(client(sandbox, 'sk_test_b').get(`/customer/${ADA}`))).body).toMatchObject({
      DateRemoved: null,
    });
  });

  test('when a world is reset, which brings back what was changed', async () => {
    const { api } = await shop(ONE);
    const before = await good(api.get(`/customer/${ADA}`));
    await good(api.put(`/customer/${ADA}`, { FirstName: 'Eve' }));
    await good(api.post('/_sandbox/reset'));
    expect((await good(api.get(`/customer/${ADA}`))).text).toBe(before.text);
    expect(await customers(api)).toBe(1);
  });

  test('in the worlds of the keys that the file names', async () => {
    const { sandbox, api } = await shop(ONE, {}, 'keys: sk_test_b\n');
    expect([await customers(api), await customers(client(sandbox, 'sk_test_b'))]).toEqual([0, 1]);
  });

  test('not when a world is switched to the scenario, but at its next reset', async () => {
    const api = client(testSandbox());
    await good(api.play(DEFINITION));
    expect(await customers(api)).toBe(0);
    const { body } = await good(api.post('/_sandbox/reset'));
    expect(body).toMatchObject({
      Scenario: 'one',
      Clock: { Now: '2030-01-01T00:00:00.000Z' },
      Counts: { Customers: 3, PaymentMethods: 2 },
    });
    await good(api.get(`/customer/${ADA}`));
    await good(api.post('/_sandbox/reset'));
    expect(await customers(api)).toBe(3);
  });

  test('no more once the world is switched away from it', async () => {
    const { api, sandbox } = await shop(ONE);
    const reset = async (body: object = {}): Promise<unknown[]> => {
      const answer = await good(api.post('/_sandbox/reset', body));
      return [answer.body['Scenario'], await customers(api)];
    };
    await good(api.play(DEFINITION));
    expect(await reset()).toEqual(['one', 3]);
    await good(api.del('/_sandbox/scenario'));
    expect(await reset()).toEqual(['shop', 1]);
    await good(api.play({ name: 'none' }));
    expect(await reset()).toEqual(['none', 0]);
    // What the sandbox plays from now on, as a watched file does, goes before what was chosen earlier.
    sandbox.worlds.play(await seeded(ONE));
    expect(await reset()).toEqual(['shop', 1]);
  });

  test('of a scenario that a reset names, and no longer after the next one', async () => {
    const scenario = await seeded('\n  fake: 5 customers');
    const library = { names: async () => [], list: async () => [], find: async () => scenario };
    const api = client(testSandbox({ library }));
    const { body } = await good(api.post('/_sandbox/reset', { Scenario: 'shop', Seed: 'mine' }));
    expect(body).toMatchObject({ Seed: 'mine', Counts: { Customers: 5 } });
    await good(api.post('/_sandbox/reset'));
    expect(await customers(api)).toBe(0);
  });

  test('before a probe learns that the sandbox is ready', async () => {
    const { sandbox } = await shop('\n  fake: 5 customers');
    await good(client(sandbox, null).get('/_sandbox/ready'));
    expect(sandbox.worlds.open('sk_test_a').customers.size).toBe(5);
  });

  test('only after they were prepared: a world that is opened by hand before that is a mistake, and says so', async () => {
    const { sandbox } = await shop('\n  fake: 1 customers');
    expect(() => sandbox.worlds.open('sk_test_a')).toThrow('Failed to make people: prepare the seeder first');
    await sandbox.worlds.prepare('sk_test_a');
    expect(sandbox.worlds.open('sk_test_a').customers.size).toBe(1);
  });

  test('at once for requests that come together', async () => {
    const { api } = await shop('\n  fake: 60 customers');
    const answers = await Promise.all([1, 2, 3].map(() => good(api.get('/customer?Limit=1'))));
    expect(answers.map(({ body }) => body['Count'])).toEqual([60, 60, 60]);
  });

  test('or the world is refused, where it has no room for them', async () => {
    const { api, sandbox } = await shop('\n  fake: 5 customers', { recordsMax: 4 });
    const message = expectRefused(await api.get('/customer'), 409, 90);
    expect(message).toContain('are 5 customers; a world of this sandbox holds at most 4');
    expect(sandbox.worlds.size).toBe(0);
  });

  test('or a reset is refused, and the world stays as it was', async () => {
    const api = client(testSandbox({ recordsMax: 2 }));
    await good(api.post('/charge/token', { Amount: 5, Token: 'tok_approve' }));
    await good(api.play(DEFINITION));
    expectRefused(await api.post('/_sandbox/reset'), 409, 90);
    expect((await good(api.get('/charge'))).body).toMatchObject({ Count: 1 });
  });

  test('and count towards the bound of a table', async () => {
    const { api } = await shop('\n  customers: [{firstName: Ada}]', { recordsMax: 1 });
    expectRefused(await api.post('/customer/card', storing()), 409, 90);
  });
});

interface Listed extends Readonly<
  Record<'CustomerId' | 'Reference' | 'FirstName' | 'LastName' | 'Email' | 'Phone', string>
> {
  readonly Address: Readonly<Record<string, string | null>>;
  readonly DefaultPaymentMethod: { readonly Card: Readonly<Record<string, string | null>> } | null;
}

async function people(api: Client, limit = 500): Promise<Listed[]> {
  const { body } = await good(api.get(`/customer?Limit=${limit}`));
  return body['Customers'] as Listed[];
}

const named = (listed: readonly Listed[]): string[] =>
  listed.map(({ FirstName, LastName, Email }) => `${FirstName} ${LastName} ${Email}`);

describe('invented people', () => {
  const FAKE = `\n  fake: 200 customers\n  customers: [{customerId: '${ADA}', firstName: Ada}]`;

  test('are as many as asked for, each with a name, an address and a card of its own that is approved', async () => {
    const { api } = await shop(FAKE);
    const listed = (await people(api)).filter(({ CustomerId }) => CustomerId !== ADA);
    expect(listed.map(({ Reference }) => Reference)).toEqual(
      Array.from({ length: 200 }, (_, n) => `fake-${200 - n}`),
    );
    for (const one of listed) {
      expect(one.CustomerId).toMatch(ID);
      expect(one.FirstName).toMatch(/\S/);
      expect(one.LastName).toMatch(/\S/);
      // Nobody's: the domain is kept for examples, the numbers for fiction.
      expect(one.Email).toMatch(/^[^@\s]+@example\.com$/);
      expect(one.Phone).toMatch(/^\+1\d{3}55501\d{2}$/);
      expect(one.Address).toMatchObject({ Country: 'US', Line2: null });
      expect(one.Address['State']).toMatch(/^[A-Z]{2}$/);
      expect(one.Address['PostalCode']).toMatch(/^\d{5}$/);
      expect(one.DefaultPaymentMethod?.Card).toMatchObject({
        Cardholder: `${one.FirstName} ${one.LastName}`,
        ExpiryDate: expect.stringMatching(/^(0[1-9]|1[0-2])\/(2[89]|3[01])$/) as unknown,
      });
      const paid = await api.post('/charge/customer', charging({ CustomerId: one.CustomerId }));
      expect(paid.body).toMatchObject({ Status: 'SUCCESS' });
    }
    expect(new Set(listed.map(({ Email }) => Email)).size).toBe(200);
    expect(new Set(listed.map(({ DefaultPaymentMethod: m }) => m?.Card['Type'])).size).toBeGreaterThan(3);
  });

  test('are the same to the byte on another server, in process and over HTTP', async () => {
    const scenario = await seeded(FAKE);
    const own = async (): Promise<string> =>
      (await good(client(testSandbox({ scenario })).get('/customer?Limit=500'))).text;
    const sandbox = createInnerSandbox(NODE_HOST, { scenario, clock: { mode: 'manual' } });
    const { url, close } = await serveHttp(sandbox, { port: 0, host: '127.0.0.1' });
    const response = await fetch(`${url}/customer?Limit=500`, { headers: { 'x-secretkey': 'sk_test_a' } });
    const text = await response.text();
    await close(0);
    expect([await own(), await own()]).toEqual([text, text]);
  });

  test('are others under another seed; what the file names stays', async () => {
    const [one, two] = [await shop(FAKE), await shop(FAKE, { seed: '2' })];
    const [first, second] = [await people(one.api), await people(two.api)];
    expect(named(first).filter((name) => named(second).includes(name))).toHaveLength(1);
    expect(second.at(-1)).toMatchObject({ CustomerId: ADA, FirstName: 'Ada' });
    await good(two.api.post('/_sandbox/reset', { Seed: '1' }));
    expect(await people(two.api)).toEqual(first);
    await good(two.api.post('/_sandbox/reset', { Seed: '2' }));
    expect(await people(two.api)).toEqual(second);
    const third = await shop(FAKE, { seed: '1' }, 'seed: 2\n');
    expect(await people(third.api)).toEqual(second);
  });

  test('are the same under each key, with identifiers of its own', async () => {
    const { sandbox, api } = await shop('\n  fake: 20 customers');
    const [one, two] = [await people(api), await people(client(sandbox, 'sk_test_b'))];
    expect(named(two)).toEqual(named(one));
    expect(two.map(({ CustomerId }) => CustomerId)).not.toEqual(one.map(({ CustomerId }) => CustomerId));
  });

  test('stay who they are when more are asked for', async () => {
    const [few, many] = [await shop('\n  fake: 7 customers'), await shop('\n  fake: 300 customers')];
    expect(named(await people(many.api)).slice(-7)).toEqual(named(await people(few.api)));
  });

  test('have no cards if none are requested', async () => {
    const { api } = await shop('\n  fake: {customers: 3, paymentMethods: false}');
    expect(await api.counts()).toEqual({ ...EMPTY, Customers: 3 });
    const { api: other } = await shop('\n  fake: {customers: 1}');
    expect(await other.counts()).toEqual({ ...EMPTY, Customers: 1, PaymentMethods: 1 });
  });

  test('have cards that are good for years from the start of their world', async () => {
    const { api } = await shop('\n  fake: 50 customers', {}, 'startTime: 2040-06-01T00:00:00Z\n');
    for (const { DefaultPaymentMethod: method } of await people(api))
      expect(method?.Card['ExpiryDate']).toMatch(/\/4[2-5]$/);
  });

  test('never share an e-mail address, also where there are ten thousand', async () => {
    const { api, sandbox } = await shop('\n  fake: 10000 customers');
    await good(api.get('/charge'));
    const { customers } = sandbox.worlds.open('sk_test_a');
    const emails = new Set(Array.from({ length: customers.next }, (_, n) => customers.at(n)?.email));
    expect(emails.size).toBe(10_000);
  });
});

describe('snapshots, documents and forks', () => {
  const at = (Place: number, Id: string): object => ({ Place, Id });
  const seen = async (api: Client): Promise<string[]> => {
    const texts: string[] = [];
    for (const path of [
      `/customer/${ADA}`,
      `/payment_method/${GRACES}`,
      `/vault/${KEPT}`,
      '/customer?Limit=500',
    ])
      texts.push((await good(api.get(path))).text);
    return texts;
  };

  test('a restore keeps the identifiers', async () => {
    const { api } = await shop(`${SHOP}  fake: 3 customers`);
    const before = await seen(api);
    await good(api.put('/_sandbox/snapshots/base'));
    await good(api.del(`/customer/${ADA}`));
    await good(api.post('/_sandbox/snapshots/base/restore'));
    expect(await seen(api)).toEqual(before);
  });

  test('a document carries them into another sandbox and to another key, and is the same again', async () => {
    const { api, sandbox } = await shop(`${SHOP}  fake: 3 customers`);
    const before = await seen(api);
    const { text, body } = await good(api.get('/_sandbox/state'));
    expect(body['GivenIds']).toEqual({
      Customers: [at(0, ADA), at(1, GRACE)],
      PaymentMethods: [at(0, ADAS), at(2, GRACES), at(3, LOOSE)],
      VaultEntries: [at(0, ENTRY), at(1, KEPT)],
      Tokens: [at(0, TOKEN)],
    });
    const [other, fork] = [client(testSandbox()), client(sandbox, 'sk_test_fork')];
    for (const one of [other, fork]) {
      await good(one.put('/_sandbox/state', text));
      expect(await seen(one)).toEqual(before);
      const { body: again } = await good(one.get('/_sandbox/state'));
      expect({ ...again, Chance: null }).toEqual({ ...body, Chance: null });
      await one.advance('1h');
      expectRefused(await one.get(`/vault/${ENTRY}`), 404, 62);
    }
    expect((await good(api.get(`/vault/${ENTRY}`))).body).toMatchObject({ VaultId: ENTRY });
  });

  test('a world without any writes nothing of them', async () => {
    expect((await good(client(testSandbox()).get('/_sandbox/state'))).body).not.toHaveProperty('GivenIds');
  });

  test('a diff names them', async () => {
    const { api } = await shop();
    await good(api.put('/_sandbox/snapshots/base'));
    await good(api.put(`/customer/${ADA}`, { FirstName: 'Eve' }));
    await good(api.del(`/vault/${ENTRY}`));
    expect((await good(api.get('/_sandbox/snapshots/base/diff'))).body).toMatchObject({
      Changes: [
        { Kind: 'customer', Id: ADA, Change: 'changed' },
        { Kind: 'vaultEntry', Id: ENTRY, Change: 'removed' },
      ],
    });
  });

  test.each<[what: string, given: unknown, place: string]>([
    ['no object', [], 'GivenIds'],
    ['an unknown table', { Custmers: [] }, 'GivenIds'],
    ['no list', { Customers: {} }, 'GivenIds.Customers'],
    ['an identifier of another shape', { Customers: [at(0, 'x')] }, 'GivenIds.Customers.0.Id'],
    ['a place without a record', { Customers: [at(9, ADA)] }, 'GivenIds.Customers.0'],
    ['a place twice', { Customers: [at(0, ADA), at(0, GRACE)] }, 'GivenIds.Customers.1'],
    ['an identifier twice', { Customers: [at(0, ADA), at(1, ADA)] }, 'GivenIds.Customers.1'],
  ])('a document is refused where GivenIds have %s', async (_, GivenIds, place) => {
    const { api } = await shop();
    const { body } = await good(api.get('/_sandbox/state'));
    const answer = await api.put('/_sandbox/state', { ...body, GivenIds });
    expect([answer.status, Object.keys(answer.body['Details'] as object)]).toEqual([400, [place]]);
  });
});

test('a world of the past begins at its own start', async () => {
  const { api } = await shop(SHOP, { clock: { mode: 'manual', start: START - 86_400_000 } });
  expect((await good(api.get(`/customer/${ADA}`))).body).toMatchObject({ DateAdded: after(-86_400_000) });
});
