import { describe, expect, test } from 'vitest';

import { cardCharge } from '../resources/charges/support.js';
import { client, good, testSandbox } from '../support/sandbox.js';
import { words } from '../support/tables.js';

const CHARGE = cardCharge();

describe('keys', () => {
  test.each([
    ...words`sk_test_a sk_test_ sk_test_limits sk_test_invalid2`,
    `sk_test_${'x'.repeat(248)}`,
    "sk_test_!#$%&'*+-.^_`|~{}()[]<>@:;=?/",
  ])('%s is accepted', async (key) => {
    await good(client(testSandbox(), key).get('/charge'));
  });

  test('that others could guess are refused by a server with a minimum length, with a way to make a better one', async () => {
    const sandbox = testSandbox({ keyLengthMin: 28 });
    await good(client(sandbox, 'sk_test_01234567890123456789').get('/charge'));
    const { status, body } = await client(sandbox, 'sk_test_0123456789012345678').get('/charge');
    expect([status, body['Code']]).toEqual([401, 40]);
    expect(body['Message']).toContain(
      'it has 27 characters, and must have at least 28. Send sk_test_ followed',
    );
    expect([...sandbox.worlds.all()].length).toBe(1);
  });

  test.each([
    ['no key', null, 'is missing'],
    ['an empty key', '', 'is missing'],
    ['a key of another kind', 'abc', 'is not accepted'],
    ['another case', 'SK_TEST_a', 'is not accepted'],
    ['sk_test without its end', 'sk_test', 'is not accepted'],
    ['a live key', 'sk_live_abcdef', 'holds a live key'],
    ['a public key', 'pk_test_a', 'holds a public key'],
    ['sk_test_invalid', 'sk_test_invalid', 'always refused'],
    ['sk_test_revoked', 'sk_test_revoked', 'always refused'],
    ['two keys in one header', 'sk_test_a,sk_test_b', 'must hold exactly one key'],
    ['two key headers, joined as HTTP joins them', 'sk_test_a, sk_test_a', 'must hold exactly one key'],
    ['a key with a blank', 'sk_test_a b', 'must hold exactly one key'],
    ['a key outside ASCII', 'sk_test_\u00e9', 'must hold exactly one key'],
    ['a key that is too long', `sk_test_${'x'.repeat(249)}`, 'at most 256 characters'],
  ])('%s is a 401 that says why', async (_, key, reason) => {
    const sandbox = testSandbox();
    const { status, body, headers } = await client(sandbox, key).get('/charge');
    expect(status).toBe(401);
    expect(body).toMatchObject({
      HttpStatus: 401,
      Code: 40,
      Type: '/_sandbox/errors#40',
      IsRetryable: false,
    });
    expect(body['Message']).toMatch(/^Invalid Authentication: /);
    expect(body['Message']).toContain(reason);
    expect(headers.get('x-sandbox-world')).toBeNull();
    expect(sandbox.worlds.size).toBe(0);
  });

  test.each([null, 'abc', 'sk_live_abcdef', 'pk_test_a'])(
    'the refusal of %s names the header and a key that is accepted',
    async (key) => {
      const { body } = await client(testSandbox(), key).get('/charge');
      expect(body['Message']).toContain('x-secretkey');
      expect(body['Message']).toContain('sk_test_local');
    },
  );

  test.each(['sk_live_51Habcdefgh', 'pk_test_abcdefgh', 'whsec_abcdefgh', 'sk_test_a,abcdefgh'])(
    'the key %s is not repeated in the answer',
    async (key) => {
      const { text, headers } = await client(testSandbox(), key).get('/charge');
      expect(text).not.toContain('abcdefgh');
      expect(JSON.stringify([...headers])).not.toContain('abcdefgh');
    },
  );

  test('--key accepts further keys, and each has a world of its own', async () => {
    const sandbox = testSandbox({ keys: ['secret-one', 'secret-two'] });
    await good(client(sandbox, 'secret-one').post('/charge/card', CHARGE));
    expect((await client(sandbox, 'secret-one').get('/charge')).body['Count']).toBe(1);
    expect((await client(sandbox, 'secret-two').get('/charge')).body['Count']).toBe(0);
    expect((await client(sandbox, 'sk_test_a').get('/charge')).body['Count']).toBe(0);
  });

  test.each(['secret', 'secret-on', 'secret-onf', 'secret-one-', 'ecret-one', 'secret-onesecret-one', 'any'])(
    '%s is near to the key that is accepted, and refused',
    async (key) => {
      expect((await client(testSandbox({ keys: ['secret-one'] }), key).get('/charge')).status).toBe(401);
    },
  );

  test('--key any accepts every key but live, public and always refused ones', async () => {
    const sandbox = testSandbox({ keys: ['any'] });
    await good(client(sandbox, 'whatever').get('/charge'));
    await good(client(sandbox, 'any').get('/charge'));
    for (const key of ['sk_live_x', 'pk_test_x', 'sk_test_invalid', 'sk_test_revoked', 'a b', 'a,b', '']) {
      expect((await client(sandbox, key).get('/charge')).status).toBe(401);
    }
  });

  test('the name of the header may be in any case', async () => {
    await good(client(testSandbox(), null).get('/charge', { 'X-SecretKey': 'sk_test_a' }));
  });

  test('the world is named by a short hash that does not give the key away', async () => {
    const sandbox = testSandbox();
    const worldOf = async (key: string, path = '/charge'): Promise<string | null> =>
      (await client(sandbox, key).get(path)).headers.get('x-sandbox-world');
    const name = await worldOf('sk_test_hidden');
    expect(name).toMatch(/^[0-9a-f]{6,16}$/);
    expect(await worldOf('sk_test_hidden', '/customer')).toBe(name);
    expect(await worldOf('sk_test_other')).not.toBe(name);
  });
});

