import { expect, test } from 'vitest';

import { firstLine, folderLibrary, formatLibrary } from '../../src/node/library.js';
import { client, testSandbox } from '../support/sandbox.js';

const LIBRARY = folderLibrary();

test('each library scenario is valid, has the name of its file, and has a description', async () => {
  const entries = await LIBRARY.list();
  expect(entries.length).toBeGreaterThan(0);
  for (const { name, description, file } of entries) {
    expect(file).toBe(`${name}.yaml`);
    expect(description).not.toBeNull();
    expect((await LIBRARY.find(name))?.name).toBe(name);
  }
});

test.each(['nothing', '', '../scenarios/happy-path', 'happy-path.yaml', 'schema'])(
  '%j is not a name of a scenario',
  async (name) => {
    expect(await LIBRARY.find(name)).toBeUndefined();
  },
);

test('the table has a line for each', async () => {
  const lines = (await formatLibrary(LIBRARY)).trimEnd().split('\n');
  expect(lines).toHaveLength((await LIBRARY.names()).length);
  for (const line of lines) expect(line).toMatch(/^[a-z\d-]+ {2,}\S.{20,}$/);
});

test('as JSON it is what the server returns', async () => {
  const api = client(testSandbox({ library: LIBRARY }));
  const { text } = await api.get('/_sandbox/scenarios');
  expect(await formatLibrary(LIBRARY, { json: true })).toBe(`${text}\n`);
});

test.each([
  ['One line.\nAnother.\n', 'One line.'],
  [`${'word '.repeat(18)}end`, `${'word '.repeat(17)}word…`],
  ['x'.repeat(100), `${'x'.repeat(89)}…`],
  ['', ''],
])('the first line of %j is %j', (text, line) => {
  expect(firstLine(text)).toBe(line);
});
