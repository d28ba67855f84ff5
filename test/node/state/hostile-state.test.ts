import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openState } from '../../../src/node/state/kept-worlds.js';
import { folder } from '../../support/folder.js';
import { testSandbox } from '../../support/sandbox.js';

const HEAD = '"Format":"playmoney-world","Version":1';
const A = '"Dialect":"sdk","At":"2026-01-01T00:00:00Z"';
const OLD = '{"Format":"playmoney-worlds","Version":1,"Worlds":';
const KEY_A = '"Key":"sk_test_a"';
/** The names of the files of sk_test_a and sk_live_a. */
const FILE = 'world-4b0c78f40a4240d9cd94650ad8aa1e41.json';
const LIVE_FILE = 'world-9f5903b163a543f71c15e02753f60f39.json';

type Put = (path: string) => void;
const file =
  (text: string | Uint8Array): Put =>
  (path) =>
    writeFileSync(path, text);
const inFolder =
  (text: string, name = FILE): Put =>
  (path) => {
    mkdirSync(path);
    writeFileSync(join(path, name), text);
  };

const ROWS: readonly [what: string, put: Put, message: string][] = [
  ['an empty file', file(''), 'worlds:1:1: not valid JSON: Found an empty text'],
  ['a file with a NUL', file('\0'), 'not valid JSON'],
  ['a file that is not UTF-8', file(Uint8Array.of(0xff, 0xfe, 0x7b)), 'not valid JSON'],
  ['a truncated file', file('{"Format":"playmoney-worlds","Ver'), 'worlds:1:34: not valid JSON'],
  ['a list', file('[]'), 'it must contain a JSON object'],
  ['null', file('null'), 'it must contain a JSON object'],
  ['no format', file('{}'), 'it has no field Format'],
  ['a format of another type', file('{"Format":1}'), 'it has no field Format'],
  ['a bundle', file('{"Format":"playmoney-bundle"}'), 'it is a bundle'],
  ['a state document', file('{"Format":"playmoney-state"}'), 'it is a state document'],
  ['a single world', file(`{${HEAD}}`), 'it is one world of a folder'],
  ['a HAR', file('{"log":{}}'), 'it is an HTTP archive'],
  [
    'a newer version',
    file('{"Format":"playmoney-worlds","Version":2}'),
    'of version 2, but this playmoney reads only version 1. Use a newer playmoney',
  ],
  ['a version that is a text', file('{"Format":"playmoney-worlds","Version":"1"}'), 'of an unknown version'],
  ['version 0', file('{"Format":"playmoney-worlds","Version":0}'), 'of an unknown version'],
  ['no list of worlds', file('{"Format":"playmoney-worlds","Version":1}'), 'Worlds must be a list'],
  ['an object of worlds', file(`${OLD}{}}`), 'Worlds must be a list'],
  ['a world that is a text', file(`${OLD}["x"]}`), 'Worlds.0: Key must be a non-empty string'],
  ['a world without a key', file(`${OLD}[{}]}`), 'Worlds.0: Key must be a non-empty string'],
  ['an empty key', file(`${OLD}[{"Key":""}]}`), 'Worlds.0: Key must be a non-empty string'],
  ['a key that is a number', file(`${OLD}[{"Key":1}]}`), 'Worlds.0: Key must be a non-empty string'],
  [
    'a live key',
    file(`${OLD}[{${KEY_A},${A}},{"Key":"sk_live_a",${A}}]}`),
    'Worlds.1: Key holds a live key. It must start with sk_test_, or be a key for --key',
  ],
  ['a public key', file(`${OLD}[{"Key":"pk_test_a",${A}}]}`), 'Key holds a key that is never accepted'],
  ['a revoked key', file(`${OLD}[{"Key":"sk_test_revoked",${A}}]}`), 'a key that is never accepted'],
  ['a key with a line break', file(`${OLD}[{"Key":"sk_test_a\\r\\nx: y",${A}}]}`), 'never accepted'],
  ['a key with a NUL', file(`${OLD}[{"Key":"sk_test_\\u0000",${A}}]}`), 'never accepted'],
  ['a key that is too long', file(`${OLD}[{"Key":"sk_test_${'a'.repeat(300)}",${A}}]}`), 'never accepted'],
  ['two keys', file(`${OLD}[{"Key":"sk_test_a,sk_test_b",${A}}]}`), 'never accepted'],
  ['an unknown dialect', file(`${OLD}[{${KEY_A},"Dialect":"x"}]}`), 'Worlds.0: Dialect must be'],
  ['no instant', file(`${OLD}[{${KEY_A},"Dialect":"sdk"}]}`), 'Worlds.0: At must be a date and time'],
  ['no such instant', file(`${OLD}[{${KEY_A},"Dialect":"sdk","At":"soon"}]}`), 'At must be a date and time'],
  [
    'a secret that is none',
    file(`${OLD}[{${KEY_A},${A},"WebhookSecret":7}]}`),
    'Worlds.0: WebhookSecret must be a non-empty string',
  ],
  ['a scenario that is none', file(`${OLD}[{${KEY_A},${A},"Chosen":{"x":1}}]}`), 'Worlds.0: Chosen'],
  [
    'a key twice',
    file(`${OLD}[{${KEY_A},${A}},{${KEY_A},${A}}]}`),
    'Worlds.1: another world has the same Key',
  ],
  ['no state', file(`${OLD}[{${KEY_A},${A}}]}`), 'Worlds.0: The document is invalid'],
  [
    'a state that is a list',
    file(`${OLD}[{${KEY_A},${A},"State":[]}]}`),
    'Worlds.0: The document is invalid',
  ],
  [
    'a state of another format',
    file(`${OLD}[{${KEY_A},${A},"State":{"Format":"x"}}]}`),
    'Worlds.0: The document is invalid: Format must be playmoney-state',
  ],
  [
    'a state of a newer version',
    file(`${OLD}[{${KEY_A},${A},"State":{"Format":"playmoney-state","Version":99}}]}`),
    'Version is 99, from a newer version of this program',
  ],
  ['a folder with an empty world', inFolder(''), `${FILE}:1:1: not valid JSON`],
  ['a folder with a truncated world', inFolder(`{${HEAD},"Key":`), `${FILE}:`],
  ['a world of a newer version', inFolder('{"Format":"playmoney-world","Version":2}'), 'of version 2'],
  ['a world of no version', inFolder('{"Format":"playmoney-world"}'), 'of an unknown version'],
  ['a folder with a file of all worlds', inFolder(`${OLD}[]}`), 'is not a saved world'],
  ['a saved world without a key', inFolder(`{${HEAD}}`), `${FILE}: Key must be a non-empty string`],
  [
    'a saved world of a live key',
    inFolder(`{${HEAD},"Key":"sk_live_a",${A}}`, LIVE_FILE),
    'holds a live key',
  ],
  ['a world under another name', inFolder(`{${HEAD},"Key":"sk_test_b",${A}}`), 'must be named world-'],
  ['a key that is __proto__', inFolder(`{${HEAD},"Key":"__proto__",${A}}`), 'must be named world-'],
  [
    'a folder in the place of a world',
    (path) => mkdirSync(join(path, FILE), { recursive: true }),
    'is not a file',
  ],
  [
    'a link that leads nowhere in the place of a world',
    (path) => {
      mkdirSync(path);
      symlinkSync('/no/such/world', join(path, FILE));
    },
    'is not a file',
  ],
  [
    'a folder with other files',
    inFolder('x', 'notes.txt'),
    'is a folder with other files. Name a new or an empty',
  ],
  [
    'a link that leads nowhere',
    (path) => symlinkSync('/no/such/worlds', path),
    'a link to something that does not',
  ],
  ['a link to itself', (path) => symlinkSync(path, path), 'a link to something that does not exist'],
  ['a link to a device', (path) => symlinkSync('/dev/null', path), 'is neither a folder nor a file'],
];

