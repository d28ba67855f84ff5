import { createServer } from 'node:http';

import { describe, expect, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { PLAIN_FAULTS } from '../../../src/scenarios/file/fault.js';
import { portOf } from '../../support/serving.js';
import { cardOf, STEADY, storing } from '../../support/stored.js';
import { playTrace, record } from '../../support/trace.js';
import {
  AGAIN,
  fileWith,
  playAgain,
  RECORDED_KEY,
  replayed,
  scenarioOf,
  type Send,
  sender,
  server,
  traceOf,
} from './support.js';

const CHARGE = { Amount: '15.50', ProviderId: STEADY, Reference: 'order-1', PaymentInformation: cardOf() };

/** A customer is stored and charged; the charge is found, captured and refunded; a batch charges the method. */
async function playStory(send: Send): Promise<void> {
  const made = await send('POST /customer/card', {
    ProviderId: STEADY,
    FirstName: 'Jo',
    Reference: 'c-1',
    PaymentInformation: cardOf('4539578763621486'),
    VaultCard: true,
  });
  const { CustomerId, DefaultPaymentMethod } = made.body as {
    CustomerId: string;
    DefaultPaymentMethod: { PaymentMethodId: string; VaultId: string };
  };
  const { PaymentMethodId, VaultId } = DefaultPaymentMethod;
  const charged = await send('POST /charge/customer', {
    Amount: 20,
    ProviderId: STEADY,
    CustomerId,
    Capture: false,
  });
  const charge = String(charged.body['ChargeId']);
  await send(`GET /charge?CustomerId=${CustomerId}&CardNumber=4539`);
  await send(`POST /charge/${charge}`, { Amount: '12.50' });
  await send(`DELETE /refund/${charge}?Amount=2.5`);
  await send(`DELETE /charge/${charge}/void`);
  await send(`GET /vault/${VaultId}`);
  const batch = await send('POST /batch/transaction/payment_method', {
    Count: 2,
    Description: 'rent',
    Batch: `PaymentMethodId,Amount,Currency,Reference\n${PaymentMethodId},5,AUD,a\nnobody,5,AUD,b`,
  });
  await send('POST /_sandbox/clock/advance', { By: '1h' });
  await send(`GET /batch/${String(batch.body['BatchId'])}`);
  await send('GET /charge?Reference=a');
}

describe('a story that is replayed', () => {
  test('is alike in a fresh world of another key and another seed, when the clock moves along', async () => {
    const again = await playAgain(playStory, { on: { seed: 'other' }, moveClock: true });
    expect(again).toEqual({ code: 0, out: `10 calls ${AGAIN}: 10 equal.\n`, err: '', progress: '' });
  });

  test('warns where the world has had calls, which is why its answers differ', async () => {
    const recorded = await server();
    await playStory(sender(recorded));
    const [file, target] = [await traceOf(recorded), await server()];
    expect((await replayed(file, target, { moveClock: true })).err).toBe('');
    const { code, out, err } = await replayed(file, target, { moveClock: true });
    expect([code, out]).toEqual([1, expect.stringContaining(' different (recorded → now).\n')]);
    expect(err).toBe(
      'Warning: the world ec14b0e00b7c of sk_test_again is not fresh: it already had 10 calls, so its answers may differ. Replay with a fresh key: --key sk_test_…\n',
    );
  });

  test('is alike again, without a warning, once the world is back at its beginning', async () => {
    const recorded = await server();
    await playStory(sender(recorded));
    const [file, target] = [await traceOf(recorded), await server()];
    const control = sender(target, 'sk_test_again');
    await control('PUT /_sandbox/snapshots/fresh');
    for (let round = 0; round < 2; round++) {
      expect(await replayed(file, target, { moveClock: true })).toMatchObject({ code: 0, err: '' });
      await control('POST /_sandbox/snapshots/fresh/restore');
    }
  });

  test('of a world that speaks the sdk dialect is alike on a server that does not', async () => {
    const play = async (send: Send): Promise<void> => {
      const made = await send('POST /charge/card', { ...CHARGE, capture: false });
      await send(`POST /charge/${String(made.body['chargeId'])}`, '[]');
      await send(`DELETE /refund/${String(made.body['chargeId'])}?amount=5`);
      await send('POST /charge/card', { ...CHARGE, Amount: '0' });
    };
    const again = await playAgain(play, { by: { dialect: 'sdk' }, on: { seed: 'other' } });
    expect(again).toEqual({ code: 0, out: `4 calls ${AGAIN}: 4 equal.\n`, err: '', progress: '' });
  });

  test('differs where the service behaves otherwise, by call and field', async () => {
    const rules = [{ when: { operation: 'charge.refund' }, then: { outcome: 'unable_to_refund' } }];
    const scenario = scenarioOf({ name: 'no refund', rules });
    const { code, out } = await playAgain(playStory, { on: { scenario }, moveClock: true });
    expect(code).toBe(1);
    const blocks = out.split(/^(?=call )/m);
    expect(blocks).toHaveLength(2);
    expect(blocks[0]).toMatch(
      /^call 5 of 10: DELETE \/refund\/[0-9a-f]{32}\?Amount=2\.5\n {4}status: 200 → 400\n/,
    );
    expect(blocks[0]).toContain('\n    Code: absent → 45\n');
    expect(blocks[0]).toMatch(/\n {4}Message: absent → "Unable to refund: /);
    expect(blocks[0]).not.toContain('ProviderChargeId');
    // The charge was not refunded, so its void is refused in other words.
    expect(blocks[1]).toMatch(
      /^call 6 of 10: DELETE \/charge\/[0-9a-f]{32}\/void\n {4}Message: .*PARTIAL_REFUND.* → .*SUCCESS/,
    );
    expect(blocks[1]).toMatch(
      /\n10 calls to the world \w+ of sk_test_again: 8 equal, 2 different \(recorded → now\)\.\n$/,
    );
  });

  test('is about a charge that was not made this time: later calls say so', async () => {
    let id = '';
    const play = async (send: Send): Promise<void> => {
      id = String((await send('POST /charge/card', CHARGE)).body['ChargeId']);
      await send(`GET /charge/${id}`);
    };
    const respond = { status: 503, body: { Message: 'closed' } };
    const rules = [{ when: { operation: 'charge.create' }, then: { respond } }];
    const { code, out } = await playAgain(play, { on: { scenario: scenarioOf({ name: 'x', rules }) } });
    expect(code).toBe(1);
    expect(out).toContain(`its request contains ${id}, which call 1 returned, but not this time\n`);
  });

  test('leaves out fields that are ignored', async () => {
    const recorded = await server();
    await sender(recorded)('POST /charge/card', { ...CHARGE, Amount: 0 });
    const file = await traceOf(recorded);
    const { entries, ...head } = await traceIn(file);
    const Message = 'in other words';
    const Entries = entries.map((entry) => ({ ...entry, Response: { ...entry.Response, Message } }));
    const edited = fileWith({ ...head, Entries });
    const target = await server();
    expect((await replayed(edited, target)).out).toContain(
      '\n    Message: "in other words" → "Invalid Amount',
    );
    expect((await replayed(edited, target, { ignores: ['Message'] })).code).toBe(0);
  });

  test('is alike in all operations, refusals and faults', async () => {
    const recorded = await server();
    await playTrace((call) => {
      // A token made under /_sandbox would stand in no trace.
      const token = call.path === '/customer/token' ? { Token: 'tok_approve' } : {};
      const body = 'Token' in token ? { ...(call.body as object), ...token } : call.body;
      return record(fetch, recorded.url, RECORDED_KEY, { ...call, body });
    });
    const { out } = await replayed(await traceOf(recorded), await server({ seed: 'other' }), {
      moveClock: true,
    });
    // One body is no JSON and has digits.
    expect(out).toMatch(
      /^call \d+ of \d+: POST \/charge\/card\n {4}not sent: [^\n]*\n\d\d+ calls to the world \w+ of sk_test_again: \d+ equal, 1 not sent\.\n$/,
    );
  });

  test('differs where it used what came from outside of the recording', async () => {
    let Token = '';
    const { code, out } = await playAgain(async (send) => {
      Token = String((await send('POST /_sandbox/tokens', storing())).body['TokenId']);
      await send('POST /charge/token', { Amount: 5, Token });
    });
    expect(code).toBe(1);
    expect(out).toContain(`\n    its request contains ${Token}, which no call of the trace returned\n`);
  });
});

interface WrittenEntry {
  readonly Response: object;
}

async function traceIn(file: string): Promise<{ entries: WrittenEntry[] }> {
  const { readFile } = await import('node:fs/promises');
  const { Entries, ...head } = JSON.parse(await readFile(file, 'utf8')) as { Entries: WrittenEntry[] };
  return { ...head, entries: Entries };
}

test('a batch of 2,000 rows is sent again whole', async () => {
  const recorded = await server();
  const send = sender(recorded);
  const made = await send('POST /payment_method/card', { ...CHARGE, PaymentInformation: cardOf() });
  const rows = Array.from(
    { length: 2_000 },
    (_, n) => `${String(made.body['PaymentMethodId'])},5,AUD,row-${n}`,
  );
  const Batch = ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n');
  const { body } = await send('POST /batch/transaction/payment_method', { Count: 2_000, Batch });
  await send(`GET /batch/${String(body['BatchId'])}`);
  const { code, out } = await replayed(await traceOf(recorded), await server());
  expect({ code, out }).toEqual({ code: 0, out: `3 calls ${AGAIN}: 3 equal.\n` });
});

describe('calls that queued outcomes decided', () => {
  test.each([
    ['a decline', 'insufficient_funds'],
    ['an approval of a card that declines', 'approve'],
    ['a lost answer', { Fault: 'reset', Phase: 'after' }],
    ['a fault before the call', { Fault: 'empty' }],
    ['a part of an answer that was never made', { Fault: 'truncate', Phase: 'before' }],
    ['a part of the answer', { Fault: 'truncate' }],
    ['a status', { Fault: 'status', Status: 503 }],
  ])('get them again in a world that has no queue: %s', async (_, outcome) => {
    const { code, out } = await playAgain(async (send) => {
      const queue = { Operation: 'charge.create', Outcomes: [outcome] };
      expect((await send('POST /_sandbox/outcomes', queue)).status).toBe(200);
      const card = outcome === 'approve' ? cardOf('4000000000000002') : cardOf();
      for (let n = 0; n < 2; n++) await send('POST /charge/card', { ...CHARGE, PaymentInformation: card });
      await send('GET /charge?Reference=order-1');
    });
    expect({ code, out }).toEqual({ code: 0, out: `3 calls ${AGAIN}: 3 equal.\n` });
  });
});

describe('an answer that went wrong on purpose', () => {
  const faults = [...PLAIN_FAULTS, 'status=503'];
  /** Nothing between two bytes that dribble, and no hour before a call that hangs is ended. */
  const hasty = { ...NODE_HOST, sleep: () => NODE_HOST.pause() };

  test.each(faults.flatMap((fault) => [fault, `${fault}; phase=after`]))(
    'is alike when it goes wrong again: %s',
    async (fault) => {
      const recorded = await server({}, hasty);
      await sender(recorded)('POST /charge/card', CHARGE, { 'x-sandbox-fault': fault });
      const { code, out } = await replayed(await traceOf(recorded), await server({}, hasty));
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringMatching(/^1 call (?:to the world \w+ of|with) sk_test_again: 1 equal\.\n$/),
      });
    },
  );

  test.each([
    ['reset', 'answer: none → 201'],
    ['truncate; phase=after', 'answer: cut short → 201'],
    ['malformed', 'status: 200 → 201\n    body: not JSON → JSON'],
  ])('%s differs when it goes well', async (fault, line) => {
    const recorded = await server();
    await sender(recorded)('POST /charge/card', CHARGE, { 'x-sandbox-fault': fault });
    const { entries, ...head } = await traceIn(await traceOf(recorded));
    const healed = entries.map((entry) => ({ ...entry, Headers: { 'content-type': 'application/json' } }));
    const { code, out } = await replayed(fileWith({ ...head, Entries: healed }), await server());
    expect(code).toBe(1);
    const [calls, end] = [out.split('by cause')[0] ?? '', out.split('\n').at(-2)];
    expect(calls.startsWith(`call 1 of 1: POST /charge/card\n    ${line}\n`)).toBe(true);
    expect(end).toBe(`1 call ${AGAIN}: 0 equal, 1 different (recorded → now).`);
  });

  test.each([
    ['empty', /answer: 201 → none \(.+\)/],
    ['truncate', /answer: 201 → cut short \(.+\)/],
    ['hang', /answer: 201 → none \(no answer within 100 ms\)/],
    ['malformed', /body: JSON → not JSON/],
  ])('where the recorded one did not: %s', async (fault, line) => {
    const scenario = scenarioOf({ name: 'x', rules: [{ then: { fault } }] });
    const timeout = fault === 'hang' ? 100 : 60_000;
    const { code, out } = await playAgain((send) => send('POST /charge/card', CHARGE), {
      on: { scenario },
      timeout,
    });
    expect(code).toBe(1);
    expect(out).toMatch(line);
  });
});

