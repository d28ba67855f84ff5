// Charges and reads at 64 connections, alternately with a bare node:http server: how many per second, their p99, and the server's
// processor time for each, on which other programs of the machine have little effect.
//
//   npm run build && node bench/load.mjs [ROUNDS] [SECONDS]
import { hammer } from './hammer.mjs';
import { CHARGE, cpuOf, HEADERS, memoryOf, SERVERS, spread, start } from './support.mjs';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);

/** The requests to a server, by name. */
async function requestsTo(url) {
  const response = await fetch(`${url}/charge/card`, { method: 'POST', headers: HEADERS, body: CHARGE });
  const { ChargeId } = await response.json();
  return {
    charges: { path: '/charge/card', body: CHARGE },
    reads: { method: 'GET', path: `/charge/${ChargeId}` },
  };
}

async function measure({ url, child }, request) {
  const before = await cpuOf(child.pid);
  const { count, rate, p99 } = await hammer(url, request, { seconds });
  return { rate, p99, cpu: (1000 * ((await cpuOf(child.pid)) - before)) / count };
}

const started = {};
for (const [name, args] of Object.entries(SERVERS)) {
  const server = await start(args);
  const requests = await requestsTo(server.url);
  started[name] = { ...server, requests, charges: [], reads: [] };
  for (const request of Object.values(requests)) await hammer(server.url, request, { seconds: 2 });
}
for (let round = 0; round < rounds; round++) {
  for (const kind of ['charges', 'reads']) {
    for (const server of Object.values(started))
      server[kind].push(await measure(server, server.requests[kind]));
  }
}
const of = (name, kind, figure) => started[name][kind].map((row) => row[figure]);
for (const kind of ['charges', 'reads']) {
  for (const name of Object.keys(started)) {
    const figures = [
      `${spread(of(name, kind, 'rate'), 0)} ${kind} a second`,
      `p99 ${spread(of(name, kind, 'p99'))} ms`,
      `${spread(of(name, kind, 'cpu'))} µs of processor time each`,
    ];
    console.log(`${name}: ${figures.join(', ')}`);
  }
  const ratio = (figure) => {
    const bare = of('raw', kind, figure);
    return spread(
      of('playmoney', kind, figure).map((value, round) => value / bare[round]),
      2,
    );
  };
  const [rate, p99, cpu] = ['rate', 'p99', 'cpu'].map(ratio);
  console.log(`${kind}: ${rate} of the bare server's rate, ${p99} of its p99, ${cpu} of its processor time`);
}
for (const [name, { child }] of Object.entries(started)) {
  console.log(`${name}: ${(await memoryOf(child.pid)).toFixed(0)} MiB in the end`);
  child.kill('SIGKILL');
}
