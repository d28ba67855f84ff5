import { describe, expect, test } from 'vitest';

import type { ClockMode } from '../../src/core/time/clock.js';
import { STANDARD_RATE } from '../../src/core/time/clock.js';
import { ApiError, CODE } from '../../src/core/errors.js';
import { Memory } from '../../src/core/limits/memory.js';
import type { Job } from '../../src/core/time/jobs.js';
import { type JobHandler, World } from '../../src/world/world.js';
import { client, good, START, testHost, testSandbox } from '../support/sandbox.js';

import { presentEvent } from '../../src/app/world-handlers.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PROVIDER = '00000000000000000000000000000001';
const CARD = { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: '123' };
const CHARGE = { Amount: 15.5, ProviderId: PROVIDER, PaymentInformation: CARD, Reference: 'order-1' };

interface Seen {
  readonly kind: string;
  readonly ref: string;
  readonly now: number;
  readonly clock: number;
}

/** A world of its own whose jobs are noted; `on` adds what jobs of the kind `act` do. */
function worldOf(mode: ClockMode = 'manual', on: (world: World, job: Job) => void = () => {}) {
  const host = testHost();
  const { settings } = testSandbox().worlds.open('sk_test_a');
  const seen: Seen[] = [];
  const note: JobHandler = (world, job) => {
    seen.push({ kind: job.kind, ref: job.ref, now: world.now - START, clock: world.clock.now() - START });
    if (job.kind === 'act') on(world, job);
    return 1;
  };
  const clock = { mode, rate: STANDARD_RATE[mode], start: START };
  const memory = new Memory(host, Infinity, 0);
  const parts = { memory, jobs: { note, act: note }, presentEvent };
  const world = new World('sk_test_a', { ...settings, clock }, parts, host);
  return { host, world, seen };
}

function refusalOf(promise: Promise<unknown> | null): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof ApiError ? [error.httpStatus, error.refusal.code] : error),
  );
}

describe('two keys', () => {
  test('share no identifier, and no name that reveals the key', async () => {
    const sandbox = testSandbox();
    const [a, b] = [client(sandbox, 'sk_test_a'), client(sandbox, 'sk_test_b')];
    const [first, second] = [await a.charge(CHARGE), await b.charge(CHARGE)];
    for (const name of ['ChargeId', 'ProviderChargeId']) expect(first.body[name]).not.toBe(second.body[name]);
    for (const name of ['x-request-id', 'x-sandbox-world'])
      expect(first.headers.get(name)).not.toBe(second.headers.get(name));
    expect(first.headers.get('x-sandbox-world')).toMatch(/^[0-9a-f]{12}$/);
  });

  test('two requests at once to different keys each see their own world', async () => {
    const sandbox = testSandbox();
    const keys = Array.from({ length: 20 }, (_, n) => `sk_test_${n}`);
    await Promise.all(keys.map((key) => client(sandbox, key).post('/charge/card', CHARGE)));
    const counts = await Promise.all(keys.map((key) => client(sandbox, key).get('/charge')));
    expect(counts.map(({ body }) => body['Count'])).toEqual(keys.map(() => 1));
  });
});

describe('the same seed and key', () => {
  async function story(seed: string): Promise<string[]> {
    const a = client(testSandbox({ seed }));
    const answers = [
      await a.charge(CHARGE),
      await a.post('/charge/token', { Amount: 7, Token: 'tok_insufficient_funds' }),
      await a.post('/_sandbox/tokens', { ProviderId: PROVIDER, PaymentInformation: CARD }),
      await a.advance('7d'),
      await a.get('/charge'),
    ];
    return answers.map(({ text, headers }) => `${headers.get('x-request-id')} ${text}`);
  }

  test('give the same answers to the byte, in another sandbox and after a reset', async () => {
    expect(await story('1')).toEqual(await story('1'));
    const a = client(testSandbox());
    const before = await a.charge(CHARGE);
    await a.post('/_sandbox/reset', {});
    expect((await a.charge(CHARGE)).text).toBe(before.text);
  });

  test('of another seed, every identifier is another', async () => {
    const [one, two] = [(await story('1')).join(' '), (await story('2')).join(' ')];
    const ids = one.match(/\b[0-9a-f]{32}\b/g) ?? [];
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.filter((id) => two.includes(id) && id !== PROVIDER)).toEqual([]);
  });
});

