import { afterEach, describe, expect, test, vi } from 'vitest';

import { Edge } from './edge.js';

/** What the Worker does with its worlds, where that needs nothing of the platform. */

const CHARGE = { Amount: 20, Token: 'tok_approve' };
const HOUR_MS = 3_600_000;
const ONE = '0'.repeat(31) + 1;

const messageOf = (answer: { body: Readonly<Record<string, unknown>> }): string =>
  String(answer.body['Message']);

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a call leaves no timer', async () => {
  const edge = new Edge();
  await edge.call('POST /charge/token', CHARGE);
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  // The timer of such a signal cannot be cleared.
  const signals = vi.spyOn(AbortSignal, 'timeout');
  for (let n = 0; n < 5; n++) expect((await edge.call('GET /charge')).status).toBe(200);
  expect([vi.getTimerCount(), signals.mock.calls.length]).toEqual([0, 0]);
});

describe('what is stored', () => {
  test('a snapshot has rows of its own, which are written once', async () => {
    const edge = new Edge();
    await edge.call('POST /charge/token', CHARGE);
    await edge.call('PUT /_sandbox/snapshots/one');
    expect(edge.storage.named('snapshot')).toEqual(['snapshot-0-0']);
    await edge.call('POST /charge/token', CHARGE);
    expect(edge.storage.written.toSorted()).toEqual([expect.stringMatching('^call-'), 'part-0']);
    await edge.call('PUT /_sandbox/snapshots/two');
    await edge.call('PUT /_sandbox/snapshots/one');
    expect(edge.storage.named('snapshot')).toEqual(['snapshot-1-0', 'snapshot-2-0']);
    edge.evict();
    const { body } = await edge.call('GET /_sandbox/snapshots');
    expect((body['Snapshots'] as { Name: string }[]).map(({ Name }) => Name)).toEqual(['one', 'two']);
    await edge.call('DELETE /_sandbox/snapshots/two');
    expect(edge.storage.named('snapshot')).toEqual(['snapshot-2-0']);
    await edge.call('POST /_sandbox/snapshots/one/restore');
    expect((await edge.call('GET /charge')).body['Count']).toBe(2);
  });
});

describe('calls', () => {
  test('that the journal drops leave the storage', async () => {
    const edge = new Edge();
    for (let n = 0; n < 3; n++) await edge.call('POST /charge/token', CHARGE);
    expect(edge.storage.named('call')).toEqual(['call-1', 'call-2', 'call-3']);
    await edge.call('POST /_sandbox/reset');
    expect(edge.storage.named('call')).toEqual([]);
    await edge.call('POST /charge/token', CHARGE);
    edge.evict();
    const { Entries } = (await edge.call('GET /_sandbox/journal')).body as { Entries: { EntryId: number }[] };
    expect(Entries.map(({ EntryId }) => EntryId)).toEqual([4]);
  });

  test('that could not be saved at first are in the journal when they are sent again', async () => {
    const edge = new Edge();
    edge.storageOf(edge.key).isBroken = true;
    const failed = await Promise.all([1, 2].map(() => edge.call('POST /charge/token', CHARGE)));
    expect(failed.map(({ status }) => status)).toEqual([503, 503]);
    edge.storage.isBroken = false;
    for (let n = 0; n < 2; n++) expect((await edge.call('POST /charge/token', CHARGE)).status).toBe(201);
    edge.evict();
    expect((await edge.call('GET /charge')).body['Count']).toBe(2);
    const { body } = await edge.call('GET /_sandbox/journal');
    expect((body['Entries'] as object[]).length).toBe(3);
  });

  test('that hang, or wait for long, are saved before they wait', async () => {
    const edge = new Edge();
    await edge.call('PUT /_sandbox/clock', { Mode: 'Manual' });
    const Outcomes = [
      { Fault: 'hang', Phase: 'after' },
      { Outcome: 'approve', Delay: '20s', Phase: 'after' },
    ];
    await edge.call('POST /_sandbox/outcomes', { Operation: 'charge.create', Outcomes });
    for (const _ of Outcomes) void edge.call('POST /charge/token', CHARGE);
    await vi.waitFor(async () => {
      expect((await edge.copy().call('GET /charge')).body['Count']).toBe(2);
    });
  });

  test('of more than a batch may have are 413', async () => {
    const edge = new Edge();
    const Batch = 'x'.repeat(3 * 1024 * 1024);
    const answer = await edge.call('POST /batch/transaction/payment_method', { Count: 1, Batch });
    expect([answer.status, answer.body['IsRetryable']]).toEqual([413, false]);
  });
});

