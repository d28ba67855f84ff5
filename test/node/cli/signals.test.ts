import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folder } from '../../support/folder.js';
import { CHARGE, JSON_KEY, startingPrograms } from './starting.js';

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
  expect(readdirSync(path)).toEqual([expect.stringMatching(/^world-/)]);
});
