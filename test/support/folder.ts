import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, onTestFinished } from 'vitest';

/** A folder for a file of tests, which is gone after them. */
export function temporaryFolder(): string {
  return folderUntil(afterAll);
}

/** A folder for one test, which goes with it. */
export function folder(): string {
  return folderUntil(onTestFinished);
}

function folderUntil(end: (remove: () => void) => void): string {
  const path = mkdtempSync(join(tmpdir(), 'playmoney-'));
  end(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
