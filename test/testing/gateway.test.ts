import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { createSandbox, type Listening, type Sandbox, type SandboxOptions, serve } from '../../src/index.js';
import { type TestGateway, openGateway } from '../../src/testing/gateway.js';
import { charge, charging } from '../client/support.js';

const TEST = { name: 'a shop sells', place: 'shop.test.ts', sameNameIndex: 0, attempt: 0 };

let sandbox: Sandbox;
let server: Listening;
const open: TestGateway[] = [];

beforeAll(async () => {
  sandbox = createSandbox({ webhooks: 'private' });
  server = await serve(sandbox);
});
afterEach(() => {
  for (const gateway of open.splice(0)) gateway.close();
});
afterAll(async () => {
  await server.close();
  sandbox.close();
});

const gatewayOf = (options: SandboxOptions, environment = {}): TestGateway => {
  const gateway = openGateway(options, environment);
  open.push(gateway);
  return gateway;
};
const atServer = (options: SandboxOptions, environment = {}): TestGateway =>
  gatewayOf(options, { PLAYMONEY_URL: server.url, ...environment });

/** What a test could put into a snapshot, and what its options decide. */
async function played(gateway: TestGateway): Promise<unknown> {
  const world = await gateway.open(TEST);
  const { seed, dialect, scenario, clock } = await world.state();
  const ids = [await charge(world, 'one'), await charge(world, 'two')];
  await world.clock.advance('2h').catch(() => {});
  const { TokenId } = await world.createToken({
    paymentInformation: { CardNumber: '4111111111111111', ExpiryDate: '12/30' },
  });
  await world.clock.advance('30m');
  const token = await world.fetch(`/token/${TokenId}`);
  return { seed, dialect, scenario, clock, ids, token: await token.json() };
}

describe('one test, in process and at a server', () => {
  test.each<[string, SandboxOptions]>([
    ['nothing', {}],
    ['a seed and a dialect', { seed: 'shop', dialect: 'sdk' }],
    ['a clock', { clock: { mode: 'manual', start: '2030-01-01T00:00:00Z' } }],
    ['life times', { tokenTtl: 600_000, strict: true }],
    ['a scenario of the library', { scenario: 'rate-limited' }],
    ['a scenario of its own', { scenario: { name: 'its own', seedData: { fake: '3 customers' } } }],
  ])('has the same identifiers, clock and settings with %s', async (_, options) => {
    const within = await played(gatewayOf(options));
    expect(await played(atServer(options))).toEqual(within);
    expect(await played(atServer(options, { PLAYMONEY_KEY: 'sk_test_exec' }))).toEqual(within);
  });

  test('has nothing left of a run with other options', async () => {
    const plain = await played(atServer({}));
    await played(atServer({ seed: '9', dialect: 'sdk', scenario: 'rate-limited' }));
    expect(await played(atServer({}))).toEqual(plain);
  });

  test('signs webhooks with the secret of its options', async () => {
    const world = await atServer({ webhookSecret: 'whsec_server' }).open(TEST);
    expect(atServer({ webhookSecret: 'whsec_server' }).webhookSecret).toBe('whsec_server');
    expect(await world.state()).toMatchObject({ clock: { mode: 'manual' } });
  });

  test('fails at once, with the reason, if the server protects more', async () => {
    await expect(atServer({ webhooks: 'public' }).open(TEST)).rejects.toThrow(
      'Settings.Webhooks is public; it must be off or private',
    );
  });
});

describe('a server that is named', () => {
  test.each([
    ['sk_test_exec', 'sk_test_exec_a_shop_sells_'],
    ['live_key', 'sk_test_a_shop_sells_'],
    ['', 'sk_test_a_shop_sells_'],
  ])('with the key %j has worlds of keys that begin with %s', async (PLAYMONEY_KEY, prefix) => {
    const { key } = await atServer({}, { PLAYMONEY_KEY }).open(TEST);
    expect(key.slice(0, prefix.length)).toBe(prefix);
  });

  test.each<[SandboxOptions, string]>([
    [
      { allowedHosts: ['shop.test'] },
      'createTest cannot set allowedHosts on a running server. Start the server with allowedHosts, and remove it from createTest.',
    ],
    [
      { deliver: () => Promise.resolve({ status: 204 }) },
      'deliver is a function of this process, and the server is another one. Remove it from createTest, or unset PLAYMONEY_URL.',
    ],
  ])('refuses %o, which a running server cannot change', (options, reason) => {
    expect(() => atServer(options)).toThrow(reason);
  });
});

test('an option that does not exist is refused, in process and on a server', () => {
  const mistaken = { clok: 'manual' } as SandboxOptions;
  const why = 'A sandbox has no option "clok". Did you mean clock?';
  expect(() => gatewayOf(mistaken)).toThrow(new TypeError(why));
  expect(() => atServer(mistaken)).toThrow(new TypeError(why));
});

describe('two gateways in process', () => {
  test('are reached at their address with the keys of their worlds, whichever was opened last', async () => {
    const [first, second] = [gatewayOf({}), gatewayOf({ dialect: 'sdk' })];
    const worlds = [await first.open(TEST), await second.open({ ...TEST, name: 'another' })];
    for (const world of worlds) {
      const headers = { ...charging('').headers, 'x-secretkey': world.key };
      await fetch(`${world.url}/charge/token`, { ...charging('by address'), headers });
      expect(await world.charges()).toHaveLength(1);
      const publicly = { 'x-publickey': world.key.replace('sk_', 'pk_') };
      const providers = await fetch(`${world.url}/info/providers`, { headers: publicly });
      expect(providers.status).toBe(200);
      expect(await world.journal.count({ path: '/info/providers' })).toBe(1);
    }
  });
});