describe('calls without a key', () => {
  test.each(words`
    /_sandbox/health /_sandbox/ready /_sandbox/worlds /_sandbox/triggers /_sandbox/errors
  `)('%s answers, also with a trailing slash', async (path) => {
    const { get } = client(testSandbox(), null);
    expect((await get(path)).status).toBe(200);
    expect((await get(`${path}/`)).status).toBe(200);
  });

  test('name the path that was meant, where there is none below /_sandbox', async () => {
    const { status, body } = await client(testSandbox(), null).get('/_sandbox/healthy');
    expect([status, body['Message']]).toEqual([
      404,
      expect.stringContaining('Did you mean /_sandbox/health'),
    ]);
  });

  test.each(['/_sandbox/world', '/_sandbox/clock', '/_sandboxes/health', '/'])(
    '%s needs one',
    async (path) => {
      expect((await client(testSandbox(), null).get(path)).status).toBe(401);
    },
  );
});

describe('the admin token', () => {
  const sandbox = testSandbox({ adminToken: 'open-sesame' });

  test.each(['/_sandbox/world', '/_sandbox/worlds', '/_sandbox/triggers', '/_sandbox/nothing'])(
    '%s is guarded by it',
    async (path) => {
      const { get } = client(sandbox);
      for (const token of [undefined, '', 'open', 'open-sesam', 'open-sesame2', 'open-sesamf']) {
        const { status, body } = await get(path, token === undefined ? {} : { 'x-sandbox-admin': token });
        expect(status).toBe(403);
        expect(body['Message']).toContain(
          token === undefined || token === ''
            ? 'admin token: send it in the header x-sandbox-admin.'
            : 'The token in the header x-sandbox-admin is not the admin token of this server.',
        );
      }
      expect((await get(path, { 'x-sandbox-admin': 'open-sesame' })).status).not.toBe(403);
    },
  );

  test.each(['', '  '])('%j as token would guard nothing: no sandbox is created', (token) => {
    expect(() => testSandbox({ adminToken: token })).toThrow(/adminToken is " *"; it must be a string/);
    expect(() => testSandbox({ webhookSecret: token })).toThrow(/webhookSecret is " *"; it must be a string/);
  });

  test('health checks and the service itself are not', async () => {
    const { get } = client(sandbox);
    for (const path of ['/_sandbox/health', '/_sandbox/ready', '/_sandbox/health/', '/charge']) {
      expect((await get(path)).status).toBe(200);
    }
  });

  test('pages that hold nothing of any world are not: a browser that follows a link cannot send it', async () => {
    const { get } = client(sandbox, null);
    for (const path of ['', '/reference', '/errors', '/checkout']) {
      expect((await get(`/_sandbox${path}`)).status).toBe(200);
    }
  });
});

