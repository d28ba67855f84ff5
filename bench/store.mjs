// A world with many charges: bytes per charge, the time of a search by reference in the store and through the whole app, and
// the time to take and to restore a snapshot, in process.
//
//   node --expose-gc bench/store.mjs [CHARGES]
import { callerOf, CHARGE, HEADERS, createInside, median, report } from './support.mjs';

const count = Number(process.argv[2] ?? 1_000_000);
const key = HEADERS['x-secretkey'];
// From the sources, because the package does not export the stores.
const sandbox = await createInside({ clock: { mode: 'manual' } });
const charge = JSON.parse(CHARGE);

/** How often a snapshot is taken and restored. */
const SNAPSHOTS = 5;
/** How often the whole app searches for a charge. */
const SEARCHES = 2000;

const call = callerOf(sandbox);

function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function microseconds(work, times) {
  const from = performance.now();
  for (let i = 0; i < times; i++) work(i);
  return ((performance.now() - from) * 1000) / times;
}

async function milliseconds(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

await call('/charge/card', charge);
const before = heap();
for (let n = 1; n < count; n++) await call('/charge/card', { ...charge, Reference: `order-${n}` });
const bytes = (heap() - before) / (count - 1);
console.log(`${count} charges: ${bytes.toFixed(0)} bytes each`);

const { charges } = sandbox.worlds.open(key);
const references = Array.from({ length: 100_000 }, (_, i) => `order-${1 + ((i * 7919) % (count - 1))}`);
const inStore = [];
for (let round = 0; round < 7; round++) {
  inStore.push(microseconds((i) => charges.by('reference', references[i]).at(0), references.length));
}
console.log(`search by reference: ${median(inStore).toFixed(2)} µs in the store`);

const through = [];
for (let i = 0; i < SEARCHES; i++) {
  const from = performance.now();
  const { Count } = await call(`/charge?reference=${references[i]}`);
  through.push((performance.now() - from) * 1000);
  if (Count !== 1) throw new Error(`${references[i]} was found ${Count} times`);
}
console.log(`search by reference: ${median(through).toFixed(0)} µs through the whole app`);

const saves = [];
const restores = [];
for (let n = 0; n < SNAPSHOTS; n++) {
  saves.push(await milliseconds(() => call('/_sandbox/snapshots/bench', {}, 'PUT')));
  restores.push(await milliseconds(() => call('/_sandbox/snapshots/bench/restore', {})));
}
console.log(`snapshot: ${median(saves).toFixed(1)} ms, restoring it: ${median(restores).toFixed(1)} ms`);

report({
  bytes,
  inStore: median(inStore),
  through: median(through),
  save: median(saves),
  restore: median(restores),
});
