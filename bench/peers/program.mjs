// A server of the table as a running program: started on free ports in its own folder, and ended with all processes that it
// started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CHARGE, HEADERS, memoryOf } from '../support.mjs';

const START_MAX_MS = 30_000;
const RETRY_MS = 2;

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return String(port);
}

/**
 * Starts a tool and sends it one charge. Resolves with its address, the path of a read, the time from the start of the process to
 * the answer in milliseconds, and its memory then in MiB. Rejects with the reason if it cannot.
 */
export async function startPeer(peer) {
  peer.needs?.();
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-bench-'));
  const port = await findFreePort();
  const args = await peer.args(port, folder);
  const url = `http://127.0.0.1:${port}`;
  const from = performance.now();
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const { pid } = child;
  if (pid === undefined) throw new Error('it could not be started');
  const stop = async () => {
    // Processes that it started may outlive it. They are all in its process group.
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const answer = await firstAnswer(url, child);
    const startMs = performance.now() - from;
    return { url, pid, read: peer.read(answer), startMs, mib: await memoryOf(pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstAnswer(url, child) {
  const until = performance.now() + START_MAX_MS;
  for (;;) {
    const response = await post(url);
    if (response?.ok) return response.json();
    if (response !== null) throw new Error(`its first answer was ${response.status}`);
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before it was ready`);
    if (performance.now() > until) throw new Error(`it was not ready after ${START_MAX_MS / 1000} s`);
    await sleep(RETRY_MS);
  }
}

/** Sends a charge. Null if nothing listens yet. */
function post(url) {
  const request = { method: 'POST', headers: HEADERS, body: CHARGE };
  return fetch(`${url}/charge/card`, request).catch(() => null);
}
