// Cold start: the time from spawning the process to its first answered charge, and its memory then, measured alternately with a
// bare node:http server.
//
//   node build/build.mjs && node bench/start.mjs [ROUNDS]
import { CHARGE, HEADERS, median, memoryOf, SERVERS, spread, start } from './support.mjs';

const rounds = Number(process.argv[2] ?? 15);
const measured = Object.fromEntries(Object.keys(SERVERS).map((name) => [name, { ms: [], mib: [] }]));

for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(SERVERS)) {
    const from = performance.now();
    const { child, url } = await start(args);
    const response = await fetch(`${url}/charge/card`, { method: 'POST', headers: HEADERS, body: CHARGE });
    await response.arrayBuffer();
    measured[name].ms.push(performance.now() - from);
    measured[name].mib.push(await memoryOf(child.pid));
    child.kill('SIGKILL');
  }
}

for (const [name, { ms, mib }] of Object.entries(measured)) {
  console.log(`${name}: first answer after ${spread(ms)} ms, then ${spread(mib)} MiB`);
}
const { raw, playmoney } = measured;
console.log(`cold start: ${(median(playmoney.ms) / median(raw.ms)).toFixed(2)} times the bare server's`);
