import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { runBundle } from '../../src/node/bundles/bundle.js';
import { CommandError } from '../../src/node/terminal/terminal.js';
import type { BundleOptions } from '../../src/node/options/replay-options.js';
import type { InnerSandboxOptions } from '../../src/app/sandbox.js';
import { VERSION } from '../../src/core/version.js';
import { cardOf, STEADY, batchOf } from '../support/stored.js';
import { runProgram, type Started } from '../node/cli/program.js';
import { startingPrograms } from '../node/cli/starting.js';
import { folder } from '../support/folder.js';
import { fileWith, RECORDED_KEY, scenarioOf, type Send, sender, server } from '../node/replay/support.js';

const CHARGE = { Amount: '15.50', ProviderId: STEADY, Reference: 'order-1', PaymentInformation: cardOf() };
const SCENARIO = {
  name: 'every second',
  rules: [{ name: 'second', when: { operation: 'charge.create', every: 2 }, then: { outcome: 'lost_card' } }],
};

type Json = Readonly<Record<string, unknown>>;

function optionsFor(url: string): BundleOptions {
  return { url, key: RECORDED_KEY, adminToken: null, html: false };
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

interface Bundled {
  readonly file: string;
  readonly out: string;
  readonly warned: string;
}

/** Writes the bundle of a server, and gives back where, and what was said. */
async function bundleOf(url: string, file = join(folder(), 'b.json')): Promise<Bundled> {
  let warned = '';
  const out = await runBundle(optionsFor(url), file, (text) => (warned += text));
  return { file, out, warned };
}

/** The bundle of a bad day. */
async function bundled(): Promise<Bundled> {
  const recorded = await server({ seed: 'bad' });
  await playBadDay(sender(recorded));
  return bundleOf(recorded.url, join(folder(), 'bad day.json'));
}

function contentOf(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8')) as Json;
}

const WARNING =
  'Warning: this file contains full card numbers (vault, unused tokens, scenario). Share it only with people who may see them.\n';

const CARD_SCENARIO = scenarioOf({
  name: 'one card',
  rules: [{ when: { card: '4539 5787 6362 1486' }, then: { outcome: 'lost_card' } }],
});

describe('a bundle', () => {
  test.each<[what: string, options: InnerSandboxOptions, warning: string]>([
    ['test cards alone', {}, ''],
    ['a scenario with another card', { scenario: CARD_SCENARIO }, WARNING],
  ])('warns of full card numbers other than test cards: %s', async (_, options, warning) => {
    const { url } = await server(options);
    await sender({ url })('POST /charge/token', { Amount: 5, Token: 'tok_approve' });
    expect((await bundleOf(url)).warned).toBe(warning);
  });

  test('of a world without calls warns that it may be another world', async () => {
    expect((await bundleOf((await server()).url)).warned).toMatch(
      /^Warning: the world \w+ of .* has no calls\. Is it the world of the failure\?\n$/,
    );
  });

  test('holds state, calls, seed, scenario and versions of a world, whole numbers in the state alone and no key, for the owner alone', async () => {
    const { file, out, warned } = await bundled();
    expect(contentOf(file)).toMatchObject({
      Format: 'playmoney-bundle',
      Version: 1,
      Note: expect.stringContaining('full card numbers') as string,
      Server: { Playmoney: VERSION, Node: process.version },
      Seed: 'bad',
      Dialect: 'auto',
      Scenario: { name: 'every second', rules: [{ name: 'second', then: { outcome: 'lost_card' } }] },
      State: { Format: 'playmoney-state', Seed: 'bad' },
      Trace: { Format: 'playmoney-trace', Seed: 'bad' },
    });
    expect(out).toMatch(
      /: \d+ KiB, 5 calls of the world \w+ of sk_\*{3}\. Open it with: playmoney open '.*bad day\.json'\n$/,
    );
    expect(warned).toBe(WARNING);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { State, ...rest } = contentOf(file);
    expect(JSON.stringify(State)).toContain('4539578763621486');
    expect(JSON.stringify(rest)).not.toContain('4539578763621486');
    expect(readFileSync(file, 'utf8')).not.toContain(RECORDED_KEY);
  });

  test('is not written where the server refuses it', async () => {
    const guarded = await server({ adminToken: 'sesame' });
    const file = join(folder(), 'b.json');
    await expect(bundleOf(guarded.url, file)).rejects.toThrow(CommandError);
    expect(existsSync(file)).toBe(false);
  });
});

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

  test('gives new worlds the settings of the original, and no secret', async () => {
    const recorded = await server();
    const Settings = { WebhookSecret: 'whsec_own', Strict: true };
    await sender(recorded)('POST /_sandbox/reset', { Name: 'pays by card', Settings });
    await sender(recorded)('POST /charge/card', CHARGE);
    const { file } = await bundleOf(recorded.url);
    expect(readFileSync(file, 'utf8')).not.toContain('whsec_own');
    const { url } = await opened(file, '--quiet');
    const send = sender({ url }, 'sk_test_new');
    expect((await send('POST /charge/card', { ...CHARGE, Unknown: 1 })).status).toBe(400);
  });

  test('puts the world under the key that is given', async () => {
    const { file } = await bundled();
    const { url, until } = await opened(file, '--key', 'mine');
    await until('stderr', 'The world of the given key');
    expect((await sender({ url }, 'mine')('GET /charge')).body['Count']).toBe(2);
    expect((await sender({ url }, 'sk_test_local')('GET /charge')).body['Count']).toBe(0);
  });

  test('goes on in the dialect of the world, whatever its scenario says of new ones', async () => {
    const recorded = await server({ dialect: 'sdk' });
    const send = sender(recorded);
    await send('PUT /_sandbox/scenario', { Definition: { ...SCENARIO, dialect: 'documented' } });
    await send('POST /charge/card', CHARGE);
    const { file } = await bundleOf(recorded.url);
    const { url } = await opened(file, '--quiet');
    for (const key of ['sk_test_local', 'sk_test_fresh']) {
      expect((await sender({ url }, key)('GET /charge')).body).toHaveProperty('charges');
    }
  });

  test('calls no receiver from the file unless asked: pending webhooks are sent by hand', async () => {
    const recorded = await server();
    // Nobody listens there, so it stays pending.
    const Webhook = { Url: 'http://127.0.0.1:9/hook' };
    await sender(recorded)('POST /charge/card', { ...CHARGE, Webhook });
    await sender(recorded)('POST /_sandbox/settle');
    const { file } = await bundleOf(recorded.url);
    const { url } = await opened(file, '--quiet', '--webhooks', 'private');
    const send = sender({ url }, 'sk_test_local');
    await send('POST /_sandbox/clock/advance', { By: '7d' });
    const { body } = await send('GET /_sandbox/webhooks');
    expect(body).toMatchObject({
      Count: 1,
      Deliveries: [{ Status: 'withheld', Note: 'it came with a file', Attempt: 1 }],
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
    const { file } = await bundleOf(recorded.url);
    const { url } = await opened(file, '--quiet');
    const send = sender({ url }, 'sk_test_local');
    const advanced = await send('POST /_sandbox/clock/advance', { By: '2d' });
    const charge = { Kind: 'subscription.charge' };
    expect(advanced.body['Ran']).toMatchObject([charge, charge]);
  });

  test('begins fresh worlds where the recorded one began, also when that was in real time', async () => {
    const recorded = await server({ clock: { mode: 'real' }, tokenTtl: 60_000 });
    await sender(recorded)('POST /charge/card', CHARGE);
    const { file } = await bundleOf(recorded.url);
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

  test.each<[message: string, change: (good: Json) => unknown]>([
    [
      ': State: The document is invalid: Version is 99, from a newer version of this program; this one reads 1.',
      (good) => ({ ...good, State: { ...(good['State'] as Json), Version: 99 } }),
    ],
    [
      ' is a trace of version 99',
      (good) => ({ ...good, Trace: { ...(good['Trace'] as Json), Version: 99 } }),
    ],
    [
      ': Dialect must be one of auto, documented, sdk, not "klingon"',
      (good) => ({ ...good, Dialect: 'klingon' }),
    ],
    [
      ': Scenario.rules.0.then.outcome: ',
      (good) => ({ ...good, Scenario: { name: 'x', rules: [{ then: { outcome: 'aprove' } }] } }),
    ],
  ])('refuses with 2 and one line: the file%s', async (message, change) => {
    const { file } = await bundled();
    const changed = fileWith(change(contentOf(file)));
    const { code, stdout, stderr } = await runProgram(['open', changed, '--port', '0']).ended;
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
