import type { ChildProcess } from 'node:child_process';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { deriveWorldName } from '../../src/core/keys.js';
import type { Started } from '../node/cli/program.js';
import { temporaryFolder } from '../support/folder.js';
import { expectAnswers, runExample } from '../support/readme.js';
import { hasNginx, startNginx, startServer } from './behind.js';

/** Their last characters are all different. */
const NAMES = [...'abcdefghijklmnopqrstuvwxyzAB12'].map((last) => `shop-${last}`);
const CARD = { CardNumber: '4111111111111111', ExpiryDate: '12/40', Ccv: '123' };
const ProviderId = '00000000000000000000000000000001';
const CHARGE = { Amount: 5, ProviderId, PaymentInformation: CARD };

let servers: Started[] = [];
let nginx: ChildProcess;
let url = '';
const at = temporaryFolder();

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Sends a call to nginx, or to a server directly. Rejects if no answer comes. */
async function call(
  path: string,
  headers: Record<string, string>,
  body?: object,
  to = url,
): Promise<Answered> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(new URL(path, to), {
    headers: { 'content-type': 'application/json', ...headers },
    ...init,
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as Answered['body']) : {} };
}

const secret = (name: string): Record<string, string> => ({ 'x-secretkey': `sk_test_${name}` });
const publicOf = (name: string): Record<string, string> => ({ 'x-publickey': `pk_test_${name}` });

/** The statuses of the same call with each of the 30 keys, each once. */
async function statuses(of: (name: string) => Promise<Answered>): Promise<number[]> {
  const all = await Promise.all(NAMES.map(of));
  return [...new Set(all.map(({ status }) => status))];
}

const chargesOf = async (name: string): Promise<unknown> =>
  (await call('/charge', secret(name))).body['Count'];

/** The names of the worlds of each server. */
async function worldsOf(server: Started): Promise<string[]> {
  const { body } = await call('/_sandbox/worlds?Limit=100', {}, undefined, server.url);
  return (body['Worlds'] as { World: string }[]).map(({ World }) => World);
}

async function start(): Promise<void> {
  servers = await Promise.all([startServer(), startServer(), startServer()]);
  ({ url, child: nginx } = await startNginx(servers, at));
}

if (!hasNginx)
  process.stdout.write(
    'test:nginx is skipped: there is no nginx. Debian has it in the package nginx-light.\n',
  );

describe.runIf(hasNginx)('Behind nginx with three servers', () => {
  beforeAll(start);
  afterAll(() => {
    nginx.kill();
    for (const { child } of servers) child.kill();
  });

  test('the commands of docs/guides/many-machines.md get the answers that stand below them', () => {
    expectAnswers('docs/guides/many-machines.md', (command) =>
      runExample(command, { 'http://127.0.0.1:4010': url }, at),
    );
  });

  test('each of 30 secret keys meets the world of its public key, and each server has some of them', async () => {
    const charged = await statuses(async (name) => {
      const headers = { ...publicOf(name), ProviderId };
      const { body } = await call('/token/card', headers, { PaymentInformation: CARD });
      return call('/charge/token', secret(name), { Amount: 5, Token: body['TokenId'] });
    });
    expect(charged).toEqual([201]);
    const worlds = await Promise.all(servers.map(worldsOf));
    expect(worlds.flat()).toHaveLength(new Set(worlds.flat()).size);
    expect(worlds.flat()).toEqual(
      expect.arrayContaining(NAMES.map((name) => deriveWorldName(`sk_test_${name}`))),
    );
    expect(Math.min(...worlds.map(({ length }) => length))).toBeGreaterThan(4);
  });

  test('each of 30 payment links begins with the address of nginx, opens, and takes a payment', async () => {
    const link = { Title: 'Gift', Amount: 5, Currency: 'AUD' };
    const links = await Promise.all(NAMES.map((name) => call('/payment_link', secret(name), link)));
    const addresses = links.map(({ body }) => String(body['Url']));
    expect(addresses.every((address) => address.startsWith(`${url}/_sandbox/pay/`))).toBe(true);
    const opened = await Promise.all(addresses.map((address) => fetch(address)));
    expect(opened.map(({ status }) => status)).toEqual(NAMES.map(() => 200));
    const paid = await Promise.all(
      addresses.map((address) => call(address, {}, { PaymentInformation: CARD })),
    );
    expect(paid.map(({ body }) => body['Status'])).toEqual(NAMES.map(() => 'SUCCESS'));
  });

  test('the page of each of 30 challenges opens', async () => {
    const opened = await statuses(async (name) => {
      const headers = { ...publicOf(name), ProviderId };
      const PaymentInformation = { ...CARD, CardNumber: '4000000000001133' };
      const token = String((await call('/token/card', headers, { PaymentInformation })).body['TokenId']);
      const { body } = await call(`/3ds/preauth/token/${token}`, publicOf(name), {});
      const asked = { threeDSServerTransID: body['threeDSServerTransID'] };
      const auth = await call(`/3ds/auth/token/${token}`, publicOf(name), asked);
      return call(String(auth.body['acsURL']), {});
    });
    expect(opened).toEqual([200]);
  });

  test('a world is found by its name, as the dashboard asks for it', async () => {
    for (const name of NAMES) {
      const World = deriveWorldName(`sk_test_${name}`);
      const named = await call('/_sandbox/world', { 'x-sandbox-world': World });
      expect(named).toMatchObject({ status: 200, body: { World } });
    }
  });

  test('an answer that is lost is lost for the client too; no server counts as down, and no call is sent twice', async () => {
    for (const fault of ['empty; phase=after', 'reset; phase=after']) {
      const before = await Promise.all(NAMES.map(chargesOf));
      const headers = { 'x-sandbox-fault': fault };
      const lost = NAMES.map((name) => call('/charge/card', { ...secret(name), ...headers }, CHARGE));
      const ended = await Promise.allSettled(lost);
      expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(NAMES.length);
      expect(await Promise.all(NAMES.map(chargesOf))).toEqual(before.map((count) => Number(count) + 1));
    }
  });

  test('half an answer arrives as half an answer', async () => {
    const headers = { ...secret('shop-a'), 'x-sandbox-fault': 'truncate' };
    await expect(call('/charge/card', headers, CHARGE)).rejects.toThrow('terminated');
  });

  test('a live stream tells of a call at once', async () => {
    const live = await fetch(`${url}/_sandbox/live`, { headers: secret('shop-live') });
    await call('/charge/card', secret('shop-live'), { ...CHARGE, Reference: 'seen-live' });
    let text = '';
    for await (const piece of live.body ?? []) {
      text += Buffer.from(piece).toString();
      if (text.includes('seen-live')) break;
    }
    expect(text).toContain('event: exchange');
  });

  test('while a server restarts, its worlds get 502 and all others stay', async () => {
    const [, second] = servers as [Started, Started, Started];
    const own = new Set(await worldsOf(second));
    const isOwn = (name: string): boolean => own.has(deriveWorldName(`sk_test_${name}`));
    const before = await Promise.all(NAMES.map(chargesOf));
    second.child.kill();
    await second.ended;
    const meanwhile = await Promise.all(NAMES.map((name) => call('/charge', secret(name))));
    expect(meanwhile.map(({ status }) => status)).toEqual(NAMES.map((name) => (isOwn(name) ? 502 : 200)));
    servers[1] = await startServer(second.port);
    const after = await Promise.all(NAMES.map(chargesOf));
    expect(after).toEqual(NAMES.map((name, n) => (isOwn(name) ? 0 : before[n])));
  });
});
