import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { runBundle } from '../../src/node/bundles/bundle.js';
import { CommandError } from '../../src/node/terminal/terminal.js';
import type { ClientOptions } from '../../src/node/options/option-table.js';
import { FileError } from '../../src/node/files/file-error.js';
import type { InnerSandboxOptions } from '../../src/app/sandbox.js';
import { VERSION } from '../../src/core/version.js';
import { portOf } from '../support/serving.js';
import { cardOf, STEADY, batchOf } from '../support/stored.js';
import { type Ended, runProgram, type Started } from '../node/cli/program.js';
import { startingPrograms } from '../node/cli/starting.js';
import { folder } from '../support/folder.js';
import { fileWith, RECORDED_KEY, scenarioOf, type Send, sender, server } from '../node/replay/support.js';

const CHARGE = { Amount: '15.50', ProviderId: STEADY, Reference: 'order-1', PaymentInformation: cardOf() };
const SCENARIO = {
  name: 'every second',
  rules: [{ name: 'second', when: { operation: 'charge.create', every: 2 }, then: { outcome: 'lost_card' } }],
};

type Json = Readonly<Record<string, unknown>>;

function optionsFor(url: string): ClientOptions {
  return { url, key: RECORDED_KEY, adminToken: null };
}

/** A stored card, a charge that is declined and one that is not; a batch is under way, an authorisation has run out. */
async function playBadDay(send: Send): Promise<void> {
  await send('PUT /_sandbox/scenario', { Definition: SCENARIO });
  const method = await send('POST /payment_method/card', {
    ProviderId: STEADY,
    PaymentInformation: cardOf('4539578763621486'),
    VaultCard: true,
  });
  await send('POST /charge/card', { ...CHARGE, Capture: false });
  await send('POST /charge/card', CHARGE);
  await send('POST /_sandbox/clock/advance', { By: '8d' });
  await send(
    'POST /batch/transaction/payment_method',
    batchOf([`${String(method.body['PaymentMethodId'])},5,AUD,a`]),
  );
  await send('GET /charge');
}

/** Writes the bundle of a bad day, and gives back where, and what was said. */
async function bundled(): Promise<{ file: string; out: string; warned: string }> {
  const recorded = await server({ seed: 'bad' });
  await playBadDay(sender(recorded));
  const file = join(folder(), 'bad day.json');
  let warned = '';
  const out = await runBundle(optionsFor(recorded.url), file, (text) => (warned += text));
  return { file, out, warned };
}

/** The file of a bundle of a server. */
async function bundleOf(url: string): Promise<string> {
  const file = join(folder(), 'b.json');
  await runBundle(optionsFor(url), file, () => {});
  return file;
}

function contentOf(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8')) as Json;
}

const WARNING =
  'Warning: this file contains full card numbers (vault, unused tokens, scenario). Share it only with people who may see them.\n';

