// What the scripts share, such as starting a server and waiting until it is ready.
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const CHARGE = JSON.stringify({
  Amount: 15.5,
  Currency: 'AUD',
  Reference: 'r-1',
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: {
    CardNumber: '4111111111111111',
    ExpiryDate: '10/30',
    Ccv: '123',
    Cardholder: 'Jo Smith',
  },
});
export const HEADERS = { 'content-type': 'application/json', 'x-secretkey': 'sk_test_bench' };

/** The number of stored cards. The rows of a batch charge them one after the other. */
const BATCH_METHODS = 1000;

/** The body of a batch with this many rows, as bytes. `call` creates the stored cards first. */
export async function batchBody(call, rows) {
  const card = { CardNumber: '4111111111111111', ExpiryDate: '10/30' };
  const stored = JSON.stringify({ ProviderId: '00000000000000000000000000000001', PaymentInformation: card });
  const methods = [];
  for (let n = 0; n < BATCH_METHODS; n++) {
    methods.push((await (await call('POST', '/payment_method/card', stored)).json()).PaymentMethodId);
  }
  const lines = ['PaymentMethodId,Amount,Currency,Reference'];
  for (let n = 0; n < rows; n++)
    lines.push(`${methods[n % BATCH_METHODS]},${10 + (n % 90)}.50,AUD,order-${n}`);
  return new TextEncoder().encode(
    JSON.stringify({ Count: rows, Description: 'bench', Batch: lines.join('\n') }),
  );
}

/** The servers that are compared. */
export const SERVERS = {
  raw: ['bench/raw.mjs', '0'],
  playmoney: ['dist/cli.js', '--port', '0', '--quiet'],
};

/** A sandbox made from the sources, with internals that the package does not export. */
export async function createInside(options) {
  const { build } = await import('esbuild');
  const root = fileURLToPath(new URL('..', import.meta.url));
  const outfile = fileURLToPath(new URL('../node_modules/.cache/bench/inside.mjs', import.meta.url));
  const contents =
    "export { createInnerSandbox as createSandbox } from './src/app/sandbox.js'; export { NODE_HOST } from './src/node/machine/host.js';";
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { __VERSION__: '"bench"', __TEXTS__: '"{}"' },
    logLevel: 'warning',
  });
  const { createSandbox, NODE_HOST } = await import(pathToFileURL(outfile).href);
  return createSandbox(NODE_HOST, options);
}

/** Calls a sandbox in process, and returns the JSON of its answer. Throws if the call is refused. */
export function callerOf(sandbox) {
  return async (path, body, method = 'POST') => {
    const sent = body === undefined ? {} : { method, body: JSON.stringify(body) };
    const response = await sandbox.fetch(
      new Request(`http://localhost${path}`, { headers: HEADERS, ...sent }),
    );
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

/** Starts a server, by Node or another program. Resolves with its process and address once it prints that it is listening. */
export async function start(args, program = process.execPath) {
  const child = spawn(program, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[\w.:[\]]+/.exec(line) ?? [];
    if (url !== undefined) return { child, url };
  }
  throw new Error(`${[program, ...args].join(' ')} ended before it was ready`);
}

/** Resident memory of a process and its children in MiB; NaN if the system does not report it. */
export async function memoryOf(pid) {
  return sumOf(await familyOf(pid), async (each) => {
    const status = await readFile(`/proc/${each}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  });
}

/** Processor time of a process and its children so far, in milliseconds; NaN if the system does not report it. */
export async function cpuOf(pid) {
  return sumOf(await familyOf(pid), cpuAt);
}

/** Processor time of the main thread of a process. */
export async function mainCpuOf(pid) {
  return sumOf([`${pid}/task/${pid}`], cpuAt);
}

/** The unit in which Linux counts processor time. */
const TICK_MS = 10;

async function cpuAt(task) {
  const [user, system] = (await statOf(task)).slice(11, 13);
  return TICK_MS * (Number(user) + Number(system));
}

async function sumOf(pids, measure) {
  try {
    const figures = await Promise.all(pids.map(measure));
    return figures.reduce((sum, one) => sum + one, 0);
  } catch {
    return Number.NaN;
  }
}

/** What the system reports about a process, from its state on. */
async function statOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A process and all its descendants. */
async function familyOf(pid) {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (each) => [each, Number((await statOf(each).catch(() => []))[1])]),
  );
  const family = [pid];
  for (const member of family) {
    for (const [each, parent] of parents) if (parent === member) family.push(each);
  }
  return family;
}

/** Sends the figures of a script to the script that started it, if there is one. */
export function report(figures) {
  process.send?.(figures);
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** A number for a reader, with that many decimals. */
export function figure(number, digits = 0) {
  return number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Median with the range, for a table. */
export function spread(numbers, digits = 1) {
  const show = (number) => figure(number, digits);
  return `${show(median(numbers))} (${show(Math.min(...numbers))}–${show(Math.max(...numbers))})`;
}
