import { defineConfig } from 'vitest/config';

import { define } from '../../vitest.config.js';

/** Three servers behind a real nginx. `npm run test:nginx` builds first. */
export default defineConfig({
  define,
  test: { include: ['test/nginx/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000 },
});
