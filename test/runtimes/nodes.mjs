// The tests of `npm test` on other versions of Node than this one: `npm run test:nodes [-- MAJOR…]`.
import { NODES } from '../install/matrix.mjs';
import { passedOf, printFigures, runVitest } from '../support/figures.mjs';
import { nodeOf } from './node-of.mjs';

const asked = process.argv.slice(2).map(Number);
const others = NODES.filter((major) => !process.version.startsWith(`v${major}.`));
const figures = [];
for (const major of asked.length > 0 ? asked : others) {
  const node = await nodeOf(major);
  if (node === null) {
    figures.push(`Node ${major} cannot be had here`);
    continue;
  }
  const { code, ran } = await runVitest([], {}, node);
  figures.push(`Node ${major}: ${passedOf(ran)}`);
  if (code !== 0) process.exitCode = code;
}
printFigures('nodes', figures.join(', '));
