import { defineConfig } from 'vitest/config';

import { define } from '../../vitest.config.js';

/** The plays on several runtimes, in several zones and locales: apart from the others, because it takes minutes. */
export default defineConfig({
  define,
  test: { include: ['test/runtimes/matrix.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
