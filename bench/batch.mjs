// A batch of a million rows over HTTP: how long it takes to be accepted, processed under one advance and read back,
// and how long the server kept other requests waiting meanwhile.
//
//   npm run build && node bench/batch.mjs [ROWS]
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { batchBody, HEADERS, memoryOf, report, SERVERS, start } from './support.mjs';

const PROBE_EACH_MS = 5;
const MEMORY_EACH_MS = 50;

await (isMainThread ? main() : probe(workerData));

async function main() {
  const count = Number(process.argv[2] ?? 1_000_000);
  const manual = ['--clock', 'manual', '--batch-body-limit', '64mb'];
  const { child, url } = await start([...SERVERS.playmoney, ...manual]);
  const worker = new Worker(new URL(import.meta.url), { workerData: url });
  try {
    await measure(url, count, worker, child.pid);
  } finally {
    await worker.terminate();
    child.kill();
  }
}

async function measure(url, count, worker, pid) {
  const call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: HEADERS,
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const figures = {};
  const lap = async (name, work) => {
    worker.postMessage('start');
    const before = await memoryOf(pid);
    const most = watchMemory(pid);
    const from = performance.now();
    const result = await work();
    const took = (performance.now() - from) / 1000;
    worker.postMessage('stop');
    const [waits] = await once(worker, 'message');
    figures[name] = { seconds: took, waited: Math.max(...waits), grown: (await most()) - before };
    console.log(
      `${name}: ${took.toFixed(2)} s; ${describe(waits)}; server held ${before.toFixed(0)} MiB, then up to ${figures[name].grown.toFixed(0)} more`,
    );
    return result;
  };

  const body = await batchBody(call, count);
  console.log(`${count} rows, body of ${(body.length / 1e6).toFixed(1)} MB`);
  await lap('idle', () => sleep(1000));
  const { BatchId } = await lap('accept', async () =>
    (await call('POST', '/batch/transaction/payment_method', body)).json(),
  );
  await lap('process', () => call('POST', '/_sandbox/clock/advance', '{"By":"1m"}'));
  const bytes = await lap('read', async () => (await call('GET', `/batch/${BatchId}`)).arrayBuffer());
  check(JSON.parse(new TextDecoder().decode(bytes)), count);
  report({ ...figures, upload: body.length / 2 ** 20 });
}

function check(batch, count) {
  const lines = batch.Results.split('\n');
  const good = lines.filter((line) => line.includes(',SUCCESS,')).length;
  if (batch.Status !== 'SUCCESS' || lines.length !== count + 1 || good !== count) {
    throw new Error(`Wrong results: ${batch.Status}, ${lines.length} lines, ${good} successes`);
  }
}

function describe(waits) {
  waits.sort((a, b) => b - a);
  const at = (share) => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1);
  return `others waited ${at(0.5)} ms (median), ${at(0.01)} ms (99 %), ${at(0)} ms (longest of ${waits.length})`;
}

/** Watches the memory of the server until it is stopped. Returns the highest value, in MiB. */
function watchMemory(pid) {
  let most = 0;
  const look = async () => {
    most = Math.max(most, await memoryOf(pid));
  };
  const timer = setInterval(() => void look(), MEMORY_EACH_MS);
  return async () => {
    clearInterval(timer);
    await look();
    return most;
  };
}

/** Requests the server's health again and again, on its own thread. Reports how long each answer took. */
async function probe(url) {
  const agent = new Agent({ keepAlive: true });
  let waits = null;
  parentPort.on('message', (message) => {
    if (message === 'stop') parentPort.postMessage(waits);
    waits = message === 'start' ? [] : null;
  });
  for (;;) {
    const from = performance.now();
    await ask(`${url}/_sandbox/health`, agent);
    waits?.push(performance.now() - from);
    await sleep(PROBE_EACH_MS);
  }
}

async function ask(url, agent) {
  const [response] = await once(get(url, { agent }), 'response');
  response.resume();
  await once(response, 'end');
}
