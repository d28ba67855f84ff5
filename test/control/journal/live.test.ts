import { describe, expect, test } from 'vitest';

import {
  BACKLOG_MAX,
  BURST_MAX,
  HEARTBEAT_MS,
  READERS_MAX,
  TICK_MS,
} from '../../../src/control/journal/live.js';
import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { asking, client, good, testHost, testSandbox, type TestSandbox } from '../../support/sandbox.js';
import { cardOf, expectRefused, storing } from '../../support/stored.js';
import type { Post } from '../../../src/core/post.js';
import { words } from '../../support/tables.js';

const CHARGE = storing({ Amount: 5, Reference: 'order-1' });

interface LiveEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function setup(options?: InnerSandboxOptions) {
  const sandbox = testSandbox(options);
  return { sandbox, api: client(sandbox) };
}

/** Looks on at a world; what came is read a chunk at a time. */
async function lookOn(sandbox: TestSandbox, key = 'sk_test_a', signal?: AbortSignal) {
  const response = await sandbox.fetch(
    new Request('http://localhost/_sandbox/live', {
      headers: { 'x-secretkey': key },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  /** The next chunk as text; undefined: the stream has ended. */
  const text = async (): Promise<string | undefined> => {
    const { value } = await reader.read();
    return value === undefined ? undefined : new TextDecoder().decode(value);
  };
  const events = async (): Promise<LiveEvent[]> => eventsIn((await text()) ?? '');
  return { response, text, events, cancel: () => reader.cancel() };
}

/** Looks on from here: past what was there before. */
async function lookFrom(sandbox: TestSandbox, key?: string) {
  const live = await lookOn(sandbox, key);
  await live.events();
  return live;
}

function eventsIn(text: string): LiveEvent[] {
  return [...text.matchAll(/event: (\w+)\ndata: ([^\n]*)\n\n/g)].map(([, name = '', data = '']) => ({
    name,
    data: JSON.parse(data) as LiveEvent['data'],
  }));
}

const named = (events: readonly LiveEvent[], name: string) =>
  events.filter((event) => event.name === name).map(({ data }) => data);

describe('GET /_sandbox/live', () => {
  test('begins with the exchanges that were there, oldest first, and the world as it is', async () => {
    const { sandbox, api } = setup();
    await api.charge(CHARGE);
    await api.get('/charge');
    const { response, events } = await lookOn(sandbox);
    const { status, headers } = response;
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    const came = await events();
    expect(named(came, 'exchange').map(({ EntryId, Path }) => [EntryId, Path])).toEqual([
      [1, '/charge/card'],
      [2, '/charge'],
    ]);
    expect(named(came, 'world')).toMatchObject([
      {
        World: headers.get('x-sandbox-world'),
        Now: '2026-01-01T00:00:00.000Z',
        Mode: 'manual',
        Rate: 0,
        Scenario: null,
        Next: null,
        Counts: { Charges: 1 },
        QueuedOutcomes: 0,
        OldestEntryId: 1,
      },
    ]);
  });

  test('ends after the first events with Once, and frees its place', async () => {
    const { api } = setup();
    await api.charge(CHARGE);
    for (let n = 0; n <= READERS_MAX; n++) {
      const { status, text, headers } = await api.get('/_sandbox/live?Once=true');
      expect([status, headers.get('x-accel-buffering')]).toEqual([200, 'no']);
      expect(eventsIn(text).map(({ name }) => name)).toEqual(['exchange', 'world']);
    }
  });

  test('sends each exchange when it is answered, masked, with what decided the answer', async () => {
    const { sandbox, api } = setup();
    const live = await lookFrom(sandbox);
    const next = live.text();
    await api.charge({ ...CHARGE, PaymentInformation: cardOf('4000000000009995', { Ccv: '987' }) });
    const text = (await next) ?? '';
    const decided = { Status: 400, Trigger: 'card:4000000000009995', Precedence: 'magic' };
    expect(named(eventsIn(text), 'exchange')).toMatchObject([
      { Method: 'POST', Operation: 'charge.create', ...decided },
    ]);
    expect(text).not.toMatch(/"4000000000009995"|987|sk_test_a/);
  });

  test('sends changes without an exchange: calls of the control API, and time', async () => {
    const { sandbox, api } = setup();
    await api.charge({ ...CHARGE, Capture: false });
    const live = await lookOn(sandbox);
    const [first] = named(await live.events(), 'world');
    expect(first).toMatchObject({ Next: { At: '2026-01-08T00:00:00.000Z', Kind: 'authorisation.expire' } });
    const next = live.events();
    await api.advance('7d');
    expect(named(await next, 'world')).toMatchObject([{ Now: '2026-01-08T00:00:00.000Z', Next: null }]);
    const queued = live.events();
    await api.queue('charge.create', ['approve', 'approve']);
    expect(named(await queued, 'world')).toMatchObject([{ QueuedOutcomes: 2 }]);
  });

  test('says nothing of calls that only look', async () => {
    const { sandbox, api } = setup();
    const live = await lookFrom(sandbox);
    const next = live.events();
    await api.get('/_sandbox/world');
    await api.get('/_sandbox/journal');
    await api.advance('1s');
    expect(named(await next, 'world')).toMatchObject([{ Now: '2026-01-01T00:00:01.000Z', Changes: 1 }]);
  });

  test('looks by itself for what time did, and says now and then that the line is open', async () => {
    const sandbox = testSandbox({ clock: { mode: 'real' } });
    const { host } = sandbox;
    const live = await lookFrom(sandbox);
    const next = live.text();
    // A clock that moves is no news.
    for (let ms = 0; ms < HEARTBEAT_MS; ms += TICK_MS) {
      host.wall += TICK_MS;
      await new Promise((resolve) => setImmediate(resolve));
      host.timers.findLast(({ ms: asked }) => asked === TICK_MS)?.fire();
    }
    expect(await next).toBe(': nothing new\n\n');
  });

  test('skips what comes too fast, and says how much that was', async () => {
    const { sandbox, api } = setup();
    for (let n = 0; n < BACKLOG_MAX + 20; n++) await api.get('/charge');
    const live = await lookOn(sandbox);
    const backlog = await live.events();
    expect(named(backlog, 'exchange')).toHaveLength(BACKLOG_MAX);
    expect(named(backlog, 'exchange')[0]).toMatchObject({ EntryId: 21 });
    expect(named(backlog, 'skipped')).toEqual([]);
    for (let n = 0; n < BURST_MAX + 7; n++) await api.get('/charge');
    const burst = await live.events();
    expect(named(burst, 'skipped')).toEqual([{ Count: 7 }]);
    expect(named(burst, 'exchange')).toHaveLength(BURST_MAX);
    // A burst is followed by a pause.
    expect(sandbox.host.slept).toEqual([50]);
  });

  test('goes on with the world that takes the place of another, and says how it did', async () => {
    const { sandbox, api } = setup();
    await api.charge(CHARGE);
    await api.put('/_sandbox/snapshots/one', {});
    const live = await lookFrom(sandbox);
    await api.post('/_sandbox/reset', {});
    const reset = await live.events();
    expect(named(reset, 'replaced')).toEqual([{ How: 'reset', NextEntryId: 2, Undone: [] }]);
    expect(named(reset, 'world')).toMatchObject([{ Counts: { Charges: 0 }, OldestEntryId: 2 }]);
    await api.charge(CHARGE);
    expect(named(await live.events(), 'exchange')).toMatchObject([{ EntryId: 2, Status: 201 }]);
    await api.put('/_sandbox/snapshots/two', {});
    await api.charge(CHARGE);
    await api.post('/_sandbox/snapshots/two/restore', {});
    const restored = await live.events();
    const Undone = [{ From: 3, To: 4 }];
    expect(named(restored, 'replaced')).toEqual([{ How: 'restored', NextEntryId: 4, Undone }]);
    expect(named(restored, 'exchange')).toMatchObject([{ EntryId: 3, Undone: true }]);
    expect(named(restored, 'world')).toMatchObject([{ Counts: { Charges: 1 } }]);
    await api.get('/charge');
    expect(named(await live.events(), 'exchange')).toMatchObject([{ EntryId: 4, Undone: false }]);
  });

  test('ends when the sandbox closes, and when those who look on are let go', async () => {
    for (const end of ['close', 'let go']) {
      const sandbox = testSandbox();
      const live = await lookFrom(sandbox);
      const next = live.text();
      if (end === 'close') sandbox.close();
      else sandbox.worlds.endWaits();
      expect(await next).toBeUndefined();
    }
  });

  test('leaves nothing behind when its reader goes, by either way', async () => {
    const sandbox = testSandbox();
    const leaving = new AbortController();
    const first = await lookOn(sandbox, 'sk_test_a', leaving.signal);
    const second = await lookOn(sandbox);
    const world = sandbox.worlds.open('sk_test_a');
    expect(world.watch?.size).toBe(2);
    await first.events();
    const next = first.text();
    leaving.abort();
    expect(await next).toBeUndefined();
    expect(world.watch?.size).toBe(1);
    await second.cancel();
    expect(world.watch).toBeNull();
  });

  test('accepts a limited number of readers, and another once one has left', async () => {
    const sandbox = testSandbox();
    const readers = [];
    for (let n = 0; n < READERS_MAX; n++) readers.push(await lookOn(sandbox));
    expectRefused(await client(sandbox).get('/_sandbox/live'), 503, 37);
    await readers[0]?.cancel();
    expect((await lookOn(sandbox)).response.status).toBe(200);
  });

  test('a HEAD has no stream, and takes no place', async () => {
    const sandbox = testSandbox();
    const headers = { 'x-secretkey': 'sk_test_a' };
    const request = new Request('http://localhost/_sandbox/live', { method: 'HEAD', headers });
    const response = await sandbox.fetch(request);
    expect([response.status, response.body]).toEqual([200, null]);
    expect(sandbox.worlds.open('sk_test_a').watch?.size ?? 0).toBe(0);
  });

  test('each key sees its own world alone', async () => {
    const sandbox = testSandbox();
    const live = await lookFrom(sandbox, 'sk_test_a');
    await client(sandbox, 'sk_test_b').post('/charge/card', CHARGE);
    const next = live.events();
    await client(sandbox, 'sk_test_a').get('/charge');
    expect(named(await next, 'exchange').map(({ Path }) => Path)).toEqual(['/charge']);
  });

  const keys = words`sk_live_1 pk_test_a sk_test_revoked sk_test_a,sk_test_b stranger`;
  test.each([...keys, `sk_test_${'x'.repeat(300)}`])('the key %s opens nothing', async (key) => {
    const sandbox = testSandbox();
    const answer = await client(sandbox, key).get('/_sandbox/live');
    expect(expectRefused(answer, 401, 40)).not.toContain('x'.repeat(50));
    expect(sandbox.worlds.size).toBe(0);
  });

  test('needs a key, the admin token if there is one, a trusted origin, and no query', async () => {
    expectRefused(await client(testSandbox(), null).get('/_sandbox/live'), 401, 40);
    expectRefused(await client(testSandbox({ adminToken: 'secret' })).get('/_sandbox/live'), 403, 40);
    const stranger = { origin: 'https://evil.example.com' };
    expectRefused(await client(testSandbox()).get('/_sandbox/live', stranger), 403, 90);
    expectRefused(await client(testSandbox()).get('/_sandbox/live?key=sk_test_a'), 400, 90);
  });

  test('hostile text arrives as the JSON of one line', async () => {
    const sandbox = testSandbox();
    const live = await lookFrom(sandbox);
    const Reference = '\n\nevent: world\ndata: {}\n\n\u2028<img src=x onerror=alert(1)>';
    const next = live.events();
    await client(sandbox).post('/charge/card', { ...CHARGE, Reference });
    const came = await next;
    expect(came.map(({ name }) => name)).toEqual(['exchange', 'world']);
    expect(named(came, 'exchange')[0]).toMatchObject({ Reference });
  });
});

test('Live events and GET /_sandbox/journal?Brief=true have neither bodies nor headers, but the message of an error.', async () => {
  const sandbox = testSandbox();
  const live = await lookFrom(sandbox);
  const api = client(sandbox);
  const next = live.events();
  await api.charge({ ...CHARGE, PaymentInformation: cardOf('4000000000009995') });
  const [event] = named(await next, 'exchange');
  expect(event).not.toHaveProperty('RequestBody');
  expect(event).not.toHaveProperty('RequestHeaders');
  expect(event).not.toHaveProperty('ResponseBody');
  expect(event).toMatchObject({
    EntryId: 1,
    Result: 'declined',
    Message: expect.stringContaining('Insufficient Funds: '),
  });
  expect(await api.read('/_sandbox/journal?Brief=true')).toMatchObject({ Count: 1, Entries: [event] });
});

describe('GET /_sandbox/journal/{id}', () => {
  test('is one exchange, with what would be sent to have it again', async () => {
    const api = client(testSandbox());
    const { body: charge } = await api.charge(CHARGE, asking('approve'));
    expect((await good(api.get('/_sandbox/journal/1'))).body).toMatchObject({
      EntryId: 1,
      Path: '/charge/card',
      RequestBody: { PaymentInformation: { CardNumber: '4111********1111', Ccv: '***' } },
      ResponseBody: charge,
      Precedence: 'header',
      Again: {
        Method: 'POST',
        Path: '/charge/card',
        Query: '',
        Headers: { 'content-type': 'application/json', 'x-sandbox-outcome': 'approve' },
        Body: { ...CHARGE, PaymentInformation: cardOf() },
      },
    });
  });

  test('repeats a call with what the journal keeps: the receiver gets the same Authorization', async () => {
    const received: Post[] = [];
    const deliver = (post: Post) => {
      received.push(post);
      return Promise.resolve({ status: 200 });
    };
    const api = client(testSandbox({ deliver }));
    const Webhook = { Url: 'http://localhost/hook', Authorization: 'Bearer s3cret' };
    const PaymentInformation = cardOf('4539578763621486');
    await api.charge({ ...CHARGE, Webhook, PaymentInformation });
    expect(await api.read('/_sandbox/journal/1')).toMatchObject({
      RequestBody: { Webhook: { Authorization: '***' } },
    });
    expect((await good(api.post('/_sandbox/journal/1/repeat'))).body).toEqual({ Status: 201 });
    await good(api.post('/_sandbox/settle', { Timeout: '5s' }));
    expect(received.map(({ headers }) => headers['Authorization'] ?? headers['authorization'])).toEqual([
      'Bearer s3cret',
      'Bearer s3cret',
    ]);
    expect(await api.read('/_sandbox/journal/2')).toMatchObject({
      Path: '/charge/card',
      RequestBody: { PaymentInformation: { CardNumber: '4539********1486' } },
      Status: 201,
    });
  });

  test('repeats a call whose answer is lost', async () => {
    const api = client(testSandbox());
    await expect(api.charge(CHARGE, { 'x-sandbox-fault': 'reset' })).rejects.toThrow('fetch failed');
    expect((await good(api.post('/_sandbox/journal/1/repeat'))).body).toEqual({ Status: 0 });
  });

  test('a body that was cut cannot be sent again', async () => {
    const api = client(testSandbox());
    await api.charge({ ...CHARGE, Descriptor: 'x'.repeat(300_000) });
    expect(await api.read('/_sandbox/journal/1')).toMatchObject({ Again: null });
    expect((await api.post('/_sandbox/journal/1/repeat')).body).toMatchObject({
      Message: expect.stringContaining('only the beginning of the body of entry 1'),
    });
  });

  test.each(['0', '2', '-1', '1e0', 'x', '9'.repeat(30)])('%s is no entry', async (id) => {
    const api = client(testSandbox());
    await api.get('/charge');
    expectRefused(await api.get(`/_sandbox/journal/${id}`), 404, 90);
  });
});

test('A call that waits wakes its readers, who see it and what is held.', async () => {
  const host = testHost();
  // Only what a call can end takes time.
  host.sleep = async (_, signal) =>
    signal && new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  const sandbox = testSandbox({}, host);
  const api = client(sandbox);
  const live = await lookFrom(sandbox);
  await good(api.put('/_sandbox/hold', { Operation: 'charge.create', Count: 2 }));
  const seen = async (): Promise<unknown> => {
    const { Held, Waiting } = named(await live.events(), 'world').at(-1) ?? {};
    return { Held, Waiting };
  };
  expect(await seen()).toEqual({ Held: 2, Waiting: [] });
  const next = seen();
  // No tick passes here, so it is the call that wakes them.
  const answer = api.charge(CHARGE);
  expect(await next).toMatchObject({
    Held: 1,
    Waiting: [{ HoldId: 1, Method: 'POST', Path: '/charge/card', Reference: 'order-1' }],
  });
  await good(api.post('/_sandbox/hold/1'));
  expect((await answer).status).toBe(201);
  await live.cancel();
});
