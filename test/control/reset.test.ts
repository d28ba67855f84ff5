import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { type Client, client, good, testSandbox } from '../support/sandbox.js';
import { expectRefused, NOW, storing } from '../support/stored.js';
import { charge, SECRET, settle, setup } from '../webhooks/support.js';

const RESET = '/_sandbox/reset';
const STATE = '/_sandbox/state';
const NAME = 'shop > pays by card';
const PAYING = { Amount: 5, Token: 'tok_approve' };

/** Why a reset is refused. */
async function refusal(body: object, options = {}): Promise<string> {
  const refused = await client(testSandbox(options)).post(RESET, body);
  return expectRefused(refused, 400, 90).replace('Validation Error: ', '');
}

/** Everything that a client sees of a charge, and what names the call. */
async function charged(api: Client): Promise<unknown> {
  const { body, headers } = await good(api.post('/charge/token', PAYING));
  return [body, headers.get('x-request-id')];
}

/** A world of the key that a reset has made. */
async function reset(sandbox: ReturnType<typeof testSandbox>, body: object, key = 'sk_test_local') {
  const api = client(sandbox, key);
  const answer = await good(api.post(RESET, body));
  return { api, body: answer.body };
}

describe('the name of a world', () => {
  test('decides its identifiers, whatever its key and its sandbox', async () => {
    const sandbox = testSandbox();
    const [one, other] = [
      await reset(sandbox, { Name: NAME }),
      await reset(sandbox, { Name: NAME }, 'sk_test_b'),
    ];
    const elsewhere = await reset(testSandbox(), { Name: NAME }, 'sk_test_c');
    const first = await charged(one.api);
    expect([await charged(other.api), await charged(elsewhere.api)]).toEqual([first, first]);
    const unnamed = await reset(sandbox, {}, 'sk_test_d');
    const renamed = await reset(sandbox, { Name: `${NAME} (2)` }, 'sk_test_e');
    expect(await charged(unnamed.api)).not.toEqual(first);
    expect(await charged(renamed.api)).not.toEqual(first);
  });

  test('is the key of a world that has none, whose identifiers stay as they were', async () => {
    const sandbox = testSandbox();
    const named = await reset(sandbox, { Name: 'sk_test_local' }, 'sk_test_b');
    expect(await charged(client(sandbox, 'sk_test_local'))).toEqual(await charged(named.api));
  });

  test('is shown by the world and in the list of worlds, and stays through later resets', async () => {
    const sandbox = testSandbox();
    await client(sandbox, 'sk_test_b').get('/charge');
    const { api, body } = await reset(sandbox, { Name: NAME, Seed: '7' });
    expect(body).toMatchObject({ Name: NAME, Seed: '7' });
    expect((await api.read('/_sandbox/worlds'))['Worlds']).toMatchObject([{ Name: null }, { Name: NAME }]);
    const first = await charged(api);
    expect((await api.post(RESET)).body).toMatchObject({ Name: NAME, Seed: '7' });
    expect(await charged(api)).toEqual(first);
  });

  test.each<[unknown, RegExp]>([
    ['', /^Name must not be blank; send for example "shop > pays by card"\.$/],
    ['  ', /^Name must not be blank/],
    ['x'.repeat(201), /^Name is 201 characters long; the maximum is 200\.$/],
    [7, /^Name must be a string, not a number\.$/],
  ])('%j is refused', async (Name, reason) => {
    expect(await refusal({ Name })).toMatch(reason);
  });

  test('of 200 characters is accepted', async () => {
    const Name = '長'.repeat(200);
    expect((await reset(testSandbox(), { Name })).body).toMatchObject({ Name });
  });

  test('goes with its state document into a world of another key, with the identifiers', async () => {
    const sandbox = testSandbox();
    const { api } = await reset(sandbox, { Name: NAME });
    await charged(api);
    const { text } = await good(api.get(STATE));
    const copy = client(sandbox, 'sk_test_copy');
    expect((await good(copy.put(STATE, text))).body).toMatchObject({ Name: NAME });
    const second = await charged(api);
    expect(await charged(copy)).toEqual(second);
    await good(copy.post(RESET));
    await good(api.post(RESET));
    expect(await charged(copy)).toEqual(await charged(api));
  });

  test('comes back with a snapshot', async () => {
    const { api } = await reset(testSandbox(), { Name: NAME });
    await good(api.put('/_sandbox/snapshots/before'));
    const first = await charged(api);
    await reset(testSandbox(), {});
    await good(api.post('/_sandbox/snapshots/before/restore'));
    expect(await api.read('/_sandbox/world')).toMatchObject({ Name: NAME });
    expect(await charged(api)).toEqual(first);
  });
});

