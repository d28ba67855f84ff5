import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { portOf } from '../support/serving.js';
import { type Edge, fetchOnce, startEdge } from './edge.js';
import { keyOf } from '../runtimes/plays.js';

/** What the Worker does with worlds, in the runtime of Cloudflare. */

const CHARGE = { Amount: 20, Token: 'tok_approve' };
const DAY_MS = 86_400_000;
const PAGE = new URL('../../docs/guides/cloudflare.md', import.meta.url);

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.end());

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Calls a Worker with a key, or with other headers. */
function caller(at: Edge, headers: Readonly<Record<string, string>>) {
  return async (method: string, path: string, body?: unknown, more = {}): Promise<Answered> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const all = { 'content-type': 'application/json', ...headers, ...more };
    const answer = await fetchOnce(at.url + path, { method, headers: all, ...sent });
    const read = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(read) : { read } };
  };
}

const world = (name: string, at = edge) => {
  const key = keyOf(name);
  return { key, call: caller(at, { 'x-secretkey': key }), evict: () => at.evict(key) };
};

/** A receiver of webhooks that notes what it got, until the test is over. */
async function receiver() {
  const got: { readonly sent: string; readonly signature: unknown }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      got.push({ sent, signature: request.headers['x-payfurl-signature'] });
      response.writeHead(204).end();
    });
  });
  return { url: `http://127.0.0.1:${await portOf(server)}/hook`, got };
}

describe('keys', () => {
  test.each([
    [undefined, 'The header x-secretkey is missing'],
    ['sk_test_local', 'it has 13 characters, and must have at least 28'],
    ['sk_live_0123456789012345678901234567', 'holds a live key'],
    ['any-other-key-0123456789012345678901', 'is not accepted'],
  ])('%s is refused with the reason', async (key, reason) => {
    const call = caller(edge, key === undefined ? {} : { 'x-secretkey': key });
    const { status, body } = await call('POST', '/charge/token', CHARGE);
    expect([status, body['Code']]).toEqual([401, 40]);
    expect(body['Message']).toContain(reason);
  });

  test('a message says how to make a key that nobody can guess', async () => {
    const { body } = await caller(edge, { 'x-secretkey': 'sk_test_local' })('GET', '/charge');
    const [, reason = ''] = String(body['Message']).split('Invalid Authentication: ');
    expect(reason).toContain('openssl rand -hex 16');
    expect(readFileSync(PAGE, 'utf8')).toContain(`\n> ${reason}\n`);
  });

  test('a public key is for the world of the secret key', async () => {
    const { call } = world('public key');
    const { PublicKey } = (await call('GET', '/_sandbox/world')).body;
    const page = caller(edge, { 'x-publickey': String(PublicKey) });
    const card = { CardNumber: '4111111111111111', ExpiryDate: '10/30' };
    const made = await page(
      'POST',
      '/token/card',
      { PaymentInformation: card },
      { providerid: '0'.repeat(31) + 1 },
    );
    expect(made.headers.get('x-sandbox-world')).toBe((await call('GET', '/_sandbox/world')).body['World']);
  });

  test('a call without a key sees no worlds', async () => {
    await world('unlisted').call('POST', '/charge/token', CHARGE);
    const { status, body } = await caller(edge, {})('GET', '/_sandbox/worlds');
    expect([status, body['Count']]).toEqual([200, 0]);
  });

  test('a key sees its own world alone, and cannot name another', async () => {
    const one = world('one of two');
    const other = world('other of two');
    const { body } = await one
      .call('POST', '/charge/token', CHARGE)
      .then(() => one.call('GET', '/_sandbox/world'));
    await other.call('POST', '/charge/token', CHARGE);
    expect((await other.call('GET', '/_sandbox/worlds')).body['Count']).toBe(1);
    const named = await caller(edge, { 'x-sandbox-world': String(body['World']) })('GET', '/_sandbox/world');
    expect(named.status).toBe(401);
  });

  test('a key whose short hash belongs to another key is refused', async () => {
    const { call } = world('hash');
    const { body } = await call('POST', '/charge/token', CHARGE).then(() => call('GET', '/_sandbox/world'));
    const clash = await world('same hash').call('GET', '/charge', undefined, {
      'x-test-object': String(body['World']),
    });
    expect([clash.status, clash.body['Message']]).toEqual([401, expect.stringContaining('Send another key')]);
  });
});

