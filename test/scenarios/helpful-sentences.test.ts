import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readText } from '../../src/node/files/text-file.js';
import { client, testSandbox } from '../support/sandbox.js';

const messageOf = async (path: string, body: object): Promise<unknown> =>
  ((await client(testSandbox()).post(path, body)).body as { Message: unknown }).Message;

test.each([
  ['capture', 'charge.capture'],
  ['refund', 'charge.refund'],
  ['captur', 'charge.capture'],
  ['row', 'batch.row'],
  ['charge.captur', 'charge.capture'],
])('the operation %s is named with its resource: %s', async (Operation, meant) => {
  expect(await messageOf('/_sandbox/outcomes', { Operation, Outcomes: ['approve'] })).toContain(
    `Operation is "${Operation}", which is not an operation. Did you mean ${meant}?`,
  );
});

test.each<[object, string]>([
  [{ By: 7 }, 'By is 7; it must be a duration such as 250ms'],
  [{ By: true }, 'By is true; it must be a duration'],
  [{ By: '-7d' }, 'By is "-7d"; it must be a duration'],
])('a wrong duration is repeated: %j', async (body, message) => {
  expect(await messageOf('/_sandbox/clock/advance', body)).toContain(message);
});

test('a wrong address of a receiver is repeated, without its password', async () => {
  const of = (Url: string) =>
    messageOf('/charge/token', { Amount: 5, Token: 'tok_approve', Webhook: { Url } });
  expect(await of('/hook')).toContain('Webhook.Url is "/hook"; it must be an absolute https URL');
  expect(await of('http://jo:s3cret@example.com')).not.toContain('s3cret');
});

test('a scenario that is sent without Definition is pointed to it', async () => {
  const { body } = await client(testSandbox()).put('/_sandbox/scenario', { name: 'x', rules: [] });
  expect(body).toMatchObject({
    Message: expect.stringContaining('"name" (did you mean Definition?), "rules" (did you mean Definition?)'),
  });
});

test('a value with a colon needs quotes in YAML', async () => {
  const { body } = await client(testSandbox()).put('/_sandbox/scenario', { Yaml: 'name: my: scenario\n' });
  expect(JSON.stringify(body)).toContain('a value with a colon and a blank in it must be in quotes, such as');
});

test('a file that is not there is compared with those in its folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'playmoney-'));
  writeFileSync(join(folder, 'friday.yaml'), 'name: friday\n');
  await expect(readText(join(folder, 'friday.yml'))).rejects.toThrow(
    `friday.yml: no such file; did you mean ${join(folder, 'friday.yaml')}?`,
  );
});