describe('a bundle', () => {
  test('warns of full card numbers other than test cards, also in its scenario', async () => {
    const warnedOf = async (options: InnerSandboxOptions): Promise<string> => {
      const { url } = await server(options);
      await sender({ url })('POST /charge/token', { Amount: 5, Token: 'tok_approve' });
      let warned = '';
      await runBundle(optionsFor(url), join(folder(), 'b.json'), (text) => (warned += text));
      return warned;
    };
    expect(await warnedOf({})).toBe('');
    const when = { card: '4539 5787 6362 1486' };
    const scenario = scenarioOf({ name: 'one card', rules: [{ when, then: { outcome: 'lost_card' } }] });
    expect(await warnedOf({ scenario })).toBe(WARNING);
  });

  test('of a world without calls warns that it may be another world', async () => {
    const { url } = await server();
    let warned = '';
    await runBundle(optionsFor(url), join(folder(), 'b.json'), (text) => (warned += text));
    expect(warned).toMatch(
      /^Warning: the world \w+ of .* has no calls\. Is it the world of the failure\?\n$/,
    );
  });

  test('holds state, calls, seed, scenario and versions of a world, for the owner alone', async () => {
    const { file, out, warned } = await bundled();
    expect(contentOf(file)).toMatchObject({
      Format: 'playmoney-bundle',
      Version: 1,
      Note: expect.stringContaining('full card numbers') as string,
      Server: { Playmoney: VERSION, Node: process.version },
      Seed: 'bad',
      Dialect: 'documented',
      Scenario: { name: 'every second', rules: [{ name: 'second', then: { outcome: 'lost_card' } }] },
      State: { Format: 'playmoney-state', Seed: 'bad' },
      Trace: { Format: 'playmoney-trace', Seed: 'bad' },
    });
    expect(out).toMatch(
      /: \d+ KiB, 5 calls of the world \w+ of sk_\*{3}\. Open it with: playmoney open '.*bad day\.json'\n$/,
    );
    expect(warned).toBe(WARNING);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('holds the whole numbers in the state alone, and no key', async () => {
    const { file } = await bundled();
    const { State, ...rest } = contentOf(file);
    expect(JSON.stringify(State)).toContain('4539578763621486');
    expect(JSON.stringify(rest)).not.toContain('4539578763621486');
    expect(readFileSync(file, 'utf8')).not.toContain(RECORDED_KEY);
  });

  test('takes no place of another file', async () => {
    const { url } = await server();
    const file = fileWith('mine');
    const refused = runBundle(optionsFor(url), file, () => {});
    await expect(refused).rejects.toThrow(FileError);
    await expect(refused).rejects.toThrow(`${file} already exists; choose another name for the bundle`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const nowhere = runBundle(optionsFor(url), '/nowhere/b.json', () => {});
    await expect(nowhere).rejects.toThrow('cannot write /nowhere/b.json: its folder does not exist');
  });

  test('is not left behind half written', async () => {
    const guarded = await server({ adminToken: 'sesame' });
    const file = join(folder(), 'b.json');
    await expect(runBundle(optionsFor(guarded.url), file, () => {})).rejects.toThrow(CommandError);
    expect(existsSync(file)).toBe(false);
    const asked: string[] = [];
    const broken = await breakingServer(asked);
    await expect(runBundle(optionsFor(broken), file, () => {})).rejects.toThrow(
      /\/_sandbox\/bundle ended early/,
    );
    expect(asked.at(-1)).toBe('/_sandbox/bundle');
    expect(existsSync(file)).toBe(false);
  });
});

/** Answers as a sandbox does, but breaks off in the middle of the bundle. */
async function breakingServer(asked: string[]): Promise<string> {
  const { url } = await server({});
  const pass = async (path: string, response: ServerResponse): Promise<void> => {
    const answer = await fetch(`${url}${path}`, { headers: { 'x-secretkey': RECORDED_KEY } });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  };
  const breaking = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path !== '/_sandbox/bundle') return void pass(path, response);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    return void response.write('{"Format":', () => response.destroy());
  });
  return `http://127.0.0.1:${await portOf(breaking)}`;
}

const start = startingPrograms();
const opened = (file: string, ...more: string[]): Promise<Started> =>
  start(['open', file, '--port', '0', ...more]);

