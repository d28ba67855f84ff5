// The tests of a small shop, with several runners: in process, under `playmoney exec` and at a running server. What their worlds hold
// is the same bytes. Then a test fails, and the bundle that it leaves is replayed.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CLI, run, startServer, VITEST } from './tools.mjs';

const ROOT = join(import.meta.dirname, '../..');
const SHOP = join(ROOT, 'test/package/shop');
const TEST_FILES = ['shop.test.js', 'fixture.test.js'];
const FILES = readdirSync(SHOP, { recursive: true }).filter((name) => /^(?:app.)?[\w.-]+\.js$/.test(name));

const read = (name) => readFileSync(join(SHOP, name), 'utf8');
const TESTS = TEST_FILES.flatMap((name) => read(name).match(/^\w+\('/gm)).length;

/** The shop charges an order again whose answer was lost, and the one test that is about it fails. */
const BUG = { SHOP_BUG: 'charges-twice' };

/** Jest without flags runs CommonJS, so Babel turns the imports of the tests into calls of `require`. */
const BABEL = { plugins: ['@babel/plugin-transform-modules-commonjs'] };

/** `runner` is the file of the shop's `runners/` that the tests import, `type` that of the project's package.json. */
const RUNNERS = {
  vitest: ({ vitest }) => ({
    packages: [`vitest@${vitest}`],
    command: [VITEST, 'run', '--testTimeout=60000'],
  }),
  jest: () => ({
    packages: ['jest@30.5.2', '@babel/plugin-transform-modules-commonjs@7.29.14'],
    files: { 'babel.config.json': JSON.stringify(BABEL) },
    type: 'commonjs',
    command: ['node_modules/jest/bin/jest.js', '--testTimeout=60000'],
  }),
  'node:test': () => ({ runner: 'node-test', packages: [], command: ['--test'] }),
  playwright: () => ({
    packages: ['@playwright/test@1.65.1'],
    command: ['node_modules/@playwright/test/cli.js', 'test', '--timeout=60000'],
  }),
};

/** The project of the shop, whose types and tests' types are checked strictly. */
export function shopProject(name = 'vitest', row) {
  const { runner = name, packages, files = {}, type = 'module', command } = RUNNERS[name](row);
  const own = FILES.map((file) => [file, read(file)]);
  return {
    packages: ['express@5.3.0', '@types/express@5.0.6', '@types/node@20.19.43', ...packages],
    files: {
      'package.json': JSON.stringify({ name: 'shop', private: true, type }),
      'runner.js': read(`runners/${runner}.js`),
      ...Object.fromEntries(own),
      ...files,
    },
    commands: [],
    compilerOptions: {
      lib: ['ES2023', 'DOM'],
      noUncheckedIndexedAccess: true,
      allowJs: true,
      checkJs: true,
      skipLibCheck: true,
      types: ['node'],
    },
    include: ['app', '*.js'],
    resolutions: ['nodenext'],
    prove: (node, place) => proveShop({ node, place, command: [...command, ...TEST_FILES] }),
  };
}

/** What the worlds of the first tests held, which those of all others must equal. */
let reference;
/** A server that the runs of all projects use, of the build that is packed. */
let server;

export async function stopServer() {
  await (await server)?.stop();
}

/** The problem of each check, null where it holds, and what was printed. */
async function* proveShop(project) {
  for (const way of Object.keys(WAYS)) yield [way, ...(await testWay(project, way))];
  for (const way of Object.keys(FAILING)) yield ['bundle', ...(await proveBundle(project, way))];
}

const playmoney = ({ node, place }, args, env) =>
  run(node, [CLI, ...args], { ...place, env: { ...place.env, ...env } });
const runTests = ({ node, place, command }, env) =>
  run(node, command, { ...place, env: { ...place.env, ...env } });
const execTests = (project, options, env) =>
  playmoney(project, ['exec', ...options, '--', project.node, ...project.command], env);

const WAYS = {
  'in process': runTests,
  exec: (project, env) => execTests(project, ['--quiet'], env),
  server: async (project, env) => {
    server ??= startServer(process.execPath, { cwd: ROOT }, [], 'dist/cli.js');
    return runTests(project, { ...env, PLAYMONEY_URL: (await server).url });
  },
};

async function testWay(project, way) {
  const folder = join(project.place.cwd, `records of ${way}`);
  await mkdir(folder);
  const { code, output } = await WAYS[way](project, { SHOP_RECORDS: folder });
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const records = new Map(files.map((file, n) => [file, texts[n]]));
  reference ??= records;
  if (code !== 0 || records.size !== TESTS)
    return [`exit code ${code}, ${records.size} of ${TESTS} tests left records`, output];
  return [firstDifference(reference, records), output];
}

/** The first line that differs between the records of two runs; null if they are the same bytes. */
function firstDifference(expected, found) {
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    const [before, after] = [expected, found].map((records) => records.get(name)?.split('\n') ?? []);
    const line = (before.length > after.length ? before : after).findIndex((_, n) => before[n] !== after[n]);
    if (line >= 0) return `${name}, line ${line + 1}: ${before[line]} → ${after[line]}`;
  }
  return null;
}

/** Each way leaves a bundle in its own manner: the fixtures that of the failed test, `exec` that of all tests. */
const FAILING = {
  'in process': async (project) => {
    const folder = join(project.place.cwd, 'bundles');
    const ended = await runTests(project, { ...BUG, PLAYMONEY_BUNDLES: folder });
    return { ...ended, files: (await readdir(folder)).map((name) => join(folder, name)) };
  },
  exec: async (project) => {
    const file = join(project.place.cwd, 'failure.json');
    return { ...(await execTests(project, ['--bundle', file], BUG)), files: [file] };
  },
};

/** Opens the bundle on another port, and replays its calls there. */
async function proveBundle(project, way) {
  const { code, output, files } = await FAILING[way](project);
  if (code === 0) return ['the tests passed with a bug', output];
  if (files.length !== 1) return [`one test failed, but there are ${files.length} bundles`, output];
  if (!output.includes(files[0])) return [`the output does not name ${files[0]}`, output];
  const opened = await startServer(project.node, project.place, ['open', files[0]]);
  const args = ['replay', files[0], '--against', opened.url, '--key', 'sk_test_replay', '--move-clock'];
  const replay = await playmoney(project, args);
  await opened.stop();
  return [replay.code === 0 ? null : 'the replay differs', replay.output];
}
