import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const IGNORED = readFileSync(join(ROOT, '.dockerignore'), 'utf8');
const [BUILD = '', RUN = ''] = DOCKERFILE.split(/^(?=FROM )/m).filter((stage) => stage.startsWith('FROM '));

/** The names that a stage copies from the checkout, each with what it stands for there. */
function copied(stage: string): { pattern: string; names: string[] }[] {
  const patterns = [...stage.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, words = '']) =>
    words.split(' '),
  );
  return patterns.map((pattern) => ({
    pattern,
    names: pattern.startsWith('*')
      ? readdirSync(ROOT).filter((name) => name.endsWith(pattern.slice(1)))
      : [pattern],
  }));
}

test('The build of the image has all that it reads: what is copied is enough to build the program.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'playmoney-image-'));
  for (const { names } of copied(BUILD)) {
    for (const name of names) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const [, command = ''] = /^RUN node (.*)$/m.exec(BUILD) ?? [];
  execFileSync(process.execPath, command.split(' '), { cwd: folder });
  const version = execFileSync(process.execPath, ['dist/cli.js', '--version'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  const { version: expected } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(version).toBe(`${expected}\n`);
});

test('The context of the image is what the build copies, and nothing else.', () => {
  const kept = IGNORED.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  expect(IGNORED).toContain('\n*\n');
  expect(new Set(kept)).toEqual(new Set(copied(BUILD).map(({ pattern }) => pattern)));
});

test('The image runs without a shell and without root, and its health check does, too.', () => {
  expect(RUN).toMatch(/^USER node$/m);
  expect(RUN).toMatch(/^ENTRYPOINT \["node", /m);
  expect(RUN).toMatch(/HEALTHCHECK [^[]*CMD \["node", "\/app\/dist\/cli\.js", "health"\]/);
  expect(RUN).not.toMatch(/^RUN /m);
});
