import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'playmoney-recipes-'));
let server: ChildProcess;
let environment: NodeJS.ProcessEnv;

/** The one code block of a language. */
function block(language: string): string {
  const [found, ...others] = [
    ...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
  ];
  expect(others).toEqual([]);
  return found?.[1] ?? '';
}

/** What the page says that a program prints. */
const promised = (n: number): string | undefined => [...PAGE.matchAll(/^prints `(.*?)`/gm)][n]?.[1];

function has(command: string): boolean {
  try {
    execFileSync(command, ['-h'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, env: environment, encoding: 'utf8' }).trim();

beforeAll(async () => {
  const args = ['--https', '--port', '0', '--tls-dir', 'tls', '--dialect', 'sdk', '--quiet'];
  server = spawn(process.execPath, [join(ROOT, 'dist/cli.js'), ...args], { cwd: folder });
  const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
  const port = /:(\d+)\n/.exec(line.toString())?.[1] ?? '';
  environment = {
    ...process.env,
    PAYMENTS_URL: `https://localhost:${port}`,
    NODE_EXTRA_CA_CERTS: join(folder, 'tls/ca.pem'),
  };
});

afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe('the recipe', () => {
  test('of Node prints what it says', () => {
    writeFileSync(join(folder, 'charge.mjs'), block('js'));
    expect(run(process.execPath, 'charge.mjs')).toBe(promised(0));
  });

  test.skipIf(!has('java') || !has('keytool'))(
    'of Java prints what it says',
    () => {
      const [trust = '', java = ''] = /(keytool .*)\n(java .*)/.exec(PAGE)?.slice(1) ?? [];
      writeFileSync(join(folder, 'Charge.java'), block('java'));
      const [keytool = '', ...trusted] = trust.split(' ');
      run(keytool, ...trusted);
      const [program = '', ...args] = java.split(' ');
      expect(run(program, ...args)).toBe(promised(1));
    },
    60_000,
  );

  test.skipIf(!has('php') || !run('php', '-m').split('\n').includes('curl'))(
    'of PHP prints what it says',
    () => {
      const [, options = ''] = /^php (.*) charge\.php$/m.exec(PAGE) ?? [];
      writeFileSync(join(folder, 'charge.php'), block('php'));
      expect(run('php', ...options.split(' '), 'charge.php')).toBe(promised(2));
    },
  );
});