test('a provider that was configured in the recording is the replay’s own in a header, too', async () => {
  const recorded = await server();
  const send = sender(recorded);
  const settings = { Type: 'dummy', Name: 'mine', Environment: 'SANDBOX', Currency: 'NZD' };
  const made = await send('POST /provider', settings);
  const headers = { providerid: String(made.body['ProviderId']) };
  const token = await send('POST /token/card', { PaymentInformation: cardOf() }, headers);
  await send('POST /charge/token', { Amount: 5, Token: token.body['TokenId'] });
  const again = await server({ seed: 'other' });
  const { code, out } = await replayed(await traceOf(recorded), again);
  expect([code, out]).toEqual([0, expect.stringContaining(`3 calls ${AGAIN}: 3 equal`)]);
  const { text } = await sender(again, 'sk_test_again')('GET /charge');
  expect(text).toContain('"Currency":"NZD"');
  expect(text).not.toContain(headers.providerid);
});

test('a body that is not JSON is sent as it was', async () => {
  const again = await playAgain((send) => send('POST /charge/card', '{"Amount": ten'));
  expect(again).toMatchObject({ code: 0 });
});

describe('a call that cannot be sent as it was', () => {
  test.each([
    { 'x-sandbox-outcome': 'nope' },
    { 'x-sandbox-fault': 'bogus' },
    { 'content-type': 'text/plain' },
  ])(
    'because it was refused for a header before its body was read is told with that reason: %j',
    async (headers) => {
      const { code, out } = await playAgain((send) => send('POST /charge/card', CHARGE, headers));
      expect(code).toBe(1);
      expect(out).toContain(
        '\n    not sent: the journal has no body of it: the call was refused before its body',
      );
      expect(out).not.toContain('was not a JSON object');
    },
  );

  const MEMBERS = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`m${n}`, 'x'.repeat(900)]));

  const PART = 'so the journal has only a part of it';

  test.each<[string, string, unknown, string]>([
    [
      'its body was no JSON and had digits',
      'POST /charge/card',
      '{"Amount": 10',
      `its body was not a JSON object, ${PART}`,
    ],
    ['its body was no object', 'POST /charge/card', '"text"', `its body was not a JSON object, ${PART}`],
    [
      'its body was cut',
      'POST /charge/card',
      { ...CHARGE, Metadata: MEMBERS },
      `its body is too long, ${PART}`,
    ],
    [
      'its query was masked',
      'GET /charge?CardNumber=4539x',
      undefined,
      'the journal masked a value in its query',
    ],
  ])('because %s is told, and is no success', async (_, request, body, reason) => {
    const { code, out } = await playAgain((send) => send(request, body));
    expect(code).toBe(1);
    expect(out).toContain(`\n    not sent: ${reason}`);
    expect(out).toMatch(/\n1 call with sk_test_again: 0 equal, 1 not sent\.\n$/);
  });
});

