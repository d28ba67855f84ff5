import { defineConfig } from 'vitest/config';

import { define } from '../../vitest.config.js';

/** The single executable: apart from the others, because it takes a while to make. `npm run test:binary` makes it first. */
export default defineConfig({
  define,
  test: { include: ['test/binary/binary.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
