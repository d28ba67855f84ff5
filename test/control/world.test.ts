import { describe, expect, test } from 'vitest';

import { JOB_HANDLERS } from '../../src/app/world-handlers.js';
import { presentTriggers } from '../../src/outcomes/published.js';
import { presentAdvance } from '../../src/control/presenter.js';
import { VAULT_EXPIRE } from '../../src/records/vault-entry.js';
import { VERSION } from '../../src/core/version.js';
import { parseScenario } from '../../src/scenarios/file/schema.js';
import type { ScenarioLibrary } from '../../src/scenarios/file/library.js';
import { SCENARIO_TIMELINE } from '../../src/scenarios/script/timeline.js';
import { TABLE_OF_JOB, type TableName, TABLES } from '../../src/world/tables.js';
import { type Answer, client, good, START, testSandbox } from '../support/sandbox.js';
import { EMPTY, expectRefused, NOW, storing } from '../support/stored.js';

const TOKEN = { Amount: 5, Token: 'tok_approve' };
const NO_COUNTS = { ...EMPTY, JournalEntries: 0 };

describe('GET /_sandbox/health', () => {
  test('needs no key, and returns version, whole seconds of uptime, worlds and runtime', async () => {
    const sandbox = testSandbox();
    await client(sandbox).get('/charge');
    sandbox.host.wall += 61_999;
    const { body } = await good(client(sandbox, null).get('/_sandbox/health'));
    expect(body).toEqual({
      Status: 'ok',
      Version: VERSION,
      Uptime: 61,
      Worlds: 1,
      Node: 'test',
      SavedUntil: null,
    });
  });

  test('never returns a negative uptime when the wall clock is set back', async () => {
    const sandbox = testSandbox();
    sandbox.host.wall -= 5000;
    expect((await client(sandbox, null).get('/_sandbox/health')).body['Uptime']).toBe(0);
  });

  test('opens no world, also with a key', async () => {
    const sandbox = testSandbox();
    await client(sandbox).get('/_sandbox/health');
    expect(sandbox.worlds.size).toBe(0);
  });
});

describe('GET /_sandbox/ready', () => {
  test('answers 200 without a key', async () => {
    const { status, body } = await client(testSandbox(), null).get('/_sandbox/ready');
    expect([status, body]).toEqual([200, { Status: 'ready' }]);
  });
});

describe('GET /_sandbox/world', () => {
  test('shows a fresh world', async () => {
    const { body, headers } = await good(client(testSandbox({ seed: 'abc' })).get('/_sandbox/world'));
    expect(body).toEqual({
      World: headers.get('x-sandbox-world'),
      Name: null,
      Seed: 'abc',
      Dialect: 'auto',
      Clock: { Now: NOW, Mode: 'manual', Rate: 0 },
      Scenario: null,
      Counts: NO_COUNTS,
    });
  });

  test('has what a snapshot of it has not: the calls that its journal holds', async () => {
    const a = client(testSandbox());
    await a.get('/charge');
    const saved = await a.put('/_sandbox/snapshots/one', {});
    expect(saved.body['Counts']).not.toHaveProperty('JournalEntries');
    await a.get('/charge');
    const restored = await a.post('/_sandbox/snapshots/one/restore');
    expect(restored.body['Counts']).toMatchObject({ JournalEntries: 2 });
    await a.del('/_sandbox/journal');
    expect((await a.read('/_sandbox/world'))['Counts']).toMatchObject({ JournalEntries: 0 });
  });

  test('counts what there is', async () => {
    const a = client(testSandbox());
    await a.post('/customer/card', storing({ FirstName: 'Ada', Reference: 'c-1', VaultCard: true }));
    await a.charge(storing({ Amount: 5, Capture: false }));
    await a.post('/charge/token', { Amount: 5, Token: 'tok_do_not_honor' });
    await a.post('/_sandbox/tokens', storing());
    const { body } = await a.get('/_sandbox/world');
    expect(body['Counts']).toEqual({
      ...EMPTY,
      Charges: 2,
      Customers: 1,
      PaymentMethods: 1,
      VaultEntries: 1,
      Tokens: 1,
      JournalEntries: 3,
      QueuedJobs: 2,
    });
  });
});

