import { describe, expect, test } from 'vitest';

import { type ClockMode } from '../../src/core/time/clock.js';
import { type Answer, type Client, client, testSandbox } from '../support/sandbox.js';
import { cardOf, storing, VISA } from '../support/stored.js';

function setup(mode: ClockMode = 'manual') {
  const sandbox = testSandbox({ clock: { mode } });
  return { a: client(sandbox), host: sandbox.host };
}

function to(a: Client, instant: string): Promise<Answer> {
  return a.post('/_sandbox/clock/advance', { To: instant });
}

async function statusOf(answer: Promise<Answer>): Promise<unknown> {
  const { status, body } = await answer;
  return status < 400 ? status : [status, body['Code']];
}

describe('a token', () => {
  async function tokenOf(a: Client): Promise<unknown> {
    const made = await a.post('/_sandbox/tokens', storing());
    return made.body['TokenId'];
  }

  test('is still good a millisecond before its 15 minutes are over', async () => {
    const { a } = setup();
    const Token = await tokenOf(a);
    await to(a, '2026-01-01T00:14:59.999Z');
    expect(await statusOf(a.post('/charge/token', { Amount: 5, Token }))).toBe(201);
  });

  test('is refused from the instant at which they are over', async () => {
    const { a } = setup();
    const Token = await tokenOf(a);
    await to(a, '2026-01-01T00:15:00Z');
    const refused = await a.post('/charge/token', { Amount: 5, Token });
    expect([refused.status, refused.body['Code']]).toEqual([400, 51]);
    expect(refused.body['Message']).toBe('Invalid or expired token: The token has expired.');
  });

  test('that was spent leaves no job behind', async () => {
    const { a } = setup();
    await a.post('/charge/token', { Amount: 5, Token: await tokenOf(a) });
    expect((await a.read('/_sandbox/clock'))['NextDue']).toBeNull();
  });

  test.each<[ClockMode, number]>([
    ['real', 900_000],
    ['scaled', 15_000],
  ])('on a %s clock is over after %d real ms, and not a millisecond before', async (mode, realMs) => {
    const { a, host } = setup(mode);
    const [first, second] = [await tokenOf(a), await tokenOf(a)];
    host.wall += realMs - 1;
    expect(await statusOf(a.post('/charge/token', { Amount: 5, Token: first }))).toBe(201);
    host.wall += 1;
    expect(await statusOf(a.post('/charge/token', { Amount: 5, Token: second }))).toEqual([400, 51]);
  });
});

describe('an authorisation', () => {
  async function authorise(a: Client): Promise<string> {
    const made = await a.charge(storing({ Amount: 20, Capture: false }));
    expect(made.body['Status']).toBe('Authorised');
    return `/charge/${String(made.body['ChargeId'])}`;
  }

  test('can still be captured a millisecond before its 7 days are over, and then stays captured', async () => {
    const { a } = setup();
    const charge = await authorise(a);
    await to(a, '2026-01-07T23:59:59.999Z');
    expect(await statusOf(a.post(charge, { Amount: 20 }))).toBe(200);
    await to(a, '2026-02-01T00:00:00Z');
    expect((await a.read(charge))['Status']).toBe('SUCCESS');
  });

  test('is cancelled at the instant at which they end, with that instant', async () => {
    const { a } = setup();
    const charge = await authorise(a);
    await to(a, '2026-01-08T12:00:00Z');
    expect(await a.read(charge)).toMatchObject({
      Status: 'AUTHORISE_CANCELLED',
      VoidDate: '2026-01-08T00:00:00.000Z',
    });
    expect(await statusOf(a.post(charge, { Amount: 20 }))).toEqual([409, 54]);
  });

  test('lives as long as the sandbox’s option says', async () => {
    const a = client(testSandbox({ authorisationTtl: 1000, tokenTtl: 10 }));
    const charge = await authorise(a);
    await to(a, '2026-01-01T00:00:00.999Z');
    expect((await a.read(charge))['Status']).toBe('Authorised');
    await to(a, '2026-01-01T00:00:01Z');
    expect((await a.read(charge))['Status']).toBe('AUTHORISE_CANCELLED');
  });
});

describe('a vault entry', () => {
  test.each([
    [{ ExpireSeconds: 3600 }, '2026-01-01T00:59:59.999Z', '2026-01-01T01:00:00Z'],
    [{ ExpireDate: '2027-06-30T12:00:00.500Z' }, '2027-06-30T12:00:00.499Z', '2027-06-30T12:00:00.500Z'],
    [{ ExpireDate: '2026-03-01T00:00:00+01:00' }, '2026-02-28T22:59:59.999Z', '2026-02-28T23:00:00Z'],
  ])('with %j is there at %s and gone at %s', async (expiry, before, at) => {
    const { a } = setup();
    const made = await a.post('/vault', { CardNumber: VISA, ...expiry });
    const entry = `/vault/${String(made.body['VaultId'])}`;
    await to(a, before);
    expect(await statusOf(a.get(entry))).toBe(200);
    await to(a, at);
    expect(await statusOf(a.get(entry))).toEqual([404, 62]);
    expect(await statusOf(a.del(entry))).toEqual([404, 62]);
  });

  test('without an expiry is still there after centuries', async () => {
    const { a } = setup();
    const made = await a.post('/vault', { CardNumber: VISA });
    await to(a, '9999-12-31T23:59:59.999Z');
    expect(await statusOf(a.get(`/vault/${String(made.body['VaultId'])}`))).toBe(200);
  });

  test('that was deleted leaves no job behind', async () => {
    const { a } = setup();
    const made = await a.post('/vault', { CardNumber: VISA, ExpireSeconds: 60 });
    await a.del(`/vault/${String(made.body['VaultId'])}`);
    expect((await to(a, '2026-01-02T00:00:00Z')).body['Jobs']).toBe(0);
  });
});

describe('a card', () => {
  test('is good through the last millisecond of its month, and then refused without a trace', async () => {
    const { a } = setup();
    const charge = storing({ Amount: 5, PaymentInformation: cardOf(VISA, { ExpiryDate: '02/28' }) });
    await to(a, '2028-02-29T23:59:59.999Z');
    expect(await statusOf(a.charge(charge))).toBe(201);
    await to(a, '2028-03-01T00:00:00Z');
    expect(await statusOf(a.charge(charge))).toEqual([400, 14]);
    expect((await a.read('/charge'))['Count']).toBe(1);
  });
});

describe('several things due at one instant', () => {
  test('happen in the order in which they were made', async () => {
    const { a } = setup();
    const ids: unknown[] = [];
    for (let i = 0; i < 5; i++) {
      const made = await a.post('/vault', { CardNumber: VISA, ExpireDate: '2026-06-01T00:00:00Z' });
      ids.push(made.body['VaultId']);
      await a.advance('1h');
    }
    const { body } = await to(a, '2026-06-01T00:00:00Z');
    expect((body['Ran'] as { Ref: string }[]).map(({ Ref }) => Ref)).toEqual(ids);
  });
});