test('an advance of more than a minute says what happens to it, is saved meanwhile, and goes on', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 500 })));
  const silent = (_: unknown, { signal }: RequestInit): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const edge = new Edge({ WEBHOOKS: 'public' });
  await edge.call('POST /_sandbox/reset', { Clock: { Mode: 'Manual' } });
  // Each of the receivers costs an advance ten seconds.
  for (let n = 0; n < 9; n++) {
    await edge.call('POST /charge/token', { ...CHARGE, Webhook: { Url: `https://r${n}.example.com/` } });
    await edge.call('POST /_sandbox/clock/advance', { By: '1s' });
  }
  vi.stubGlobal('fetch', silent);
  vi.useFakeTimers();
  const asked = edge.call('POST /_sandbox/clock/advance', { By: '7d' });
  await vi.advanceTimersByTimeAsync(71_000);
  const { status, headers, body } = await asked;
  expect([status, headers.get('x-sandbox-lost'), body['Code']]).toEqual([408, null, 94]);
  expect([body['Message'], body['IsRetryable']]).toEqual([
    expect.stringContaining('longer than a minute'),
    false,
  ]);
  const meanwhile = edge.copy();
  expect((await meanwhile.call('GET /_sandbox/clock')).body['Now']).toMatch(/^2026-01-0[1-7]/);
  await vi.advanceTimersByTimeAsync(60_000);
  edge.evict();
  expect((await edge.call('GET /_sandbox/clock')).body['Now']).toMatch(/^2026-01-08/);
});

test('a live stream ends by itself after ten minutes, and leaves no timer', async () => {
  const edge = new Edge();
  await edge.call('GET /charge');
  vi.useFakeTimers();
  const stream = await edge.send('GET /_sandbox/live', { headers: { 'x-secretkey': edge.key } });
  const reading = stream.text();
  await vi.advanceTimersByTimeAsync(590_000);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(await reading).toContain('event: world');
  expect(vi.getTimerCount()).toBe(0);
});

describe('a scaled clock', () => {
  test('stands still when its world was not called for an hour, and goes on with the next call', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 1) });
    const edge = new Edge();
    await edge.call('POST /_sandbox/reset', { Clock: { Mode: 'Scaled', Rate: 60 } });
    await edge.call('POST /charge/token', { ...CHARGE, Capture: false });
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    await edge.ring();
    expect(vi.getTimerCount()).toBe(0);
    expect(edge.storage.alarm).toBe(Date.UTC(2026, 10, 8));
    await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
    expect((await edge.call('GET /_sandbox/clock')).body['Now']).toBe('2026-01-03T12:00:00.000Z');
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await edge.call('GET /_sandbox/clock')).body['Now']).toBe('2026-01-03T13:00:00.000Z');
  });
});