describe('an advance', () => {
  test('runs every job at its own instant, in order, and stands at the target after the last', async () => {
    const { world, seen } = worldOf();
    for (const [ref, hour] of [3, 1, 2, 5].entries())
      world.jobs.schedule(START + hour * HOUR, 'note', String(ref));
    const report = await world.advance({ by: 4 * HOUR });
    expect(seen.map(({ ref, now, clock }) => [ref, now, clock])).toEqual([
      ['1', HOUR, HOUR],
      ['2', 2 * HOUR, 2 * HOUR],
      ['0', 3 * HOUR, 3 * HOUR],
    ]);
    expect([report.from, report.now, report.jobs]).toEqual([START, START + 4 * HOUR, 3]);
    expect([world.now, world.clock.now()]).toEqual([START + 4 * HOUR, START + 4 * HOUR]);
    expect(world.jobs.nextDue).toBe(START + 5 * HOUR);
  });

  test('runs a job that is due at the very target, and not one a millisecond later', async () => {
    const { world, seen } = worldOf();
    world.jobs.schedule(START + HOUR, 'note', '1');
    world.jobs.schedule(START + HOUR + 1, 'note', '2');
    await world.advance({ to: START + HOUR });
    expect(seen.map(({ ref }) => ref)).toEqual(['1']);
  });

  test('also runs what its jobs schedule on the way, and leaves what they schedule beyond', async () => {
    const { world, seen } = worldOf('manual', ({ jobs, now }, { ref }) =>
      jobs.schedule(now + HOUR, 'act', String(Number(ref) + 1)),
    );
    world.jobs.schedule(START + HOUR, 'act', '1');
    await world.advance({ by: 3 * HOUR });
    expect(seen.map(({ ref, now }) => [ref, now])).toEqual([
      ['1', HOUR],
      ['2', 2 * HOUR],
      ['3', 3 * HOUR],
    ]);
    expect(world.jobs.dueOf('act', '4')).toBe(START + 4 * HOUR);
  });

  test('of fifty years with a job each day runs them all and lists the first thousand', async () => {
    const { world, seen } = worldOf('manual', ({ jobs, now }, { ref }) =>
      jobs.schedule(now + DAY, 'act', String(Number(ref) + 1)),
    );
    world.jobs.schedule(START + DAY, 'act', '1');
    const report = await world.advance({ to: Date.UTC(2076, 0, 1) });
    expect([report.jobs, seen.length]).toEqual([18_262, 18_262]);
    expect(report.ran.map(({ ref }) => ref)).toEqual(Array.from({ length: 1000 }, (_, n) => String(n + 1)));
  });

  test('leaves the wall clock’s time that it took out of a real clock', async () => {
    const { host, world } = worldOf('real', () => {
      host.wall += 250;
    });
    for (let ref = 0; ref < 1000; ref++) world.jobs.schedule(START + 1000 + ref, 'act', String(ref));
    const report = await world.advance({ by: HOUR });
    expect([report.from, report.now, world.clock.now()]).toEqual([START, START + HOUR, START + HOUR]);
    host.wall += 10;
    expect(world.clock.now()).toBe(START + HOUR + 10);
  });

  test('leaves the clock going when a job fails', async () => {
    const { host, world } = worldOf('real', () => {
      throw new Error('a bug');
    });
    world.jobs.schedule(START + HOUR, 'act', '1');
    await expect(world.advance({ by: 2 * HOUR })).rejects.toThrow('a bug');
    host.wall += 5;
    expect(world.clock.now()).toBe(START + HOUR + 5);
    expect((await world.advance({ by: HOUR })).jobs).toBe(0);
  });

  test('to the instant where the clock stands changes nothing', async () => {
    const { world } = worldOf();
    expect(await world.advance({ to: START })).toEqual({
      deliveries: 0,
      from: START,
      now: START,
      ran: [],
      jobs: 0,
      counts: new Map(),
      failures: 0,
    });
  });
});

/** A world with so many jobs an hour ahead that an advance over them takes several turns. */
function busyWorld(mode: ClockMode = 'manual') {
  const made = worldOf(mode);
  for (let ref = 0; ref < 1500; ref++) made.world.jobs.schedule(START + HOUR + ref, 'note', String(ref));
  return made;
}

