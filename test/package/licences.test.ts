import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folder } from '../support/folder.js';
import { ROOT } from './checkout.js';

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** The names of the packages of which the bundles have code, each with its version. */
function bundledPackages(): string[] {
  const file = join(folder(), 'metafiles.json');
  execFileSync(process.execPath, ['build/build.mjs', `--metafile=${file}`], { cwd: ROOT });
  const metafiles = JSON.parse(readFileSync(file, 'utf8')) as Metafile[];
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => {
      const parts = path.split('/');
      const at = parts.lastIndexOf('node_modules') + 1;
      if (at === 0) return [];
      return [parts.slice(0, at + (parts[at]?.startsWith('@') ? 2 : 1)).join('/')];
    });
  const names = [...new Set(folders)].map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    return `${name} ${version}`;
  });
  return names.toSorted();
}

test('THIRD-PARTY-LICENSES and sbom.cdx.json have each package that is bundled, and no other', () => {
  const bundled = bundledPackages();
  const [, ...notices] = readFileSync(join(ROOT, 'THIRD-PARTY-LICENSES'), 'utf8').split(
    `\n${'='.repeat(80)}\n\n`,
  );
  expect(notices.map((notice) => / \S+(?= \()/.exec(notice) && notice.split(' (', 1)[0]).toSorted()).toEqual(
    bundled,
  );
  const sbom = JSON.parse(readFileSync(join(ROOT, 'sbom.cdx.json'), 'utf8')) as {
    bomFormat: string;
    components: { purl: string; licenses: [{ expression: string }] }[];
  };
  expect(sbom.bomFormat).toBe('CycloneDX');
  const listed = sbom.components.map(({ purl, licenses: [{ expression }] }) => `${purl} (${expression})`);
  const purls = notices.map(
    (notice) => `pkg:npm/${(notice.split('\n', 1)[0] ?? '').replace('@', '%40').replace(/ /, '@')}`,
  );
  expect(listed.toSorted()).toEqual(purls.toSorted());
  for (const name of ['hono', 'zod', 'yaml', '@faker-js/faker']) {
    expect(
      bundled.some((one) => one.startsWith(`${name} `)),
      name,
    ).toBe(true);
  }
  for (const notice of notices) {
    expect(notice, notice.slice(0, 40)).toMatch(/copyright|public domain/i);
    expect(notice, notice.slice(0, 40)).toMatch(
      /permission (?:is hereby granted|to use, copy)|redistribution and use|apache license|cc0/i,
    );
    expect(notice.length).toBeGreaterThan(500);
  }
});
