import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

import { browserAssets } from './browser-assets.mjs';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version), __ASSETS__: JSON.stringify(await browserAssets()) },
  test: { include: ['test/**/*.test.ts'], exclude: ['test/browser/**'], testTimeout: 20_000 },
});