test('A reset with a Name begins with the settings of the sandbox, whatever an earlier world of the key was given.', async () => {
  const sandbox = testSandbox();
  const first = await charged((await reset(sandbox, { Name: NAME })).api);
  const given = {
    Seed: '7',
    Clock: { Mode: 'scaled', Now: '2027-01-01T00:00:00Z' },
    Settings: { Dialect: 'sdk', Strict: true },
  };
  await reset(sandbox, { Name: NAME, ...given });
  const { api, body } = await reset(sandbox, { Name: NAME });
  expect(body).toMatchObject({ Seed: '1', Dialect: 'auto', Clock: { Now: NOW, Mode: 'manual' } });
  expect(await charged(api)).toEqual(first);
  await good(api.post('/charge/token', { ...PAYING, Unknown: 1 }));
});

describe('the Clock of a reset', () => {
  test.each<[object, object]>([
    [{ Mode: 'manual' }, { Now: NOW, Mode: 'manual', Rate: 0 }],
    [{ Mode: 'scaled' }, { Now: NOW, Mode: 'scaled', Rate: 60 }],
    [
      { Mode: 'scaled', Rate: 10 },
      { Now: NOW, Mode: 'scaled', Rate: 10 },
    ],
    [
      { Mode: 'manual', Now: '2020-02-29T00:00:00Z' },
      { Now: '2020-02-29T00:00:00.000Z', Mode: 'manual', Rate: 0 },
    ],
  ])('%j is that of the new world and of those after it', async (Clock, shown) => {
    const sandbox = testSandbox({ clock: { mode: 'real' } });
    const { api, body } = await reset(sandbox, { Clock });
    expect(body['Clock']).toEqual(shown);
    await api.advance('2d');
    expect((await api.post(RESET)).body['Clock']).toEqual(shown);
    expect((await client(sandbox, 'sk_test_b').read('/_sandbox/world'))['Clock']).toMatchObject({
      Mode: 'real',
    });
  });

  test.each<[unknown, RegExp]>([
    [{ Mode: 'manual', Rate: 2 }, /^Clock\.Rate is allowed only with the Mode scaled, not with manual\.$/],
    [{ Mode: 'fast' }, /^Clock\.Mode must be one of real, manual, scaled, not "fast"\.$/],
    [{}, /^Clock\.Mode is required, for example "manual"\.$/],
    [
      { Mode: 'manual', Now: 'soon' },
      /^Clock\.Now must be a date-time such as 2031-01-01T00:00:00Z, not "soon"\.$/,
    ],
    ['manual', /^Clock must be an object, not a string\.$/],
  ])('%j is refused, and the world stays', async (Clock, reason) => {
    const api = client(testSandbox());
    await charged(api);
    expectRefused(await api.post(RESET, { Clock }), 400, 90);
    expect(await refusal({ Clock })).toMatch(reason);
    expect((await api.read('/charge'))['Count']).toBe(1);
  });
});

