import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { chooseScenario } from '../../../src/node/cli/choose-scenario.js';
import { checkFiles } from '../../../src/node/cli/verbs/check.js';
import { readJsonFile } from '../../../src/node/files/json-file.js';
import { readText, decodeText } from '../../../src/node/files/text-file.js';
import { folderLibrary } from '../../../src/node/library.js';
import { readRecordingsFile } from '../../../src/node/replay/recordings.js';
import { folder } from '../../support/folder.js';
import { testSandbox } from '../../support/sandbox.js';

const TEXT = 'name: a\nrules:\n  - when: {reference: café}\n    then: {fault: reset}\n';
const NOT_UTF8 = '3:26: Found a byte that is not UTF-8 at offset 40, expected UTF-8 text; save it as UTF-8';
const UTF16 = '1:1: Found UTF-16, expected UTF-8 text; save it as UTF-8';

/** A text in UTF-16, with the high byte first. */
function bigEndian(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** Bytes that are not UTF-8, and how they are named. */
const WRONG: readonly (readonly [string, (text: string) => Buffer, string])[] = [
  ['Latin-1', (text) => Buffer.from(text, 'latin1'), NOT_UTF8],
  ['UTF-16', (text) => Buffer.from(text, 'utf16le'), UTF16],
  ['UTF-16 with a mark', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'), UTF16],
  ['big-endian UTF-16', bigEndian, UTF16],
  ['big-endian UTF-16 with a mark', (text) => bigEndian(`\uFEFF${text}`), UTF16],
];

function fileOf(bytes: Uint8Array): string {
  const file = join(folder(), 'a.yaml');
  writeFileSync(file, bytes);
  return file;
}

describe.each(WRONG)('a file in %s', (_, encode, reason) => {
  test('is refused with its line, whoever reads it', async () => {
    const file = fileOf(encode(TEXT));
    await expect(readText(file)).rejects.toThrow(`${file}:${reason}`);
    const inJson = `${file}:${reason.replace('Found', 'not valid JSON: Found')}`;
    await expect(readJsonFile(file)).rejects.toThrow(inJson);
    await expect(readRecordingsFile(file)).rejects.toThrow(inJson);
    expect(() => decodeText('standard input', encode(TEXT))).toThrow(`standard input:${reason}`);
    expect(await chooseScenario(file, folderLibrary())).toEqual([`playmoney: ${file}:${reason}`]);
  });

  test('is a problem that `check` lists: 1', async () => {
    const file = fileOf(encode(TEXT));
    let out = '';
    const output = { out: (text: string) => void (out += text), err: () => {} };
    expect(await checkFiles([file], output)).toEqual({ exitCode: 1 });
    expect(out).toBe(`${file}:${reason}\n`);
    out = '';
    await checkFiles([file], output, { json: true });
    const [line, column] = reason.split(':').map(Number);
    expect(JSON.parse(out)).toMatchObject({ Files: [{ Problems: [{ Line: line, Column: column }] }] });
  });

  test('is refused by a sandbox that receives it as a scenario or as a state', async () => {
    const place = reason.startsWith('1')
      ? 'line 1, column 1: Found UTF-16'
      : 'line 3, column 26: Found a byte';
    const sandbox = testSandbox();
    const put = async (path: string, type: string): Promise<unknown> => {
      const headers = { 'x-secretkey': 'sk_test_a', 'content-type': type };
      const body = new Uint8Array(encode(TEXT));
      const url = `http://localhost/_sandbox/${path}`;
      const answer = await sandbox.fetch(new Request(url, { method: 'PUT', headers, body }));
      return [answer.status, ((await answer.json()) as { Message: string }).Message];
    };
    expect(await put('scenario', 'application/yaml')).toEqual([400, expect.stringContaining(place)]);
    const [line] = place.split(',');
    expect(await put('state', 'application/json')).toEqual([400, expect.stringContaining(`${line}: Found`)]);
  });
});

test('a byte order mark of UTF-8 changes nothing', async () => {
  expect(await readText(fileOf(Buffer.from(`\uFEFF${TEXT}`)))).toBe(TEXT);
  expect(await readJsonFile(fileOf(Buffer.from('\uFEFF{"a":"é"}')))).toEqual({ a: 'é' });
});