describe('--move-clock', () => {
  const AUTHORISE = { ...CHARGE, Capture: false };

  /** An authorisation that runs out after seven days. */
  async function playExpiry(send: Send): Promise<void> {
    const { body } = await send('POST /charge/card', AUTHORISE);
    await send('POST /_sandbox/clock/advance', { By: '8d' });
    await send(`POST /charge/${String(body['ChargeId'])}`, { Amount: 5 });
  }

  test('is named where it was missed', async () => {
    const { code, out, err } = await playAgain(playExpiry);
    expect(code).toBe(1);
    expect(out).toContain('call 2 of 2');
    expect(err).toBe(
      'The recorded clock moved by 8d between the first call and the last. Use --move-clock to move the clock of a sandbox in the same way.\n',
    );
  });

  test.each<[string, number, string]>([
    ['to the recorded instants where the sandbox begins before them', 2026, '2026-03-01T00:00:00.000Z'],
    ['by the time between the calls where it is later already', 2028, '2028-01-09T00:00:00.000Z'],
  ])('moves %s', async (_, year, end) => {
    const start = Date.UTC(year, 0, 1);
    const recorded = await server();
    await sender(recorded)('POST /_sandbox/clock/advance', { By: '51d' });
    await playExpiry(sender(recorded));
    const target = await server({ clock: { mode: 'manual', start } });
    expect(await replayed(await traceOf(recorded), target, { moveClock: true })).toMatchObject({ code: 0 });
    const { body } = await sender(target, 'sk_test_again')('GET /_sandbox/clock');
    expect(body['Now']).toBe(end);
  });

  test('moves by the time between the calls where they were recorded in real time', async () => {
    const recorded = await server({ clock: { mode: 'real' } });
    await playExpiry(sender(recorded));
    const target = await server();
    expect(await replayed(await traceOf(recorded), target, { moveClock: true })).toMatchObject({ code: 0 });
    const { body } = await sender(target, 'sk_test_again')('GET /_sandbox/clock');
    expect(body['Now']).toMatch(/^2026-01-09T00:00:/);
  });

  test('passes the guard of the control plane with --admin-token', async () => {
    const recorded = await server();
    await playExpiry(sender(recorded));
    const [file, target] = [await traceOf(recorded), await server({ adminToken: 'sesame' })];
    expect(await replayed(file, target, { moveClock: true, adminToken: 'sesame' })).toMatchObject({
      code: 0,
    });
    const refused = await replayed(file, target, { moveClock: true });
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(
      /^playmoney: --move-clock: http.* did not answer like a sandbox: \/_sandbox\/clock failed \(status 403\)\n$/,
    );
  });

  test('needs a manual clock: 2, and nothing is sent', async () => {
    const recorded = await server();
    await playExpiry(sender(recorded));
    const target = await server({ clock: { mode: 'real' } });
    const { code, out, err } = await replayed(await traceOf(recorded), target, { moveClock: true });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^playmoney: --move-clock needs a manual clock, but the clock of this world is "real"\. [^\n]*\n$/,
    );
    expect((await sender(target, 'sk_test_again')('GET /charge')).body['Count']).toBe(0);
  });
});

