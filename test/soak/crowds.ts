import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Body } from '../model/calls.js';
import { wrongMoney } from '../model/money.js';
import type { Client } from './client.js';
import { makeCharge } from './plays.js';

/** Hostile clients while others play, and crowds at the end. Each returns what is wrong, or reports it. */

type Report = (what: string) => void;

const SLOW_CLIENTS = 2_000;
const SLOW_PROBES = 120;
const AT_ONCE = 100;
const KILLED_CLIENTS = 1_000;
const ARRIVED_WITHIN_MS = 5_000;
const EXCESS = 200;
const STAYS_MS = 1_500;
/** A busy machine may need this long to answer all that one of them sent. */
const PATIENCE_MS = 20_000;
const GAP_MS = 200;
const PIPELINED = 50;
const TICK_MS = 5;

/** A connection of its own, open; what goes wrong on it later is no news. */
const openSocket = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });

/** Runs a task so often, some at a time: a server takes no endless queue of connections. */
async function inTurns<T>(count: number, task: (n: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (done.length < count) {
    const some = Math.min(AT_ONCE, count - done.length);
    done.push(...(await Promise.all(Array.from({ length: some }, (_, n) => task(done.length + n)))));
  }
  return done;
}

const HEALTH = { method: 'GET', path: '/_sandbox/health', key: 'sk_test_health' };

/** How long the health check took, less the time for which this very process was kept from reading it. */
async function probe(client: Client, report: Report): Promise<number> {
  const began = performance.now();
  let last = began;
  let late = 0;
  const tick = (): void => {
    const now = performance.now();
    late += Math.max(0, now - last - 2 * TICK_MS);
    last = now;
  };
  const ticks = setInterval(tick, TICK_MS);
  const { status } = await client.callNow(HEALTH);
  tick();
  clearInterval(ticks);
  if (status !== 200) report(`health among bad clients was answered ${status}`);
  return performance.now() - began - late;
}

const makeHead = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

const makePost = (body: object, ...headers: string[]): string => {
  const text = JSON.stringify(body);
  const all = ['Content-Type: application/json', `Content-Length: ${text.length}`, ...headers];
  return makeHead('POST /charge/card', ...all) + text;
};

/** What hostile clients send, and which answers they get, by their statuses. */
const HOSTILITIES: readonly { readonly text: string; readonly reads: boolean; readonly wanted: string }[] = [
  {
    text: (makeHead('GET /_sandbox/health') + makeHead('GET /charge')).repeat(PIPELINED / 2),
    reads: true,
    wanted: '200,401,'.repeat(PIPELINED / 2),
  },
  { text: makeHead('GET /_sandbox/openapi.json').repeat(PIPELINED), reads: false, wanted: '' },
  { text: makePost(makeCharge(), 'x-secretkey: sk_test_half').slice(0, -10), reads: true, wanted: '' },
];

/** Lets hostile clients come and go until it is over; how long each health check took meanwhile, and how many came. */
export async function sufferHostiles(
  client: Client,
  report: Report,
  isOver: () => boolean,
  isPaused: () => boolean,
) {
  const took: number[] = [];
  let came = 0;
  const visit = async ({ text, reads, wanted }: (typeof HOSTILITIES)[number]): Promise<void> => {
    const socket = await openSocket(client.port);
    let answers = '';
    if (reads) socket.on('data', (bytes) => (answers += bytes.toString('latin1')));
    else socket.pause();
    socket.write(text);
    came++;
    const statuses = (): string =>
      [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, one]) => `${one},`).join('');
    const begun = performance.now();
    const until = begun + PATIENCE_MS;
    while (!isPaused() && performance.now() < begun + STAYS_MS) await sleep(GAP_MS);
    while (!isPaused() && statuses() !== wanted && performance.now() < until) await sleep(GAP_MS);
    if (!isPaused() && statuses() !== wanted) report(`a hostile client was answered ${statuses()}`);
    socket.destroy();
  };
  const repeat = async (task: () => Promise<unknown>): Promise<void> => {
    while (!isOver()) await (isPaused() ? sleep(GAP_MS) : task());
  };
  await Promise.all([
    ...[...HOSTILITIES, ...HOSTILITIES].map((one) => repeat(() => visit(one))),
    repeat(async () => {
      took.push(await probe(client, report));
      await sleep(GAP_MS);
    }),
  ]);
  return {
    came,
    p99: took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0,
    checks: took.length,
  };
}

