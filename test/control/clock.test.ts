import { describe, expect, test } from 'vitest';

import type { ClockMode } from '../../src/core/time/clock.js';
import { VAULT_EXPIRE } from '../../src/records/vault-entry.js';
import { client, type Client, good, START, testSandbox } from '../support/sandbox.js';
import { expectRefused, NOW, storing, VISA } from '../support/stored.js';

const HOUR = 3_600_000;

function setup(mode: ClockMode = 'manual') {
  const sandbox = testSandbox({ clock: { mode } });
  return { sandbox, host: sandbox.host, a: client(sandbox) };
}

/** Queues so many jobs an hour ahead that an advance over them takes several turns. */
function makeBusy({ sandbox }: ReturnType<typeof setup>): void {
  const { jobs } = sandbox.worlds.open('sk_test_a');
  for (let ref = 0; ref < 1500; ref++) jobs.schedule(START + HOUR + ref, VAULT_EXPIRE, String(ref));
}

/** What is said of a text that is no duration. */
const noDuration = (given: string): string =>
  `is ${given}; it must be a duration such as 250ms, 30s, 15m, 2h, 7d or PT2H`;

async function nowOf(a: Client): Promise<unknown> {
  return (await a.read('/_sandbox/clock'))['Now'];
}

describe('GET /_sandbox/clock', () => {
  test.each<[ClockMode, number]>([
    ['real', 1],
    ['manual', 0],
    ['scaled', 60],
  ])('shows a %s clock with the rate %d', async (mode, rate) => {
    const { body } = await good(setup(mode).a.get('/_sandbox/clock'));
    expect(body).toEqual({ Now: NOW, Mode: mode, Rate: rate, NextDue: null });
  });

  test('shows when the next job is due', async () => {
    const { a } = setup();
    await a.post('/_sandbox/tokens', storing());
    await a.post('/vault', { CardNumber: VISA, ExpireSeconds: 90 });
    expect((await a.read('/_sandbox/clock'))['NextDue']).toBe('2026-01-01T00:01:30.000Z');
  });

  test.each<[ClockMode, string]>([
    ['real', '2026-01-01T00:00:01.000Z'],
    ['manual', NOW],
    ['scaled', '2026-01-01T00:01:00.000Z'],
  ])('after a real second, a %s clock shows %s', async (mode, now) => {
    const { a, host } = setup(mode);
    await a.get('/_sandbox/clock');
    host.wall += 1000;
    expect(await nowOf(a)).toBe(now);
  });
});