describe('while an advance runs', () => {
  test('another is refused with 409, and the first goes on', async () => {
    const { world } = busyWorld();
    const first = world.advance({ by: 2 * HOUR });
    expect(await refusalOf(world.advance({ by: HOUR }))).toEqual([409, CODE.RetryLater]);
    expect((await first).jobs).toBe(1500);
  });

  test('a request sees the instant that is reached, with everything due before it done', async () => {
    const { world, seen } = busyWorld();
    const advancing = world.advance({ by: 2 * HOUR });
    expect(world.enter()).toBeNull();
    const { length } = seen;
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(1500);
    expect(world.now).toBe(START + HOUR + length - 1);
    expect(world.jobs.nextDue).toBe(world.now + 1);
    await advancing;
    expect(world.now).toBe(START + 2 * HOUR);
  });

  test('jobs of the instant at hand that a request has to run are still in the report, once', async () => {
    const { world, seen } = worldOf();
    for (let ref = 0; ref < 1500; ref++) world.jobs.schedule(START + HOUR, 'note', String(ref));
    const advancing = world.advance({ by: 2 * HOUR });
    await world.enter();
    expect(seen).toHaveLength(1500);
    expect((await advancing).jobs).toBe(1500);
    expect(seen).toHaveLength(1500);
  });

  test('a reset ends it with 503, and its jobs never run', async () => {
    const { world, seen } = busyWorld();
    const advancing = world.advance({ by: 2 * HOUR });
    const { length } = seen;
    world.close();
    expect(await refusalOf(advancing)).toEqual([503, CODE.RetryLater]);
    expect(seen).toHaveLength(length);
  });
});

describe('a request', () => {
  test('comes after all that became due on a running clock, each at its own instant', () => {
    const { host, world, seen } = worldOf('real');
    world.jobs.schedule(START + 2000, 'note', '2');
    world.jobs.schedule(START + 1000, 'note', '1');
    host.wall += 5000;
    expect(world.enter()).toBeNull();
    expect(seen.map(({ ref, now }) => [ref, now])).toEqual([
      ['1', 1000],
      ['2', 2000],
    ]);
    expect(world.now).toBe(START + 5000);
  });

  test('never sees a later instant than the one that its jobs were run for', () => {
    const { host, world } = worldOf('real', () => {
      host.wall += 5;
    });
    world.jobs.schedule(START + 10, 'act', '1');
    world.jobs.schedule(START + 12, 'note', '2');
    host.wall += 10;
    expect(world.enter()).toBeNull();
    expect(world.now).toBe(START + 10);
    expect(world.jobs.nextDue).toBe(START + 12);
  });

  test('waits while much is due, and is refused with 503 when a reset comes meanwhile', async () => {
    const { host, world, seen } = busyWorld('real');
    host.wall += 2 * HOUR;
    const waiting = world.enter();
    expect(waiting).toBeInstanceOf(Promise);
    const { length } = seen;
    world.close();
    expect(await refusalOf(waiting)).toEqual([503, CODE.RetryLater]);
    expect(seen).toHaveLength(length);
  });

  test('that waits ends where it began, although the clock went on', async () => {
    const { host, world, seen } = busyWorld('real');
    host.wall += 2 * HOUR;
    const waiting = world.enter();
    host.wall += 500;
    await waiting;
    expect([seen.length, world.now]).toEqual([1500, START + 2 * HOUR]);
  });
});

