import { describe, expect, test } from 'vitest';

import { client, good, testSandbox } from '../support/sandbox.js';
import { expectRefused, storing } from '../support/stored.js';

/** A sandbox with a world that has one charge, and a client without a key. */
async function setup(options: Parameters<typeof testSandbox>[0] = { worldsByName: true }) {
  const sandbox = testSandbox(options);
  const admin = options?.adminToken ? { 'x-sandbox-admin': options.adminToken } : undefined;
  await good(client(sandbox, 'sk_test_owner').charge({ ...storing(), Amount: 5 }));
  const { keyHash: name } = sandbox.worlds.open('sk_test_owner');
  const named = { 'x-sandbox-world': name, ...admin };
  return { sandbox, name, named, admin, anybody: client(sandbox, null) };
}

describe('a call of /_sandbox that names its world', () => {
  test('reads and changes that world', async () => {
    const { anybody, named, name } = await setup();
    expect(await anybody.read('/_sandbox/journal', named)).toMatchObject({ Count: 1 });
    const cleared = await anybody.del('/_sandbox/journal', named);
    expect([cleared.body, cleared.headers.get('x-sandbox-world')]).toEqual([{ Cleared: 1 }, name]);
  });

  test('is refused if it names no world, and opens none', async () => {
    const { anybody, sandbox } = await setup();
    expectRefused(await anybody.get('/_sandbox/world', { 'x-sandbox-world': '0123456789ab' }), 401, 40);
    expect(sandbox.worlds.size).toBe(1);
  });

  const whole = ['/_sandbox/state', '/_sandbox/state/', '/_sandbox/bundle', '/_sandbox/bundle/'];
  test.each(whole)('never gets %s, which contains card numbers and credentials', async (path) => {
    const { anybody, named } = await setup();
    const answer = await anybody.get(path, named);
    expectRefused(answer, 401, 40);
    expect(answer.text).not.toContain('sk_test_owner');
  });

  test('is refused where others reach the server and no admin token guards it', async () => {
    const { anybody, named } = await setup({});
    expectRefused(await anybody.get('/_sandbox/journal', named), 401, 40);
  });

  test('is answered with the admin token, and refused without it', async () => {
    const { anybody, named, name } = await setup({ adminToken: 'open-sesame' });
    expect(await anybody.read('/_sandbox/journal', named)).toMatchObject({ Count: 1 });
    expectRefused(await anybody.get('/_sandbox/journal', { 'x-sandbox-world': name }), 403, 40);
  });

  test('gets the world of its key if it has one', async () => {
    const { sandbox, named } = await setup();
    expect(await client(sandbox, 'sk_test_other').read('/_sandbox/journal', named)).toMatchObject({
      Count: 0,
    });
  });

  test('does not let a call of the service name its world', async () => {
    const { anybody, named } = await setup();
    expectRefused(await anybody.get('/charge', named), 401, 40);
  });
});

describe('the address of the server', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test('leads a browser to the dashboard, and opens no world', async () => {
    const sandbox = testSandbox();
    const { status, headers } = await client(sandbox, null).get('/', browser);
    expect([status, headers.get('location')]).toEqual([302, '/_sandbox']);
    expect(sandbox.worlds.size).toBe(0);
  });

  test('answers programs as before', async () => {
    const sandbox = testSandbox();
    expectRefused(await client(sandbox, null).get('/'), 401, 40);
    expectRefused(await client(sandbox).get('/'), 404, 90);
    expectRefused(await client(sandbox).get('/', browser), 404, 90);
    expectRefused(await client(sandbox, null).post('/', {}, browser), 401, 40);
  });
});
