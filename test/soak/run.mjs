// The soak: `npm run test:soak -- --minutes 20 --rate 200 --seed 1`. Starts the program that was built last and calls it for so long; prints what is wrong, and
// one line of figures at the end. It writes into a temporary folder alone.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const scratch = await mkdtemp(join(tmpdir(), 'playmoney-soak-'));
let child;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child?.kill(signal));
try {
  const outfile = join(scratch, 'soak.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'soak.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    // What conforms is judged by the rows of the program, which know its version.
    define: { __VERSION__: '"soak"' },
    logLevel: 'warning',
  });
  child = spawn(process.execPath, [outfile, ...process.argv.slice(2)], {
    cwd: scratch,
    stdio: 'inherit',
    env: { ...process.env, SOAK_ROOT: root },
  });
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