describe('a world that cannot be read', () => {
  async function unreadable(): Promise<Edge> {
    const edge = new Edge();
    await edge.call('POST /charge/token', CHARGE);
    const first = edge.storage.values.get('part-0') as object;
    edge.storage.values.set('part-0', { ...first, bytes: new TextEncoder().encode('{"Version":2}') });
    edge.evict();
    return edge;
  }

  test('is refused with the reason, and begun anew by a reset', async () => {
    const edge = await unreadable();
    const { status, body } = await edge.call('GET /charge');
    expect([status, body['Message']]).toEqual([503, expect.stringContaining('the storage of its object')]);
    expect(body['Message']).toContain('POST /_sandbox/reset');
    expect((await edge.call('POST /_sandbox/reset')).status).toBe(200);
    expect((await edge.call('GET /charge')).body['Count']).toBe(0);
  });

  test('can be deleted', async () => {
    const edge = await unreadable();
    const [, name = ''] = /worlds\/(\w+)/.exec(messageOf(await edge.call('GET /charge'))) ?? [];
    expect((await edge.call(`DELETE /_sandbox/worlds/${name}`)).status).toBe(200);
    expect(edge.storage.values.size).toBe(0);
    expect((await edge.call('GET /charge')).status).toBe(200);
  });

  test('expires', async () => {
    vi.useFakeTimers();
    const edge = await unreadable();
    await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
    await edge.ring();
    expect(edge.storage.values.size).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(6 * 24 * HOUR_MS);
    expect(Date.now()).toBeGreaterThanOrEqual(edge.storage.alarm ?? Infinity);
    await edge.ring();
    expect(edge.storage.values.size).toBe(0);
  });
});

