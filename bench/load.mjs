// Charges a second at 64 connections, beside a bare node:http server, interleaved.
//
//   npm --prefix bench install && npm run build && node bench/load.mjs [ROUNDS] [SECONDS]
import { hammer } from './hammer.mjs';
import { median, memoryOf, SERVERS, spread, start } from './support.mjs';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);

const started = {};
for (const [name, args] of Object.entries(SERVERS)) {
  started[name] = { ...(await start(args)), rates: [], p99: [] };
  await hammer(started[name].url, 2);
}
for (let round = 0; round < rounds; round++) {
  for (const server of Object.values(started)) {
    const { requests, latency } = await hammer(server.url, seconds);
    server.rates.push(requests.average);
    server.p99.push(latency.p99);
  }
}
for (const [name, { child, rates, p99 }] of Object.entries(started)) {
  const memory = (await memoryOf(child.pid)).toFixed(0);
  console.log(
    `${name}: ${spread(rates, 0)} charges a second, p99 ${spread(p99, 0)} ms, ${memory} MiB in the end`,
  );
  child.kill('SIGKILL');
}
const ratio = median(started.playmoney.rates) / median(started.raw.rates);
console.log(`charges a second: ${ratio.toFixed(2)} of the bare server's`);
