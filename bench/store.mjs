// A world with many charges: bytes for each, and how long a search by reference takes in the store and
// through the whole app, in process.
//
//   npm run build && node --expose-gc bench/store.mjs [CHARGES]
import { createSandbox } from '../dist/index.js';
import { CHARGE, HEADERS, median } from './support.mjs';

const count = Number(process.argv[2] ?? 1_000_000);
const key = HEADERS['x-secretkey'];
const sandbox = createSandbox({ clock: { mode: 'manual' } });
const charge = JSON.parse(CHARGE);

async function call(path, body) {
  const request = new Request(`http://localhost${path}`, {
    headers: HEADERS,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const response = await sandbox.fetch(request);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function microseconds(work, times) {
  const from = performance.now();
  for (let i = 0; i < times; i++) work(i);
  return ((performance.now() - from) * 1000) / times;
}

await call('/charge/card', charge);
const before = heap();
for (let n = 1; n < count; n++) await call('/charge/card', { ...charge, Reference: `order-${n}` });
console.log(`${count} charges: ${((heap() - before) / (count - 1)).toFixed(0)} bytes each`);

const { charges } = sandbox.worlds.open(key);
const references = Array.from({ length: 100_000 }, (_, i) => `order-${1 + ((i * 7919) % (count - 1))}`);
const inStore = [];
for (let round = 0; round < 7; round++) {
  inStore.push(
    microseconds((i) => charges.at(charges.byReference.find(references[i]).at(0)), references.length),
  );
}
console.log(`search by reference: ${median(inStore).toFixed(2)} µs in the store`);

const through = [];
for (let i = 0; i < 2000; i++) {
  const from = performance.now();
  const { Count } = await call(`/charge?reference=${references[i]}`);
  through.push((performance.now() - from) * 1000);
  if (Count !== 1) throw new Error(`${references[i]} was found ${Count} times`);
}
console.log(`search by reference: ${median(through).toFixed(0)} µs through the whole app`);
