import { readFileSync } from 'node:fs';

import { asking, fill } from './ledger.mjs';
import { Server } from './server.mjs';

/**
 * Twice the two seconds of docs/guides/ci.md, in processor time where the system reports it: beside other programs, which take its
 * caches, the same work takes up to half as long again.
 */
const END_MS_MAX = 4000;
const LOOK_EVERY_MS = 10;
const TICK_MS = 10;
const KEY = 'sk_test_full';
const [BATCHES, BATCH_ROWS] = [2, 100_000];

/** Makes 200,000 charges, ends the server by SIGTERM and opens what it saved. Returns what to print. */
export async function fillAndEnd(path, findings) {
  const server = await Server.start(path);
  for (let batch = 0; batch < BATCHES; batch++) await fill(server.url, BATCH_ROWS, KEY);
  const charges = await countIn(server.url);
  const { code, ms, cpuMs } = await endBySignal(server);
  if (code !== 0) findings.push(`with ${charges} charges: exit code ${code} after SIGTERM: ${server.stderr}`);
  if ((cpuMs ?? ms) > END_MS_MAX)
    findings.push(`with ${charges} charges: ${cpuMs ?? ms} ms from SIGTERM to the end`);
  const again = await Server.start(path);
  const restored = await countIn(again.url);
  await again.kill();
  if (restored !== charges) findings.push(`${charges} charges were saved, but ${restored} restored`);
  return `${charges} charges: SIGTERM to exit ${ms} ms${cpuMs === null ? '' : `, ${cpuMs} ms of them on a processor`}`;
}

/** Ends a server by SIGTERM; returns its exit code and how long that took, also without the time in which other programs ran. */
async function endBySignal(server) {
  const { pid } = server.child;
  const begun = performance.now();
  const cpuBegun = cpuMsOf(pid);
  let cpu = cpuBegun;
  const looking = setInterval(() => (cpu = cpuMsOf(pid) ?? cpu), LOOK_EVERY_MS);
  server.child.kill('SIGTERM');
  const code = await server.ended;
  clearInterval(looking);
  return {
    code,
    ms: Math.round(performance.now() - begun),
    cpuMs: cpuBegun === null ? null : cpu - cpuBegun,
  };
}

/** The processor time that a process has used (proc(5), fields 14 and 15); null if the system does not report it. */
function cpuMsOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return null;
  }
}

async function countIn(url) {
  return (await asking(url)('/_sandbox/world', KEY)).Counts.Charges;
}