describe('GET /_sandbox/worlds', () => {
  test('lists worlds by their short names with their counts, in the order of first use', async () => {
    const sandbox = testSandbox();
    const first = await client(sandbox, 'sk_test_z').get('/charge');
    const second = await client(sandbox, 'sk_test_a').post('/charge/token', TOKEN);
    const { body, text } = await good(client(sandbox, null).get('/_sandbox/worlds'));
    const shown = ({ headers }: Answer, counts: object): object => ({
      World: headers.get('x-sandbox-world'),
      Key: null,
      Name: null,
      Scenario: null,
      Now: NOW,
      Awake: true,
      Counts: { ...NO_COUNTS, JournalEntries: 1, ...counts },
    });
    const Worlds = [shown(first, {}), shown(second, { Charges: 1 })];
    expect(body).toEqual({ Count: 2, Awake: 2, Worlds, Unreadable: [] });
    expect(text).not.toContain('sk_test');
  });

  test.each([
    ['where every caller may open every world', { worldsByName: true }, ['sk_test_z', null]],
    ['not on a server that others can reach', {}, [null, null]],
    ['not behind an admin token', { adminToken: 'open-sesame' }, [null, null]],
  ])('lists test keys %s, and never other keys', async (_, options, keys) => {
    const sandbox = testSandbox({ ...options, keys: ['any'] });
    const admin = { 'x-sandbox-admin': 'open-sesame' };
    for (const key of ['sk_test_z', 'sk_own_secret']) await client(sandbox, key).get('/charge');
    const { Worlds } = await client(sandbox, null).read('/_sandbox/worlds', admin);
    expect((Worlds as { Key: string | null }[]).map(({ Key }) => Key)).toEqual(keys);
  });

  test('lists a page, and counts all', async () => {
    const sandbox = testSandbox();
    for (let n = 0; n < 101; n++) sandbox.worlds.open(`sk_test_${n}`);
    const { body } = await client(sandbox, null).get('/_sandbox/worlds');
    expect([body['Count'], (body['Worlds'] as unknown[]).length]).toEqual([101, 100]);
    const last = await client(sandbox, null).read('/_sandbox/worlds?Skip=100');
    expect(last['Worlds']).toHaveLength(1);
  });
});

/** A library of one scenario, under which every charge is declined. */
const BAD_DAY = parseScenario({
  name: 'bad-day',
  seed: 7,
  clock: 'manual',
  startTime: '2030-01-01T00:00:00Z',
  rules: [{ when: { operation: 'charge.create' }, then: { outcome: 'do_not_honor' } }],
  timeline: [{ at: '+1h', do: { providerDown: 'steady' } }],
});
const LIBRARY: ScenarioLibrary = {
  names: () => Promise.resolve(['bad-day']),
  list: () => Promise.resolve([{ name: 'bad-day', description: null, file: 'bad-day.yaml' }]),
  find: (name) => Promise.resolve(name === 'bad-day' && 'scenario' in BAD_DAY ? BAD_DAY.scenario : undefined),
};

