import { describe, expect, test } from 'vitest';

import { createInnerSandbox } from '../../src/app/sandbox.js';
import { testHost } from '../support/host.js';
import { type Answer, asking, client, good, testSandbox, warningOf } from '../support/sandbox.js';
import { chargeOf } from '../resources/charges/support.js';
import { VISA } from '../support/bodies.js';
import { words } from '../support/tables.js';

describe('paths', () => {
  test.each([
    ['/charges', 'Did you mean /charge'],
    ['/charge/cards/new', '/charge'],
    ['/customer/tokn/x', '/customer'],
    ['/valt', '/vault'],
    ['/_sandbox/clok', '/_sandbox/clock'],
    ['/batch/transaction/payment_methods', '/batch/transaction/payment_method'],
    ['/Charge', '/charge'],
  ])('%s is a 404 with the nearest known paths', async (path, hint) => {
    const { status, body } = await client(testSandbox()).get(path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ HttpStatus: 404, Code: 90, Resource: path });
    expect(body['Message']).toContain('There is no such path');
    expect(body['Message']).toContain(hint);
  });

  test.each([...words`/ /favicon.ico /wp-login.php /a/b/c/d/e/f // /charge//x`, `/${'x'.repeat(5000)}`])(
    '%s is a 404 as well',
    async (path) => {
      const { status, body } = await client(testSandbox()).get(path);
      expect(status).toBe(404);
      expect(String(body['Message']).length).toBeLessThan(400);
    },
  );

  test('a path that is near to none gets the beginnings of known paths', async () => {
    const { body } = await client(testSandbox()).get('/something/else');
    expect(body['Message']).toMatch(/Known paths begin with [^{]*\/charge[^{]*$/);
  });

  test.each(['/charge/', '/charge?', '/charge/?', '/customer/', '/_sandbox/clock/', '/_sandbox/clock?'])(
    '%s is taken like the path without its end',
    async (path) => {
      await good(client(testSandbox()).get(path));
    },
  );

  test('a trailing slash is accepted on a call with a body and on an identifier', async () => {
    const { get, post } = client(testSandbox());
    const { status, body } = await post('/charge/card/', chargeOf(VISA));
    expect(status).toBe(201);
    expect((await get(`/charge/${String(body['ChargeId'])}/`)).status).toBe(200);
  });
});

describe('methods', () => {
  test.each([
    ['GET', '/charge/card', 'POST'],
    ['DELETE', '/charge/card', 'POST'],
    ['HEAD', '/charge/card', 'POST'],
    ['PUT', '/charge', 'GET, HEAD'],
    ['POST', '/charge', 'GET, HEAD'],
    ['PATCH', '/charge', 'GET, HEAD'],
    ['GET', '/vault', 'POST'],
    ['GET', '/refund/0123', 'DELETE'],
    ['POST', '/charge/0123/void', 'DELETE'],
    ['GET', '/charge/token/', 'POST'],
    ['GET', '/_sandbox/clock/advance', 'POST'],
    ['DELETE', '/_sandbox/clock', 'GET, HEAD, PUT'],
  ])('%s %s is a 405 that allows %s and OPTIONS, as OPTIONS itself says', async (method, path, allow) => {
    const sandbox = testSandbox();
    const init = { method, headers: { 'x-secretkey': 'sk_test_a' } };
    const response = await sandbox.fetch(new Request(`http://localhost${path}`, init));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(`${allow}, OPTIONS`);
    const options = await sandbox.fetch(new Request(`http://localhost${path}`, { method: 'OPTIONS' }));
    expect([options.status, options.headers.get('allow')]).toEqual([204, `${allow}, OPTIONS`]);
    const text = await response.text();
    // The answer to HEAD has no body.
    expect(method === 'HEAD' ? text : JSON.parse(text)).toEqual(
      method === 'HEAD'
        ? ''
        : expect.objectContaining({ HttpStatus: 405, Code: 90, Resource: path.replace(/\/$/, '') }),
    );
  });

  test('HEAD answers as GET would, without the body', async () => {
    const sandbox = testSandbox();
    const init = { headers: { 'x-secretkey': 'sk_test_a' } };
    const head = await sandbox.fetch(new Request('http://localhost/charge', { ...init, method: 'HEAD' }));
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await head.text()).toBe('');
    const unknown = await sandbox.fetch(
      new Request('http://localhost/charge/0', { ...init, method: 'HEAD' }),
    );
    expect(unknown.status).toBe(404);
  });
});

