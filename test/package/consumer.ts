import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import { packInto, run, type Run } from '../install/tools.mjs';

const ROOT = join(import.meta.dirname, '../..');

export { VITEST } from '../install/tools.mjs';

/** A folder whose programs use the package, as a user's do. */
export interface Consumer {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Runs a program of Node in the folder; what it printed on both streams, without colours. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
  remove(): void;
}

/** A fresh folder, outside of the repository. */
export function emptyConsumer(): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'playmoney-consumer-'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  );
  return {
    folder,
    write: (name, text) => writeFileSync(join(folder, name), text),
    run: (args, env = {}) => {
      const { PATH = '', HOME = '' } = process.env;
      return run(process.execPath, args, { cwd: folder, env: { PATH, HOME, NO_COLOR: '1', ...env } });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A folder in which this package, as it was built last, and its vitest stand as if they were installed. */
export function linkedConsumer(): Consumer {
  const consumer = emptyConsumer();
  const modules = join(consumer.folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(ROOT, join(modules, 'playmoney'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(modules, 'vitest'));
  return consumer;
}

/** The same for a file of tests, after which it is gone. */
export function forFile(consumer: Consumer): Consumer {
  afterAll(consumer.remove);
  return consumer;
}

/** Runs npm in a folder; returns what it printed. */
export function npm(folder: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A folder in which this package, as it was built last, and other packages of the registry are installed. */
export function installedConsumer(...packages: readonly string[]): Consumer {
  const consumer = emptyConsumer();
  const { path } = packInto(consumer.folder);
  npm(consumer.folder, 'install', '--no-audit', '--no-fund', path, ...packages);
  return consumer;
}

/** The blocks of a page in a language, in their order. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return Array.from(blocks, ([, block = '']) => block);
}

/** The test file of the README, as it stands there. */
export function readmeTestFile(): string {
  const [file = '', ...others] = blocksOf('README.md', 'js').filter((block) =>
    block.includes('playmoney/vitest'),
  );
  if (others.length > 0) throw new Error('The README has more than one test file.');
  return file;
}