describe('POST /_sandbox/clock/advance', () => {
  test.each([
    [{ By: '250ms' }, '2026-01-01T00:00:00.250Z'],
    [{ By: '30s' }, '2026-01-01T00:00:30.000Z'],
    [{ By: 'PT2H' }, '2026-01-01T02:00:00.000Z'],
    [{ By: '7d' }, '2026-01-08T00:00:00.000Z'],
    [{ By: '0s' }, NOW],
    [{ By: '36500d' }, '2125-12-08T00:00:00.000Z'],
    [{ To: '2030-01-01T00:00:00Z' }, '2030-01-01T00:00:00.000Z'],
    [{ To: '9999-12-31T23:59:59.999Z' }, '9999-12-31T23:59:59.999Z'],
    [{ By: null, To: '2026-01-02T00:00:00Z' }, '2026-01-02T00:00:00.000Z'],
  ])('%j goes to %s', async (body, now) => {
    const { a } = setup();
    const answer = await good(a.post('/_sandbox/clock/advance', body));
    expect(answer.body).toEqual({
      From: NOW,
      Now: now,
      Ran: [],
      Jobs: 0,
      Counts: {},
      Deliveries: 0,
      FailedDeliveries: 0,
    });
    expect(await nowOf(a)).toBe(now);
  });

  test('lists what ran, each with its instant and the identifier of its record', async () => {
    const { a } = setup();
    const token = await a.post('/_sandbox/tokens', storing());
    const entry = await a.post('/vault', { CardNumber: VISA, ExpireSeconds: 60 });
    const charge = await a.charge(storing({ Amount: 10, Capture: false }));
    const { body } = await a.advance('7d');
    expect(body).toEqual({
      From: NOW,
      Now: '2026-01-08T00:00:00.000Z',
      Ran: [
        { At: '2026-01-01T00:01:00.000Z', Kind: 'vault.expire', Ref: entry.body['VaultId'], About: null },
        { At: '2026-01-01T00:15:00.000Z', Kind: 'token.expire', Ref: token.body['TokenId'], About: null },
        {
          At: '2026-01-08T00:00:00.000Z',
          Kind: 'authorisation.expire',
          Ref: charge.body['ChargeId'],
          About: 'AUD 10.00',
        },
      ],
      Jobs: 3,
      Counts: { 'vault.expire': 1, 'token.expire': 1, 'authorisation.expire': 1 },
      Deliveries: 0,
      FailedDeliveries: 0,
    });
  });

  test('lists the first thousand and counts them all', async () => {
    const made = setup();
    makeBusy(made);
    const { body } = await made.a.post('/_sandbox/clock/advance', { By: '2h' });
    expect(body['Jobs']).toBe(1500);
    expect(body['Ran']).toHaveLength(1000);
  });

  test('offsets a real clock forward, which then goes on', async () => {
    const { a, host } = setup('real');
    host.wall += 500;
    const { body } = await a.advance('2h');
    expect([body['From'], body['Now']]).toEqual(['2026-01-01T00:00:00.500Z', '2026-01-01T02:00:00.500Z']);
    host.wall += 1000;
    expect(await nowOf(a)).toBe('2026-01-01T02:00:01.500Z');
  });

  const BOTH =
    'must have exactly one of By and To, for example {"By": "2h"} or {"To": "2030-01-01T00:00:00Z"}';
  const notBy = (given: string) => ({ By: noDuration(given) });
  const notTo = (given: string) => ({ To: `must be a date-time such as 2031-01-01T00:00:00Z, not ${given}` });
  test.each<[string, unknown, Record<string, string> | null]>([
    ['neither', {}, { body: BOTH }],
    ['neither', undefined, { body: BOTH }],
    ['both', { By: '2h', To: '2030-01-01T00:00:00Z' }, { body: BOTH }],
    ['no duration', { By: '2 hours' }, notBy('"2 hours"')],
    ['no duration', { By: '' }, notBy('""')],
    ['a number', { By: 7200 }, notBy('7200')],
    ['backwards', { By: '-2h' }, notBy('"-2h"')],
    ['a month', { By: 'P1M' }, notBy('"P1M"')],
    ['too long', { By: '100000d' }, { By: 'is longer than the maximum of 36525d' }],
    ['no instant', { To: '2030-02-30T00:00:00Z' }, notTo('"2030-02-30T00:00:00Z"')],
    ['a day', { To: '2030-01-01' }, notTo('"2030-01-01"')],
    ['a number', { To: 1_893_456_000_000 }, notTo('1893456000000')],
    ['an unknown field', { by: '2h' }, { by: 'unknown field; did you mean By?' }],
    ['an unknown field', { By: '2h', Now: true }, { Now: 'unknown field' }],
    ['backwards', { To: '2025-12-31T23:59:59.999Z' }, null],
    ['no JSON object', '[]', null],
    ['no JSON', '{', null],
  ])('refuses %s: %j', async (_, body, details) => {
    const { a } = setup();
    const answer = await a.post('/_sandbox/clock/advance', body);
    expect([answer.status, answer.body['Code'], answer.body['Details']]).toEqual([400, 90, details]);
    expect(await nowOf(a)).toBe(NOW);
  });

  test('says where the clock stands when it is asked to go back', async () => {
    const { a } = setup();
    await a.advance('1d');
    const { body } = await a.post('/_sandbox/clock/advance', { To: '2026-01-01T00:00:00Z' });
    expect(body['Message']).toBe(
      'Validation Error: The clock is at 2026-01-02T00:00:00.000Z and cannot go back to 2026-01-01T00:00:00.000Z.',
    );
  });

  test('says where the clock ends when it is asked to go beyond', async () => {
    const { a } = setup();
    await a.post('/_sandbox/clock/advance', { To: '9999-12-31T00:00:00Z' });
    expect(expectRefused(await a.post('/_sandbox/clock/advance', { By: '1d' }), 400, 90)).toBe(
      'Validation Error: The clock cannot go beyond 9999-12-31T23:59:59.999Z.',
    );
  });

  test('refuses another while one runs with 409 code 37, and goes on', async () => {
    const made = setup();
    makeBusy(made);
    const { a } = made;
    const [first, second, change] = await Promise.all([
      a.post('/_sandbox/clock/advance', { By: '2h' }),
      a.post('/_sandbox/clock/advance', { By: '1h' }),
      a.put('/_sandbox/clock', { Mode: 'real' }),
    ]);
    expect([first.status, first.body['Now']]).toEqual([200, '2026-01-01T02:00:00.000Z']);
    for (const answer of [second, change]) {
      expectRefused(answer, 409, 37);
      expect(answer.body['IsRetryable']).toBe(true);
    }
    const clock = await a.read('/_sandbox/clock');
    expect(clock).toMatchObject({ Mode: 'manual', Now: '2026-01-01T02:00:00.000Z' });
  });

  test('lets requests through while it runs, and another key advance its own clock', async () => {
    const made = setup();
    makeBusy(made);
    const [advancing, charge, other] = await Promise.all([
      made.a.post('/_sandbox/clock/advance', { By: '2h' }),
      made.a.charge(storing({ Amount: 10 })),
      client(made.sandbox, 'sk_test_b').post('/_sandbox/clock/advance', { By: '3h' }),
    ]);
    expect([advancing.body['Jobs'], charge.status]).toEqual([1500, 201]);
    // The charge bears an instant that the advance had reached.
    expect(String(charge.body['DateAdded'])).toMatch(/^2026-01-01T01:00:0[01]\.\d{3}Z$/);
    expect(other.body['Now']).toBe('2026-01-01T03:00:00.000Z');
  });
});

