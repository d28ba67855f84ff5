import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readStory } from '../scenarios/player.js';
import { client, testSandbox } from '../support/sandbox.js';
import { runProgram, type Started } from '../node/cli/program.js';
import { folder } from '../support/folder.js';
import { sender } from '../node/replay/support.js';
import { startingPrograms } from './programs.js';

const KEY = 'sk_test_a';
const STORY = 'shop-with-customers';
const ADA = 'c0000000000000000000000000000001';

const start = startingPrograms();

/** Everybody in a world, as the program answers. */
const everybody = async ({ url }: Started, key = KEY): Promise<string> =>
  (await sender({ url }, key)('GET /customer?Limit=500')).text;

test('the built program fills a world with the same people as the source, to the byte', async () => {
  const started = await start('start', '--scenario', STORY);
  const expected = await client(testSandbox({ scenario: await readStory(STORY) }), KEY).get(
    '/customer?Limit=500',
  );
  expect(await everybody(started)).toBe(expected.text);
  expect(expected.body['Count']).toBe(202);
});

test('a watched file that gets seed data fills the worlds that are made or reset from then on', async () => {
  const file = join(folder(), 'watched.yaml');
  writeFileSync(file, 'name: before\nclock: manual\n');
  const started = await start('start', '--scenario', file, '--watch');
  const [old, young] = [sender(started, 'sk_test_old'), sender(started, 'sk_test_young')];
  const count = async (send: typeof old): Promise<unknown> => (await send('GET /customer')).body['Count'];
  expect(await count(old)).toBe(0);
  writeFileSync(`${file}.new`, 'name: after\nclock: manual\nseedData: {fake: 7 customers}\n');
  renameSync(`${file}.new`, file);
  await started.until('stderr', 'reloaded, scenario after');
  expect([await count(old), await count(young)]).toEqual([0, 7]);
  await old('POST /_sandbox/reset');
  expect(await count(old)).toBe(7);
});

test('a bundle opens with its seed data as they had become; a fresh world begins as that one began', async () => {
  const recorded = await start('start', '--scenario', STORY, '--seed', 'mine');
  const send = sender(recorded, 'sk_test_local');
  await send(`PUT /customer/${ADA}`, { FirstName: 'Augusta' });
  await send('POST /charge/customer', {
    Amount: 5,
    ProviderId: '00000000000000000000000000000001',
    CustomerId: ADA,
  });
  const people = await everybody(recorded, 'sk_test_local');
  const file = join(folder(), 'bundle.json');
  expect(await runProgram(['bundle', file, '--url', recorded.url]).ended).toMatchObject({ code: 0 });
  const opened = await start('open', file);
  expect(await everybody(opened, 'sk_test_local')).toBe(people);
  const fresh = sender(opened, 'sk_test_replay');
  expect((await fresh(`GET /customer/${ADA}`)).body).toMatchObject({ FirstName: 'Ada' });
  const replayed = await runProgram([
    'replay',
    file,
    '--against',
    opened.url,
    '--key',
    'sk_test_again',
    '--move-clock',
  ]).ended;
  expect(replayed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^3 calls to the world \w+ of [\w*]+: 3 equal\.\n$/),
  });
});
