import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { BUILD, copiedByBuild, copyOfCheckout, DOCKERFILE, ROOT, RUN } from './checkout.js';

const IGNORED = readFileSync(join(ROOT, '.dockerignore'), 'utf8');

test('The build of the image has all that it reads: what is copied is enough to build the program.', () => {
  const folder = copyOfCheckout();
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
  expect(new Set(kept)).toEqual(new Set(copiedByBuild()));
});

test('Both stages begin with the same exact version of Node.', () => {
  const bases = Array.from(DOCKERFILE.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm), ([, base]) => base);
  expect(bases).toEqual([bases[0], bases[0]]);
  expect(bases[0]).toMatch(/^node:\d+\.\d+\.\d+-alpine$/);
});

test('The image runs without a shell and without root, and its health check does, too.', () => {
  expect(RUN).toMatch(/^USER node$/m);
  expect(RUN).toMatch(/^ENTRYPOINT \["node", /m);
  expect(RUN).toMatch(/HEALTHCHECK [^[]*CMD \["node", "\/app\/dist\/cli\.js", "health"\]/);
  expect(RUN).not.toMatch(/^RUN /m);
});

test('The image has its own licence, those of the code in it, and the list of that code.', () => {
  const [, copied = ''] = /^COPY --from=build (.*LICENSE.*) \.\/$/m.exec(RUN) ?? [];
  expect(copied.split(' ')).toEqual(['/app/LICENSE', '/app/THIRD-PARTY-LICENSES', '/app/sbom.cdx.json']);
});