describe('the timer', () => {
  const waiting = (host: ReturnType<typeof testHost>): number[] =>
    host.timers.filter(({ cancelled }) => !cancelled).map(({ ms }) => ms);

  test.each<[ClockMode, number[]]>([
    ['real', [60_000]],
    ['scaled', [1000]],
    ['manual', []],
  ])('on a %s clock waits %j real ms for a job that is a minute away', (mode, expected) => {
    const { host, world } = worldOf(mode);
    world.jobs.schedule(START + 60_000, 'note', '1');
    world.armTimer();
    world.armTimer();
    expect(waiting(host)).toEqual(expected);
  });

  test('runs what is due and waits for the next', async () => {
    const { host, world, seen } = worldOf('real');
    world.jobs.schedule(START + 1000, 'note', '1');
    world.jobs.schedule(START + 3000, 'note', '2');
    world.armTimer();
    host.wall += 1000;
    host.timers[0]?.fire();
    await host.pause();
    expect(seen.map(({ ref }) => ref)).toEqual(['1']);
    expect(host.timers.map(({ ms }) => ms)).toEqual([1000, 2000]);
  });

  test('is set again after an advance, since the job is nearer', async () => {
    const { host, world } = worldOf('real');
    world.jobs.schedule(START + 900_000, 'note', '1');
    world.armTimer();
    await world.advance({ by: 600_000 });
    world.armTimer();
    expect(waiting(host)).toEqual([300_000]);
  });

  test('is set when a clock that stood still begins to go', async () => {
    const { host, world } = worldOf('manual');
    world.jobs.schedule(START + 60_000, 'note', '1');
    world.armTimer();
    expect(waiting(host)).toEqual([]);
    await world.advance({ by: 0 }, { mode: 'scaled', rate: 60 });
    world.armTimer();
    expect(waiting(host)).toEqual([1000]);
  });

  test('ends with its world, also in the middle of what it runs', async () => {
    const { host, world, seen } = busyWorld('real');
    world.armTimer();
    host.wall += 2 * HOUR;
    host.timers[0]?.fire();
    const { length } = seen;
    world.close();
    await host.pause();
    await host.pause();
    expect([seen.length, waiting(host)]).toEqual([length, []]);
  });

  test('of a sandbox that is closed does not fire any more', async () => {
    const sandbox = testSandbox({ clock: { mode: 'real' } });
    await client(sandbox).post('/_sandbox/tokens', { ProviderId: PROVIDER, PaymentInformation: CARD });
    expect(waiting(sandbox.host)).toEqual([900_000]);
    sandbox.close();
    expect(waiting(sandbox.host)).toEqual([]);
  });
});

describe('how many worlds there may be', () => {
  test('one more than the maximum drops the least recently used world, with one warning', async () => {
    const host = testHost();
    const warnings: string[] = [];
    host.warn = (message) => warnings.push(message);
    const sandbox = testSandbox({ worldsMax: 2 }, host);
    for (const key of ['sk_test_a', 'sk_test_b', 'sk_test_a', 'sk_test_c', 'sk_test_d']) {
      host.wall += 1_000;
      await good(client(sandbox, key).charge(CHARGE));
    }
    expect(Array.from(sandbox.worlds.all(), ({ key }) => key)).toEqual(['sk_test_c', 'sk_test_d']);
    expect(warnings).toEqual([expect.stringContaining('more than 2 worlds')]);
    expect((await client(sandbox, 'sk_test_a').read('/charge'))['Count']).toBe(0);
  });

  test('one more than the maximum is refused while all of them are busy', async () => {
    const sandbox = testSandbox({ worldsMax: 1 });
    await client(sandbox, 'sk_test_a').get('/charge');
    const world = sandbox.worlds.find('sk_test_a');
    if (world !== undefined) world.calls.begun++;
    expect((await client(sandbox, 'sk_test_b').get('/charge')).status).toBe(503);
    if (world !== undefined) world.calls.ended++;
    expect((await client(sandbox, 'sk_test_b').get('/charge')).status).toBe(200);
  });

  test('a reset takes no room, and neither does a refused key', async () => {
    const sandbox = testSandbox({ worldsMax: 1 });
    expect((await client(sandbox, 'sk_test_invalid').get('/charge')).status).toBe(401);
    await good(client(sandbox, 'sk_test_a').post('/_sandbox/reset'));
    await good(client(sandbox, 'sk_test_a').post('/_sandbox/reset'));
    expect(sandbox.worlds.size).toBe(1);
  });
});

describe('how many records a world holds', () => {
  test.each([
    ['/charge/card', CHARGE, 'charges'],
    ['/vault', { CardNumber: '4111111111111111' }, 'vault entries'],
    ['/_sandbox/tokens', { ProviderId: PROVIDER, PaymentInformation: CARD }, 'tokens'],
    ['/payment_method/card', { ProviderId: PROVIDER, PaymentInformation: CARD }, 'payment methods'],
  ])('POST %s beyond it is refused with 409 and changes nothing', async (path, body, what) => {
    const a = client(testSandbox({ recordsMax: 2 }));
    await good(a.post(path, body));
    await good(a.post(path, body));
    const before = await a.counts();
    const refused = await a.post(path, body);
    expect([refused.status, refused.body['Code']]).toEqual([409, 90]);
    expect(refused.body['Message']).toContain(`at most 2 ${what}`);
    expect(await a.counts()).toEqual(before);
  });
});
