import { describe, expect, test } from 'vitest';
import { HEADER } from '../../../src/resources/batches/csv.js';
import type { Answer } from '../../support/sandbox.js';
import { asking, client, good, testHost, testSandbox, warningOf } from '../../support/sandbox.js';
import { batchOf } from '../../support/bodies.js';
import { csv, linesOf, NO_FUNDS, setup } from './support.js';

const PATH = '/batch/transaction/payment_method';

function pathOf({ body }: Answer): string {
  return `/batch/${String(body['BatchId'])}`;
}

describe('POST /batch/transaction/payment_method', () => {
  test('answers the batch without its rows, null for what is not known', async () => {
    const { api, method } = setup();
    const answer = await good(api.post(PATH, batchOf([`${method()},1,AUD,a`, `${method()},2,AUD,b`])));
    expect(answer.body).toEqual({
      BatchId: expect.stringMatching(/^[0-9a-f]{32}$/),
      Count: 2,
      Success: 0,
      Failure: 0,
      Description: 'rent',
      Status: 'RECEIVED',
      Progress: 0,
      DateAdded: '2026-01-01T00:00:00.000Z',
      Metadata: null,
    });
    expect(Object.keys(answer.body)).toEqual(
      'BatchId Count Success Failure Description Status Progress DateAdded Metadata'.split(' '),
    );
  });

  test('takes a Count that is written with a point', async () => {
    const { api } = setup();
    const text = JSON.stringify(batchOf(['m,1,AUD,a'])).replace('"Count":1', '"Count":1.0');
    expect((await api.post(PATH, text)).body['Count']).toBe(1);
  });

  test('keeps Metadata and takes a Webhook', async () => {
    const { api, world } = setup();
    const Webhook = { Url: 'https://example.com/hook', Authorization: 'Basic dTpw' };
    const more = { Webhook, Metadata: { Run: 'May', lower: 'x' } };
    const answer = await api.post(PATH, batchOf(['m,1,AUD,a'], more));
    expect(answer.body['Metadata']).toEqual(more.Metadata);
    expect(answer.text).not.toContain('Basic');
    expect(world.batches.at(0)?.webhook).toEqual({
      url: Webhook.Url,
      authorization: Webhook.Authorization,
    });
  });

  test('stores nothing when the world was reset while its body arrived', async () => {
    const { sandbox, headers } = raw();
    const world = sandbox.worlds.open('sk_test_a');
    const waiting = sandbox.fetch(
      streamed(new TextEncoder().encode(JSON.stringify(batchOf(['m,1,AUD,a']))), headers),
    );
    const fresh = sandbox.worlds.reset('sk_test_a');
    const response = await waiting;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ Code: 37 });
    expect([world.batches.size, fresh.batches.size]).toEqual([0, 0]);
  });

  test('takes no outcome from a header, and says so', async () => {
    const { api } = setup();
    const answer = await good(api.post(PATH, batchOf(['m,1,AUD,a']), asking('do_not_honor')));
    expect(warningOf(answer)).toContain('ignored x-sandbox-outcome');
  });

  test('warns of unknown fields, also in a body of many megabytes', async () => {
    const { api } = setup();
    const rows = Array.from({ length: 40_000 }, (_, n) => `payment-method,1,AUD,reference-${n}`);
    const answer = await api.post(PATH, batchOf(rows, { description: 'x', Notes: 'y'.repeat(100_000) }));
    expect(answer).toMatchObject({ status: 201, body: { Count: 40_000 } });
    expect(warningOf(answer)).toBe(
      'ignored unknown fields: "description" (did you mean Description?), "Notes"',
    );
  });

  test('takes a body whose length is not stated', async () => {
    const { sandbox, headers } = raw();
    const bytes = new TextEncoder().encode(JSON.stringify(batchOf(['m,1,AUD,"é, ""x"""'])));
    const response = await sandbox.fetch(streamed(bytes, headers));
    expect(response.status).toBe(201);
    expect(sandbox.worlds.open('sk_test_a').batches.size).toBe(1);
  });
});

function raw(options: Parameters<typeof testSandbox>[0] = {}) {
  return {
    sandbox: testSandbox(options),
    headers: { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' },
  };
}

/** A request whose body comes in small chunks, without a stated length. */
function streamed(bytes: Uint8Array, headers: Record<string, string>): Request {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + 1000));
      at += 1000;
    },
  });
  const init = { method: 'POST', headers, body, duplex: 'half' };
  return new Request(`http://localhost${PATH}`, init);
}