/** Two thousand clients send their headers slowly; the longest health check meanwhile, in milliseconds. */
export async function sufferSlow(client: Client, report: Report): Promise<number> {
  const sockets = await inTurns(SLOW_CLIENTS, () => openSocket(client.port));
  for (const socket of sockets) socket.write('GET /charge HTTP/1.1\r\nHost: localhost\r\n');
  let longest = 0;
  for (let n = 0; n < SLOW_PROBES; n++) {
    for (const socket of sockets.slice((n * 80) % SLOW_CLIENTS).slice(0, 80))
      socket.write(`x-${n}: slow\r\n`);
    // What was written has left before the time is taken.
    await sleep(40);
    longest = Math.max(longest, await probe(client, report));
  }
  const gone = sockets.filter(({ destroyed }) => destroyed).length;
  if (gone > 0) report(`${gone} of ${SLOW_CLIENTS} slow clients were cut off before their time`);
  for (const socket of sockets) socket.destroy();
  return longest;
}

/** Kills clients in the midst of a charge: each made one charge or none, and one if it was sent whole and not reset. */
export async function sufferKilled(client: Client, key: string, report: Report): Promise<number> {
  const whole = new Set<string>();
  await inTurns(KILLED_CLIENTS, async (n) => {
    const text = makePost(makeCharge({ Reference: `killed-${n}` }), `x-secretkey: ${key}`);
    const isReset = n % 2 === 0;
    const length = n % 4 === 3 ? text.length : Math.ceil((text.length * (n + 1)) / KILLED_CLIENTS);
    if (length === text.length && !isReset) whole.add(`killed-${n}`);
    const socket = await openSocket(client.port);
    await new Promise((resolve) => socket.write(text.slice(0, length), resolve));
    await new Promise((resolve) => {
      socket.once('close', resolve);
      if (isReset) socket.resetAndDestroy();
      else socket.destroy();
    });
  });
  const until = performance.now() + ARRIVED_WITHIN_MS;
  for (;;) {
    const charges: Body[] = [];
    for (let page: Body[] = []; charges.length === 0 || page.length === 500; charges.push(...page)) {
      const { body } = await client.callNow({
        method: 'GET',
        path: `/charge?Limit=500&Skip=${charges.length}`,
        key,
      });
      page = body['Charges'] as Body[];
      if (page.length === 0) break;
    }
    const references = charges.map(({ Reference }) => String(Reference));
    const lost = [...whole].filter((one) => !references.includes(one));
    if (lost.length > 0 && performance.now() < until) continue;
    if (lost.length > 0) report(`${lost.length} charges that were sent whole are lost, such as ${lost[0]}`);
    if (new Set(references).size < references.length) report('a killed client made two charges');
    for (const charge of charges) if (wrongMoney(charge) !== null) report(String(wrongMoney(charge)));
    return KILLED_CLIENTS;
  }
}

/** Fills the program with requests, and sends more: each of these is told to come later, none of the others is lost. */
export async function sufferFull(
  client: Client,
  key: string,
  requestsMax: number,
  report: Report,
): Promise<void> {
  const charge = { method: 'POST', path: '/charge/card', key, body: JSON.stringify(makeCharge()) };
  const headers = { 'x-sandbox-outcome': 'approve, delay=4s' };
  const held = Array.from({ length: requestsMax }, () => client.callNow({ ...charge, headers }));
  await sleep(1_000);
  const refused = await Promise.all(Array.from({ length: EXCESS }, () => client.callNow(charge)));
  const odd = refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '1');
  if (odd.length > 0)
    report(`${odd.length} calls too many were not refused: ${odd[0]?.status} ${odd[0]?.text}`);
  await probe(client, report);
  const failed = (await Promise.all(held)).filter(({ status }) => status !== 201);
  if (failed.length > 0) report(`${failed.length} calls of a full server were answered ${failed[0]?.status}`);
}
