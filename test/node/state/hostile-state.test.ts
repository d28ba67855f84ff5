import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import { FolderStore } from '../../../src/node/state/folder-store.js';
import { folder } from '../../support/folder.js';
import { testSandbox } from '../../support/sandbox.js';

const HEAD = '"Format":"playmoney-world","Version":1';
const NEWER = '{"Format":"playmoney-state","Version":99}';
const A = '"Dialect":"sdk","At":"2026-01-01T00:00:00Z"';
/** The name of the file of a key. */
const fileOf = (key: string): string => `world-${new FolderStore('').idOf(key)}.json`;
const FILE = fileOf('sk_test_a');

type Put = (path: string) => void;
const inFolder =
  (text: string | Uint8Array, name = FILE): Put =>
  (path) => {
    mkdirSync(path);
    writeFileSync(join(path, name), text);
  };
/** A folder with a world of a key, and further fields. */
const world = (rest: string, key = 'sk_test_a'): Put =>
  inFolder(`{${HEAD},"Key":${JSON.stringify(key)}${rest && `,${rest}`}}`, fileOf(key));
const ofKey = (key: string): Put => world(A, key);

const ROWS: readonly [what: string, put: Put, message: string][] = [
  ['a file', (path) => writeFileSync(path, '{}'), 'is not a folder. Name a new or an empty folder'],
  ['a file with a NUL', inFolder('\0'), 'not valid JSON'],
  ['a file that is not UTF-8', inFolder(Uint8Array.of(0xff, 0xfe, 0x7b)), 'save it as UTF-8'],
  ['a list', inFolder('[]'), 'it must contain a JSON object'],
  ['null', inFolder('null'), 'it must contain a JSON object'],
  ['no format', inFolder('{}'), 'it has no field Format'],
  ['a format of another type', inFolder('{"Format":1}'), 'it has no field Format'],
  ['a bundle', inFolder('{"Format":"playmoney-bundle"}'), 'it is a bundle'],
  ['a state document', inFolder('{"Format":"playmoney-state"}'), 'it is the state of a world'],
  [
    'the file of version 0.1.0',
    inFolder('{"Format":"playmoney-worlds"}'),
    'its Format is "playmoney-worlds"',
  ],
  ['a HAR', inFolder('{"log":{}}'), 'it is an HTTP archive'],
  ['a version that is a text', inFolder('{"Format":"playmoney-world","Version":"1"}'), 'an unknown version'],
  ['version 0', inFolder('{"Format":"playmoney-world","Version":0}'), 'of an unknown version'],
  ['a key that is a number', inFolder(`{${HEAD},"Key":1}`), 'Key must be a non-empty string'],
  ['an empty key', ofKey(''), 'Key must be a non-empty string'],
  ['a live key', ofKey('sk_live_a'), 'a live key. It must start with sk_test_, or be a key for --key'],
  ['a public key', ofKey('pk_test_a'), 'Key holds a key that is never accepted'],
  ['a revoked key', ofKey('sk_test_revoked'), 'a key that is never accepted'],
  ['a key with a line break', ofKey('sk_test_a\r\nx: y'), 'never accepted'],
  ['a key with a NUL', ofKey('sk_test_\0'), 'never accepted'],
  ['a key that is too long', ofKey(`sk_test_${'a'.repeat(300)}`), 'never accepted'],
  ['two keys', ofKey('sk_test_a,sk_test_b'), 'never accepted'],
  ['an unknown dialect', world('"Dialect":"x"'), 'Dialect must be'],
  ['no instant', world('"Dialect":"sdk"'), 'At must be a date and time'],
  ['no such instant', world('"Dialect":"sdk","At":"soon"'), 'At must be a date and time'],
  ['a secret that is none', world(`${A},"WebhookSecret":7`), 'WebhookSecret must be a non-empty string'],
  ['a scenario that is none', world(`${A},"Chosen":{"x":1}`), ': Chosen'],
  ['no state', world(A), 'The document is invalid'],
  ['a state that is a list', world(`${A},"State":[]`), 'The document is invalid'],
  ['another format', world(`${A},"State":{"Format":"x"}`), 'is invalid: Format must be playmoney-state'],
  ['a newer state', world(`${A},"State":${NEWER}`), 'Version is 99, from a newer version of this program'],
  ['a folder with an empty world', inFolder(''), `${FILE}:1:1: not valid JSON`],
  ['a folder with a truncated world', inFolder(`{${HEAD},"Key":`), `${FILE}:`],
  ['a world of a newer version', inFolder('{"Format":"playmoney-world","Version":2}'), 'of version 2'],
  ['a world of no version', inFolder('{"Format":"playmoney-world"}'), 'of an unknown version'],
  ['a saved world without a key', inFolder(`{${HEAD}}`), `${FILE}: Key is required`],
  ['a world under another name', inFolder(`{${HEAD},"Key":"sk_test_b",${A}}`), 'must be named world-'],
  ['a key that is __proto__', inFolder(`{${HEAD},"Key":"__proto__",${A}}`), 'must be named world-'],
  ['a folder as a world', (path) => mkdirSync(join(path, FILE), { recursive: true }), 'is not a file'],
  [
    'a link that leads nowhere in the place of a world',
    (path) => {
      mkdirSync(path);
      symlinkSync('/no/such/world', join(path, FILE));
    },
    'is not a file',
  ],
  ['a folder with other files', inFolder('x', 'notes.txt'), 'with other files. Name a new or an empty'],
  ['a link that leads nowhere', (path) => symlinkSync('/no/such', path), 'to something that does not'],
  ['a link to itself', (path) => symlinkSync(path, path), 'a link to something that does not exist'],
  ['a link to a device', (path) => symlinkSync('/dev/null', path), 'is not a folder'],
];

/** All names below a folder, with what the files contain. */
function contentOf(path: string): unknown[] {
  return readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => {
    const name = join(entry.parentPath, entry.name);
    return [name, entry.isFile() ? readFileSync(name, 'utf8') : null];
  });
}

async function refusalOf(path: string): Promise<string> {
  const { worlds } = testSandbox();
  const store = new FolderStore(path);
  try {
    const keeper = await WorldKeeper.open(worlds, store);
    for (const { id } of await store.list()) await keeper.wakeNamed(id.slice(0, 12));
    return 'it was opened';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('what --state cannot open is refused with its place, without its key, and stays as it is', () => {
  test.each(ROWS)('%s', async (_, put, message) => {
    const path = join(folder(), 'worlds');
    put(path);
    const before = contentOf(dirname(path));
    const refusal = await refusalOf(path);
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