describe('a batch that is refused leaves nothing behind', () => {
  const rows = ['m,1,AUD,a', 'm,2,AUD,b'];
  const long = 'x'.repeat(2_000_000);

  test.each<[string, unknown, number, string]>([
    ['no Count', { Description: 'd', Batch: csv(...rows) }, 90, 'Count is required'],
    ['no Description', { Count: 2, Batch: csv(...rows) }, 90, 'Description is required'],
    ['no Batch', { Count: 2, Description: 'd' }, 90, 'Batch is required'],
    ['a Batch of null', { Count: 2, Description: 'd', Batch: null }, 90, 'Batch is required'],
    ['a Count that is no whole number', { ...batchOf(rows), Count: 1.5 }, 90, 'Count must be a whole number'],
    [
      'too long a Description',
      batchOf(rows, { Description: 'x'.repeat(1025) }),
      90,
      'Description is 1025 characters long',
    ],
    [
      'a Description of megabytes',
      batchOf(rows, { Description: long }),
      90,
      'Description is 2000000 characters long',
    ],
    [
      'Metadata of megabytes',
      batchOf(rows, { Metadata: { a: long } }),
      90,
      'Metadata has a key or a value longer than 1024',
    ],
    ['a Webhook without Url', batchOf(rows, { Webhook: {} }), 90, 'Webhook.Url is required'],
    ['a text instead of an object', JSON.stringify(long), 90, 'The body must be a JSON object'],
    ['no body', '', 90, 'The body is not valid JSON'],
    ['malformed JSON', '{"Count": 2,}', 90, 'line 1, column'],
    ['malformed JSON of megabytes', `{"Batch": "${long}",}`, 90, 'line 1, column'],
    ['a wrong header', { ...batchOf(rows), Batch: 'a,b\nm,1' }, 102, 'Line 1 is "a,b"'],
    ['a wrong header in megabytes', { ...batchOf(rows), Batch: long }, 102, 'Line 1 is "xxxx'],
    ['no rows', batchOf([]), 101, 'Batch has no rows'],
  ])('for %s', async (_, body, code, said) => {
    const { api, world } = setup();
    const answer = await api.post(PATH, body);
    expect(answer).toMatchObject({ status: 400, body: { HttpStatus: 400, Code: code, Resource: PATH } });
    expect(answer.body['Message']).toContain(said);
    expect(world.batches.next).toBe(0);
    expect(world.jobs.size).toBe(0);
  });

  test('for another media type, whatever the length', async () => {
    const { api } = setup();
    for (const body of [batchOf(rows), batchOf(rows, { Notes: long })]) {
      const answer = await api.post(PATH, body, { 'content-type': 'text/csv' });
      expect(answer).toMatchObject({ status: 415, body: { Code: 90 } });
    }
  });

  test('for too long a body, whether its length is stated or not', async () => {
    const { sandbox, headers } = raw({ batchBodyLimit: 5000 });
    const answer = await client(sandbox).post(PATH, batchOf(rows, { Notes: 'x'.repeat(5000) }));
    expect(answer).toMatchObject({ status: 413, body: { Code: 90 } });
    const response = await sandbox.fetch(streamed(new TextEncoder().encode(' '.repeat(6000)), headers));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ Code: 90, Message: expect.stringContaining('5000 bytes') });
  });

  test('for more rows than the world has room for charges', async () => {
    const { api } = setup({ recordsMax: 1 });
    expect(await api.post(PATH, batchOf(rows))).toMatchObject({ status: 409, body: { Code: 90 } });
    expect(await api.post(PATH, batchOf(['m,1,AUD,']))).toMatchObject({ status: 201 });
    const full = await api.post(PATH, batchOf(['m,1,AUD,']));
    expect(full).toMatchObject({
      status: 409,
      body: { Message: expect.stringContaining('at most 1 batches') },
    });
  });
});