describe('POST /_sandbox/reset', () => {
  test.each([[undefined], [{}], [{ Seed: null }]])(
    'with %j starts again with the same seed',
    async (body) => {
      const a = client(testSandbox());
      const fresh = await a.read('/_sandbox/world');
      await a.post('/_sandbox/tokens', storing());
      await a.advance('5m');
      expect((await good(a.post('/_sandbox/reset', body))).body).toEqual(fresh);
      expect(await a.read('/_sandbox/world')).toEqual(fresh);
    },
  );

  test.each<[unknown, string]>([
    ['other', 'other'],
    [42, '42'],
    [' ', ' '],
    ['x'.repeat(256), 'x'.repeat(256)],
  ])('takes a seed of any text, and a number as its digits (row %#)', async (Seed, shown) => {
    const a = client(testSandbox());
    expect((await a.post('/_sandbox/reset', { Seed })).body).toMatchObject({ Seed: shown });
  });

  test('plays the scenario that is named, with its own seed and clock, and no longer after the next one', async () => {
    const a = client(testSandbox({ library: LIBRARY, clock: { mode: 'scaled', rate: 60 } }));
    await a.post('/charge/token', TOKEN);
    expect((await good(a.post('/_sandbox/reset', { Scenario: 'bad-day' }))).body).toMatchObject({
      Seed: '7',
      Clock: { Now: '2030-01-01T00:00:00.000Z', Mode: 'manual', Rate: 0 },
      Scenario: 'bad-day',
      Counts: { Charges: 0, QueuedJobs: 1 },
    });
    expect((await a.post('/charge/token', TOKEN)).body['Code']).toBe(905);
    expect((await a.post('/_sandbox/reset')).body).toMatchObject({
      Clock: { Now: NOW, Mode: 'scaled', Rate: 60 },
      Scenario: null,
      Counts: { Charges: 0, QueuedJobs: 0 },
    });
    await good(a.post('/charge/token', TOKEN));
  });

  test('a given seed overrides the scenario’s seed, whether the scenario is named or not', async () => {
    const a = client(testSandbox({ library: LIBRARY }));
    const named = await a.post('/_sandbox/reset', { Scenario: 'bad-day', Seed: 'mine' });
    expect(named.body).toMatchObject({ Seed: 'mine', Scenario: 'bad-day' });
    const scenario = await LIBRARY.find('bad-day');
    const b = client(testSandbox({ ...(scenario && { scenario }) }));
    expect(await b.read('/_sandbox/world')).toMatchObject({ Seed: '7', Scenario: 'bad-day' });
    expect((await b.post('/_sandbox/reset', { Seed: 'mine' })).body).toMatchObject({ Seed: 'mine' });
    expect((await b.post('/_sandbox/reset')).body).toMatchObject({ Seed: '7', Scenario: 'bad-day' });
  });

  test('refuses a scenario that the library does not have with 404, and keeps the world', async () => {
    const a = client(testSandbox({ library: LIBRARY }));
    await a.post('/charge/token', TOKEN);
    expect(expectRefused(await a.post('/_sandbox/reset', { Scenario: 'bad-dya' }), 404, 90)).toMatch(
      /There is no scenario "bad-dya"\. Did you mean bad-day\?$/,
    );
    expect((await a.read('/charge'))['Count']).toBe(1);
  });

  test('ends an advance that is under way with 503 code 37', async () => {
    const sandbox = testSandbox();
    const a = client(sandbox);
    const { jobs } = sandbox.worlds.open('sk_test_a');
    for (let ref = 0; ref < 5000; ref++) jobs.schedule(START + 1000 + ref, VAULT_EXPIRE, String(ref));
    const [advancing, reset] = await Promise.all([
      a.post('/_sandbox/clock/advance', { By: '1h' }),
      a.post('/_sandbox/reset'),
    ]);
    expectRefused(advancing, 503, 37);
    expect(advancing.body['IsRetryable']).toBe(true);
    expect(reset.body).toMatchObject({ Clock: { Now: NOW }, Counts: { QueuedJobs: 0 } });
    expect(await a.read('/_sandbox/clock')).toMatchObject({ Now: NOW, NextDue: null });
  });

  test('refuses a request with 503 code 37 that waits for what is due', async () => {
    const sandbox = testSandbox({ clock: { mode: 'real' } });
    const { jobs } = sandbox.worlds.open('sk_test_a');
    for (let ref = 0; ref < 5000; ref++) jobs.schedule(START + 1000 + ref, VAULT_EXPIRE, String(ref));
    sandbox.host.wall += 3_600_000;
    const waiting = client(sandbox).get('/charge');
    sandbox.worlds.reset('sk_test_a');
    expect(expectRefused(await waiting, 503, 37)).toBe(
      'Retry later: The world was reset while this request waited. Send it again.',
    );
  });

  const SEED = { Seed: 'must be a string of 1 to 256 characters such as "42"' };
  test.each([
    [{ Seed: '' }, { Seed: `${SEED.Seed}, not ""` }],
    [{ Seed: 'x'.repeat(257) }, { Seed: `${SEED.Seed}, not a string of 257 characters` }],
    [{ Seed: true }, { Seed: `${SEED.Seed}, not true` }],
    [{ Scenario: 5 }, { Scenario: 'must be a string, not a number' }],
    [{ Scenaro: 'bad-day' }, { Scenaro: 'unknown field; did you mean Scenario?' }],
    [{ seed: '1' }, { seed: 'unknown field; did you mean Seed?' }],
  ])('refuses %j and keeps the world', async (body, details) => {
    const a = client(testSandbox());
    await a.post('/charge/token', TOKEN);
    const answer = await a.post('/_sandbox/reset', body);
    expect([answer.status, answer.body['Code'], answer.body['Details']]).toEqual([400, 90, details]);
    expect((await a.read('/charge'))['Count']).toBe(1);
  });
});