describe('PUT /_sandbox/clock', () => {
  test.each<[ClockMode, object, string, object]>([
    ['real', { Mode: 'manual' }, NOW, { Mode: 'manual', Rate: 0 }],
    ['real', { Mode: 'scaled' }, '2026-01-01T00:01:00.000Z', { Mode: 'scaled', Rate: 60 }],
    ['manual', { Mode: 'scaled', Rate: 0.5 }, '2026-01-01T00:00:00.500Z', { Mode: 'scaled', Rate: 0.5 }],
    ['manual', { Mode: 'scaled', Rate: 0.001 }, '2026-01-01T00:00:00.001Z', { Mode: 'scaled', Rate: 0.001 }],
    ['manual', { Mode: 'scaled', Rate: 1e6 }, '2026-01-12T13:46:40.000Z', { Mode: 'scaled', Rate: 1e6 }],
    ['scaled', { Mode: 'real' }, '2026-01-01T00:00:01.000Z', { Mode: 'real', Rate: 1 }],
    ['real', { Mode: 'real', Rate: null, Now: null }, '2026-01-01T00:00:01.000Z', { Mode: 'real', Rate: 1 }],
  ])('changes a %s clock by %j, and after a real second it shows %s', async (mode, body, later, clock) => {
    const { a, host } = setup(mode);
    const answer = await good(a.put('/_sandbox/clock', body));
    expect(answer.body).toEqual({ Now: NOW, ...clock, NextDue: null });
    host.wall += 1000;
    expect(await nowOf(a)).toBe(later);
  });

  test('takes a rate in any spelling of a JSON number', async () => {
    const { a } = setup();
    const answer = await a.put('/_sandbox/clock', '{"Mode":"scaled","Rate":6.0e1}');
    expect(answer.body['Rate']).toBe(60);
  });

  test.each<[ClockMode, ClockMode]>([
    ['real', 'manual'],
    ['manual', 'real'],
    ['scaled', 'scaled'],
  ])('moves a %s clock forward, runs what is due on the way, and leaves it %s', async (from, to) => {
    const { a } = setup(from);
    const entry = await a.post('/vault', { CardNumber: VISA, ExpireSeconds: 60 });
    const token = await a.post('/_sandbox/tokens', storing());
    const { body } = await good(a.put('/_sandbox/clock', { Mode: to, Now: '2026-01-01T00:10:00Z' }));
    expect(body).toMatchObject({
      Now: '2026-01-01T00:10:00.000Z',
      Mode: to,
      NextDue: '2026-01-01T00:15:00.000Z',
    });
    expect((await a.get(`/vault/${String(entry.body['VaultId'])}`)).status).toBe(404);
    await good(a.post('/charge/token', { Amount: 1, Token: token.body['TokenId'] }));
  });

  const MODE = { Mode: 'is required, for example "manual"' };
  const rateNot = (given: string) => ({ Rate: `must be a number from 0.001 to 1000000, not ${given}` });
  test.each<[unknown, object | null]>([
    [{}, MODE],
    [{ Rate: 60 }, MODE],
    [{ Mode: 'x60' }, { Mode: 'must be one of real, manual, scaled, not "x60"' }],
    [{ Mode: 'real', Rate: 1 }, { Rate: 'is allowed only with the Mode scaled, not with real' }],
    [{ Mode: 'manual', Rate: 0.5 }, { Rate: 'is allowed only with the Mode scaled, not with manual' }],
    [{ Mode: 'scaled', Rate: 0 }, rateNot('0')],
    [{ Mode: 'scaled', Rate: -1 }, rateNot('-1')],
    [{ Mode: 'scaled', Rate: 0.0009 }, rateNot('0.0009')],
    [{ Mode: 'scaled', Rate: 1_000_001 }, rateNot('1000001')],
    [{ Mode: 'scaled', Rate: '60' }, rateNot('a string')],
    ['{"Mode":"scaled","Rate":1e400}', rateNot('Infinity')],
    [
      { Mode: 'manual', Now: 'tomorrow' },
      { Now: 'must be a date-time such as 2031-01-01T00:00:00Z, not "tomorrow"' },
    ],
    [{ Mode: 'manual', To: '2030-01-01T00:00:00Z' }, { To: 'unknown field' }],
    [{ Mode: 'scaled', Now: '2025-12-31T00:00:00Z' }, null],
    ['', null],
  ])('refuses %j and leaves the clock as it was', async (body, details) => {
    const { a } = setup();
    const answer = await a.put('/_sandbox/clock', body);
    expect([answer.status, answer.body['Code'], answer.body['Details']]).toEqual([400, 90, details]);
    expect(await a.read('/_sandbox/clock')).toMatchObject({ Now: NOW, Mode: 'manual', Rate: 0 });
  });
});

