import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

/** A folder for a file of tests, which is gone after them. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'playmoney-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