describe('a replay that is not possible', () => {
  test('because the file is not a trace: 2, and one line', async () => {
    const file = fileWith('{}');
    expect(await replayed(file, { url: 'http://127.0.0.1:1' })).toEqual({
      code: 2,
      out: '',
      err: `playmoney: ${file} is not a trace, bundle, journal or HAR: it has no field Format; that of a trace is "playmoney-trace"\n`,
      progress: '',
    });
  });

  test('because the certificates cannot be read: 2', async () => {
    const recorded = await server();
    const [file, ca] = [await traceOf(recorded), fileWith('no certificate')];
    const missing = await replayed(file, recorded, { ca: '/nowhere/ca.pem' });
    expect(missing).toMatchObject({
      code: 2,
      err: 'playmoney: cannot read /nowhere/ca.pem: no such file\n',
    });
    const other = await replayed(file, recorded, { ca });
    expect(other).toMatchObject({ code: 2, err: `playmoney: ${ca} has no certificate (PEM)\n` });
  });

  test('because nothing answers: 1, and one line', async () => {
    const recorded = await server();
    await sender(recorded)('POST /charge/card', CHARGE);
    const { code, out, err } = await replayed(await traceOf(recorded), { url: 'http://127.0.0.1:1' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^playmoney: cannot connect to http:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)\n$/);
  });
});