describe('on the public internet', () => {
  const HOST = 'pay.example.workers.dev';
  const TEAM = 'sk_test_team_'.padEnd(40, '1');
  const keyed = (key: string) => ({ 'x-secretkey': key });

  test('nobody may call until KEYS is set, and the answer says so', async () => {
    for (const request of ['GET /charge', 'GET /_sandbox', 'GET /_sandbox/health']) {
      const { status, body } = await new Edge({}, HOST).call(request);
      expect([status, body['Message']]).toEqual([403, expect.stringContaining('its variable KEYS')]);
    }
    for (const host of ['localhost:8787', '127.0.0.1:8787', '[::1]:8787']) {
      expect((await new Edge({}, host).call('GET /charge')).status).toBe(200);
    }
  });

  test.each([
    ['sk_test_team_*', TEAM, 200],
    ['sk_test_team_*', 'sk_test_other_'.padEnd(40, '1'), 401],
    [`sk_test_a_*, ${TEAM}`, TEAM, 200],
    [TEAM, `${TEAM}1`, 401],
    [TEAM, TEAM.slice(0, -1), 401],
  ])('with KEYS %s, the key %s gets %i', async (KEYS, key, expected) => {
    const { status, body } = await new Edge({ KEYS }, HOST).call('GET /charge', undefined, keyed(key));
    expect(status).toBe(expected);
    if (expected === 401) expect(body['Message']).toContain('the variable KEYS');
  });

  test('a key that KEYS no longer has is refused, also if its world is stored', async () => {
    const edge = new Edge({ KEYS: TEAM }, HOST);
    await edge.call('POST /charge/token', CHARGE, keyed(TEAM));
    edge.change({ KEYS: 'sk_test_other_*' });
    expect((await edge.call('GET /charge', undefined, keyed(TEAM))).status).toBe(401);
  });

  test.each([
    ['WEBHOOKS', 'OFF'],
    ['WEBHOOKS', 'none'],
    ['WEBHOOKS', 'private'],
    ['WEBHOOKS', false],
    ['EXPIRE', '1w'],
    ['EXPIRE', '0s'],
    ['EXPIRE', 7],
    ['KEYS', ''],
    ['KEYS', 'pk_test_team_*'],
    ['KEYS', 'sk_test_short'],
    ['KEYS', `${TEAM},`],
    ['ADMIN_TOKEN', ''],
    ['ADMIN_TOKEN', 'two words'],
    ['ALLOWED_ORIGINS', 'staging.example.com'],
    ['ALLOWED_ORIGINS', '*'],
  ])('%s = %j is refused in each answer', async (name, value) => {
    const edge = new Edge({ KEYS: TEAM, [name]: value }, HOST);
    for (const request of ['GET /charge', 'GET /_sandbox', 'POST /nowhere']) {
      const { status, body } = await edge.call(request, undefined, keyed(TEAM));
      expect([status, body['IsRetryable']]).toEqual([503, false]);
      expect(body['Message']).toContain(`The variable ${name} of this Worker is `);
    }
  });

  test('a message does not repeat a secret', async () => {
    const { body } = await new Edge({ KEYS: 'sk_test_short_secret' }).call('GET /charge');
    expect(body['Message']).not.toContain('short_secret');
  });

  test('the admin token protects /_sandbox', async () => {
    const edge = new Edge({ KEYS: TEAM, ADMIN_TOKEN: 'let-me-in' }, HOST);
    expect((await edge.call('POST /charge/token', CHARGE, keyed(TEAM))).status).toBe(201);
    const refused = await edge.call('POST /_sandbox/reset', {}, keyed(TEAM));
    expect([
      refused.status,
      (await edge.call('GET /_sandbox/worlds', undefined, keyed(TEAM))).status,
    ]).toEqual([403, 403]);
    const more = { ...keyed(TEAM), 'x-sandbox-admin': 'let-me-in' };
    const { status, body } = await edge.call('GET /_sandbox/world', undefined, more);
    expect(status).toBe(200);
    const named = { 'x-sandbox-world': String(body['World']), 'x-sandbox-admin': 'let-me-in', 'x-none': '' };
    const other = await edge.send('GET /_sandbox/state', { headers: named });
    expect(other.status).toBe(401);
  });

  test('a page may call if ALLOWED_ORIGINS has its origin', async () => {
    const origin = 'https://staging.example.com';
    const edge = new Edge({ KEYS: TEAM, ALLOWED_ORIGINS: `${origin}, https://other.example.com` }, HOST);
    const page = { ...keyed(TEAM), origin };
    const made = await edge.call('POST /charge/token', CHARGE, page);
    expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([201, origin]);
    const refused = await edge.call('POST /charge/token', CHARGE, {
      ...page,
      origin: 'https://evil.example',
    });
    expect(refused.status).toBe(403);
    expect(messageOf(refused)).toMatch(
      /Allow it with the variable ALLOWED_ORIGINS: https:\/\/evil\.example\.$/,
    );
  });

  describe('a page of an allowed origin reads why it is refused:', () => {
    const origin = 'https://staging.example.com';
    const page = { ...keyed(TEAM), origin };
    const VARIABLES = { KEYS: TEAM, ALLOWED_ORIGINS: origin };
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-secretkey',
    };
    const lost = { ...page, 'x-sandbox-fault': 'reset' };

    test.each([
      ['a variable cannot be read', { ...VARIABLES, EXPIRE: '1w' }, page, 503, 'The variable EXPIRE'],
      ['KEYS is not set', { ALLOWED_ORIGINS: origin }, page, 403, 'its variable KEYS'],
      ['KEYS cannot be read', { ...VARIABLES, KEYS: '' }, page, 503, 'The variable KEYS'],
      ['its key is not in KEYS', { ...VARIABLES, KEYS: 'sk_test_a_*' }, page, 401, 'variable KEYS'],
      ['its answer is lost on purpose', VARIABLES, lost, 501, 'reset the connection'],
    ])('%s', async (_, variables, headers, status, why) => {
      const edge = new Edge(variables, HOST);
      const preflight = await edge.send('OPTIONS /charge/token', { headers: { origin, ...asked } });
      expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
        204,
        'x-secretkey',
      ]);
      expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
      const refused = await edge.call('POST /charge/token', CHARGE, headers);
      expect([refused.status, messageOf(refused)]).toEqual([status, expect.stringContaining(why)]);
      expect(Object.fromEntries(refused.headers)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': expect.stringContaining('retry-after') as string,
        vary: 'origin',
      });
      if (status === 501)
        expect(refused.headers.get('access-control-expose-headers')).toContain('x-sandbox-lost');
      const stranger = await edge.call('POST /charge/token', CHARGE, {
        ...headers,
        origin: 'https://evil.example',
      });
      expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    });

    test('the storage fails, a batch is too large, or its world cannot be read', async () => {
      const edge = new Edge(VARIABLES, HOST);
      const readable = async (request: string, body: unknown): Promise<unknown[]> => {
        const { status, headers } = await edge.call(request, body, page);
        return [status, headers.get('access-control-allow-origin')];
      };
      edge.storageOf(TEAM).isBroken = true;
      expect(await readable('POST /charge/token', CHARGE)).toEqual([503, origin]);
      edge.storage.isBroken = false;
      const Batch = 'x'.repeat(3 * 1024 * 1024);
      const large = await readable('POST /batch/transaction/payment_method', { Count: 1, Batch });
      expect(large).toEqual([413, origin]);
      expect(await readable('POST /charge/token', CHARGE)).toEqual([201, origin]);
      edge.storage.values.set('part-0', {
        ...(edge.storage.values.get('part-0') as object),
        bytes: new Uint8Array(1),
      });
      edge.evict();
      expect(await readable('POST /charge/token', CHARGE)).toEqual([503, origin]);
    });

    test('ALLOWED_ORIGINS itself cannot be read, if it is on this machine', async () => {
      const edge = new Edge({ KEYS: TEAM, ALLOWED_ORIGINS: '*' }, HOST);
      const local = { ...keyed(TEAM), origin: 'http://localhost:5173' };
      const { status, headers, body } = await edge.call('GET /charge', undefined, local);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([503, local.origin]);
      expect(body['Message']).toContain('The variable ALLOWED_ORIGINS');
    });
  });

  test('a public key is a hash: it reaches its world, and gives no secret key away', async () => {
    const edge = new Edge({ KEYS: TEAM }, HOST);
    const card = { PaymentInformation: { CardNumber: '4111111111111111', ExpiryDate: '10/30' } };
    const { body } = await edge.call('GET /_sandbox/world', undefined, keyed(TEAM));
    const PublicKey = String(body['PublicKey']);
    expect(PublicKey).toBe(`pk_test_${String(body['World'])}`);
    edge.evict();
    const made = await edge.call('POST /token/card', card, { 'x-publickey': PublicKey, providerid: ONE });
    expect([made.status, made.headers.get('x-sandbox-world')]).toEqual([201, body['World']]);
    for (const guessed of [TEAM.replace('sk_', 'pk_'), 'pk_test_0123456789ab']) {
      const refused = await edge.call('POST /token/card', card, { 'x-publickey': guessed, providerid: ONE });
      expect([refused.status, messageOf(refused)]).toEqual([401, expect.stringContaining('as PublicKey')]);
    }
    const checkout = await edge.call('GET /_sandbox/checkout');
    expect(checkout.body['text']).toContain('returns it as PublicKey');
    expect(checkout.body['text']).not.toContain('sk_test_X');
    const twin = await edge.call('GET /charge', undefined, keyed(PublicKey.replace('pk_', 'sk_')));
    expect(twin.status).toBe(401);
    expect((await edge.call('GET /charge', undefined, { 'x-publickey': PublicKey })).status).toBe(401);
  });

  test('webhooks are withheld unless they are asked for', async () => {
    const Webhook = { Url: 'https://shop.example.com/hook' };
    const edge = new Edge();
    await edge.call('POST /charge/token', { ...CHARGE, Webhook });
    const { body } = await edge.call('GET /_sandbox/webhooks');
    const Note = 'webhooks are off; WEBHOOKS=public in the variables of the Worker turns them on';
    expect((body['Deliveries'] as object[])[0]).toMatchObject({ Status: 'withheld', Note });
    const loose = await edge.call('POST /_sandbox/reset', { Settings: { Webhooks: 'public' } });
    expect([loose.status, messageOf(loose)]).toEqual([
      400,
      expect.stringContaining('because the variable WEBHOOKS is off'),
    ]);
    expect(JSON.stringify(loose.body['Details'])).toContain('the variable WEBHOOKS is off');
  });

  test('the note of a webhook that a reset has turned off does not name the variable', async () => {
    const edge = new Edge({ WEBHOOKS: 'public' });
    await edge.call('POST /_sandbox/reset', { Settings: { Webhooks: 'off' } });
    await edge.call('POST /charge/token', { ...CHARGE, Webhook: { Url: 'https://shop.example.com/hook' } });
    const { body } = await edge.call('GET /_sandbox/webhooks');
    expect(body['Deliveries']).toMatchObject([{ Status: 'withheld', Note: 'webhooks are off' }]);
  });
});