test('a card number that is not a test card is refused, also after a reset that asks for it', async () => {
  const { call } = world('real card');
  const PaymentInformation = { CardNumber: '4539578763621486', ExpiryDate: '10/30', Ccv: '123' };
  const charge = { Amount: 20, ProviderId: '00000000000000000000000000000001', PaymentInformation };
  expect((await call('POST', '/charge/card', charge)).body).toMatchObject({ HttpStatus: 400, Code: 5 });
  const loose = await call('POST', '/_sandbox/reset', { Settings: { TestCardsOnly: false } });
  expect([loose.status, (await call('POST', '/charge/card', charge)).body['Code']]).toEqual([400, 5]);
});

describe('what Cloudflare cannot do', () => {
  test.concurrent.each(['reset', 'empty', 'truncate', 'hang'])(
    '%s is answered by an error that says so',
    async (fault) => {
      const { call } = world(`fault ${fault}`);
      const charge = { ...CHARGE, Reference: fault };
      const { status, headers, body } = await call('POST', '/charge/token', charge, {
        'x-sandbox-fault': `${fault}; phase=after`,
      });
      expect([status, headers.get('x-sandbox-lost')]).toEqual([501, fault]);
      expect(body).toMatchObject({
        HttpStatus: 501,
        Code: 32,
        Resource: '/charge/token',
        IsRetryable: false,
      });
      expect(body['Message']).toContain('which Cloudflare cannot do');
      // The charge was made, and its answer is lost, as at every server.
      expect((await call('GET', `/charge?Reference=${fault}`)).body['Count']).toBe(1);
      const { Entries } = (await call('GET', '/_sandbox/journal')).body as {
        Entries: { Status: number | null }[];
      };
      expect(Entries.at(-1)).toMatchObject({ Fault: fault });
    },
  );

  test('the error is in the dialect of the world', async () => {
    const { call } = world('sdk fault');
    await call('POST', '/_sandbox/reset', { Settings: { Dialect: 'sdk' } });
    const { body } = await call('POST', '/charge/token', CHARGE, { 'x-sandbox-fault': 'reset' });
    expect(body).toMatchObject({ code: 32, httpStatus: 501, isRetryable: false });
  });
});

