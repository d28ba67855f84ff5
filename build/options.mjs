// How esbuild bundles the program: for dist/ (build.mjs) and for the single executable (binary/build.mjs).
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { slim } from './slim.mjs';

export const root = dirname(import.meta.dirname);

export const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** What esbuild took into each bundle. */
export const metafiles = [];

export const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Nothing is minified: Node prints the line that threw, so lines must be short, and stack traces readable.
  legalComments: 'none',
  logLevel: 'warning',
  outdir: 'dist',
  metafile: true,
  plugins: [slim],
  write: false,
};

/** The program and the package. */
export const split = {
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  external: ['vitest', '@jest/globals', '@playwright/test'],
  // The Node version of yaml is CommonJS, which cannot require Node's modules from within an ES module.
  alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
  define: { __VERSION__: JSON.stringify(version) },
  // Keeps the fake timers of a test runner away from what runs in its process. The program has it too, so that both have the same chunks.
  inject: ['src/node/machine/node-version.ts', 'src/node/machine/real-time.ts', 'src/node/texts.ts'],
};

/** The same in one file for `require`, because esbuild cannot split CommonJS. */
export const whole = {
  ...split,
  splitting: false,
  format: 'cjs',
  // Jest and single executables cannot import from CommonJS.
  supported: { 'dynamic-import': false },
  define: { ...split.define, 'import.meta.url': '__here' },
  banner: { js: 'const __here = require("node:url").pathToFileURL(__filename).href;' },
};

/** The worker thread needs its own bundle. */
export const worker = { entryPoints: { 'chunks/deliver-worker': 'src/node/webhooks/deliver-worker.ts' } };

export const inBrowser = { platform: 'browser', target: 'es2022', minify: true };

const noYaml = {
  name: 'no-yaml',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(?:yaml|\.\/yaml\.js)$/ }, () => ({
      path: join(root, 'src/app/browser/no-yaml.ts'),
    })),
};

// In a browser, a page as well as a service worker. It is minified, without a source map, unlike all else: a page loads it as it is, and
// readable it would be half as long again. A service worker cannot import late, so it is one file; what is long is in texts.json.
export const browserProgram = {
  ...inBrowser,
  entryPoints: { browser: 'src/app/browser/browser.ts' },
  inject: ['src/app/browser/texts.ts'],
  plugins: [slim, noYaml],
  define: { __VERSION__: JSON.stringify(version) },
};