describe('open', () => {
  test('starts a server with the world as it stood, under the scenario, and says how to play the calls', async () => {
    const { file } = await bundled();
    const { url, until, printed } = await opened(file);
    await until('stderr', '--move-clock\n');
    const send = sender({ url }, 'sk_test_local');
    expect((await send('GET /_sandbox/world')).body).toMatchObject({
      Seed: 'bad',
      Clock: { Now: '2026-01-09T00:00:00.000Z', Mode: 'manual' },
      Scenario: 'every second',
      Counts: { Charges: 2, PaymentMethods: 1, VaultEntries: 1, Batches: 1 },
    });
    // The story goes on where it was: the rule has acted once already.
    expect((await send('GET /_sandbox/scenario')).body).toMatchObject({
      Rules: [{ Rule: 'second', Matched: 1 }],
    });
    const { body } = await send('GET /charge?Status=AUTHORISE_CANCELLED');
    expect(body['Count']).toBe(1);
    await send('POST /_sandbox/clock/advance', { By: '1h' });
    expect((await send('GET /charge?Reference=a')).body['Count']).toBe(1);

    const [, command = ''] = /\n {2}playmoney (replay .*)\n/.exec(printed.stderr) ?? [];
    expect(command).toBe(`replay '${file}' --against ${url} --key sk_test_replay --move-clock`);
    const words = ['replay', file, ...(command.split("' ")[1]?.split(' ') ?? [])];
    expect(await runProgram(words).ended).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^5 calls to the world \w+ of [\w*]+: 5 equal\.\n$/),
      stderr: '',
    });
  });

  test('gives new worlds the name of the original, and so its identifiers, and no secret', async () => {
    const recorded = await server();
    const record = sender(recorded);
    const Settings = { WebhookSecret: 'whsec_own', Strict: true };
    await record('POST /_sandbox/reset', { Name: 'pays by card', Settings });
    const { body } = await record('POST /charge/card', CHARGE);
    const file = await bundleOf(recorded.url);
    expect(readFileSync(file, 'utf8')).not.toContain('whsec_own');
    const { url } = await opened(file, '--quiet');
    const send = sender({ url }, 'sk_test_new');
    expect((await send('POST /charge/card', { ...CHARGE, Unknown: 1 })).status).toBe(400);
    expect((await send('POST /charge/card', CHARGE)).body['ChargeId']).toBe(body['ChargeId']);
  });

  test('calls no receiver from the file unless asked: pending webhooks are sent by hand', async () => {
    const recorded = await server();
    // Nobody listens there, so it stays pending.
    const Webhook = { Url: 'http://127.0.0.1:9/hook' };
    await sender(recorded)('POST /charge/card', { ...CHARGE, Webhook });
    await sender(recorded)('POST /_sandbox/settle');
    const file = await bundleOf(recorded.url);
    const { url } = await opened(file, '--quiet', '--webhooks', 'private');
    const send = sender({ url }, 'sk_test_local');
    await send('POST /_sandbox/clock/advance', { By: '7d' });
    const { body } = await send('GET /_sandbox/webhooks');
    expect(body).toMatchObject({
      Count: 1,
      Deliveries: [{ Status: 'withheld', Note: 'it came with a bundle', Attempt: 1 }],
    });
    const [{ DeliveryId: id } = { DeliveryId: '' }] = body['Deliveries'] as { DeliveryId: string }[];
    await send(`POST /_sandbox/webhooks/${id}/resend`);
    await send('POST /_sandbox/settle');
    expect((await send('GET /_sandbox/webhooks?Status=pending')).body).toMatchObject({ Count: 1 });
  });

  test('continues the subscriptions of the file', async () => {
    const recorded = await server({ clock: { mode: 'manual' } });
    const record = sender(recorded);
    const { ProviderId, PaymentInformation } = CHARGE;
    const method = await record('POST /payment_method/card', { ProviderId, PaymentInformation });
    const terms = { Amount: 5, Currency: 'AUD', Interval: 'Day', Frequency: 1 };
    const PaymentMethodId = method.body['PaymentMethodId'];
    await record('POST /subscription/payment_method', { PaymentMethodId, ...terms });
    const file = await bundleOf(recorded.url);
    const { url } = await opened(file, '--quiet');
    const send = sender({ url }, 'sk_test_local');
    const advanced = await send('POST /_sandbox/clock/advance', { By: '2d' });
    const charge = { Kind: 'subscription.charge' };
    expect(advanced.body['Ran']).toMatchObject([charge, charge]);
  });

  test('puts the world under the key that is given', async () => {
    const { file } = await bundled();
    const { url, until } = await opened(file, '--key', 'mine');
    await until('stderr', 'The world of the given key');
    expect((await sender({ url }, 'mine')('GET /charge')).body['Count']).toBe(2);
    expect((await sender({ url }, 'sk_test_local')('GET /charge')).body['Count']).toBe(0);
  });

  test('begins fresh worlds where the recorded one began, also when that was in real time', async () => {
    const recorded = await server({ clock: { mode: 'real' }, tokenTtl: 60_000 });
    await sender(recorded)('POST /charge/card', CHARGE);
    const file = await bundleOf(recorded.url);
    const { Trace } = contentOf(file) as { Trace: { Entries: { At: string }[] } };
    const { url } = await opened(file, '--quiet');
    expect((await sender({ url }, 'sk_test_fresh')('GET /_sandbox/clock')).body).toMatchObject({
      Now: Trace.Entries[0]?.At,
      Mode: 'manual',
    });
    expect((await sender({ url }, 'sk_test_local')('GET /_sandbox/clock')).body).toMatchObject({
      Mode: 'real',
    });
  });

  test('goes on in the dialect of the world, whatever its scenario says of new ones', async () => {
    const recorded = await server({ dialect: 'sdk' });
    const send = sender(recorded);
    await send('PUT /_sandbox/scenario', { Definition: { ...SCENARIO, dialect: 'documented' } });
    await send('POST /charge/card', CHARGE);
    const file = await bundleOf(recorded.url);
    const { url } = await opened(file, '--quiet');
    for (const key of ['sk_test_local', 'sk_test_fresh']) {
      expect((await sender({ url }, key)('GET /charge')).body).toHaveProperty('charges');
    }
  });

  async function refused(content: unknown): Promise<Ended & { file: string }> {
    const file = fileWith(content);
    return { ...(await runProgram(['open', file, '--port', '0']).ended), file };
  }

  test.each<[message: string, change: (good: Json) => unknown]>([
    [
      ':1:1: not valid JSON: Found a letter, expected an object, an array, a string, a number, true, false or null. The file must be a bundle, journal or HAR',
      () => 'hello',
    ],
    [' is not a bundle, journal or HAR: it is a trace. `playmoney replay` replays it', ({ Trace }) => Trace],
    [
      ' is not a bundle, journal or HAR: its Format is "x"; that of a bundle is "playmoney-bundle"',
      () => ({ Format: 'x' }),
    ],
    [
      ' is a bundle of version 2, but this playmoney reads only version 1',
      (good) => ({ ...good, Version: 2 }),
    ],
    [
      ': State: The document is invalid: Version is 99, from a newer version of this program; this one reads 1.',
      (good) => ({ ...good, State: { ...(good['State'] as Json), Version: 99 } }),
    ],
    [
      ' is a trace of version 99',
      (good) => ({ ...good, Trace: { ...(good['Trace'] as Json), Version: 99 } }),
    ],
    [': Dialect must be documented or sdk, not "klingon"', (good) => ({ ...good, Dialect: 'klingon' })],
    [
      ': Scenario.rules.0.then.outcome: ',
      (good) => ({ ...good, Scenario: { name: 'x', rules: [{ then: { outcome: 'aprove' } }] } }),
    ],
  ])('refuses with 2 and one line: the file%s', async (message, change) => {
    const { file } = await bundled();
    const { code, stdout, stderr, file: changed } = await refused(change(contentOf(file)));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^playmoney: [^\n]+\n$/);
    expect(stderr).toContain(`${changed}${message}`);
  });
});

test('bundle writes a file of its own choice', async () => {
  const recorded = await server();
  await fetch(`${recorded.url}/charge`, { headers: { 'x-secretkey': 'sk_test_local' } });
  const file = join(folder(), 'b.json');
  const ended = await runProgram(['bundle', file, '--url', recorded.url]).ended;
  expect(ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`playmoney open ${file}\n`) as string,
  });
  expect(ended.stderr).toBe('');
  const again = await runProgram(['bundle', file, '--url', recorded.url]).ended;
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toBe(`playmoney: ${file} already exists; choose another name for the bundle\n`);
  writeFileSync(file, '{}');
  expect(await runProgram(['replay', file, '--against', recorded.url]).ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `playmoney: ${file} is not a trace, bundle, journal or HAR: it has no field Format; that of a trace is "playmoney-trace"\n`,
  });
});