describe('GET /_sandbox/triggers', () => {
  test('gives the published tables without a key', async () => {
    const { body } = await good(client(testSandbox(), null).get('/_sandbox/triggers'));
    expect(body).toEqual(JSON.parse(JSON.stringify(presentTriggers())));
  });
});

const CALLS: [method: 'get' | 'post' | 'put', path: string, keyed: boolean][] = [
  ['get', 'health', false],
  ['get', 'ready', false],
  ['get', 'worlds', false],
  ['get', 'triggers', false],
  ['get', 'errors', false],
  ['get', 'world', true],
  ['get', 'clock', true],
  ['put', 'clock', true],
  ['post', 'clock/advance', true],
  ['post', 'settle', true],
  ['post', 'tokens', true],
  ['post', 'reset', true],
];

describe('every call', () => {
  test.each(CALLS)('%s %s asks for a key: %s', async (method, path, keyed) => {
    const { status, body } = await client(testSandbox(), null)[method](`/_sandbox/${path}`);
    expect([status, body['Code']]).toEqual(keyed ? [401, 40] : [200, undefined]);
  });

  test.each(CALLS)('%s %s refuses an unknown query name', async (method, path) => {
    const { status, body } = await client(testSandbox())[method](`/_sandbox/${path}?Verbose=1`);
    expect([status, body['Code'], body['Details']]).toEqual([400, 90, { Verbose: 'unknown filter' }]);
  });

  test.each(CALLS)(
    '%s %s is guarded by the admin token, but for what holds nothing of a world',
    async (method, path, keyed) => {
      const sandbox = testSandbox({ adminToken: 'swordfish' });
      const caller = client(sandbox, keyed ? 'sk_test_a' : null);
      const isOpen = ['health', 'ready', 'errors'].includes(path);
      const send = (headers?: Record<string, string>) => {
        if (method === 'get') return caller.get(`/_sandbox/${path}`, headers);
        return caller[method](`/_sandbox/${path}`, {}, headers);
      };
      expect((await send()).status).toBe(isOpen ? 200 : 403);
      expect((await send({ 'x-sandbox-admin': 'wrong' })).status).toBe(isOpen ? 200 : 403);
      expect((await send({ 'x-sandbox-admin': 'swordfish' })).status).not.toBe(403);
    },
  );

  test('counts apart from the service’s calls, so that looking does not change what comes next', async () => {
    const [one, two] = [client(testSandbox()), client(testSandbox())];
    for (const path of ['world', 'clock', 'world']) await two.get(`/_sandbox/${path}`);
    const [first, second] = [await one.post('/charge/token', TOKEN), await two.post('/charge/token', TOKEN)];
    expect(second.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
    expect(second.text).toBe(first.text);
  });
});

describe('the jobs of a world', () => {
  test.each(Object.keys(JOB_HANDLERS))(
    'of the kind %s are about an entry of the timeline, or the records of a table',
    (kind) => {
      expect(kind === SCENARIO_TIMELINE || TABLES.includes(TABLE_OF_JOB[kind] as TableName)).toBe(true);
    },
  );

  test('name records by their identifiers when they have run, and entries of the timeline by their numbers', () => {
    const ran = [
      { due: START, kind: VAULT_EXPIRE, ref: 'a'.repeat(32) },
      { due: START, kind: SCENARIO_TIMELINE, ref: '0' },
    ];
    const report = { from: START, now: START, jobs: 2, ran, counts: new Map(), deliveries: 0, failures: 0 };
    const refs = (
      presentAdvance(testSandbox().worlds.open('sk_test_a'), report) as { Ran: { Ref: string }[] }
    ).Ran.map(({ Ref }) => Ref);
    expect(refs).toEqual(['a'.repeat(32), 'timeline 1']);
  });
});
