// The longest turn of the event loop while a batch of 1,000,000 rows is accepted, processed and read, in process. It is the longest
// time that another request waits. It includes pauses of the garbage collector.
//
//   npm run build && node --expose-gc bench/pause.mjs [ROWS] [ROUNDS]
import { setTimeout } from 'node:timers/promises';

import { createSandbox } from '../dist/index.js';
import { batchBody, HEADERS, median, report } from './support.mjs';

/** The limit of the longest turn, in milliseconds: a batch is read in one go. */
const GATE_MS = 400;
const GATE_100_000_MS = 60;
/** The size of the pieces in which a socket delivers a body. */
const PIECE_BYTES = 64 * 1024;

const BUFFERS_FREED_MS = 300;

const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 5);

/** The wall clock, and the processor time of all threads of the process, in milliseconds. */
function clocks() {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1000 };
}

/**
 * Reads the clocks in each turn of the event loop until it is stopped. Returns how long each turn took, longest first. If
 * other programs used the processor during a turn, only the processor time of this one counts.
 */
function watchTurns() {
  const turns = [];
  let last = clocks();
  let watching = true;
  const note = () => {
    const now = clocks();
    turns.push(Math.min(now.wall - last.wall, now.cpu - last.cpu));
    last = now;
  };
  const look = () => {
    note();
    if (watching) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    watching = false;
    // The time since the last turn counts as well.
    note();
    return turns.toSorted((a, b) => b - a);
  };
}

function piecesOf(bytes) {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      if (from >= bytes.length) return controller.close();
      // A copy, as from a socket: the sandbox must not keep the body itself.
      controller.enqueue(bytes.slice(from, from + PIECE_BYTES));
      from += PIECE_BYTES;
    },
  });
}

function callerOf(sandbox) {
  return async (method, path, body) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const response = await sandbox.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...HEADERS, ...length },
        ...(body === undefined
          ? {}
          : { body: body instanceof Uint8Array ? piecesOf(body) : body, duplex: 'half' }),
      }),
    );
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
}

async function lap(work) {
  const stop = watchTurns();
  const from = performance.now();
  const result = await work();
  const seconds = (performance.now() - from) / 1000;
  const turns = stop();
  return { result, seconds, turns, longest: turns[0] };
}

function describe(name, { seconds, turns }) {
  const at = (share) => (turns[Math.floor(turns.length * share)] ?? 0).toFixed(1);
  return `${name} ${seconds.toFixed(1)} s, longest turn ${at(0)} ms, 99.9 % below ${at(0.001)} ms`;
}

async function read(response) {
  let length = 0;
  for await (const piece of response.body) length += piece.length;
  return length;
}

async function round() {
  const sandbox = createSandbox({ clock: { mode: 'manual' }, batchBodyLimit: 64 * 2 ** 20 });
  const call = callerOf(sandbox);
  const body = await batchBody(call, rows);
  // Garbage from making the body and from the round before must not count for the sandbox. Another thread frees buffers, and the
  // next collection would wait for it.
  globalThis.gc();
  await setTimeout(BUFFERS_FREED_MS);
  const accept = await lap(() => call('POST', '/batch/transaction/payment_method', body));
  const { BatchId } = await accept.result.json();
  const advance = await lap(() => call('POST', '/_sandbox/clock/advance', '{"By":"1m"}'));
  const status = await (await call('GET', `/batch/${BatchId}/status`)).json();
  if (status.Status !== 'SUCCESS' || status.Success !== rows) throw new Error(JSON.stringify(status));
  const answer = await lap(async () => read(await call('GET', `/batch/${BatchId}`)));
  sandbox.close();
  console.log(
    [describe('accept', accept), describe('advance', advance), describe('read', answer)].join('; '),
  );
  return Math.max(accept.longest, advance.longest);
}

const longest = [];
for (let n = 0; n < rounds; n++) longest.push(await round());
const ms = median(longest);
const gate = rows > 100_000 ? GATE_MS : GATE_100_000_MS;
const verdict = ms >= gate ? 'missed' : 'met';
console.log(
  `longest turn while ${rows} rows are accepted and advanced: ${ms.toFixed(1)} ms (median of ${rounds}); gate ${gate} ms: ${verdict}`,
);
if (ms >= gate) process.exitCode = 1;
report({ longest: ms });
