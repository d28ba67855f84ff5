// The long trace on several versions of Node, in several zones and locales: `npm run test:determinism`.
import { passedOf, printFigures, runVitest } from '../support/figures.mjs';

const { code, ran } = await runVitest([
  '--config',
  'test/runtimes/vitest.config.ts',
  ...process.argv.slice(2),
]);
const versions = new Set(ran.map(({ path }) => path[0]).filter((name) => name?.startsWith('Node ')));
printFigures(
  'determinism',
  `${versions.size} versions of Node (${[...versions].join(', ')}), ${passedOf(ran)}`,
);
process.exitCode = code;
