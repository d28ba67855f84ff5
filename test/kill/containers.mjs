import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { asking } from './ledger.mjs';
import { Server } from './server.mjs';

/** Runs a command as a container does: with the process number 1, and a host name that others have, too. */
const CONTAINER = 'unshare --uts --pid --fork --kill-child --mount-proc sh -c'
  .split(' ')
  .concat('hostname shop && exec "$@"', 'sh');
/** Ten seconds for a claim that is silent, and the time of a start on a busy machine. */
const TAKEN_MS_MAX = 15_000;
const KEY = 'sk_test_shared';

/** Starts servers in several containers on one folder, of which only one may own it. Returns what to print. */
export async function shareFolder(path, findings) {
  if (spawnSync(CONTAINER[0], [...CONTAINER.slice(1), 'true']).status !== 0)
    return 'containers skipped: unshare cannot make namespaces here';
  const demand = (isRight, finding) => void (isRight || findings.push(`containers: ${finding}`));
  const first = await Server.start(path, CONTAINER);
  await charge(first);
  const second = await Server.start(path, CONTAINER);
  demand(second.url === null, 'two servers own the folder');
  demand(second.stderr.includes('is in use by'), `a second start failed with: ${second.stderr}`);
  process.kill(insideOf(first), 'SIGTERM');
  demand((await first.ended) === 0, `the first server failed: ${first.stderr}`);

  const killed = await Server.start(path, CONTAINER);
  await killed.kill();
  const begun = performance.now();
  const third = await Server.start(path, CONTAINER);
  const takenMs = Math.round(performance.now() - begun);
  demand(takenMs < TAKEN_MS_MAX, `the folder of a killed server was taken after ${takenMs} ms`);

  process.kill(insideOf(third), 'SIGSTOP');
  const fourth = await Server.start(path, CONTAINER);
  await charge(fourth);
  process.kill(insideOf(fourth), 'SIGTERM');
  demand((await fourth.ended) === 0, `the fourth server failed: ${fourth.stderr}`);
  process.kill(insideOf(third), 'SIGCONT');
  await charge(third);
  process.kill(insideOf(third), 'SIGTERM');
  await third.ended;
  demand(third.stderr.includes('Lost: '), `a suspended server did not say what it lost: ${third.stderr}`);

  const last = await Server.start(path, CONTAINER);
  const { Charges } = (await asking(last.url)('/_sandbox/world', KEY)).Counts;
  await last.kill();
  demand(Charges === 2, `2 charges were saved by the owners of the folder, but ${Charges} are there`);
  return `containers: a killed server's folder was taken after ${takenMs} ms`;
}

async function charge({ url }) {
  await asking(url)('/charge/token', KEY, { Amount: 5, Token: 'tok_approve' });
}

/** The number, outside of it, of the server in a container. */
function insideOf({ child: { pid } }) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}
