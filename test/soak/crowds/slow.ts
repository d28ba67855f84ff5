import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from '../client.js';
import type { Findings } from '../findings.js';
import { openSockets } from './wire.js';

const CLIENTS = 2_000;
/** Longer than this no answer may take. */
const HEALTH_MAX_MS = 100;
const PROBES = 120;
const PROBE_GAP_MS = 40;
/** Headers that are written between two probes, one by each client whose turn it is. */
const WRITES = 80;
const TICK_MS = 5;
const HEALTH = { method: 'GET', path: '/_sandbox/health', headers: {}, body: null };

/**
 * Lets two thousand clients send their headers slowly; gives back the longest answer of the health call meanwhile, in
 * milliseconds.
 */
export async function crowdOfSlow(port: number, client: Client, findings: Findings): Promise<number> {
  const sockets = await openSockets(port, CLIENTS);
  for (const socket of sockets) socket.write('GET /charge HTTP/1.1\r\nHost: localhost\r\n');
  let longest = 0;
  let next = 0;
  for (let probe = 0; probe < PROBES; probe++) {
    for (let i = 0; i < WRITES; i++) sockets[next++ % CLIENTS]?.write(`x-${probe}: slow\r\n`);
    // What was written has left before the time is taken.
    await sleep(PROBE_GAP_MS);
    longest = Math.max(longest, await probeHealth(client, findings));
  }
  const gone = sockets.filter(({ destroyed }) => destroyed).length;
  if (gone > 0) findings.add(`${gone} of ${CLIENTS} slow clients were cut off before their time`);
  if (longest > HEALTH_MAX_MS) findings.add(`health among slow clients took ${longest.toFixed()} ms`);
  for (const socket of sockets) socket.destroy();
  return longest;
}

/** How long an answer took, less the time for which this very process was kept from reading it. */
export async function probeHealth(client: Client, findings: Findings): Promise<number> {
  const began = performance.now();
  let last = began;
  let late = 0;
  const tick = (): void => {
    const now = performance.now();
    late += Math.max(0, now - last - 2 * TICK_MS);
    last = now;
  };
  const ticks = setInterval(tick, TICK_MS);
  const { status } = await client.call(HEALTH);
  const took = performance.now() - began;
  tick();
  clearInterval(ticks);
  if (status !== 200) findings.add(`health among bad clients was answered ${status}`);
  return took - late;
}
