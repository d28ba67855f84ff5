import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { BUILD, copiedByBuild, DOCKERFILE, ROOT, RUN } from './checkout.js';

const IGNORED = readFileSync(join(ROOT, '.dockerignore'), 'utf8');

test('The image is built as `npm start` builds, from what test/package/builds.test.ts shows to be enough.', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(/^RUN (node .*)$/m.exec(BUILD)?.[1]).toBe(scripts['prestart']);
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
