import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { WorldKeeper } from '../../../src/app/saving/keeper.js';
import { FolderStore } from '../../../src/node/state/folder-store.js';
import { folder } from '../../support/folder.js';
import { testSandbox } from '../../support/sandbox.js';
import { buildIfMissing, CLI } from '../cli/program.js';
import { CHARGE, JSON_KEY } from '../cli/starting.js';

/** A limit of the system for the size of a file, in blocks of 512 or 1,024 bytes: it fails a write, as a full disk does. */
const FILE_BLOCKS = 16;

beforeAll(buildIfMissing);

// Windows has no such limit.
test.runIf(process.platform !== 'win32')(
  'a write that fails is reported with its file, leaves what was saved before and no draft, and makes the exit code 1',
  async () => {
    const path = join(folder(), 'worlds');
    const args = [process.execPath, CLI, '--port', '0', '--quiet', '--state', path];
    const limited = ['-c', `ulimit -f ${FILE_BLOCKS} && exec "$@"`, 'sh', ...args];
    const child = spawn('sh', limited, { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
    const [ready] = (await once(child.stdout, 'data')) as [Buffer];
    const [url = ''] = /http:\S+/.exec(ready.toString()) ?? [];
    const charge = (): Promise<Response> =>
      fetch(`${url}/charge/card`, { method: 'POST', headers: JSON_KEY, body: CHARGE });
    const savedUntil = async (): Promise<number> => {
      const health = await (await fetch(`${url}/_sandbox/health`)).json();
      return Date.parse(String((health as { SavedUntil: unknown }).SavedUntil));
    };
    await charge();
    const answered = Date.now();
    // Saved once, while it is small. Before the first save, this is NaN.
    while (!((await savedUntil()) > answered));
    for (let n = 0; n < 200; n++) expect((await charge()).status).toBe(201);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    // The server may have tried before, and said so then.
    const line = String.raw`playmoney: --state: cannot write \S+world-[\da-f-]+\.json: [^.]+`;
    const lost = String.raw`\. Lost: the last changes of world [\da-f]{12}`;
    expect(stderr).toMatch(new RegExp(`^(?:${line}\n)?${line}${lost}\n$`));
    const [file = '', ...others] = readdirSync(path).toSorted().toReversed();
    expect([file, others]).toEqual([expect.stringMatching(/^world-/), ['uptime']]);
    expect(readFileSync(join(path, file), 'utf8')).toMatch(/\}\n$/);
    const sandbox = testSandbox();
    await WorldKeeper.open(sandbox.worlds, new FolderStore(path));
    expect((await sandbox.worlds.bring('sk_test_a')).charges.size).toBeGreaterThan(0);
  },
);
