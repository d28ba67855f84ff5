import { describe, expect, test } from 'vitest';

import { cardCharge } from '../../resources/charges/support.js';
import { HOOK, settle, setup } from '../../webhooks/support.js';
import { scenarioOf } from '../../scenarios/support.js';
import { client, testSandbox, warningOf } from '../../support/sandbox.js';
import { SDK } from '../../support/sdk.js';

const JAVA = { 'user-agent': 'PayFURL-Java-SDK-v.2022.0.1 JRE/17.0.2 (Linux)' };
const PLUGIN = { 'sdk-version': '4.5.7' };
/** The PHP library does not name itself. */
const PHP = { accept: '*/*', 'accept-encoding': 'gzip', 'content-type': 'application/json' };
const HINT = 'the answer is in the documented dialect; for the PHP library: --dialect sdk';

type Headers = Record<string, string>;

describe('the dialect of a caller, by default', () => {
  test.each<[dialect: 'sdk' | 'documented', by: string, headers: Headers]>([
    ['sdk', 'user-agent', JAVA],
    ['sdk', 'user-agent', { 'user-agent': 'PayFURL-PHP-SDK' }],
    ['sdk', 'sdk-version', PLUGIN],
    ['sdk', 'sdk-version', { ...PLUGIN, 'user-agent': 'Mozilla/5.0 (X11; Linux)' }],
    ['sdk', 'x-sandbox-dialect', SDK],
    ['documented', 'x-sandbox-dialect', { ...JAVA, 'x-sandbox-dialect': 'documented' }],
    ['documented', 'default', {}],
    ['documented', 'default', { 'user-agent': 'curl/8.5.0' }],
    ['documented', 'default', { 'user-agent': 'shop/1.0 (like PayFURL-Java-SDK)' }],
    ['documented', 'default', { 'user-agent': 'payfurl-shop/1.0' }],
    ['documented', 'default', { 'sdk-version': '' }],
    ['documented', 'default', { 'content-type': 'application/json; charset=utf-8' }],
    ['documented', 'default', PHP],
  ])('%s, because of %s: %j', async (dialect, by, headers) => {
    const api = client(testSandbox());
    const { body } = await api.charge(cardCharge(), headers);
    expect(body).toHaveProperty([dialect === 'sdk' ? 'chargeId' : 'ChargeId']);
    const { Entries } = await api.read('/_sandbox/journal');
    expect(Entries).toMatchObject([{ Dialect: dialect, DialectBy: by }]);
  });

  test('letter case of a body decides nothing: the specification makes it significant', async () => {
    const api = client(testSandbox());
    const { status, body } = await api.charge({ amount: '15.50', providerId: '1', paymentInformation: {} });
    expect([status, body['Code']]).toEqual([400, 90]);
  });

  test.each<[by: string, dialect: string, options: () => Promise<object>, settings?: object]>([
    ['option', 'documented', async () => ({ dialect: 'documented' })],
    ['scenario', 'documented', async () => ({ scenario: await scenarioOf('name: a\ndialect: documented') })],
    ['reset', 'documented', async () => ({ dialect: 'sdk' }), { Dialect: 'documented' }],
    ['user-agent', 'sdk', async () => ({ dialect: 'documented' }), { Dialect: 'auto' }],
    ['user-agent', 'sdk', async () => ({ scenario: await scenarioOf('name: a'), dialect: 'auto' })],
  ])('is not asked for if the %s decides', async (by, dialect, options, settings) => {
    const api = client(testSandbox(await options()));
    if (settings !== undefined) await api.post('/_sandbox/reset', { Settings: settings });
    await api.charge(cardCharge(), JAVA);
    const { Entries } = await api.read('/_sandbox/journal');
    expect(Entries).toMatchObject([{ Dialect: dialect, DialectBy: by }]);
  });

  test.each<[what: string, key: string | null, path: string]>([
    ['without a key', null, '/charge'],
    ['with a wrong key', 'sk_live_a', '/charge'],
    ['at an unknown path', 'sk_test_a', '/chrage'],
  ])('is that of a refusal %s', async (_, key, path) => {
    const api = client(testSandbox(), key);
    expect((await api.get(path, JAVA)).body).toHaveProperty('httpStatus');
    expect((await api.get(path)).body).toHaveProperty('HttpStatus');
  });

  test('is not that of the control plane', async () => {
    const api = client(testSandbox());
    expect(await api.read('/_sandbox/world', JAVA)).toMatchObject({ Dialect: 'auto', Seed: '1' });
  });

  test('is the dialect of the webhooks of its charge', async () => {
    const { api, receiver } = setup();
    for (const headers of [JAVA, {}])
      await api.charge(cardCharge({ Capture: false, Webhook: { Url: HOOK } }), headers);
    await settle(api);
    expect(receiver.got.map(({ message }) => message.data['status'])).toEqual(['AUTHORISE', 'Authorised']);
  });

  test('stays with its call in a trace, so that a replay needs no name', async () => {
    const api = client(testSandbox());
    await api.charge(cardCharge(), JAVA);
    await api.charge(cardCharge());
    const { Entries } = await api.read('/_sandbox/journal/export?Format=trace');
    expect(Entries).toMatchObject([
      { Headers: SDK, Dialect: 'sdk', DialectBy: 'user-agent' },
      { Headers: { 'content-type': 'application/json' }, Dialect: 'documented', DialectBy: 'default' },
    ]);
    expect((Entries as { Headers: object }[])[1]?.Headers).not.toHaveProperty('x-sandbox-dialect');
  });
});

describe('a call that only looks like one of the PHP library', () => {
  test('gets a hint, once in a world', async () => {
    const api = client(testSandbox());
    expect(warningOf(await api.get('/charge', PHP))).toBe(HINT);
    expect(warningOf(await api.get('/charge', PHP))).toBeNull();
    const { Entries } = await api.read('/_sandbox/journal');
    expect(Entries).toMatchObject([{ Warning: null }, { Warning: HINT }]);
  });

  test.each<[what: string, headers: Headers]>([
    ['a User-Agent', { ...PHP, 'user-agent': 'shop/1.0' }],
    ['a charset', { ...PHP, 'content-type': 'application/json; charset=utf-8' }],
    ['no gzip', { ...PHP, 'accept-encoding': 'br' }],
    ['another Accept', { ...PHP, accept: 'application/json' }],
    ['a header that chooses', { ...PHP, ...SDK }],
  ])('gets none with %s', async (_, headers) => {
    expect(warningOf(await client(testSandbox()).get('/charge', headers))).toBeNull();
  });

  test('gets none where an option decides', async () => {
    expect(warningOf(await client(testSandbox({ dialect: 'sdk' })).get('/charge', PHP))).toBeNull();
    expect(warningOf(await client(testSandbox({ dialect: 'documented' })).get('/charge', PHP))).toBeNull();
  });
});