describe('sk_test_limited', () => {
  const limited = () => client(testSandbox(), 'sk_test_limited');

  test('takes five calls in a second of its clock, then answers 429 until the second is over', async () => {
    const { get, post } = limited();
    for (let call = 1; call <= 5; call++) expect((await get('/charge')).status).toBe(200);
    const { status, body, headers } = await get('/charge');
    expect(status).toBe(429);
    expect(body).toMatchObject({ HttpStatus: 429, Code: 35, IsRetryable: true });
    expect(body['Message']).toContain('advance it');
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('x-sandbox-world')).not.toBeNull();

    await post('/_sandbox/clock/advance', { By: '999ms' });
    expect((await get('/charge')).status).toBe(429);
    await post('/_sandbox/clock/advance', { By: '1ms' });
    for (let call = 1; call <= 5; call++) expect((await get('/charge')).status).toBe(200);
    expect((await get('/charge')).status).toBe(429);
  });

  test('is never limited under /_sandbox, and calls there do not count', async () => {
    const { get } = limited();
    for (let call = 1; call <= 20; call++) expect((await get('/_sandbox/clock')).status).toBe(200);
    expect((await get('/charge')).status).toBe(200);
  });

  test('a call that is limited changes nothing', async () => {
    const { get, post } = limited();
    for (let call = 1; call <= 5; call++) await get('/charge');
    expect((await post('/charge/card', CHARGE)).status).toBe(429);
    await post('/_sandbox/clock/advance', { By: '1s' });
    expect((await get('/charge')).body['Count']).toBe(0);
  });

  test('a call that is refused counts as well', async () => {
    const { get } = limited();
    for (let call = 1; call <= 5; call++) expect((await get('/charge/nowhere')).status).toBe(404);
    expect((await get('/charge')).status).toBe(429);
  });

  test('with a real clock, nothing is said of advancing it', async () => {
    const { get } = client(testSandbox({ clock: { mode: 'real' } }), 'sk_test_limited');
    for (let call = 1; call <= 5; call++) await get('/charge');
    const { status, body } = await get('/charge');
    expect(status).toBe(429);
    expect(body['Message']).not.toContain('advance');
  });

  test('other keys know no limit', async () => {
    const { get } = client(testSandbox(), 'sk_test_limits');
    for (let call = 1; call <= 20; call++) expect((await get('/charge')).status).toBe(200);
  });
});

describe('a key in Authorization', () => {
  const basic = (user: string): string => `Basic ${btoa(user)}`;

  test.each([
    'Bearer sk_test_shop',
    'bearer sk_live_shop',
    'sk_test_shop',
    'Token sk_test_shop',
    basic('sk_test_shop:'),
    basic('sk_test_shop:x'),
    basic('sk_test_shop'),
    'Bearer our-own-key',
  ])('%s gets a 401 that names the right header, and not the key', async (authorization) => {
    const { get } = client(testSandbox({ keys: ['our-own-key'] }), null);
    const { status, body } = await get('/charge', { authorization });
    expect(status).toBe(401);
    expect(body['Message']).toContain(
      'Authorization, which has a key, is not read. Send that key in x-secretkey',
    );
    expect(JSON.stringify(body)).not.toMatch(/shop|our-own/);
  });

  test.each(['Bearer eyJhbGciOiJIUzI1NiJ9', basic('jo:secret'), 'Basic !', 'Bearer', ''])(
    '%s is none',
    async (authorization) => {
      const { body } = await client(testSandbox(), null).get('/charge', { authorization });
      expect(body['Message']).toContain('The header x-secretkey is missing. Send any key');
    },
  );

  test('beside x-secretkey changes nothing', async () => {
    const { get } = client(testSandbox());
    expect((await get('/charge', { authorization: 'Bearer sk_test_other' })).status).toBe(200);
  });
});