describe('the life of a batch', () => {
  test('follows the calendar of the clock', async () => {
    const { api, world, method } = setup();
    const id = method();
    const path = pathOf(await api.post(PATH, batchOf([1, 2, 3, 4].map((n) => `${id},${n},AUD,r${n}`))));
    const state = async (): Promise<unknown[]> => {
      const { body } = await api.get(`${path}/status`);
      return [body['Status'], body['Progress'], body['Success'], body['Failure']];
    };
    const after = async (by: number): Promise<unknown[]> => {
      await world.advance({ by });
      return state();
    };
    expect(await state()).toEqual(['RECEIVED', 0, 0, 0]);
    expect(await after(999)).toEqual(['RECEIVED', 0, 0, 0]);
    expect(await after(1)).toEqual(['CREATED', 0, 0, 0]);
    expect(await after(999)).toEqual(['CREATED', 0, 0, 0]);
    expect(await after(1)).toEqual(['IN_PROGRESS', 0, 0, 0]);
    expect(await after(99)).toEqual(['IN_PROGRESS', 0, 0, 0]);
    expect(await after(1)).toEqual(['IN_PROGRESS', 0.25, 1, 0]);
    expect(await after(100)).toEqual(['IN_PROGRESS', 0.5, 2, 0]);
    expect(await after(199)).toEqual(['IN_PROGRESS', 0.75, 3, 0]);
    expect(await after(1)).toEqual(['SUCCESS', 1, 4, 0]);
    expect(await after(1_000_000)).toEqual(['SUCCESS', 1, 4, 0]);
  });

  test('goes on with the wall clock while nobody asks', async () => {
    const host = testHost();
    const sandbox = testSandbox({ clock: { mode: 'real' } }, host);
    const api = client(sandbox);
    const path = pathOf(await api.post(PATH, batchOf(['m,1,AUD,a'])));
    expect(host.timers.at(-1)).toMatchObject({ ms: 1000, cancelled: false });
    host.wall += 2099;
    expect((await api.read(`${path}/status`))['Status']).toBe('IN_PROGRESS');
    host.wall += 1;
    expect(await api.read(`${path}/status`)).toMatchObject({ Status: 'SUCCESS', Progress: 1, Failure: 1 });
  });

  test('makes real charges, which can be read, found and refunded', async () => {
    const { api, world, method } = setup();
    const created = await api.post(
      PATH,
      batchOf([`${method()},12.50,AUD,order-1`, `${method(NO_FUNDS)},1,AUD,order-2`]),
    );
    await world.advance({ by: 60_000 });
    const { body } = await api.get(pathOf(created));
    const [taken = '', bad = ''] = linesOf(body['Results']);
    const chargeId = taken.split(',')[5] ?? '';
    expect(await api.read(`/charge/${chargeId}`)).toMatchObject({
      Amount: 12.5,
      Reference: 'order-1',
      Status: 'SUCCESS',
      BatchId: created.body['BatchId'],
      DateAdded: '2026-01-01T00:00:02.100Z',
    });
    expect(await api.read('/charge?Reference=order-2')).toMatchObject({
      Count: 1,
      Charges: [{ Status: 'FAILED', BatchId: created.body['BatchId'] }],
    });
    expect(bad.split(',')[5]).toBe('');
    expect(await api.del(`/refund/${chargeId}`)).toMatchObject({ status: 200, body: { Status: 'REFUND' } });
  });
});

describe('GET /batch/{id}', () => {
  test('has the fields of the status, and Results', async () => {
    const { api, method } = setup();
    const created = await api.post(PATH, batchOf([`${method()},1,AUD,a`]));
    const status = await api.get(`${pathOf(created)}/status`);
    const whole = await api.get(pathOf(created));
    expect(status.body).toEqual(created.body);
    expect(whole.body).toEqual({ ...created.body, Results: expect.stringMatching(/^PaymentMethodId,/) });
    expect(Object.keys(whole.body).at(-1)).toBe('Results');
  });

  test.each(['', '/status'])('%s of an unknown batch is 404 with code 101', async (suffix) => {
    const { api } = setup();
    const id = '0123456789abcdef0123456789abcdef';
    const answer = await api.get(`/batch/${id}${suffix}`);
    expect(answer).toMatchObject({ status: 404, body: { HttpStatus: 404, Code: 101 } });
    expect(answer.body['Message']).toBe(`Invalid batch: No batch with the id "${id}" exists for this key.`);
  });

  test('shows 20,000 rows with quoted references, all in file order', async () => {
    const { api, world, method } = setup();
    const id = method();
    const rows = Array.from(
      { length: 20_000 },
      (_, n) => `${id},${(n % 90) + 10}.50,AUD,"order ""${n}"", é"`,
    );
    const created = await api.post(PATH, batchOf(rows));
    expect(created).toMatchObject({ status: 201, body: { Count: 20_000 } });
    await world.advance({ by: 17_000 });
    const half = await api.get(pathOf(created));
    expect(half.body).toMatchObject({ Status: 'IN_PROGRESS', Progress: 0.5, Success: 10_000 });
    expect(linesOf(half.body['Results'])[10_000]).toBe(`${rows[10_000]},IN_PROGRESS,,,,,`);
    await world.advance({ by: 15_000 });
    const whole = await api.get(pathOf(created));
    expect(whole.body).toMatchObject({ Status: 'SUCCESS', Progress: 1, Success: 20_000 });
    expect(whole.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(linesOf(whole.body['Results'])).toEqual(
      rows.map((row, n) => `${row},SUCCESS,${world.charges.at(n)?.id},,,,`),
    );
    expect(linesOf(whole.body['Results']).slice(0, 10_000)).toEqual(
      linesOf(half.body['Results']).slice(0, 10_000),
    );
  });

  test('takes a CR LF file and answers with LF', async () => {
    const { api } = setup();
    const Batch = `${HEADER}\r\nm,1,AUD,a\r\nm,2,AUD,b\r\n`;
    const created = await api.post(PATH, { Count: 2, Description: 'd', Batch });
    expect((await api.read(pathOf(created)))['Results']).toMatch(
      /\nm,1,AUD,a,RECEIVED,,,,,\nm,2,AUD,b,RECEIVED,,,,,$/,
    );
  });
});
