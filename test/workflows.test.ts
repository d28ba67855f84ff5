import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const WORKFLOWS = '.github/workflows';
const FILES = [...readdirSync(join(ROOT, WORKFLOWS)).map((name) => join(WORKFLOWS, name)), 'action.yml'];

interface Step {
  readonly uses?: string;
}
interface Steps {
  readonly steps?: readonly Step[];
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function listUses(file: string): string[] {
  const { jobs = {}, runs } = parse(read(file)) as {
    readonly jobs?: Readonly<Record<string, Steps & Step>>;
    readonly runs?: Steps;
  };
  const parts = [...Object.values(jobs), ...(runs === undefined ? [] : [runs])];
  const used = parts.flatMap((part) => [part as Step, ...(part.steps ?? [])]);
  return used.flatMap(({ uses }) => (uses === undefined || uses.startsWith('./') ? [] : [uses]));
}

test.each(FILES)('%s parses, and pins each action to a commit, with its version as a comment', (file) => {
  const text = read(file);
  // A tag can be moved to other code; a commit cannot.
  const loose = listUses(file).filter((uses) => {
    const isCommit = /^[\w.-]+\/[\w./-]+@[\da-f]{40}$/.test(uses);
    return !isCommit || !new RegExp(`uses: ${uses} # v\\d+\\.\\d+\\.\\d+$`, 'm').test(text);
  });
  expect(loose).toEqual([]);
  expect(listUses(file)).not.toEqual([]);
});

test('an action has the same commit wherever it is used', () => {
  const commits = new Map<string, Set<string>>();
  for (const uses of FILES.flatMap(listUses)) {
    const [name = '', commit = ''] = uses.split('@');
    commits.set(name, new Set([...(commits.get(name) ?? []), commit]));
  }
  expect([...commits].filter(([, used]) => used.size > 1)).toEqual([]);
});
