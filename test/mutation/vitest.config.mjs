import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

import { chosenGroup } from './groups.mjs';

/** The few tests of a group, for one change after another; none of them needs what the build puts into the sources. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  define: { __VERSION__: '"0.0.0"', __TEXTS__: '"{}"' },
  // Tests that shared their modules would at times have them from before the change.
  test: { include: [...chosenGroup().tests, 'test/mutation/loads.test.mjs'], isolate: true },
});
