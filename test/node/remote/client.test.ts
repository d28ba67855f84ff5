import { join } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import { type CommandOf, parseCommand } from '../../../src/node/cli/parse.js';
import type { Verb } from '../../../src/node/cli/verbs.js';
import { runAdvance, runJournal, runReset } from '../../../src/node/cli/verbs/world-verbs.js';
import { runDoctor } from '../../../src/node/doctor/doctor.js';
import type { HttpListening } from '../../../src/node/http/serve.js';
import { runBundle } from '../../../src/node/bundles/bundle.js';
import { runReplay } from '../../../src/node/replay/replay.js';
import { folder } from '../../support/folder.js';
import { RECORDED_KEY, sender, server, traceOf } from '../replay/support.js';

/** The worlds of these keys, as verbs name them. */
const LOCAL = 'the world cf5a2060d5a6 of sk_test_local';
const SHOP = 'the world 01eddde7e966 of sk_test_shop';
const LONG = 'the world 93805f9e99b3 of sk_***';
const SHOP_KEY = { PLAYMONEY_KEY: 'any, sk_test_shop, sk_test_b' };

let recorded: HttpListening;
beforeEach(async () => {
  recorded = await server();
});

/** The options of a verb that is called on the server of the test. */
function optionsOf<V extends Verb>(
  verb: V,
  words: readonly string[],
  env: Record<string, string>,
): CommandOf<V>['options'] {
  const command = parseCommand([verb, ...words], { PLAYMONEY_URL: recorded.url, ...env });
  expect(command.verb).toBe(verb);
  return (command as CommandOf<V>).options;
}

type Run = (words: readonly string[], env: Record<string, string>) => Promise<string>;

/** Each verb with a word or two of its own, and what it prints. */
const VERBS: [verb: string, run: Run][] = [
  ['advance', (words, env) => runAdvance(optionsOf('advance', ['1h', ...words], env), { By: '1h' })],
  ['reset', (words, env) => runReset(optionsOf('reset', words, env))],
  ['journal', (words, env) => runJournal(optionsOf('journal', words, env))],
  ['bundle', (words, env) => runBundle(optionsOf('bundle', words, env), join(folder(), 'b.json'), () => {})],
  [
    'replay',
    async (words, env) => {
      await sender(recorded)('GET /charge');
      const file = await traceOf(recorded);
      const options = optionsOf('replay', [file, '--against', recorded.url, ...words], env);
      let out = '';
      await runReplay(file, options, {
        out: (text) => (out += text),
        err: () => {},
        progress: { note: () => {}, hide: () => {} },
      });
      return out;
    },
  ],
  [
    'doctor',
    async (words, env) => {
      const options = optionsOf('doctor', ['--url', recorded.url, ...words], env);
      return (await runDoctor(options, env)).text;
    },
  ],
];

describe.each(VERBS)('%s', (_verb, run) => {
  test.each<[named: string, words: readonly string[], env: Record<string, string>, world: string]>([
    ['sk_test_local where no key is named', [], {}, LOCAL],
    ['the first key of PLAYMONEY_KEY', [], SHOP_KEY, SHOP],
    ['the key of --key, whatever PLAYMONEY_KEY holds', ['--key', 'sk_test_local'], SHOP_KEY, LOCAL],
    ['sk_test_local where PLAYMONEY_KEY accepts any key', [], { PLAYMONEY_KEY: 'any' }, LOCAL],
    ['a long key without printing it', [], { PLAYMONEY_KEY: 'sk_test_longer_key' }, LONG],
  ])('names the world that it called, and calls that of %s', async (_named, words, env, world) => {
    const said = await run(words, env);
    expect(said.replace('The world', 'the world')).toContain(world);
    expect(said).not.toContain('sk_test_longer_key');
  });
});

test('reset --name gives a world the identifiers of the test of that name', async () => {
  const charged = async (): Promise<unknown> =>
    (await sender(recorded)('POST /charge/token', { Amount: 5, Token: 'tok_approve' })).body['ChargeId'];
  const unnamed = await charged();
  await sender(recorded)('POST /_sandbox/reset', { Name: 'pays by card' });
  const named = await charged();
  expect(named).not.toBe(unnamed);
  await runReset(optionsOf('reset', ['--key', RECORDED_KEY, '--name', 'another'], {}));
  expect(await charged()).not.toBe(named);
  await runReset(optionsOf('reset', ['--key', RECORDED_KEY, '--name', 'pays by card'], {}));
  expect(await charged()).toBe(named);
});

describe('journal', () => {
  const CHARGE = { Amount: 5, Token: 'tok_approve', Reference: 'order-1' };

  test('prints the time of a manual clock, the real time and the reference', async () => {
    await sender(recorded)('POST /charge/token', CHARGE);
    await sender(recorded)('GET /charge');
    const words = ['--key', RECORDED_KEY];
    const [charged, searched, last] = (await runJournal(optionsOf('journal', words, {}))).split('\n');
    const times = '^2026-01-01T00:00:00.000Z  \\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z  ';
    expect(charged).toMatch(
      new RegExp(`${times}POST    /charge/token  201  token:tok_approve  reference=order-1$`),
    );
    expect(searched).toMatch(new RegExp(`${times}GET     /charge  200$`));
    expect(last).toMatch(/\. The first time of a line is that of the world, the second is real\.$/);
  });

  test('marks calls that a restore undid', async () => {
    const send = sender(recorded);
    await send('PUT /_sandbox/snapshots/before');
    await send('GET /charge');
    await send('POST /_sandbox/snapshots/before/restore');
    await send('GET /customer');
    const [undone, present] = (await runJournal(optionsOf('journal', ['--key', RECORDED_KEY], {}))).split(
      '\n',
    );
    expect(undone).toMatch(/ {2}GET {5}\/charge {2}200 {2}\(undone\)$/);
    expect(present).toMatch(/ {2}GET {5}\/customer {2}200$/);
  });

  test('prints one time where the clock is real', async () => {
    recorded = await server({ clock: { mode: 'real' } });
    await sender(recorded)('POST /charge/token', CHARGE);
    expect(await runJournal(optionsOf('journal', ['--key', RECORDED_KEY], {}))).toMatch(
      /^[\d-]{10}T[\d:.]{12}Z {2}POST {4}\/charge\/token {2}201 {2}token:tok_approve {2}reference=order-1\n1 call in the world \w+ of [^.]*\.\n$/,
    );
  });
});

describe('a key of PLAYMONEY_KEY', () => {
  test('is whose calls are printed', async () => {
    await sender(recorded, 'sk_test_shop')('GET /charge');
    expect(await runJournal(optionsOf('journal', [], SHOP_KEY))).toContain(`1 call in ${SHOP}.`);
    expect(await runJournal(optionsOf('journal', [], {}))).toBe(
      `The journal of ${LOCAL} is empty.\nOther worlds have calls: 01eddde7e966 (1 call). Choose one by its key, with --key or PLAYMONEY_KEY.\n`,
    );
  });

  test('is refused if it is a live key, and not repeated', () => {
    expect(() => parseCommand(['journal'], { PLAYMONEY_KEY: 'sk_live_abcdefgh' })).toThrow(
      /^PLAYMONEY_KEY must be a secret key \(no spaces, no live key\), not "\*\*\*"$/,
    );
  });
});