/** What each fault of a capture is answered with, in the order in which the contract checks them. */
const ANSWER_TO = {
  gate: { HttpStatus: 403, Code: 90 },
  key: { HttpStatus: 401, Code: 40 },
  path: { HttpStatus: 404, Code: 90, Message: expect.stringContaining('no such path') },
  size: { HttpStatus: 413, Code: 90 },
  type: { HttpStatus: 415, Code: 90 },
  json: { HttpStatus: 400, Code: 90, Message: expect.stringContaining('line 1, column') },
  members: { HttpStatus: 400, Code: 2, Details: { Amount: expect.any(String) } },
  resource: { HttpStatus: 404, Code: 84 },
  state: { HttpStatus: 409, Code: 54 },
  limit: { HttpStatus: 400, Code: 77 },
  provider: { HttpStatus: 400, Code: 47 },
};
type FaultName = keyof typeof ANSWER_TO;
const FAULTS = Object.keys(ANSWER_TO) as FaultName[];

async function captureWith(faults: readonly FaultName[]): Promise<Answer> {
  const has = (fault: FaultName): boolean => faults.includes(fault);
  const sandbox = testSandbox({ bodyLimit: 1000 });
  const made = await client(sandbox).post(
    '/charge/card',
    chargeOf(has('provider') ? '4000000000000473' : VISA, { Amount: '20.00', Capture: has('state') }),
  );
  const id = has('resource') ? '0'.repeat(32) : String(made.body['ChargeId']);
  const amount = has('members') ? 'a lot' : has('limit') ? '99.00' : '20.00';
  const whole = JSON.stringify({ Amount: amount });
  const body = (has('json') ? whole.slice(0, -1) : whole) + (has('size') ? ' '.repeat(1000) : '');
  return client(sandbox, has('key') ? null : 'sk_test_a').post(
    `${has('path') ? '/nowhere' : '/charge'}/${id}`,
    body,
    {
      host: has('gate') ? 'evil.com' : 'localhost',
      'content-type': has('type') ? 'text/plain' : 'application/json',
      'content-length': String(body.length),
    },
  );
}

describe('the order of checks', () => {
  test('a valid capture is accepted', async () => {
    expect((await captureWith([])).body).toMatchObject({ Status: 'SUCCESS' });
  });

  const pairs = FAULTS.flatMap((first, i) =>
    FAULTS.slice(i).map((second): [FaultName, FaultName] => [first, second]),
  );

  test.each(pairs)('%s is answered before %s', async (first, second) => {
    const { status, body } = await captureWith([first, second]);
    expect(body).toMatchObject(ANSWER_TO[first]);
    expect(status).toBe(body['HttpStatus']);
  });

  test('with every fault at once, the gate answers', async () => {
    expect((await captureWith(FAULTS)).status).toBe(403);
  });

  test('a wrong method comes before the size of the body', async () => {
    const { put } = client(testSandbox({ bodyLimit: 10 }));
    expect((await put('/charge/card', chargeOf(VISA))).status).toBe(405);
  });
});

