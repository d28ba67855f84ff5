import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { packInto } from '../install/tools.mjs';
import { emptyConsumer, forFile } from './consumer.js';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');
/** What the package may take on its way, and on a disk: the program, and the library once for `import` and once for `require`. */
const TARBALL_BYTES_MAX = 2_900_000;
const UNPACKED_BYTES_MAX = 12_000_000;

const consumer = forFile(emptyConsumer());
const packed = packInto(consumer.folder);
execFileSync('tar', ['-xzf', packed.path], { cwd: consumer.folder });

describe('the tarball', () => {
  test('is small, and holds the programs, declarations, scenarios and the manual alone', () => {
    expect(packed.size).toBeLessThan(TARBALL_BYTES_MAX);
    expect(packed.unpackedSize).toBeLessThan(UNPACKED_BYTES_MAX);
    const others = packed.files
      .map(({ path }) => path)
      .filter(
        (path) =>
          !/^dist\/(?:[\w.-]+\.c?js|texts\.json|chunks\/|types\/.*\.d\.c?ts$)|^(?:scenarios|docs)\//.test(
            path,
          ),
      );
    expect(others.toSorted()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'THIRD-PARTY-LICENSES',
      'action.yml',
      'bench/README.md',
      'bench/RESULTS.md',
      'package.json',
      'sbom.cdx.json',
    ]);
  });

  test('has a manual whose links lead to files of the package, or are absolute', () => {
    const root = join(consumer.folder, 'package');
    const pages = packed.files.map(({ path }) => path).filter((path) => path.endsWith('.md'));
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path = '']) => path);
      return links
        .filter((path) => !existsSync(join(root, page, '..', path)))
        .map((path) => `${page}: ${path}`);
    });
    expect(pages).toContain('docs/reference/fidelity.md');
    expect(broken).toEqual([]);
  });

  test('declares no more than its entries reach', () => {
    const types = packed.files.filter(({ path }) => path.endsWith('.d.ts'));
    expect(types.length).toBeLessThan(50);
    const others = types.filter(({ path }) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      // Runners of tests run on Node.
      return /from '(?:hono|zod)/.test(text) || (/from 'node:/.test(text) && !path.includes('/testing/'));
    });
    expect(others).toEqual([]);
  });

  test('declares what the sources derive from schemas and tables', () => {
    const modules = ['answers', 'asked', 'words'].map((name) => `client/${name}`);
    const lines = modules.flatMap((name, i) => {
      const declared = readFileSync(join(ROOT, `dist/types/${name}.d.ts`), 'utf8');
      const names = [...declared.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, one = '']) => one);
      return [
        `import type * as Published${i} from '${ROOT}/dist/types/${name}.js';`,
        `import type * as Source${i} from '${ROOT}/src/${name}.js';`,
        ...names.map((one) => `export const ${one}: Same<Published${i}.${one}, Source${i}.${one}> = true;`),
      ];
    });
    const same = 'type Same<A, B> = [A, B] extends [B, A] ? true : false;';
    consumer.write('same.ts', [...lines, same].join('\n'));
    consumer.write(
      'tsconfig.json',
      JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: ['same.ts'] }),
    );
    expect(lines.length).toBeGreaterThan(35);
    // It ends with an error where one is not assignable to the other.
    execFileSync(join(BIN, 'tsc'), ['-p', consumer.folder, '--typeRoots', join(ROOT, 'node_modules/@types')]);
  });

  test('has its code for `require` once: the entries take it from one file', () => {
    const bytesOf = new Map(packed.files.map(({ path, size }) => [path, size]));
    const shared = [...bytesOf.keys()].filter(
      (path) => path.startsWith('dist/chunks/') && path.endsWith('.cjs'),
    );
    expect(shared).toHaveLength(1);
    for (const entry of ['index', 'jest', 'node-test', 'playwright'])
      expect(bytesOf.get(`dist/${entry}.cjs`), entry).toBeLessThan(40_000);
  });

  test('names the types of each entry also for compilers that do not read `exports`', () => {
    const { exports, typesVersions } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      exports: Record<string, { types?: string; require?: { types: string } }>;
      typesVersions: { '*': Record<string, string[]> };
    };
    const expected = Object.entries(exports).flatMap(([entry, { types, require }]) => {
      const declared = require?.types ?? types;
      return declared === undefined || entry === '.' ? [] : [[entry.slice(2), [declared]]];
    });
    expect(typesVersions).toEqual({ '*': Object.fromEntries(expected) });
  });

  test('brings no other package along', () => {
    const manifest = readFileSync(join(consumer.folder, 'package/package.json'), 'utf8');
    expect(JSON.parse(manifest)).not.toHaveProperty('dependencies');
  });

  test('is clean to publint', () => {
    const said = execFileSync(join(BIN, 'publint'), ['run', packed.path, '--strict'], { encoding: 'utf8' });
    expect(said).toContain('All good!');
  });

  test.each([
    ['node16', '--exclude-entrypoints', 'vitest', 'browser', 'worker'],
    // Vitest itself cannot be required, and no browser requires anything.
    ['esm-only', '--entrypoints', 'vitest', 'browser', 'worker'],
  ])('is clean to attw with the profile %s', (profile, ...entries) => {
    // It ends with an error where the profile finds a problem. Some profiles list what they ignore.
    const said = execFileSync(join(BIN, 'attw'), [packed.path, '--profile', profile, ...entries], {
      encoding: 'utf8',
    });
    expect(said).toMatch(/No problems found|\(ignored per resolution\)/);
  });
});