describe('a world', () => {
  test('keeps its calls, snapshots and scenario when it leaves memory', async () => {
    const { call, evict } = world('kept');
    await call('PUT', '/_sandbox/scenario', { Name: 'every-decline' });
    await call('POST', '/charge/token', CHARGE);
    await call('PUT', '/_sandbox/snapshots/before');
    await call('POST', '/charge/token', CHARGE);
    const seen = async (): Promise<unknown[]> => [
      ((await call('GET', '/_sandbox/journal')).body['Entries'] as { Path: string }[]).map(
        ({ Path }) => Path,
      ),
      (await call('GET', '/_sandbox/snapshots')).body,
      (await call('GET', '/_sandbox/scenario')).body,
    ];
    const before = await seen();
    await evict();
    expect(await seen()).toEqual(before);
    await call('POST', '/_sandbox/snapshots/before/restore');
    await evict();
    expect((await call('GET', '/charge')).body['Count']).toBe(1);
  });

  test('keeps what calls at the same time did', async () => {
    const { call, evict } = world('at once');
    const all = await Promise.all(Array.from({ length: 50 }, () => call('POST', '/charge/token', CHARGE)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
    await evict();
    expect((await call('GET', '/charge?Limit=1')).body['Count']).toBe(50);
    expect((await call('GET', '/_sandbox/world')).body['Counts']).toMatchObject({ JournalEntries: 51 });
  });

  test('keeps more than one value of the storage holds, and drops what it no longer needs', async () => {
    const { call, evict } = world('large');
    await call('POST', '/_sandbox/reset', { Clock: { Mode: 'Manual' } });
    const card = { CardNumber: '4111111111111111', ExpiryDate: '10/30' };
    const ProviderId = '00000000000000000000000000000001';
    const { body } = await call('POST', '/payment_method/card', { ProviderId, PaymentInformation: card });
    const rows = Array.from(
      { length: 5_000 },
      (_, n) => `${String(body['PaymentMethodId'])},5,AUD,row-${n}-ä`,
    );
    const Batch = ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n');
    await call('POST', '/batch/transaction/payment_method', {
      Count: rows.length,
      Description: 'large',
      Batch,
    });
    expect((await call('POST', '/_sandbox/clock/advance', { By: '1d' })).status).toBe(200);
    await evict();
    expect((await call('GET', '/charge?Reference=row-4999-ä')).body['Count']).toBe(1);
    await call('POST', '/_sandbox/reset');
    await evict();
    expect((await call('GET', '/charge')).body['Count']).toBe(0);
  });

  test('is there after a restart of the runtime', async () => {
    const own = await startEdge();
    try {
      const { call } = world('restarted', own);
      await call('POST', '/charge/token', CHARGE);
      await own.restart();
      expect((await world('restarted', own).call('GET', '/charge')).body['Count']).toBe(1);
    } finally {
      await own.end();
    }
  });

  test('is found by the address of a payment link, without a key', async () => {
    const { call, evict } = world('link');
    const link = { Title: 'Rent', Amount: 20, AllowedPaymentTypes: ['CARD'], ConfirmationMessage: 'Paid' };
    const { pathname } = new URL(String((await call('POST', '/payment_link', link)).body['Url']));
    await evict();
    const page = await caller(edge, {})('GET', pathname);
    expect([page.status, page.body['read']]).toEqual([200, expect.stringContaining('Rent')]);
    const unknown = await caller(edge, {})('GET', pathname.replace(/[\da-f]{12}/, '0123456789ab'));
    expect(unknown.status).toBe(404);
  });

  test('is deleted with what is stored of it', async () => {
    const { call, key } = world('deleted');
    const { body } = await call('POST', '/charge/token', CHARGE).then(() => call('GET', '/_sandbox/world'));
    expect(await edge.ask(key, 'stored')).toBe(true);
    expect((await call('DELETE', `/_sandbox/worlds/${String(body['World'])}`)).status).toBe(200);
    expect(await edge.ask(key, 'stored')).toBe(false);
    expect((await call('GET', '/charge')).body['Count']).toBe(0);
  });

  test('is deleted when nobody has called it for as long as configured', async () => {
    const own = await startEdge({ EXPIRE: '2s' });
    try {
      const { call, key, evict } = world('expired', own);
      await call('POST', '/charge/token', CHARGE);
      await evict();
      expect(await own.ask(key, 'stored')).toBe(true);
      await expect.poll(() => own.ask(key, 'stored'), { timeout: 60_000, interval: 500 }).toBe(false);
    } finally {
      await own.end();
    }
  });

  test('gets a message that says what to do if its object fails during a call', async () => {
    const { call } = world('failed');
    const { status, body } = await call('GET', '/test/evict');
    expect([status, body['Code']]).toEqual([503, 37]);
    expect(body['Message']).toContain(
      'The object of this world did not answer: evicted. Send the call again',
    );
  });
});

test('a call is undone with which a world would exceed the limit of memory, and says what to do', async () => {
  const { call } = world('large beyond limit');
  await call('PUT', '/_sandbox/clock', { Mode: 'Manual' });
  const rows = Array.from({ length: 10_000 }, (_, n) => `pm,5,AUD,${String(n).padStart(240, '0')}`);
  const Batch = ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n');
  const batch = { Count: rows.length, Description: 'large', Batch };
  for (let n = 0; n < 2; n++) await call('POST', '/batch/transaction/payment_method', batch);
  let last = await call('PUT', '/_sandbox/snapshots/s0');
  for (let n = 1; n < 10 && last.status === 200; n++) last = await call(`PUT`, `/_sandbox/snapshots/s${n}`);
  expect([last.status, last.body['IsRetryable']]).toEqual([507, false]);
  expect(String(last.body['Message'])).toContain('an object holds 32 MiB');
  const { body } = await call('GET', '/_sandbox/snapshots');
  expect(body['Count']).toBeGreaterThan(3);
  const full = await call('POST', '/batch/transaction/payment_method', batch);
  expect([full.status, String(full.body['Message'])]).toEqual([
    503,
    expect.stringContaining('of its memory, 32 MiB'),
  ]);
  expect(String(full.body['Message'])).not.toContain('--');
  expect((await call('POST', '/_sandbox/reset')).status).toBe(200);
  expect((await call('POST', '/charge/token', CHARGE)).status).toBe(201);
});

test('a live stream shows calls until its reader leaves', async () => {
  const { key, call } = world('live');
  const headers = { 'x-secretkey': key };
  const { body } = await fetchOnce(`${edge.url}/_sandbox/live`, { headers });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  await call('POST', '/charge/token', { ...CHARGE, Reference: 'seen live' });
  let shown = '';
  while (!shown.includes('seen live')) shown += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  expect(shown).toContain('event: exchange');
});

describe('webhooks', () => {
  test('arrive', async () => {
    const { url, got } = await receiver();
    const { call } = world('webhook');
    await call('POST', '/_sandbox/reset', { Settings: { WebhookSecret: 'secret' } });
    const { body } = await call('POST', '/charge/token', { ...CHARGE, Webhook: { Url: url } });
    await expect.poll(() => got.length, { timeout: 60_000 }).toBe(1);
    const { sent, signature } = got[0] ?? { sent: '' };
    expect(sent).toContain(String(body['ChargeId']));
    expect(signature).toBe(createHmac('sha256', 'secret').update(sent).digest('base64'));
  });

  test('are withheld with the reason from a world that reaches private addresses only', async () => {
    const { url, got } = await receiver();
    const { call } = world('private webhook');
    await call('POST', '/_sandbox/reset', { Clock: { Mode: 'Manual' }, Settings: { Webhooks: 'private' } });
    await call('POST', '/charge/token', { ...CHARGE, Webhook: { Url: url } });
    await call('POST', '/_sandbox/settle');
    const { Deliveries } = (await call('GET', '/_sandbox/webhooks')).body as { Deliveries: object[] };
    expect(JSON.stringify(Deliveries)).toContain('Cloudflare does not reach');
    expect(got).toEqual([]);
  });

  test('of a job that is due while its world is not in memory are sent, and what they changed is saved', async () => {
    const { url, got } = await receiver();
    const { call, evict } = world('asleep');
    // Seven days in a few seconds.
    await call('POST', '/_sandbox/reset', { Clock: { Mode: 'Scaled', Rate: 200_000 } });
    const { body } = await call('POST', '/charge/token', {
      ...CHARGE,
      Capture: false,
      Webhook: { Url: url },
    });
    await call('POST', '/_sandbox/settle');
    expect(got.length).toBe(1);
    await evict();
    await expect.poll(() => got.length, { timeout: 60_000 }).toBe(2);
    expect(got[1]?.sent).toContain('AUTHORISE_CANCELLED');
    await evict();
    const charge = await call('GET', `/charge/${String(body['ChargeId'])}`);
    expect(charge.body['Status']).toBe('AUTHORISE_CANCELLED');
    const { Now } = (await call('GET', '/_sandbox/clock')).body;
    expect(Date.parse(String(Now))).toBeGreaterThan(Date.UTC(2026, 0, 1) + 7 * DAY_MS);
  });
});