describe('POST /_sandbox/settle', () => {
  test.each([[undefined], [{}], [{ Timeout: '10s' }], [{ Timeout: '60s' }], [{ Timeout: '0s' }]])(
    'with %j runs what is due and says when the next job is',
    async (body) => {
      const { a, host } = setup('real');
      for (const ExpireSeconds of [60, 90]) await a.post('/vault', { CardNumber: VISA, ExpireSeconds });
      host.wall += 60_000;
      const answer = await good(a.post('/_sandbox/settle', body));
      expect(answer.body).toEqual({ Now: '2026-01-01T00:01:00.000Z', NextDue: '2026-01-01T00:01:30.000Z' });
      expect(await a.read('/_sandbox/world')).toMatchObject({ Counts: { VaultEntries: 1, QueuedJobs: 1 } });
    },
  );

  test('has nothing due to name when nothing is queued', async () => {
    expect((await setup().a.post('/_sandbox/settle')).body['NextDue']).toBeNull();
  });

  test.each([
    [{ Timeout: '61s' }, { Timeout: 'is longer than the maximum of 1m' }],
    [{ Timeout: 10 }, { Timeout: noDuration('10') }],
    [{ Timeout: 'soon' }, { Timeout: noDuration('"soon"') }],
    [{ Wait: '1s' }, { Wait: 'unknown field' }],
  ])('refuses %j', async (body, details) => {
    const answer = await setup().a.post('/_sandbox/settle', body);
    expect([answer.status, answer.body['Code'], answer.body['Details']]).toEqual([400, 90, details]);
  });
});
