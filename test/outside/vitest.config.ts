import { defineConfig } from 'vitest/config';

import { define } from '../../vitest.config.js';

/** playmoney with programs of others, which `npm run test:outside` installs. */
export default defineConfig({
  define,
  test: { include: ['test/outside/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