/** All names below a folder, with what the files contain. */
function contentOf(path: string): unknown[] {
  return readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => {
    const name = join(entry.parentPath, entry.name);
    return [name, entry.isFile() ? readFileSync(name, 'utf8') : null];
  });
}

async function refusalOf(path: string): Promise<string> {
  const opened = openState(path).then((kept) => kept.restore(testSandbox()));
  return opened.then(
    () => 'it was opened',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

describe('what --state cannot open is refused with its place, without its key, and stays as it is', () => {
  test.each(ROWS)('%s', async (_, put, message) => {
    const path = join(folder(), 'worlds');
    put(path);
    const before = contentOf(dirname(path));
    const refusal = await refusalOf(path);
    expect(refusal).toMatch(/^FileError: /);
    expect(refusal).toContain(message);
    expect(refusal).toContain(path);
    expect(refusal).not.toMatch(/sk_live_a|sk_test_[ab]\b/);
    expect(contentOf(dirname(path))).toEqual(before);
  });

  test.runIf(process.getuid?.() !== 0)('a folder that this user may not write', async () => {
    const path = join(folder(), 'worlds');
    mkdirSync(path, { mode: 0o500 });
    expect(await refusalOf(path)).toContain('permission denied');
    chmodSync(path, 0o700);
  });
});
