import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folder } from '../../support/folder.js';
import { HOST, JSON_TYPE, KEY, openWire, requestText } from '../http/support.js';
import { CHARGE, JSON_KEY, startingPrograms } from '../cli/starting.js';

const start = startingPrograms();

test.each([
  [['SIGTERM']],
  [['SIGHUP']],
  [['SIGQUIT']],
  // As a terminal and npm send them at once.
  [['SIGINT', 'SIGINT', 'SIGINT']],
] as const)('%s: the worlds are saved, and the exit code is 0', async (signals) => {
  const path = join(folder(), 'worlds');
  const { url, child, ended } = await start(['--port', '0', '--quiet', '--state', path]);
  const answer = await fetch(`${url}/charge/card`, { method: 'POST', headers: JSON_KEY, body: CHARGE });
  expect(answer.status).toBe(201);
  for (const signal of signals) child.kill(signal);
  expect((await ended).code).toBe(0);
  expect(readdirSync(path)).toContainEqual(expect.stringMatching(/^world-/));
});

test('calls that wait do not delay the end: a delayed one is answered, a hanging one gets nothing', async () => {
  const { port, child, ended } = await start(['--port', '0', '--quiet', '--log', 'json']);
  const charge = (header: string): string =>
    requestText('POST /charge/card', [HOST, KEY, JSON_TYPE, header], CHARGE);
  const [delayed, hanging] = [await openWire(port), await openWire(port)];
  delayed.send(charge('x-sandbox-outcome: approve, delay=60s'));
  hanging.send(charge('x-sandbox-fault: hang; phase=after'));
  // Both have been received when both charges exist.
  const search = { headers: { 'x-secretkey': 'sk_test_a' } };
  const count = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/charge`, search);
    return ((await answer.json()) as { Count: number }).Count;
  };
  while ((await count()) < 2);
  child.kill('SIGTERM');
  const answer = await delayed.closed();
  expect(answer).toMatch(/^HTTP\/1\.1 201 [^]*\r\nConnection: close\r\n/i);
  expect(await hanging.closed()).toBe('');
  expect((await ended).code).toBe(0);
});
