import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { JournalFile } from '../../../src/node/exec/journal-file.js';
import { readRecordingsFile } from '../../../src/node/replay/recordings.js';
import type { InnerSandbox } from '../../../src/app/sandbox.js';
import { folder } from '../../support/folder.js';
import { client, testSandbox } from '../../support/sandbox.js';
import { cardOf, NO_FUNDS, STEADY } from '../../support/stored.js';
import { fileWith, replayed, server } from './support.js';

const CHARGE = { Amount: '15.50', ProviderId: STEADY, PaymentInformation: cardOf() };
/** A card that is no published test card, so that the journal masks it. */
const OWN = { ...CHARGE, PaymentInformation: cardOf('4539578763621486') };
const LACK = 'it has the calls, but not the state, seed and scenario of their world, so answers may differ.';

/** A charge that is refunded, and one in the sdk dialect by another key, as exec collects them. */
async function playTwoWorlds(): Promise<InnerSandbox> {
  const sandbox = testSandbox({ clock: { mode: 'manual' } });
  const shop = client(sandbox, 'sk_test_shop');
  const { body } = await shop.post('/charge/card', OWN);
  await shop.post('/_sandbox/clock/advance', { By: '1h' });
  await shop.del(`/refund/${String(body['ChargeId'])}?Amount=5`);
  await shop.get('/charge/nowhere');
  await client(sandbox, 'sk_test_other').post('/charge/card', CHARGE);
  return sandbox;
}

async function collected(name: string, sandbox?: InnerSandbox): Promise<string> {
  sandbox ??= await playTwoWorlds();
  const file = join(folder(), name);
  const journal = new JournalFile(file);
  for (const world of sandbox.worlds.all()) journal.keep(world);
  await journal.write();
  return file;
}

describe.each([
  ['calls.json', 'a journal'],
  ['calls.har', 'an HTTP archive'],
])('what exec --journal wrote as %s', (name, noun) => {
  test('is replayed world by world, each under a key of its own, and says what it lacks', async () => {
    const file = await collected(name);
    expect(readFileSync(file, 'utf8')).not.toContain('4539578763621486');
    const again = await replayed(file, await server(), { moveClock: true });
    expect(again).toMatchObject({
      code: 0,
      out: '2 worlds, 4 calls: 4 equal.\n',
      err: `${file} is ${noun}: ${LACK}\n`,
    });
  });

  test('says which request was cut, so that its beginning is not sent', async () => {
    const sandbox = testSandbox();
    await client(sandbox, 'sk_test_long').post('/charge/card', { ...CHARGE, Note: 'x'.repeat(300_000) });
    const { all } = await readRecordingsFile(await collected(name, sandbox));
    expect(all[0]?.trace.entries).toMatchObject([{ isTruncated: true, isRequestTruncated: true }]);
  });

  test('marks what a restore undid after it was collected, and is replayed without that', async () => {
    const sandbox = testSandbox();
    const api = client(sandbox, 'sk_test_shop');
    const file = join(folder(), name);
    const journal = new JournalFile(file);
    const keep = (): void => journal.keep(sandbox.worlds.open('sk_test_shop'));
    await api.put('/_sandbox/snapshots/before');
    await api.post('/charge/card', { ...CHARGE, PaymentInformation: cardOf(NO_FUNDS) });
    keep();
    await api.post('/_sandbox/snapshots/before/restore');
    await api.post('/charge/card', CHARGE);
    keep();
    await journal.write();
    expect(readFileSync(file, 'utf8').match(/"_?[uU]ndone":(true|false)/g)).toHaveLength(2);
    const { all } = await readRecordingsFile(file);
    expect(all[0]?.trace.recorded).toMatchObject([{ status: 400, isUndone: true }, { status: 201 }]);
    const { code, out } = await replayed(file, await server());
    expect(out).toMatch(/^1 call .*: 1 equal\.\n$/);
    expect(code).toBe(0);
  });

  test('names the world of a difference', async () => {
    const file = await collected(name);
    const { all } = await readRecordingsFile(file);
    const { code, out } = await replayed(file, await server({ testCardsOnly: true }));
    expect(out).toContain(`world 1 of 2 (${all[0]?.world} in the file):\ncall 1 of 3: POST /charge/card\n`);
    expect(out).not.toContain('world 2 of 2');
    expect(out).toMatch(/\n2 worlds, 4 calls: 2 equal, 2 different or not sent\.\n$/);
    expect(code).toBe(1);
  });
});