describe('the Settings of a reset', () => {
  const tokens = async (api: Client): Promise<unknown> =>
    (await good(api.post('/_sandbox/tokens', storing()))).body['ExpiresAt'];

  test('hold for one world, and stay through later resets until another value is given', async () => {
    const sandbox = testSandbox();
    const { api } = await reset(sandbox, { Settings: { TokenTtl: '2h' } });
    expect(await tokens(api)).toBe('2026-01-01T02:00:00.000Z');
    await good(api.post(RESET, { Settings: { Strict: true } }));
    expect(await tokens(api)).toBe('2026-01-01T02:00:00.000Z');
    expectRefused(await api.post('/charge/token', { ...PAYING, Unknown: 1 }), 400, 90);
    await good(api.post(RESET, { Settings: { TokenTtl: 'PT1M', Strict: false } }));
    expect(await tokens(api)).toBe('2026-01-01T00:01:00.000Z');
    await good(api.post('/charge/token', { ...PAYING, Unknown: 1 }));
    expect(await tokens(client(sandbox, 'sk_test_b'))).toBe('2026-01-01T00:15:00.000Z');
  });

  test('can be the dialect, and refuse what is no test card or no known provider', async () => {
    const sandbox = testSandbox();
    const Settings = { Dialect: 'sdk', TestCardsOnly: true, KnownProvidersOnly: true };
    const { api, body } = await reset(sandbox, { Settings });
    expect(body['Dialect']).toBe('sdk');
    expect((await good(api.post('/charge/token', PAYING))).body).toHaveProperty('chargeId');
    await good(api.post(RESET, { Settings: { Dialect: 'documented' } }));
    const card = { CardNumber: '4539578763621486', ExpiryDate: '10/30', Ccv: '123' };
    const paying = { Amount: 5, ProviderId: 'a'.repeat(32), PaymentInformation: card };
    expectRefused(await api.post('/charge/card', paying), 400, 5);
    const known = { ...card, CardNumber: '4111111111111111' };
    expectRefused(await api.post('/charge/card', { ...paying, PaymentInformation: known }), 400, 39);
    expect((await client(sandbox, 'sk_test_b').post('/charge/card', paying)).status).toBe(201);
  });

  test('sign webhooks, before what the scenario says', async () => {
    const { api, receiver } = setup({ webhookSecret: 'other' });
    await api.play({ name: 's', webhooks: { secret: 'the one of the scenario' } });
    await good(api.post(RESET, { Settings: { WebhookSecret: SECRET, WebhookHeaderPrefix: 'X-Own-' } }));
    await good(api.charge(charge()));
    await settle(api);
    const [{ body, headers } = { body: '', headers: {} as Record<string, string> }] = receiver.got;
    const signature = createHmac('sha256', SECRET).update(Buffer.from(body)).digest('base64');
    expect(headers['x-own-signature']).toBe(signature);
  });

  test.each<[object, string]>([
    [
      { TokenTtl: '0s' },
      'TokenTtl is "0s"; it must be a duration above zero and up to 36525d, such as 30s, 15m, 2h, 7d or PT2H',
    ],
    [
      { TokenTtl: 5 },
      'TokenTtl is 5; it must be a duration above zero and up to 36525d, such as 30s, 15m, 2h, 7d or PT2H',
    ],
    [
      { BatchPace: 'fast' },
      'BatchPace is "fast"; it must be immediate or a duration such as 100ms, 2s or PT1M',
    ],
    [{ Delay: '2m' }, 'Delay is "2m"; it must be a duration of at most 60s, such as 200ms or 2s'],
    [{ Dialect: 'swiss' }, 'Dialect is "swiss"; it must be auto, documented or sdk'],
    [{ Strict: 'yes' }, 'Strict must be true or false, not a string'],
    [{ WebhookSecret: '' }, 'WebhookSecret is ""; it must be a non-empty text'],
    [{ WebhookSecret: 7 }, 'WebhookSecret is a number; it must be a non-empty text'],
    [{ Webhooks: 'everywhere' }, 'Webhooks is "everywhere"; it must be private, public or off'],
  ])('%j are refused with what they are and must be', async (Settings, reason) => {
    expect(await refusal({ Settings })).toBe(`Settings.${reason}.`);
  });

  test('names the setting that a misspelled one probably meant', async () => {
    expect(await refusal({ Settings: { WebhokSecret: 'x' } })).toContain('did you mean WebhookSecret?');
  });

  test.each<[object, object, string]>([
    [
      { webhooks: 'private' },
      { Webhooks: 'public' },
      'Settings.Webhooks is public; it must be off or private, because --webhooks is private, which a reset can only tighten.',
    ],
    [
      { testCardsOnly: true },
      { TestCardsOnly: false },
      'Settings.TestCardsOnly is false; it must be true, because the sandbox was started with test cards only, which a reset can only tighten.',
    ],
  ])('of a sandbox with %j cannot be %j', async (options, Settings, reason) => {
    expect(await refusal({ Settings }, options)).toBe(reason);
  });

  test('of a document cannot loosen the sandbox either', async () => {
    const lax = await reset(testSandbox({ webhooks: 'public' }), {
      Settings: { Webhooks: 'public', TestCardsOnly: false, Dialect: 'sdk', BatchPace: '3s' },
      Clock: { Mode: 'scaled', Rate: 2 },
    });
    const { text, body } = await good(lax.api.get(STATE));
    expect(body['Settings']).toMatchObject({
      Own: {
        Webhooks: 'public',
        TestCardsOnly: false,
        Dialect: 'sdk',
        BatchPace: '3s',
        Clock: { Mode: 'scaled', Rate: 2 },
      },
    });
    const tight = testSandbox({ testCardsOnly: true });
    await good(client(tight).put(STATE, text));
    for (const again of [false, true]) {
      if (again) await good(client(tight).post(RESET));
      expect([...tight.worlds.all()].map(({ settings }) => settings)).toMatchObject([
        { webhooks: 'private', testCardsOnly: true, dialect: 'sdk', batchPace: 3000, clock: { rate: 2 } },
      ]);
    }
  });

  test('are left out of documents that have none, and their secrets of all', async () => {
    const { api } = await reset(testSandbox(), {});
    expect((await api.read(STATE))['Settings']).not.toHaveProperty('Own');
    const answer = await api.post(RESET, { Settings: { WebhookSecret: 'whsec_hidden' } });
    const shown = [answer.text, (await api.get(STATE)).text, (await api.get('/_sandbox/world')).text];
    expect(shown.filter((text) => text.includes('whsec_hidden'))).toEqual([]);
  });

  test.each<[unknown, string]>([
    [{ Name: 7 }, 'Settings.Own.Name'],
    [{ Clock: { Mode: 'manual', Rate: 5 } }, 'Settings.Own.Clock'],
    [{ TokenTtl: 900 }, 'Settings.Own.TokenTtl'],
    [{ WebhookSecret: 'x' }, 'Settings.Own'],
  ])('%j in a document are refused at %s', async (Own, place) => {
    const api = client(testSandbox());
    const document = await api.read(STATE);
    const { Settings } = document as { Settings: object };
    const refused = await api.put(STATE, { ...document, Settings: { ...Settings, Own } });
    expect(expectRefused(refused, 400, 90)).toContain(`The document is invalid: ${place} `);
  });
});
