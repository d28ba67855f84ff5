import { defineConfig } from 'vitest/config';

import { CORPUS, define } from '../../vitest.config.js';

/** The corpus of shops, apart from the other tests because it takes as long as a quarter of them. */
export default defineConfig({ define, test: { include: [CORPUS], testTimeout: 180_000 } });