describe('request ids', () => {
  const calls = async (): Promise<(string | null)[]> => {
    const sandbox = testSandbox();
    const ids: (string | null)[] = [];
    for (const [key, path, host] of [
      ['sk_test_a', '/charge', 'localhost'],
      ['sk_test_a', '/charge/nothing', 'localhost'],
      ['sk_test_a', '/nowhere', 'localhost'],
      ['sk_test_b', '/charge', 'localhost'],
      ['sk_test_a', '/_sandbox/clock', 'localhost'],
      [null, '/_sandbox/health', 'localhost'],
      [null, '/charge', 'localhost'],
      ['sk_test_a', '/charge', 'evil.com'],
      ['sk_test_invalid', '/charge', 'localhost'],
    ] as const) {
      ids.push((await client(sandbox, key).get(path, { host })).headers.get('x-request-id'));
    }
    return ids;
  };

  test('every answer has one, no two alike, and the same on every run', async () => {
    const ids = await calls();
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await calls()).toEqual(ids);
  });

  test('those of the service do not move when the control plane or another key is called in between', async () => {
    const straight = client(testSandbox());
    const sandbox = testSandbox();
    const disturbed = client(sandbox);
    for (let call = 0; call < 3; call++) {
      await disturbed.get('/_sandbox/clock');
      await client(sandbox, 'sk_test_b').get('/charge');
      await client(sandbox, null).get('/charge');
      const expected = (await straight.get('/charge')).headers.get('x-request-id');
      expect((await disturbed.get('/charge')).headers.get('x-request-id')).toBe(expected);
    }
  });
});

describe('headers of the sandbox', () => {
  test('a requested outcome decides, and is named', async () => {
    const { post } = client(testSandbox());
    const { status, headers } = await post('/charge/card', chargeOf(VISA), asking('insufficient_funds'));
    expect(status).toBe(400);
    expect(headers.get('x-sandbox-trigger')).toContain('insufficient_funds');
  });

  test('an outcome that is not known is a 400, before anything happened', async () => {
    const { get, post } = client(testSandbox());
    const { status, body } = await post('/charge/card', chargeOf(VISA), asking('insuficient_funds'));
    expect(status).toBe(400);
    expect(body['Message']).toContain('insufficient_funds');
    expect((await get('/charge')).body['Count']).toBe(0);
  });

  test.each(['GET', 'HEAD'])('on a %s it is ignored with a warning', async (method) => {
    const headers = { 'x-secretkey': 'sk_test_a', 'x-sandbox-outcome': 'do_not_honor' };
    const response = await testSandbox().fetch(new Request('http://localhost/charge', { method, headers }));
    expect(response.status).toBe(200);
    expect(warningOf(response)).toContain('a read does not ask a provider');
  });
});

describe('a bug of our own', () => {
  test('is a 500 without internal details; the host is notified, and the sandbox goes on', async () => {
    const reported: string[] = [];
    const reportBug = (error: unknown, asked: string): unknown => reported.push(`${asked}: ${String(error)}`);
    const sandbox = createInnerSandbox({ ...testHost(), reportBug });
    const { get, post } = client(sandbox);
    expect((await get('/charge')).status).toBe(200);
    const world = sandbox.worlds.open('sk_test_a');
    Object.assign(world.charges, {
      add: () => {
        throw new Error('ENOENT: /home/somebody/secret.ts');
      },
    });
    const { status, body, text, headers } = await post('/charge/card', chargeOf(VISA));
    expect(status).toBe(500);
    expect(body).toMatchObject({ HttpStatus: 500, Code: 1, Resource: '/charge/card', Details: null });
    expect(text).not.toMatch(/ENOENT|secret|\.ts|\bat \//);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);

    Object.assign(world.chance, {
      nextRequestId: () => {
        throw new RangeError('secret');
      },
    });
    const early = await get('/customer');
    expect(early.status).toBe(500);
    expect(early.text).not.toContain('secret');
    // The method of the class is there again.
    Reflect.deleteProperty(world.chance, 'nextRequestId');
    expect((await get('/customer')).status).toBe(200);
    expect(reported).toEqual([
      'POST /charge/card: Error: ENOENT: /home/somebody/secret.ts',
      'GET /customer: RangeError: secret',
    ]);
  });
});
