import { readFileSync } from 'node:fs';

import { EXTRA_ROWS, everyRow, type Row } from '../install/matrix.mjs';

/** What the tests run with, from the files that say so. */

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Files with exact versions of packages. */
const EXACT = ['package.json', 'test/package/runners.test.ts', 'test/install/shop.mjs'].map(read);

const listed = (all: readonly string[]): string =>
  [...new Set(all)].toSorted((one, other) => Number.parseFloat(one) - Number.parseFloat(other)).join(', ');

/** The values of an axis of the matrix that is a version. */
const valuesOf = (axis: keyof Row): string[] => everyRow().map((row) => String(row[axis]));

/** The versions of a package: those of the matrix, or the exact ones in their place. */
function versionsOf(name: string, rough: readonly string[] = []): string {
  const given = new RegExp(`['"]${name}(?:@|": ")(\\d+\\.\\d[\\d.]*)['"]`, 'g');
  const exact = EXACT.flatMap((text) => Array.from(text.matchAll(given), ([, version = '']) => version));
  const extra = EXTRA_ROWS.flatMap(({ with: other }) =>
    other.startsWith(`${name} `) ? [other.slice(name.length + 1)] : [],
  );
  const others = [...rough, ...extra].filter(
    (one) => !exact.some((version) => version.startsWith(`${one}.`)),
  );
  return listed([...others, ...exact]);
}

/** The versions of a package manager. */
const managers = (name: string): string =>
  listed(
    valuesOf('manager').flatMap((one) => (one.startsWith(`${name} `) ? [one.slice(name.length + 1)] : [])),
  );

function foundIn(file: string, pattern: RegExp): string {
  const [, found] = pattern.exec(read(file)) ?? [];
  if (found === undefined) throw new Error(`${file} has no ${pattern.source}`);
  return found;
}

export function versions(): [what: string, versions: string, testedBy: string][] {
  const python = foundIn('integrations/python/pyproject.toml', /requires-python = ">=(.*)"/);
  const pytest = foundIn('integrations/python/pyproject.toml', /"pytest>=(.*?)"/);
  const containers = foundIn('test/package/testcontainers.test.ts', /VERSIONS = \[(.*)\]/);
  const vitests = valuesOf('vitest').filter((one) => one !== 'none');
  return [
    ['Node', listed(valuesOf('node')), '`test:nodes`, `test:install`'],
    ['Bun', foundIn('test/runtimes/package.json', /"bun": "(.*)"/), '`test:determinism`'],
    ['Deno', foundIn('test/runtimes/package.json', /"deno": "(.*)"/), '`test:determinism`'],
    ['npm', managers('npm'), '`test:install`'],
    ['pnpm', managers('pnpm'), '`test:install`'],
    ['TypeScript', listed(valuesOf('typescript')), '`test:install`'],
    ['vitest', versionsOf('vitest', vitests), '`test:install`'],
    ['Jest', versionsOf('jest'), '`test:install`, `test:package`'],
    ['Playwright', versionsOf('@playwright/test'), '`test:install`, `test:package`'],
    ['jsdom', versionsOf('jsdom'), '`test:install`'],
    ['Testcontainers', containers.replaceAll("'", ''), '`test:package`'],
    ['Chromium', `that of Debian, with playwright-core ${versionsOf('playwright-core')}`, '`test:browser`'],
    ['Python', `that of the machine, ${python} or later, with pytest ${pytest} or later`, '`test:python`'],
  ];
}
