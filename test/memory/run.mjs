// Fills the memory of servers with a small heap: `npm run test:memory -- --heap 512 batches "half state documents"`. None may end. What does not fit is refused
// with 503; health is answered all the time; and after a reset of all worlds there is room again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { printFigures } from '../support/figures.mjs';
import { ATTACKS, call, charge, keys } from './attacks.mjs';

const CLI = join(import.meta.dirname, '../../dist/cli.js');
const EXPECTED = new Set(['200', '201', '503']);
const PROBED_EVERY_MS = 50;
/** How long it may take until freed memory is noticed. */
const ROOM_WITHIN_MS = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { heap: { type: 'string', default: '512' } },
});

async function start() {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${values.heap}`, CLI, '--port', '0', '--quiet'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {},
    },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, port: Number(/:(\d+)\n/.exec(String(line))?.[1]) };
}

/** Asks for the health of a server until `isOver`; resolves with the longest time to an answer, in milliseconds. */
async function probe({ child, port }, isOver) {
  let longest = 0;
  while (!isOver() && child.exitCode === null && child.signalCode === null) {
    const begun = performance.now();
    await call(port, 'GET', '/_sandbox/health', '');
    longest = Math.max(longest, performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, PROBED_EVERY_MS));
  }
  return longest;
}

/** Ends what every world holds, then makes a charge; returns its status. */
async function afterResets(port) {
  for (const key of keys) {
    await call(port, 'DELETE', '/_sandbox/scenario', key);
    await call(port, 'POST', '/_sandbox/reset', key, {});
  }
  const [key] = keys;
  const until = performance.now() + ROOM_WITHIN_MS;
  for (;;) {
    const { status } = await call(port, 'POST', '/charge/card', key, charge());
    if (status === 201 || performance.now() > until) return status;
    await new Promise((resolve) => setTimeout(resolve, PROBED_EVERY_MS));
  }
}

async function run(name) {
  keys.clear();
  const server = await start();
  let isOver = false;
  const probed = probe(server, () => isOver);
  const counts = await ATTACKS[name](server.port);
  isOver = true;
  const longest = await probed;
  const { signalCode, exitCode } = server.child;
  const ended = signalCode ?? exitCode;
  // Some halves fit, and wait for the rest.
  const odd = Object.keys(counts).filter(
    (status) => !EXPECTED.has(status) && !(status === '0' && name.startsWith('half')),
  );
  if (keys.size === 0) keys.add('sk_test_a');
  const after = ended === null ? await afterResets(server.port) : 0;
  const isGood = ended === null && odd.length === 0 && after === 201;
  const answers = Object.entries(counts).map(([status, count]) => `${count} × ${status}`);
  const state = ended === null ? `then ${after}` : `ended with ${ended}`;
  process.stdout.write(
    `${isGood ? 'ok ' : 'BAD'} ${name}: ${answers.join(', ')}; health within ${longest.toFixed(0)} ms; ${state}\n`,
  );
  server.child.kill('SIGKILL');
  return isGood;
}

const names = positionals.length > 0 ? positionals : Object.keys(ATTACKS);
let good = 0;
for (const name of names) if (await run(name)) good++;
printFigures('memory', `${good} of ${names.length} attacks survived with a heap of ${values.heap} MiB`);
process.exit(good === names.length ? 0 : 1);
