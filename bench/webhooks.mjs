// What webhooks cost: p99 of charges at a fixed rate, with a webhook to a fast receiver, to one that refuses connections and to one
// that never answers, compared with charges without a webhook. All alternately in one run.
//
//   npm run build && node bench/webhooks.mjs [ROUNDS] [CHARGES] [RATE]
import { Agent, createServer, request } from 'node:http';
import { Worker } from 'node:worker_threads';

import { CHARGE, cpuOf, HEADERS, mainCpuOf, median, spread, start } from './support.mjs';

const rounds = Number(process.argv[2] ?? 5);
const count = Number(process.argv[3] ?? 1000);
const rate = Number(process.argv[4] ?? 200);

/** Two receivers on their own thread: one answers at once, the other never. */
const RECEIVERS = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const open = (answer) => new Promise((resolve) => {
    const server = createServer((request, response) => { request.resume(); answer(response); });
    server.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
  Promise.all([open((response) => response.writeHead(204).end()), open(() => {})]).then((ports) => parentPort.postMessage(ports));
`;

const receivers = new Worker(RECEIVERS, { eval: true });
const [prompt, silent] = await new Promise((resolve) => receivers.once('message', resolve));
const dead = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});

const bodyOf = (port) =>
  port === null
    ? CHARGE
    : JSON.stringify({ ...JSON.parse(CHARGE), Webhook: { Url: `http://127.0.0.1:${port}/` } });
const KINDS = {
  'without a webhook': bodyOf(null),
  'to a prompt receiver': bodyOf(prompt),
  'to a dead receiver': bodyOf(dead),
  'to a silent receiver': bodyOf(silent),
};

const server = await start(['dist/cli.js', '--port', '0', '--quiet']);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function call(path, body) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(`${server.url}${path}`, { method: 'POST', agent, headers: HEADERS }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode < 300) resolve(performance.now() - began);
        else reject(new Error(`${path} answered ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends charges at the rate. Returns the 99th percentile of their times and the processor time per charge (total, and of the main thread), in milliseconds. */
async function measured(body) {
  const { pid } = server.child;
  const before = [await cpuOf(pid), await mainCpuOf(pid)];
  const under = [];
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      under.push(call('/charge/card', body));
      if (under.length < count) return;
      clearInterval(timer);
      resolve();
    }, 1000 / rate);
  });
  const times = (await Promise.all(under)).toSorted((a, b) => a - b);
  const after = [await cpuOf(pid), await mainCpuOf(pid)];
  const [each, main] = after.map((time, which) => (time - before[which]) / count);
  await call('/_sandbox/reset', '{}');
  return { p99: times[Math.ceil(0.99 * times.length) - 1], each, main };
}

const results = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
for (const body of Object.values(KINDS)) await measured(body);
for (let round = 0; round < rounds; round++) {
  for (const [kind, body] of Object.entries(KINDS)) results[kind].push(await measured(body));
}
server.child.kill('SIGKILL');
await receivers.terminate();
agent.destroy();

const base = results['without a webhook'];
console.log(`${count} charges at ${rate} a second, ${rounds} rounds`);
for (const [kind, rows] of Object.entries(results)) {
  const ratios = rows.map(({ p99 }, round) => p99 / base[round].p99);
  const times = spread(
    rows.map(({ p99 }) => p99),
    2,
  );
  const [each, main] = ['each', 'main'].map((name) => median(rows.map((row) => row[name])).toFixed(2));
  console.log(
    `${kind}: p99 ${times} ms, ${median(ratios).toFixed(2)} of that without; ${each} ms of processor time each, ${main} of it on the thread that answers`,
  );
}
