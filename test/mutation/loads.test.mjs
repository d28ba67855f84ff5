import { expect, test } from 'vitest';

const modules = import.meta.glob(['../../src/core/*.ts', '../../src/providers/*.ts', '../../src/*/model.ts']);

// Stryker counts tests that fail, and knows of no test in a file that cannot be loaded.
test('every module that Stryker changes can be loaded', async () => {
  expect(Object.keys(modules).length).toBeGreaterThan(50);
  for (const load of Object.values(modules)) await load();
});
