import { defineConfig } from 'vitest/config';

import { define, SWEEPS } from '../../vitest.config.js';

/** The corpus of shops, and sweeps of commands, apart from the other tests because they take as long as a third of them. */
export default defineConfig({
  define,
  test: { include: SWEEPS, testTimeout: 180_000, hookTimeout: 180_000 },
});
