// The combinations of which `npm run test:install` makes projects.

/** The versions of Node that are tested. */
export const NODES = [20, 22, 24];

const AXES = {
  manager: ['npm 10', 'npm 11', 'npm 12', 'pnpm 10', 'pnpm 12'],
  vitest: ['none', '3', '4', '5'],
  node: NODES,
  typescript: ['5.9', '7.0'],
  with: ['-'],
};

/** The npm that comes with each Node. */
const OWN_NPM = { 20: 'npm 10', 22: 'npm 10', 24: 'npm 11' };

/** Projects with another package, of the oldest versions that are supported and of the newest, or another source; and small shops. */
const SHORT_EXTRA_ROWS = [
  { manager: 'npm 11', vitest: 'none', node: 24, typescript: '7.0', with: 'git' },
  { manager: 'npm 10', vitest: 'none', node: 20, typescript: '5.9', with: 'README' },
  { manager: 'npm 10', vitest: 'none', node: 20, typescript: '5.9', with: 'jest 30' },
  { manager: 'pnpm 10', vitest: 'none', node: 22, typescript: '7.0', with: 'jest 29' },
  { manager: 'npm 12', vitest: 'none', node: 22, typescript: '7.0', with: '@types/node 20' },
  { manager: 'npm 11', vitest: 'none', node: 24, typescript: '7.0', with: '@playwright/test 1' },
  { manager: 'npm 11', vitest: '4', node: 20, typescript: '7.0', with: 'jsdom 26' },
  { manager: 'npm 11', vitest: '4', node: 20, typescript: '7.0', with: 'shop' },
  { manager: 'npm 10', vitest: 'none', node: 20, typescript: '7.0', with: 'shop jest' },
  { manager: 'npm 10', vitest: 'none', node: 20, typescript: '7.0', with: 'shop node:test' },
  { manager: 'npm 11', vitest: 'none', node: 20, typescript: '7.0', with: 'shop playwright' },
];
export const EXTRA_ROWS = [
  ...SHORT_EXTRA_ROWS,
  { manager: 'pnpm 12', vitest: '5', node: 24, typescript: '5.9', with: 'jsdom 31' },
  { manager: 'npm 10', vitest: 'none', node: 20, typescript: '5.9', with: 'git' },
  { manager: 'npm 12', vitest: 'none', node: 22, typescript: '7.0', with: 'git' },
  { manager: 'npm 10', vitest: 'none', node: 22, typescript: '5.9', with: 'testcontainers 11' },
  { manager: 'npm 10', vitest: '3', node: 20, typescript: '7.0', with: 'shop' },
  { manager: 'npm 11', vitest: '5', node: 22, typescript: '7.0', with: 'shop' },
];

/** Vitest 5 and npm 12 do not run on Node 20. */
function isPossible({ manager, vitest, node }) {
  return node > 20 || (vitest !== '5' && manager !== 'npm 12');
}

/** Every possible combination, without other packages. */
export function everyRow() {
  let rows = [{}];
  for (const [axis, values] of Object.entries(AXES)) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [axis]: value })));
  }
  return rows.filter(isPossible);
}

/** A few combinations: each vitest with each Node and its own npm, and so many others that each possible pair of values is in one; and all others. */
export function pairRows() {
  const isOwn = ({ manager, node, typescript }) => manager === OWN_NPM[node] && typescript === '7.0';
  return [...withOthers(everyRow().filter(isOwn), 2), ...EXTRA_ROWS];
}

/** Even fewer: each value is in one; and those of the others that CI has time for. */
export function shortRows() {
  return [...withOthers([], 1), ...SHORT_EXTRA_ROWS];
}

/** Rows, and others in which each value is at least once (`size` 1), or each possible pair of values (2). */
function withOthers(begun, size) {
  const every = everyRow();
  const left = new Set(every.flatMap((row) => tuplesOf(row, size)));
  for (const row of begun) for (const tuple of tuplesOf(row, size)) left.delete(tuple);
  const rows = [...begun];
  while (left.size > 0) {
    const newIn = (row) => tuplesOf(row, size).filter((tuple) => left.has(tuple)).length;
    const best = every.reduce((one, other) => (newIn(other) > newIn(one) ? other : one));
    rows.push(best);
    for (const tuple of tuplesOf(best, size)) left.delete(tuple);
  }
  return rows;
}

function tuplesOf(row, size) {
  const values = Object.entries(row).map(([axis, value]) => `${axis} ${value}`);
  if (size === 1) return values;
  return values.flatMap((one, i) => values.slice(i + 1).map((other) => `${one}, ${other}`));
}