describe('a long trace', () => {
  test('reports its progress, and what the journal had dropped', async () => {
    const recorded = await server();
    await sender(recorded)('GET /charge?Limit=1');
    const { entries, ...head } = await traceIn(await traceOf(recorded));
    const Entries = Array.from({ length: 250 }, () => entries[0]);
    const file = fileWith({ ...head, Evicted: 5, Entries });
    expect(await replayed(file, await server())).toEqual({
      code: 0,
      out: `250 calls ${AGAIN}: 250 equal.\n`,
      err: 'The trace is incomplete: the journal had already dropped 5 earlier calls.\n',
      progress: '100 of 250 calls\n200 of 250 calls\n',
    });
  });
});

test('a redirect is an answer, and the key is not sent elsewhere', async () => {
  const recorded = await server();
  await sender(recorded)('GET /charge');
  const keys: unknown[] = [];
  const other = createServer((request, response) => {
    if (!request.url?.startsWith('/_sandbox/')) keys.push(request.headers['x-secretkey']);
    response.writeHead(307, { location: `${recorded.url}/charge` }).end();
  });
  const url = `http://127.0.0.1:${await portOf(other)}`;
  const { code, out } = await replayed(await traceOf(recorded), { url });
  expect(code).toBe(1);
  expect(out).toContain('status: 200 → 307');
  expect(keys).toEqual(['sk_test_again']);
});

