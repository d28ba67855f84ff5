// The hostile requests alone: `npm run test:hostile`.
import { printFigures, runVitest } from '../support/figures.mjs';

const { code, ran } = await runVitest([
  '--project=crowded',
  'test/hostile/hostile.test.ts',
  'test/hostile/terminal',
  'test/hostile/http2',
]);
const classes = new Set(ran.map(({ path }) => path[0]));
const expected = ran.filter(({ passed }) => passed).length;
printFigures('hostile', `${ran.length} cases in ${classes.size} classes, ${expected} as expected`);
process.exitCode = code;