/** An archive as browsers save it, with the other calls of a page. */
function browserHar(): object {
  const json = { mimeType: 'application/json' };
  const entry = (method: string, path: string, more: object, headers: readonly object[]): object => ({
    startedDateTime: '2026-03-01T10:00:00.000+11:00',
    request: { method, url: `https://api.example.com${path}`, headers, ...more },
    response: { status: 200, content: { text: '<html>' } },
  });
  const key = [
    { name: 'X-SecretKey', value: 'sk_test_mine' },
    { name: 'Content-Type', value: 'application/json' },
    { name: 'Cookie', value: 'session=1' },
  ];
  const charged = {
    ...entry('POST', '/charge/card', { postData: { ...json, text: JSON.stringify(CHARGE) } }, key),
    response: {
      status: 201,
      content: { ...json, encoding: 'base64', text: Buffer.from('{"Status":"SUCCESS"}').toString('base64') },
    },
  };
  return {
    log: {
      version: '1.2',
      creator: { name: 'WebInspector' },
      entries: [entry('GET', '/app.js', {}, []), entry('OPTIONS', '/charge/card', {}, key), charged],
    },
  };
}

describe('an HTTP archive of another program', () => {
  test('gives the calls of the service alone, without their cookies', async () => {
    const { all } = await readRecordingsFile(fileWith(browserHar(), 'page.har'));
    expect(all).toMatchObject([
      {
        world: null,
        trace: {
          entries: [
            {
              at: Date.UTC(2026, 1, 28, 23),
              method: 'POST',
              path: '/charge/card',
              headers: { 'content-type': 'application/json' },
              body: CHARGE,
              status: 201,
              response: { Status: 'SUCCESS' },
            },
          ],
        },
      },
    ]);
    expect(Object.keys(all[0]?.trace.entries[0]?.headers ?? {})).toEqual(['content-type']);
  });

  test('is sent to a sandbox', async () => {
    const { out } = await replayed(fileWith(browserHar(), 'page.har'), await server());
    expect(out).toContain('call 1 of 1: POST /charge/card\n');
  });
});

describe('is refused with the place:', () => {
  const NO_CALL = ': log.entries has no call of the service: none has the header x-secretkey or x-publickey';
  const STRANGE = { creator: { name: 'playmoney' }, entries: [{ _at: 'now' }] };
  const JOURNAL = { Format: 'playmoney-journal', Version: 1 };
  const bundles = (count: number) => ({
    Format: 'playmoney-bundles',
    Version: 1,
    Bundles: Array.from({ length: count }, () => ({})) as object[],
  });

  test.each<[string, unknown, string]>([
    ['an archive without entries', { log: {} }, ': log.entries must be a list of objects'],
    ['an archive without calls of the service', { log: { entries: [{ request: {} }] } }, NO_CALL],
    ['an archive with a strange call', { log: STRANGE }, ': log.entries.0: Method must be a string'],
    ['a journal without worlds', JOURNAL, ': Worlds must be a list of objects'],
    [
      'a newer journal',
      { ...JOURNAL, Version: 2 },
      ' is a journal of version 2, but this playmoney reads only version 1',
    ],
    ['a strange call', { ...JOURNAL, Worlds: [{ Entries: [{ Method: 'GET' }] }] }, ': Worlds.0.Entries.0: '],
    ['no bundles', bundles(0), ': Bundles must be a list that is not empty'],
    ['too many bundles', bundles(1001), ': too many bundles: 1001; the maximum is 1000'],
    [
      'too many calls',
      { log: { entries: Array.from({ length: 100_001 }, () => ({})) } },
      ': log.entries: too many entries: 100001; the maximum is 100000',
    ],
    [
      'bundles of which one is none',
      bundles(1),
      ': Bundles.0 is not a bundle: it has no field Format; that of a bundle is',
    ],
  ])('%s', async (_, content, message) => {
    const file = fileWith(content, 'file.json');
    await expect(readRecordingsFile(file)).rejects.toThrow(`${file}${message}`);
  });
});

/** How many items of arrays are copied or looped over while a HAR of so many calls is read. */
async function itemsIterated(calls: number): Promise<number> {
  const request = {
    method: 'GET',
    url: 'http://a.test/charge',
    headers: [{ name: 'x-secretkey', value: 'k' }],
  };
  const entry = { startedDateTime: '2026-01-01T00:00:00Z', request, response: { status: 200 } };
  const file = fileWith({ log: { entries: Array.from({ length: calls }, () => entry) } }, 'long.har');
  const { values } = Array.prototype;
  let items = 0;
  const counting = function* <T>(this: T[]): ArrayIterator<T> {
    for (const item of values.call(this) as ArrayIterator<T>) {
      items++;
      yield item;
    }
  };
  try {
    // oxlint-disable-next-line no-extend-native -- counts what a clock would only hint at, and is put back
    Array.prototype[Symbol.iterator] = counting;
    await readRecordingsFile(file);
  } finally {
    // oxlint-disable-next-line no-extend-native -- see above
    Array.prototype[Symbol.iterator] = values;
  }
  return items;
}

test('a HAR twice as long is twice as much work', async () => {
  const [one, two] = [await itemsIterated(500), await itemsIterated(1000)];
  expect(one).toBeGreaterThan(500);
  expect(two / one).toBeLessThan(2.2);
});
