import { expect, test } from 'vitest';

import { chosenGroup } from './groups.mjs';

// Stryker counts tests that fail, and knows of none in a file that cannot be loaded.
test('every module that Stryker changes can be loaded', async () => {
  const { files } = chosenGroup();
  expect(files).not.toEqual([]);
  for (const file of files) await import(`../../${file}`);
});