test.each([
  '/_sandbox/reset',
  '/x/../_sandbox/reset',
  '/.//_sandbox/reset',
  String.raw`/.\_sandbox/reset`,
  '/%5Fsandbox/reset',
  '/%2e/_sandbox/reset',
])('a call of the control plane in a trace is left out, and said so: %s', async (path) => {
  const target = await server();
  await sender(target, 'sk_test_again')('GET /charge');
  const world = target.sandbox.worlds.find('sk_test_again');
  const entry = {
    At: '2026-01-01T00:00:00Z',
    Query: '',
    Headers: {},
    Body: null,
    Status: 200,
    Response: null,
  };
  const file = fileWith({
    Format: 'playmoney-trace',
    Version: 1,
    Clock: { Mode: 'manual' },
    Entries: [
      { ...entry, Method: 'POST', Path: path },
      { ...entry, Method: 'GET', Path: '/charge' },
    ],
  });
  const { code, out } = await replayed(file, target);
  expect(code).toBe(1);
  expect(out).toContain(
    'not sent: calls of /_sandbox are left out, because a replay sends only calls of the service',
  );
  expect(out).toContain('1 equal, 1 not sent.');
  // A reset would have replaced it.
  expect(target.sandbox.worlds.find('sk_test_again')).toBe(world);
});
