// Bad receivers over real sockets: `npm run test:receivers`. Eight worlds send 70 webhooks each to a receiver that accepts and never
// answers; a ninth has a healthy one, which must get all of its webhooks. Then the names of 20 receivers get no answer: a webhook to
// localhost arrives, and the server ends, without waiting for them. Uses the program that was built last.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';

import { printFigures } from '../support/figures.mjs';

const CLI = join(import.meta.dirname, '../../dist/cli.js');
const SLOW_NAMES = join(import.meta.dirname, 'slow-names.mjs');
/** Names get no answer for 30 s, and each hung attempt takes a second: what waited for either is far above these. */
const ARRIVES_MS_MAX = 5000;
const ENDS_MS_MAX = 2000;

const healthy = createServer((request, response) => request.resume().on('end', () => response.end()));
const hung = createTcpServer((socket) => socket.on('error', () => {}).resume());
const addressOf = (server) => `http://localhost:${server.address().port}/hooks`;

async function startServer(...options) {
  const child = spawn(process.execPath, [...options, CLI, '--port', '0', '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const url = line.trim().split(' ').at(-1);
  const send = async (path, body, key = 'sk_test_one') => {
    const headers = { 'content-type': 'application/json', 'x-secretkey': key };
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const charge = (Url, key) =>
    send('/charge/token', { Amount: 5, Currency: 'AUD', Token: 'tok_approve', Webhook: { Url } }, key);
  const end = async () => {
    const began = performance.now();
    child.kill('SIGTERM');
    await once(child, 'exit');
    return performance.now() - began;
  };
  return { send, charge, end };
}

async function hangEightWorlds() {
  const { send, charge, end } = await startServer();
  const keys = Array.from({ length: 8 }, (_, n) => `sk_test_hung${n}`);
  for (const key of [...keys, 'sk_test_healthy'])
    await send('/_sandbox/reset', { Clock: { Mode: 'manual' } }, key);
  for (const key of keys) for (let n = 0; n < 70; n++) await charge(addressOf(hung), key);
  for (let n = 0; n < 10; n++) await charge(addressOf(healthy), 'sk_test_healthy');
  const hanging = keys.map((key) => send('/_sandbox/clock/advance', { By: '7d' }, key));
  await send('/_sandbox/clock/advance', { By: '7d' }, 'sk_test_healthy');
  const { Deliveries } = await send('/_sandbox/webhooks', undefined, 'sk_test_healthy');
  await Promise.all(hanging);
  await end();
  return Deliveries.filter(({ Status, Attempts }) => Status === 'delivered' && Attempts.length === 1).length;
}

async function slowNames() {
  const { charge, end } = await startServer('--import', SLOW_NAMES);
  for (let n = 0; n < 20; n++) await charge(`http://h${n}.slow.test/hooks`);
  const began = performance.now();
  const arrived = once(healthy, 'request').then(() => performance.now() - began);
  await charge(addressOf(healthy));
  return { arrives: await arrived, ends: await end() };
}

for (const server of [healthy, hung]) await once(server.listen(0), 'listening');
const delivered = await hangEightWorlds();
const { arrives, ends } = await slowNames();
printFigures(
  'receivers',
  `${delivered} of 10 webhooks arrive beside 560 hung ones; beside 20 slow names one arrives in ${Math.round(arrives)} ms, and the server ends in ${Math.round(ends)} ms`,
);
process.exit(delivered === 10 && arrives < ARRIVES_MS_MAX && ends < ENDS_MS_MAX ? 0 : 1);
